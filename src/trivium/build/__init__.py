"""Making benchmarks: verbs, composition, controlled splits and the proof that nothing leaks. Imports no torch."""
