"""Stages and tests that are proved: what is trained, what is tested, and the invariants between them."""
