"""Encoders, pooling and heads; tokenizing and batching."""
