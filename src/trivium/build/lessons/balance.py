"""Select drafts so that neither a cue nor the form of the hypothesis tells the label."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from trivium.build.lessons.scenes import Draft

if TYPE_CHECKING:
    import numpy as np

_GENERATOR_COST = 0.05
_SPREAD = 3
_FOCUS = 3  # turns of a cue that the corrections have


class Candidate(NamedTuple):
    """A draft with its label in the scheme of a model, and the name of its generator."""

    draft: Draft
    label: str
    generator: str


class _Cell(NamedTuple):
    """What drafts have in common that are alike but for their words."""

    cue: str
    label: str
    generator: str
    premise_form: str
    hypothesis_form: str


def balanced(
    pool: Sequence[Candidate],
    size: int,
    labels: Sequence[str],
    weights: Mapping[str, float],
    rng: np.random.Generator,
    focus: Collection[str] = (),
) -> list[Candidate]:
    """Return up to ``size`` candidates in random order, with as many of each label for every cue, give or take one.

    Cues take turns, those in ``focus`` three times as often, and within a cue labels do. Among the candidates of a cue
    and a label, those come first whose forms were used together least often, whose hypothesis has had this label least
    often, and whose generator is furthest behind its weight. A cue that is out of candidates of a label gets no more.
    """
    cells: dict[tuple[str, str], dict[_Cell, list[Candidate]]] = defaultdict(lambda: defaultdict(list))
    for index in rng.permutation(len(pool)):
        draft, label, generator = candidate = pool[index]
        cell = _Cell(draft.cue, label, generator, draft.premise_form, draft.hypothesis_form)
        cells[draft.cue, label][cell].append(candidate)
    cues = sorted({cue for cue, _ in cells})
    chosen: list[Candidate] = []
    used: Counter[tuple[str, ...]] = Counter()
    turn = 0
    while cues and len(chosen) < size:
        for cue in [each for each in cues for _ in range(_FOCUS if each in focus else 1)]:
            if cue not in cues:
                continue
            label = labels[(turn + cues.index(cue)) % len(labels)] if len(labels) > 1 else labels[0]
            label = min(labels, key=lambda name: (used["cue", cue, name], name != label))
            available = cells.get((cue, label))
            if not available:
                cues.remove(cue)
                continue
            cell = min(available, key=lambda each: _cost(each, used, len(labels), weights))
            chosen.append(available[cell].pop())
            if not available[cell]:
                del available[cell]
            _count(cell, used)
            if len(chosen) == size:
                break
        turn += 1
    return [chosen[index] for index in rng.permutation(len(chosen))]


def _cost(cell: _Cell, used: Counter[tuple[str, ...]], labels: int, weights: Mapping[str, float]) -> float:
    """Return how often the forms of a cell were used together, plus the excess of its label for its hypothesis."""
    form = cell.hypothesis_form
    excess = labels * used["hypothesis", form, cell.label] - used["hypothesis", form]
    together = used["cell", cell.cue, cell.label, cell.premise_form, form]
    return _SPREAD * together + excess + _GENERATOR_COST * used["generator", cell.generator] / weights[cell.generator]


def _count(cell: _Cell, used: Counter[tuple[str, ...]]) -> None:
    used["cue", cell.cue, cell.label] += 1
    used["generator", cell.generator] += 1
    used["cell", cell.cue, cell.label, cell.premise_form, cell.hypothesis_form] += 1
    used["hypothesis", cell.hypothesis_form] += 1
    used["hypothesis", cell.hypothesis_form, cell.label] += 1
