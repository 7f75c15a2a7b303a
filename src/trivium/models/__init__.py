"""Encoders, pooling, heads, classifiers and adapters; tokenizing and batching."""
