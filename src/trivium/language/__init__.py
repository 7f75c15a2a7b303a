"""Analyse English: tokens, word forms, animacy, differences between texts. Does not import torch."""
