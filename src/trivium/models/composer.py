"""Composers: how a model turns its answers about the parts of a composition into an answer about the whole.

The parts of (x VERB to S, H) are the veridical inference (x VERB to S, S) and the natural inference (S, H). A composer
says which label the whole has for each pair of labels of the parts. This module imports neither torch nor numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

from trivium.data.labels import Labels
from trivium.errors import UserError
from trivium.plugins import plugin_file
from trivium.registry import Registry, import_modules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from torch import Tensor

HEAD: Final = "head"
"""The name of the default composer."""
COMPOSED, VERIDICAL, NATURAL = "composed", "veridical", "natural"
"""The tasks of a composition and of its parts, for models with a head for each."""

PRIOR: Final = 4.0
"""How much more likely the rules of composition are than anything else, for a model that was not trained to compose."""

COMPOSERS: Registry[type[Composer]] = Registry("composer")


@dataclass(frozen=True)
class Composer:
    """A composer: a frozen configuration with two methods. The base class answers with the model's head.

    :meth:`start` returns the initial values of what is learned, and :meth:`table` turns the learned values into a
    table: the probability of each label of the whole, given the labels of the parts. ``rate`` is the largest change of
    a learned value in one training step.
    """

    title: ClassVar[str] = ""
    """The name in tables and charts; if empty, the registered name."""
    decomposes: ClassVar[bool] = False
    """Whether the answer about a composition is computed from answers about its parts."""
    uses_signatures: ClassVar[bool] = False
    """Whether the veridical label of a known verb is that of its signature, whatever the model answers."""
    imitates: ClassVar[bool] = False
    """Whether the head answers compositions after all, and learns to answer as the composer does."""
    rate: float = 0.1

    def start(self, labels: Labels) -> NDArray[np.float32] | None:
        """Return the initial values of what is learned, or None if nothing is."""
        return None

    def prior(self, labels: Labels) -> NDArray[np.float32] | None:
        """Return the values for a model that was not trained to compose; by default, those before training."""
        return self.start(labels)

    def table(self, learned: Tensor | None, labels: Labels) -> Tensor:
        """Return the probabilities of the whole's label, by veridical label, natural label and label of the whole."""
        raise NotImplementedError(f"{type(self).__name__} does not decompose")

    def describe(self, learned: Tensor | None, labels: Labels) -> list[str]:
        """Return lines that show what was learned: by default, the most likely label of each cell of the table."""
        cells = self.table(learned, labels).detach().float().cpu().numpy()
        lines = []
        for veridical, rows in zip(labels.names, cells, strict=True):
            for natural, row in zip(labels.names, rows, strict=True):
                best = int(row.argmax())
                lines.append(f"{veridical} + {natural} → {labels.names[best]} ({100 * row[best]:.0f} %)")
        return lines


C = TypeVar("C", bound=Composer)


def composer(name: str) -> Callable[[type[C]], type[C]]:
    """Return a class decorator that registers a composer under a name.

    >>> @composer("optimist")
    ... class Optimist(Composer):
    ...     decomposes = True
    ...     def table(self, learned, labels):
    ...         import torch
    ...         return torch.eye(len(labels)).expand(len(labels), -1, -1)
    >>> "optimist" in find_composers()
    True
    """

    def register(cls: type[C]) -> type[C]:
        if not (isinstance(cls, type) and issubclass(cls, Composer)):
            raise UserError(f"the composer {name!r} must be a class that derives from Composer")
        if "__dataclass_fields__" not in vars(cls):
            cls = dataclass(frozen=True)(cls)
        COMPOSERS.register(name)(cls)
        return cls

    return register


@cache
def find_composers() -> Registry[type[Composer]]:
    """Return the registry, after importing every composer that ships with Trivium."""
    import_modules("trivium.models.composers")
    return COMPOSERS


def composer_title(name: str) -> str:
    """Return the title of a composer in tables and charts, or its name if it has none."""
    composers = find_composers()
    return (composers[name].title if name in composers else "") or name


def composer_files(names: Iterable[str]) -> list[Path]:
    """Return the files outside of Trivium that define the named composers: worker processes load them as plugins."""
    known = find_composers()
    files = (plugin_file(known[name]) for name in dict.fromkeys(names) if name in known)
    return [file for file in files if file is not None]
