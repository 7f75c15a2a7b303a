"""Training and test splits of the benchmarks, and the invariants that hold between them."""
