"""One file for each strategy; each registers itself and is found by itself."""
