"""Recognize of which kind mistakes are, and which corrections belong together.

A mixture model: each correction is of one kind, or of none that is known. A correction of a kind usually has cues of
that kind in which premise and hypothesis differ; how usual they are otherwise is known for each kind. The shares of the
kinds are estimated by expectation maximization, and are their confidences.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from trivium.build.edits.reading import read_words
from trivium.build.lessons.kinds import NUMBER, CueSet, Kind, cue_sets, find_kind
from trivium.build.lessons.nearest import nearest_phenomena
from trivium.data.example import Example
from trivium.language.difference import words

_OF_KIND = (0.75, 0.2)
"""The shares of corrections of a kind whose sides differ in its cues, and whose sides have the same ones."""
_TYPICAL = 1.5  # how much more likely a typical confusion is, if a correction is of the kind
_ROUNDS = 50
_LEAST = 0.02  # confidence below which a kind is not reported
_UNEXPLAINED = 0.3  # share of corrections of no kind above which they are compared with phenomena
_PRIOR = 0.5  # of a correction, added to each kind, so that no kind is excluded
_MIN_GROUPS = 3
_CONTENT = frozenset({"noun", "verb", "adjective", "adverb", "number"})
_MAX_CUES = 8


def recognize(corrections: Sequence[Example], answers: Sequence[str | None] | None = None) -> list[Kind]:
    """Return the kinds of mistakes that corrections are about, the most confident first.

    ``answers`` are the labels that the model predicts; they make kinds more likely for which its confusions are
    typical.
    If many corrections have no cue of a kind, the phenomena with the most similar pairs are among the result.

    >>> examples = [Example.make("1", "The mayor allegedly lied.", "The mayor lied.", "neutral")]
    >>> recognize(examples)[0].name
    'hedges'
    """
    if not corrections:
        return []
    sets = list(cue_sets().values())
    found = [[cues_of_sides(cues, example) for cues in sets] for example in corrections]
    odds = np.ones((len(corrections), len(sets) + 1))  # the last column: no known kind
    for row, example in enumerate(corrections):
        answer = answers[row] if answers is not None and row < len(answers) else None
        for column, cues in enumerate(sets):
            odds[row, column] = _odds(cues, found[row][column]) * _confusion_odds(cues, example.label, answer)
    shares, responsible = _mixture(odds)
    kinds = []
    for column, cues in enumerate(sets):
        counts: dict[str, float] = defaultdict(float)
        for row, cells in enumerate(found):
            for cue in {*cells[column][0], *cells[column][1]}:
                counts[cue] += float(responsible[row, column])
        if shares[column] >= _LEAST and counts:
            ranked = sorted(counts, key=lambda cue: (-counts[cue], cue))
            decisive = tuple(cue for cue in ranked[:_MAX_CUES] if counts[cue] > 0.1)
            kinds.append(replace(cues.kind, confidence=round(float(shares[column]), 3), cues=decisive))
    if shares[-1] >= _UNEXPLAINED:
        kinds += _nearest(
            [example for example, row in zip(corrections, responsible, strict=True) if row[-1] >= 0.5], shares[-1]
        )
    return sorted(kinds, key=lambda kind: -kind.confidence)


def _nearest(corrections: Sequence[Example], share: float) -> list[Kind]:
    """Return the phenomena nearest to corrections that no kind explains, with their part of the share of these."""
    tested = {name for cues in cue_sets().values() for name in cues.phenomena}
    found = [(find_kind(name), share * part) for name, part in nearest_phenomena(corrections) if name not in tested]
    return [replace(kind, confidence=round(float(part), 3)) for kind, part in found if part >= _LEAST]


def cues_of_sides(cues: CueSet, example: Example) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the cues that only one side has, and those that both sides have equally often."""
    first, second = Counter(cues.find(example.premise)), Counter(cues.find(example.hypothesis or ""))
    differing = (first - second) + (second - first)
    return tuple(differing), tuple(first & second)


def _odds(cues: CueSet, found: tuple[tuple[str, ...], tuple[str, ...]]) -> float:
    """Return how much more likely the cues of a pair are if it is of the kind than otherwise."""
    differing, same = found
    if differing:
        return _OF_KIND[0] / cues.usual[0]
    if same:
        return _OF_KIND[1] / cues.usual[1]
    return (1 - sum(_OF_KIND)) / (1 - sum(cues.usual))


def _confusion_odds(cues: CueSet, label: str | None, answer: str | None) -> float:
    if answer is None or answer == label:
        return 1.0
    return _TYPICAL if f"{label}/{answer}" in cues.mistakes else 1.0


def _mixture(
    odds: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    """Return the share of each component, and its responsibility for each row."""
    shares = np.full(odds.shape[1], 1 / odds.shape[1])
    responsible = odds
    for _ in range(_ROUNDS):
        responsible = odds * shares
        responsible = responsible / responsible.sum(axis=1, keepdims=True)
        total = responsible.sum(axis=0) + _PRIOR / odds.shape[1]
        shares = total / total.sum()
    return shares, responsible


def groups(corrections: Sequence[Example]) -> list[str]:
    """Return the name of the group of each correction. Corrections of a group are held out together.

    Corrections of a group have the same template, that is, the same text but for content words, or the same cue of the
    recognized kind. If so few cues were used that there would be fewer than three groups, only templates count.
    """
    templates = [template_of(example) for example in corrections]
    kinds = recognize(corrections)
    if kinds:
        cues = cue_sets()[kinds[0].name]
        keys = [_same_numbers(_main_cue(cues, example)) for example in corrections]
        grouped = _joined(templates, keys)
        if len(set(grouped)) >= min(_MIN_GROUPS, len(corrections)):
            return grouped
    return _joined(templates)


def _same_numbers(cue: str | None) -> str | None:
    """Return a cue in which every number is the same: *more than ten* and *more than 60* are one cue."""
    return cue if cue is None else NUMBER.sub("#", cue)


def main_cue(kind: str, example: Example) -> str:
    """Return the cue of a kind that decides a pair: the first in which the sides differ; empty if there is none."""
    return (_main_cue(cue_sets()[kind], example) or "") if kind in cue_sets() else ""


def _main_cue(cues: CueSet, example: Example) -> str | None:
    differing, same = cues_of_sides(cues, example)
    return next(iter((*differing, *same)), None)


def template_of(example: Example) -> str:
    """Return a pair with its content words replaced by their parts of speech: texts of one template are alike."""
    return " / ".join(
        " ".join(
            f"<{word.pos}>" if word.pos in _CONTENT and not _is_cue(word.text) else word.text
            for word in read_words(words(text))
        )
        for text in (example.premise, example.hypothesis or "")
    )


def _is_cue(word: str) -> bool:
    return any(re.fullmatch(cues.pattern, word) for cues in cue_sets().values())


def _joined(*keys: Sequence[str | None]) -> list[str]:
    """Return the name of the connected component of each row; rows with an equal key in a list are connected.

    A component is named after the last key of its first row, or after that row if it has none.
    """
    parent = list(range(len(keys[0])))

    def root(row: int) -> int:
        while parent[row] != row:
            row = parent[row]
        return row

    for values in keys:
        first: dict[str, int] = {}
        for row, value in enumerate(values):
            if value is not None:
                parent[root(row)] = root(first.setdefault(value, row))
    names: dict[int, str] = {}
    return [names.setdefault(root(row), keys[-1][row] or f"pair {row + 1}") for row in range(len(parent))]
