"""Trivium finds out what an NLI model cannot reason about, teaches it, and proves that it did not forget."""

from trivium.data import Example, Labels, Split

__version__ = "0.1.0"
__all__ = ["Example", "Labels", "Split", "__version__"]
