"""Conjunctions: finding conjuncts in sentences, making NLI pairs from them, and labelling the pairs by rules."""
