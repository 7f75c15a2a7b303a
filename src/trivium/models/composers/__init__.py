"""One file for each composer; each registers itself and is found by itself."""
