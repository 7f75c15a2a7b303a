"""Clause-embedding verbs, the clauses they embed, natural pairs, and their composition."""
