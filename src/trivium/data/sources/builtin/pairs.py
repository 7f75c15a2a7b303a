"""A premise with a hypothesis, and the rule that made it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from trivium.data.sources.builtin.edits import Edit
from trivium.data.sources.builtin.scene import Scene, affirmed, denials

ENTAILMENT, NEUTRAL, CONTRADICTION = "entailment", "neutral", "contradiction"


@dataclass(frozen=True, slots=True)
class Pair:
    """What a rule makes of a scene.

    ``relation`` names the rule, ``slot`` the part of the sentence that it changed, ``words`` what decides the label.
    A ``complement`` says exactly that the premise is not true.
    """

    premise: str
    hypothesis: str
    label: str
    relation: str
    slot: str
    words: str
    complement: bool = False


MakePairs = Callable[[Scene], Iterator[Pair]]
"""A rule: all the pairs of one relation whose premise describes a scene."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule and how often it is taken among those of its label."""

    weight: float
    make: MakePairs


def edited(scene: Scene, label: str, relation: str, edits: Iterator[Edit]) -> Iterator[Pair]:
    """A pair for each edit, whose hypothesis says plainly what is left of the scene."""
    premise = affirmed(scene)
    for edit in edits:
        yield Pair(premise, affirmed(edit.scene), label, relation, edit.slot, edit.words)


def rendered(
    scene: Scene, label: str, relation: str, edits: Iterator[Edit], render: Callable[[Scene], str | None]
) -> Iterator[Pair]:
    """A pair for each edit whose scene can be put into another form: a passive, or ``there is``."""
    premise = affirmed(scene)
    for edit in edits:
        if (hypothesis := render(edit.scene)) is not None:
            yield Pair(premise, hypothesis, label, relation, edit.slot, edit.words)


def denied(scene: Scene, label: str, relation: str, edits: Iterator[Edit]) -> Iterator[Pair]:
    """A pair for each denial of each edit.

    A changed subject is denied to exist ("there is no boy …"), as the one who is there may be someone else.
    """
    premise = affirmed(scene)
    for edit in edits:
        for denial in denials(edit.scene):
            if denial.words == "not" and edit.slot.startswith(("subject", "tail")):
                continue
            yield Pair(premise, denial.text, label, relation, edit.slot, edit.words)
