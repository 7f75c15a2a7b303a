"""Tools for a user's own model: diagnose, stress-test, evaluate, compare, train and correct it, or teach a persona."""
