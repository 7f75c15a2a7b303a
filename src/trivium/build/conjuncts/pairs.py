"""NLI pairs from a coordination: a conjunct is removed, added, or one of its words replaced (ConjNLI, section 3).

No label is given here. A pair keeps what rules for labels ask: the sentence, the coordination, and what was changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from trivium.build.conjuncts.removal import SIDES, cut, removals
from trivium.build.conjuncts.sentence import Coordination, Sentence, Span
from trivium.build.conjuncts.shape import shaped
from trivium.build.conjuncts.surface import Draft, balanced


class Change(NamedTuple):
    """What words of a conjunct were replaced by, and why: antonym, co-hyponym, number, calendar, name, negation."""

    span: Span
    old: str
    new: str
    why: str


ChangesIn = Callable[[Span], Iterable[Change]]
"""Gives the changes that may be made in a conjunct of one sentence."""

Replacer = Callable[[Sentence], ChangesIn]
"""Reads a sentence once, and is asked for each of its conjuncts."""


class Pair(NamedTuple):
    """Premise and hypothesis, and how one came from the other.

    ``operation`` is *remove*, *add* or *replace*, and ``side`` tells which conjunct (*left*, *right*) was removed,
    added or changed. ``sentence`` is the one that was parsed: the premise, or of an addition the hypothesis; the
    ``coordination`` has whole spans and its opener, which the back end may not have given. ``denial`` is, for
    "neither A nor B", whether the shorter sentence denies too (*kept*) or not (*lost*). With *respectively* a conjunct
    of a second coordination goes too: ``partner``, and ``crossed`` if it is not the one that belonged to it.
    """

    premise: str
    hypothesis: str
    operation: str
    conjunction: str
    side: str
    coordination: Coordination
    sentence: Sentence
    change: Change | None = None
    denial: str = ""
    partner: Coordination | None = None
    crossed: bool = False


def pairs(sentence: Sentence, replacer: Replacer | None = None) -> Iterator[Pair]:
    """All pairs of a sentence, each pair of texts once; a hypothesis is never its premise."""
    seen: set[tuple[str, str]] = set()
    for pair in _all_pairs(sentence, replacer):
        texts = pair.premise, pair.hypothesis
        if texts not in seen and texts[0] != texts[1]:
            seen.add(texts)
            yield pair


def added(pair: Pair) -> Pair:
    """The pair of a removal, the other way round: a conjunct is added."""
    return pair._replace(premise=pair.hypothesis, hypothesis=pair.premise, operation="add")


def _all_pairs(sentence: Sentence, replacer: Replacer | None) -> Iterator[Pair]:
    coordinations = [found for found in (shaped(sentence, given) for given in sentence.coordinations) if found]
    matched = _matched(sentence, coordinations)
    changes_in = replacer(sentence) if replacer is not None and coordinations else None
    for pair in _respective_pairs(sentence, matched):
        yield pair
        yield added(pair)
    for coordination, side in product(coordinations, SIDES):
        if coordination not in matched:
            for pair in _removal_pairs(sentence, coordination, side):
                yield pair
                yield added(pair)
        if changes_in is not None:
            yield from _replacement_pairs(sentence, coordination, side, changes_in)


def _removal_pairs(sentence: Sentence, coordination: Coordination, side: str) -> Iterator[Pair]:
    word = sentence.words[coordination.conjunction].lower
    for text, denial in removals(sentence, coordination, side):
        yield Pair(sentence.text, text, "remove", word, side, coordination, sentence, denial=denial)


def _replacement_pairs(
    sentence: Sentence, coordination: Coordination, side: str, changes_in: ChangesIn
) -> Iterator[Pair]:
    word = sentence.words[coordination.conjunction].lower
    for change in changes_in(coordination.left if side == "left" else coordination.right):
        draft = Draft(sentence)
        draft.delete(change.span)
        draft.change(change.span.first, change.new)
        text = draft.text()
        yield Pair(sentence.text, text, "replace", word, side, coordination, sentence, change)


def _matched(sentence: Sentence, coordinations: Sequence[Coordination]) -> tuple[Coordination, ...]:
    """The two coordinations that *respectively* matches one to one; only the second where the first is not found."""
    place = next((place for place, word in enumerate(sentence.words) if word.lower == "respectively"), None)
    if place is None:
        return ()
    second = next((found for found in reversed(coordinations) if found.right.end <= place), None)
    if second is None:
        return ()
    first = next((found for found in reversed(coordinations) if found.right.end <= second.left.first), None)
    return (second,) if first is None else (first, second)


def _respective_pairs(sentence: Sentence, matched: Sequence[Coordination]) -> Iterator[Pair]:
    """A conjunct of each coordination removed: those that belong together, or crosswise."""
    if len(matched) < 2 or any(found.others for found in matched):
        return
    first, second = matched
    for side, other in product(SIDES, SIDES):
        draft = Draft(sentence)
        if not (cut(draft, first, side) and cut(draft, second, other)):
            continue
        _drop_respectively(draft)
        text = draft.text()
        if text and balanced(text) == balanced(sentence.text):
            word = sentence.words[first.conjunction].lower
            crossed = side != other
            yield Pair(sentence.text, text, "remove", word, side, first, sentence, partner=second, crossed=crossed)


def _drop_respectively(draft: Draft) -> None:
    place = draft.lower.index("respectively")
    first = place - 1 if place and draft.lower[place - 1] in {",", "("} else place
    end = place + 2 if draft.lower[place + 1 : place + 2] == [")"] else place + 1
    draft.delete(Span(first, end))
