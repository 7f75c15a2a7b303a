"""Scenes: several statements about the same facts, each with its truth table, from which labelled pairs are drawn.

A table has one bit for each possible state of the facts. The label of a pair follows from the tables of its sides, so
it is correct by construction; pairs whose label depends on how a statement is read are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from trivium.build.lessons.clauses import Clause, written
from trivium.build.phenomena.truth_tables import relation_of

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T")
BOTH, PREMISE, HYPOTHESIS = "both", "premise", "hypothesis"
_PER_LABEL = 2  # pairs with the same label that are drawn from one scene


class Draft(NamedTuple):
    """A pair, its three-way label, the cue it is about, and the forms of its sides."""

    premise: str
    hypothesis: str
    label: str
    cue: str
    premise_form: str = ""
    hypothesis_form: str = ""


@dataclass(frozen=True)
class Form:
    """A statement: its text, its table, its cue, the name of its form, and the side on which it can stand.

    The text has a placeholder for the subject of the scene. ``strong`` is the table of the stronger reading that people
    often have: *some* as *some, but not all*. The cue is empty if the statement has none of the kind. ``about`` has a
    bit for each subject matter; a pair is drawn only if its sides have one in common.
    """

    text: str
    table: int
    name: str
    cue: str = ""
    side: str = BOTH
    strong: int | None = None
    about: int = -1

    @property
    def readings(self) -> tuple[int, int]:
        """The tables of the plain and of the stronger reading."""
        return self.table, self.table if self.strong is None else self.strong


@dataclass(frozen=True)
class Scene:
    """Forms about one subject (as in premises and as in hypotheses); ``possible`` has a bit for each possible state."""

    forms: Sequence[Form]
    possible: int
    subject: str = ""
    again: str = ""

    @classmethod
    def about(cls, clause: Clause, forms: Sequence[Form], possible: int) -> Scene:
        """Return a scene with the subject of a clause."""
        return cls(forms, possible, clause.subject, clause.again)

    def label(self, premise: Form, hypothesis: Form) -> str | None:
        """Return the label of a pair; None if the premise is impossible or if the label depends on the readings."""
        labels = {
            relation_of(left & self.possible, right & self.possible)
            for left in premise.readings
            for right in hypothesis.readings
        }
        return labels.pop() if len(labels) == 1 else None

    def drafts(self, rng: np.random.Generator) -> Iterator[Draft]:
        """Yield up to two random pairs of each label in which at least one side has a cue."""
        left = [form for form in self.forms if form.side != HYPOTHESIS]
        right = [form for form in self.forms if form.side != PREMISE]
        pairs = [(p, h) for p in left for h in right if p.text != h.text and (p.cue or h.cue) and p.about & h.about]
        counts: dict[str, int] = {}
        for index in rng.permutation(len(pairs)):
            premise, hypothesis = pairs[index]
            label = self.label(premise, hypothesis)
            if label is None or counts.get(label, 0) >= _PER_LABEL:
                continue
            counts[label] = counts.get(label, 0) + 1
            texts = written(premise.text, self.subject), written(hypothesis.text, self.again)
            yield Draft(*texts, label, premise.cue or hypothesis.cue, premise.name, hypothesis.name)


def table_of(worlds: Iterable[T], holds: Callable[[T], bool]) -> int:
    """Return the table of a statement: the bit of each world is set in which it holds."""
    return sum(1 << index for index, world in enumerate(worlds) if holds(world))
