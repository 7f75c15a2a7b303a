"""All that a removal may give: over the readings of each coordination, and a list without its *and*.

For training data one reading is enough, the likeliest. Whoever looks for a given hypothesis asks for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from trivium.build.conjuncts.pairs import pairs
from trivium.build.conjuncts.parsers import Parser
from trivium.build.conjuncts.readings import MOST, readings
from trivium.build.conjuncts.sentence import Sentence, Span
from trivium.build.conjuncts.shape import own_end, shaped
from trivium.build.conjuncts.surface import Draft
from trivium.data.example import Example

_WORD: Final = re.compile(r"[\w'-]+")
_SIGN: Final = re.compile(r"\s*([^\w\s])\s*")


class Coverage(NamedTuple):
    """Of how many pairs the hypothesis is among what is built, and how many hypotheses were built for them."""

    pairs: int
    found: int
    built: int

    @property
    def percentage(self) -> float:
        """The percentage that was found; 0 if there are no pairs."""
        return 100 * self.found / self.pairs if self.pairs else 0.0


def alternatives(sentence: Sentence, most: int = MOST) -> Iterator[str]:
    """The sentence without a conjunct, by each of at most ``most`` readings of its coordinations."""
    read = [readings(sentence, found, most) for found in sentence.coordinations]
    for number in range(max(map(len, read), default=0)):
        chosen = tuple(found[min(number, len(found) - 1)] for found in read)
        variant = replace(sentence, coordinations=chosen)
        yield from (pair.hypothesis for pair in pairs(variant) if pair.operation == "remove")
        yield from _lists(variant)


def _lists(sentence: Sentence) -> Iterator[str]:
    """ "A, B and C" without C as "A, B"."""
    for given in sentence.coordinations:
        found = shaped(sentence, given)
        if found is not None and found.others:
            draft = Draft(sentence)
            draft.delete(Span(found.left.end, own_end(sentence, found)))
            yield draft.text()


def coverage(examples: Iterable[Example], parser: Parser, most: int = MOST) -> Coverage:
    """How many hypotheses that are their premises with words deleted are among the alternatives, by their texts."""
    cut = [one for one in examples if one.hypothesis and is_deletion(one.premise, one.hypothesis)]
    found = built = 0
    for example, sentence in zip(cut, parser.read(one.premise for one in cut), strict=True):
        made = {normalised(text) for text in alternatives(sentence, most)}
        built += len(made)
        found += normalised(str(example.hypothesis)) in made
    return Coverage(len(cut), found, built)


def is_deletion(premise: str, hypothesis: str) -> bool:
    """Whether the words of the hypothesis are some of those of the premise, in their order; capitals do not count."""
    before, after = _WORD.findall(premise.lower()), _WORD.findall(hypothesis.lower())
    return len(after) < len(before) and _is_within(after, before)


def _is_within(few: Sequence[str], many: Sequence[str]) -> bool:
    rest = iter(many)
    return all(word in rest for word in few)


def normalised(text: str) -> str:
    """The text with single spaces and none around signs: the data has stray ones there."""
    return _SIGN.sub(r"\1", " ".join(text.split()))
