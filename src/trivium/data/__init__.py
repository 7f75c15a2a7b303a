"""Examples, labels, splits, and the sources they come from. Does not import torch."""

from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3, Labels
from trivium.data.split import Split

__all__ = ["NLI2", "NLI3", "Example", "Labels", "Split"]
