"""Which examples of a phenomenon are trained on, and which it is measured with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from pydantic import Field

from trivium.build.phenomena import find_makers, make_parts
from trivium.build.splits.invariants import Invariant, check_invariant
from trivium.data.curriculum import Parts, read_released, released
from trivium.data.example import Example
from trivium.data.phenomena import Phenomenon
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.seeds import stream
from trivium.settings import Settings

RELEASED, BUILTIN, AUTO = "curriculum", "builtin", "auto"
_MADE_TRAIN, _MADE_VALIDATION = 4000, 1000


class PhenomenonSizes(Settings):
    """How much of each phenomenon; 0 takes all there is.

    ``validation`` examples are measured with. ``known`` and ``other`` are examples of each label: the difficulty of
    ``other`` is judged by a model that was trained on ``known``, of which there are at most as many as of ``other``.
    """

    validation: Annotated[int, Field(ge=0)] = 0
    known: Annotated[int, Field(ge=1)] = 500
    other: Annotated[int, Field(ge=2)] = 500


@dataclass(frozen=True)
class Chosen:
    """The examples of a phenomenon: what is measured with, and what may be trained on, the labels in turn.

    ``there`` is how many examples there are to train on and to validate with; ``repeated`` counts the training examples
    that are validated too, and ``known_before`` the validated ones that the model was trained on before: both are left
    out.
    """

    phenomenon: Phenomenon
    source: str
    validation: Split
    train: Split
    known: int
    others: int
    there: tuple[int, int]
    repeated: int
    known_before: int

    def first(self, number: int) -> Split | None:
        """So many training examples of each label; None if there are not so many."""
        wanted = number * len(self.train.labels)
        return Split("train", self.train.examples[:wanted], self.train.labels) if wanted <= len(self.train) else None

    def other(self) -> Split:
        """Training examples that the model which judges difficulty has not seen."""
        labels = len(self.train.labels)
        begin = self.known * labels
        return Split("other", self.train.examples[begin : begin + self.others * labels], self.train.labels)


def load_parts(source: str, name: str) -> Parts:
    """The examples of a phenomenon from a source: the released ones, or made by Trivium's grammars."""
    if source == RELEASED:
        return read_released(name)
    if source != BUILTIN:
        raise UserError(f"phenomena come from {RELEASED!r} or {BUILTIN!r}, not from {source!r}")
    return Parts(*make_parts(name, _MADE_TRAIN, _MADE_VALIDATION))


def source_of(source: str, name: str) -> str | None:
    """The source of a phenomenon, ``auto`` being the released one if it is there; None if it has none."""
    if source in (RELEASED, AUTO) and released(name):
        return RELEASED
    return BUILTIN if source in (BUILTIN, AUTO) and name in find_makers() else None


def choose_examples(
    phenomenon: Phenomenon, source: str, parts: Parts, sizes: PhenomenonSizes, seed: int, before: Iterable[Example] = ()
) -> Chosen:
    """Draw the examples of a phenomenon; what is validated is not trained on, nor was it ``before``."""
    rng = stream(seed, "data", "phenomenon", phenomenon.name)
    known_before = {_bare(example) for example in before}
    labelled = [example for example in parts.validation if example.label]
    unknown = [example for example in labelled if _bare(example) not in known_before]
    validation = _drawn(unknown, sizes.validation or len(unknown), rng)
    asked = {_text(example) for example in parts.validation}
    fresh = list({_text(e): e for e in parts.train if e.label and _text(e) not in asked}.values())
    by_label = {name: [e for e in fresh if e.label == name] for name in phenomenon.labels.names}
    each = min(map(len, by_label.values()))
    if each < 2 or not validation:
        raise UserError(f"{phenomenon.name}: there are {each} training examples of a label, and at least 2 are needed")
    turns = [_drawn(mine, each, rng) for mine in by_label.values()]
    train = [example for turn in zip(*turns, strict=True) for example in turn]
    known = min(sizes.known, each // 2)
    return Chosen(
        phenomenon=phenomenon,
        source=source,
        validation=Split("validation", tuple(validation), phenomenon.labels),
        train=Split("train", tuple(train), phenomenon.labels),
        known=known,
        others=min(sizes.other, each - known),
        there=(len(parts.train), len(parts.validation)),
        repeated=sum(_text(example) in asked for example in parts.train),
        known_before=len(labelled) - len(unknown),
    )


def hypothesis_only(split: Split) -> Split:
    """The same examples without their premises."""
    return Split(split.name, tuple(replace(example, premise="") for example in split), split.labels)


def nothing(split: Split) -> Split:
    """The same labels with empty input."""
    return Split(split.name, tuple(replace(example, premise="", hypothesis="") for example in split), split.labels)


def check_chosen(chosen: Chosen, before: Iterable[Example] = ()) -> list[Invariant]:
    """What is promised about the examples of a phenomenon, and what breaks it."""
    known_before = {_bare(example) for example in before}
    asked = {_text(example) for example in chosen.validation}
    known = chosen.first(chosen.known)
    judged = {_text(example) for example in known or ()}
    counts = chosen.train.counts().values()
    unequal = chosen.train.examples[:1] if len(set(counts)) > 1 else ()
    return [
        check_invariant("no validated pair is trained", chosen.train, lambda e: _text(e) not in asked),
        check_invariant(
            "no validated pair was trained before", chosen.validation, lambda e: _bare(e) not in known_before
        ),
        check_invariant("no pair that is judged was learned from", chosen.other(), lambda e: _text(e) not in judged),
        Invariant("as many training examples of each label", len(chosen.train), unequal),
    ]


def _text(example: Example) -> tuple[str, str | None]:
    return example.premise.lower(), example.hypothesis.lower() if example.hypothesis else None


def _bare(example: Example) -> tuple[str, ...]:
    """What a pair says, however its ends and spaces are written."""
    return tuple(" ".join(str(text).lower().split()).rstrip(" .") for text in (example.premise, example.hypothesis))


def _drawn(examples: Sequence[Example], number: int, rng: np.random.Generator) -> list[Example]:
    return [examples[place] for place in rng.permutation(len(examples))[:number]]


def sources_of(chosen: Iterable[Chosen]) -> list[str]:
    """The sources that phenomena come from, each once."""
    return sorted({one.source for one in chosen})
