"""Which pairs of a sentence are trusted, and with which label: what may be doubted is asked once."""

from __future__ import annotations

from collections.abc import Callable

from trivium.build.conjuncts.doubts import (
    doubt_of_coordination,
    doubt_of_cut,
    doubt_of_label,
    doubt_of_pair,
    doubt_of_rule,
)
from trivium.build.conjuncts.labels import Labelled, label_edit
from trivium.build.conjuncts.pairs import Pair
from trivium.build.conjuncts.reading import Edit, read_edit


class Judge:
    """Gives the pairs of one sentence their labels, or the names of their doubts.

    A removal and its addition are the same two sentences, and two removals often are of one coordination: their
    doubts are remembered by the places of their conjunctions.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int | str | None, ...], str | None] = {}

    def judged(self, pair: Pair) -> Labelled | str:
        """The label of a pair with its rule; or, if the pair is not trusted, why."""
        doubt = self._doubt_of_form(pair) or doubt_of_pair(pair)  # before its texts are compared, which costs more
        if doubt is not None:
            return doubt
        edit = read_edit(pair.premise, pair.hypothesis)
        if edit is None:
            return "no word was changed"
        labelled = label_edit(edit)
        return doubt_of_label(pair, edit, labelled) or self._doubt_of_rule(pair, edit, labelled) or labelled

    def _doubt_of_form(self, pair: Pair) -> str | None:
        if pair.operation == "replace":
            return None  # one word for another of its form
        place = pair.coordination.conjunction
        whole = self._once((place,), lambda: doubt_of_coordination(pair))
        return whole or self._once((place, pair.side), lambda: doubt_of_cut(pair))

    def _doubt_of_rule(self, pair: Pair, edit: Edit, labelled: Labelled) -> str | None:
        if pair.operation == "replace":
            return doubt_of_rule(pair, edit, labelled)
        key = (pair.coordination.conjunction, edit.conjunction, pair.side, labelled.rule)
        return self._once(key, lambda: doubt_of_rule(pair, edit, labelled))

    def _once(self, key: tuple[int | str | None, ...], doubt: Callable[[], str | None]) -> str | None:
        if key not in self._known:
            self._known[key] = doubt()
        return self._known[key]
