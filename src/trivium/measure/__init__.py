"""Metrics and statistics: pure functions of stored predictions. Does not import torch."""
