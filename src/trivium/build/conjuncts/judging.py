"""Which pairs of a sentence are trusted, and with which label: what may be doubted is asked once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple, TypeVar

from trivium.build.conjuncts.doubts import (
    doubt_of_coordination,
    doubt_of_cut,
    doubt_of_label,
    doubt_of_pair,
    doubt_of_rule,
)
from trivium.build.conjuncts.doubts.joined import is_fixed
from trivium.build.conjuncts.labels import ONE_THING, Labelled, label_edit
from trivium.build.conjuncts.pairs import Pair, Replacer, pairs
from trivium.build.conjuncts.reading import Edit, read_edit
from trivium.build.conjuncts.sentence import Sentence

K = TypeVar("K", bound=Hashable)


class Judged(NamedTuple):
    """A pair with its label and the rule that gave it; or, if it is not trusted, with its doubt."""

    pair: Pair
    labelled: Labelled | None
    doubt: str = ""


def judged_pairs(sentence: Sentence, replacer: Replacer | None = None) -> Iterator[Judged]:
    """All pairs of a sentence, each with its label or its doubt."""
    judge = _Judge()
    return map(judge, pairs(sentence, replacer))


class _Judge:
    """Judges the pairs of one sentence.

    A removal and its addition are the same two sentences, and two removals often are of one coordination: their
    doubts are remembered by the places of their conjunctions.
    """

    def __init__(self) -> None:
        self._coordinations: dict[int, str | None] = {}
        self._cuts: dict[tuple[int, str], str | None] = {}
        self._rules: dict[tuple[int, int | None, str, str], str | None] = {}

    def __call__(self, pair: Pair) -> Judged:
        doubt = self._doubt_of_form(pair) or doubt_of_pair(pair)  # before its texts are compared, which costs more
        if doubt is not None:
            return Judged(pair, None, doubt)
        edit = read_edit(pair.premise, pair.hypothesis)
        if edit is None:
            return Judged(pair, None, "no word was changed")
        labelled = label_edit(edit)
        if labelled.rule == "and" and pair.operation != "replace" and is_fixed(pair):
            labelled = ONE_THING
        doubt = doubt_of_label(pair, edit, labelled) or self._doubt_of_rule(pair, edit, labelled)
        return Judged(pair, labelled) if doubt is None else Judged(pair, None, doubt)

    def _doubt_of_form(self, pair: Pair) -> str | None:
        if pair.operation == "replace":
            return None  # one word for another of its form
        place = pair.coordination.conjunction
        whole = _once(self._coordinations, place, lambda: doubt_of_coordination(pair))
        return whole or _once(self._cuts, (place, pair.side), lambda: doubt_of_cut(pair))

    def _doubt_of_rule(self, pair: Pair, edit: Edit, labelled: Labelled) -> str | None:
        if pair.operation == "replace":
            return doubt_of_rule(pair, edit, labelled)
        key = pair.coordination.conjunction, edit.conjunction, pair.side, labelled.rule
        return _once(self._rules, key, lambda: doubt_of_rule(pair, edit, labelled))


def _once(known: dict[K, str | None], key: K, doubt: Callable[[], str | None]) -> str | None:
    if key not in known:
        known[key] = doubt()
    return known[key]
