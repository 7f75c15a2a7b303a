"""Generators of benchmark data, and the controlled splits made from it. Imports no torch."""
