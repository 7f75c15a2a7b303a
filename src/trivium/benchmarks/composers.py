"""Designs whose predictions can be made by several composers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from typing_extensions import Self

from trivium.engine.steps import PredictStep
from trivium.learn.config import ModelConfig


@dataclass(frozen=True)
class ComposerDesign:
    """The part of a design that is about composers.

    The keys of its predictions have a field ``composer``: one of ``run.composers``, or empty for ``model.composer``.
    """

    settings: Any
    data: Any
    predictions: Mapping[Any, PredictStep]

    def keys(self) -> Iterator[tuple[dict[str, Any], PredictStep]]:
        """Yield the fields of each prediction's key, and its step."""
        for key, step in self.predictions.items():
            yield key._asdict() | {"composer": key.composer or self.settings.model.composer}, step

    @property
    def composers(self) -> tuple[str, ...]:
        """The composers of the run, that of the model first."""
        return tuple(dict.fromkeys((self.settings.model.composer, *self.settings.run.composers)))

    def of_composer(self, composer: str) -> Self:
        """Return the design with the predictions of one composer only, as those of the model."""
        name = "" if composer == self.settings.model.composer else composer
        predictions = {
            key._replace(composer=""): step for key, step in self.predictions.items() if key.composer == name
        }
        return replace(self, predictions=predictions)


def departure_of(model: ModelConfig) -> str:
    """Return how a model departs from the papers', which answer with the composed head; empty if it does not."""
    return "" if model.composer == "head" else f"its composer is {model.composer!r}, not the paper's head"
