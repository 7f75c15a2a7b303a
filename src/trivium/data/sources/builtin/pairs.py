"""Pairs of premise and hypothesis, and the rules that build them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from trivium.data.sources.builtin.edits import Edit
from trivium.data.sources.builtin.scene import Scene, affirmed, denials

ENTAILMENT, NEUTRAL, CONTRADICTION = "entailment", "neutral", "contradiction"


class Pair(NamedTuple):
    """A pair that a rule builds from a scene.

    ``relation`` names the rule, ``slot`` the part of the sentence that it changes, and ``words`` the words that
    determine the label. The hypothesis of a ``complement`` is true if and only if the premise is false.
    """

    premise: str
    hypothesis: str
    label: str
    relation: str
    slot: str
    words: str
    complement: bool = False


MakePairs = Callable[[Scene], Iterator[Pair]]
"""A function that yields all pairs of one relation whose premise describes a scene."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, and its weight among the rules with the same label."""

    weight: float
    make: MakePairs


def edited(scene: Scene, label: str, relation: str, edits: Iterator[Edit]) -> Iterator[Pair]:
    """Yield a pair for each edit, whose hypothesis describes the edited scene."""
    premise = affirmed(scene)
    for edit in edits:
        yield Pair(premise, affirmed(edit.scene), label, relation, edit.slot, edit.words)


def rendered(
    scene: Scene, label: str, relation: str, edits: Iterator[Edit], render: Callable[[Scene], str | None]
) -> Iterator[Pair]:
    """Yield a pair for each edit whose scene can be expressed in the form of ``render``: passive, or ``there is``."""
    premise = affirmed(scene)
    for edit in edits:
        if (hypothesis := render(edit.scene)) is not None:
            yield Pair(premise, hypothesis, label, relation, edit.slot, edit.words)


def denied(scene: Scene, label: str, relation: str, edits: Iterator[Edit]) -> Iterator[Pair]:
    """Yield a pair for each denial of each edited scene.

    If the subject was changed, only its existence is denied ("there is no boy …"): "a boy is not …" could also be true
    of someone else in the scene.
    """
    premise = affirmed(scene)
    for edit in edits:
        for denial in denials(edit.scene):
            if denial.words == "not" and edit.slot.startswith(("subject", "tail")):
                continue
            yield Pair(premise, denial.text, label, relation, edit.slot, edit.words)
