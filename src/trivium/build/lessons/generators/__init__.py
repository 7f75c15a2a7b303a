"""Generators of lessons, one in each file."""
