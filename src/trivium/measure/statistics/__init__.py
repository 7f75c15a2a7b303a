"""Intervals, tests and verdicts: the one place that turns stored predictions into what a table or a claim may say.

An :class:`~trivium.measure.statistics.estimate.Estimate` keeps what each training (fold and seed) and each cluster of
test examples contributed to a value. Its variance follows from a crossed analysis of variance, so that an interval
accounts for trainings, folds and examples at once. Estimates can be added and subtracted without losing the pairing.
"""
