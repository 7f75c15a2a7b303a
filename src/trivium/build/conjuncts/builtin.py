"""Sentences with conjunctions from a small grammar, and the pairs that are built from them: nothing to download.

They are for trying out: the labels are those of the rules, which the pairs that a model is tested with should not be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from trivium.build.conjuncts.labels import label_pair
from trivium.build.conjuncts.pairs import Change, Pair, pairs
from trivium.build.conjuncts.parsers.light import LightParser
from trivium.build.conjuncts.sentence import Sentence, Span
from trivium.build.conjuncts.traits import yes_or_no
from trivium.data.example import Example
from trivium.data.sources.conjnli import conjunction_of
from trivium.seeds import stream

_PEOPLE = "Anna Ben Clara David Emma Frank Greta Henry Ida Jonas Karen Leo Maria Noah Olga Peter".split()
_PLACES = "Rome Oslo Paris Vienna Lisbon Prague Dublin Athens Berlin Madrid Zagreb Riga".split()
_THINGS = "piano violin trumpet flute drum guitar cello harp".split()
_JOBS = "teacher writer painter lawyer farmer baker singer doctor".split()
_NUMBERS = "two three four five six seven eight nine".split()
_TEMPLATES = (
    "{p} visited {x} and {y} in the summer.",
    "{p} and {q} lived in {x}.",
    "{p} is a {j} and a {k}.",
    "{p} plays the {t} and the {u}.",
    "{p} was born in {x} or {y}.",
    "{p} will travel to either {x} or {y}.",
    "{p} does not play the {t} or the {u}.",
    "{p} was a {j} but moved to {x}.",
    "{p} lived in {x} but worked in {y}.",
    "{p} plays the {t} but {q} plays the {u}.",
    "{p} and {q} bought {n} drinks in total.",
    "{p} and {q} met {n} {j}s and {m} {k}s in {x}.",
)
_LISTS = (_PEOPLE, _PLACES, _THINGS, _JOBS, _NUMBERS)


def built_pairs(sentences: int, seed: int) -> list[Example]:
    """The labelled pairs of so many different sentences, those of one sentence behind each other.

    The facts are those of built pairs: conjunction, operation, rule and boolean, and ``sentence``, which they are of.
    """
    rng = stream(seed, "data", "conjuncts", "builtin")
    replace = _Replacer(rng)
    found = []
    for number, sentence in enumerate(LightParser().read(_sentences(sentences, rng)), 1):
        found += [
            example
            for place, pair in enumerate(pairs(sentence, replace), 1)
            if (example := _example(f"builtin-{number}-{place}", number, pair)) is not None
        ]
    return found


def _sentences(number: int, rng: np.random.Generator) -> list[str]:
    made: dict[str, None] = {}
    while len(made) < number:
        words = {
            **dict(zip("pq", rng.permutation(_PEOPLE), strict=False)),
            **dict(zip("xy", rng.permutation(_PLACES), strict=False)),
            **dict(zip("tu", rng.permutation(_THINGS), strict=False)),
            **dict(zip("jk", rng.permutation(_JOBS), strict=False)),
            **dict(zip("nm", rng.permutation(_NUMBERS), strict=False)),
        }
        made[_TEMPLATES[len(made) % len(_TEMPLATES)].format(**words)] = None
    return list(made)


class _Replacer:
    """Puts another word of the same list for the last word of a conjunct that has one."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def __call__(self, sentence: Sentence) -> Callable[[Span], Iterator[Change]]:
        return partial(self._changes, sentence)

    def _changes(self, sentence: Sentence, span: Span) -> Iterator[Change]:
        for place in range(span.end - 1, span.first - 1, -1):
            old = sentence.words[place].text
            like = next((words for words in _LISTS if old in words), None)
            if like is not None:
                others = [word for word in like if word not in {one.text for one in sentence.words}]
                yield Change(Span(place, place + 1), old, str(self._rng.choice(others)), "co-hyponym")
                return


def _example(name: str, sentence: int, pair: Pair) -> Example | None:
    labelled = label_pair(pair.premise, pair.hypothesis)
    if labelled is None:
        return None
    return Example.make(
        name,
        pair.premise,
        pair.hypothesis,
        labelled.label,
        conjunction=conjunction_of(pair.premise, pair.hypothesis),
        operation=pair.operation,
        rule=labelled.rule,
        boolean=yes_or_no(labelled.boolean),
        sentence=str(sentence),
    )
