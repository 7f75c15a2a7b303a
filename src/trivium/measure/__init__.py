"""Metrics and statistics: pure functions of stored predictions. Imports no torch."""
