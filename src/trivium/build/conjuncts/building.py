"""From plain sentences to labelled pairs: read, change a conjunct, label by rules, and balance (ConjNLI, 3 and 4.1)."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, NamedTuple

from trivium.build.conjuncts.balance import balanced_choice
from trivium.build.conjuncts.intake import conjunctions_of, refusal, words_of
from trivium.build.conjuncts.judging import judged_pairs
from trivium.build.conjuncts.labels import Labelled
from trivium.build.conjuncts.pairs import Pair
from trivium.build.conjuncts.parsers import Parser, make_parser
from trivium.build.conjuncts.replacement import WordReplacer, collect_names
from trivium.build.conjuncts.sentence import Sentence
from trivium.build.conjuncts.traits import BALANCED, yes_or_no
from trivium.build.conjuncts.variety import Variety, in_turns, variety_of
from trivium.data.example import Example
from trivium.data.labels import NLI3
from trivium.data.split import Split
from trivium.seeds import stream

MOST: Final = 8
"""Pairs of one sentence, if nobody says otherwise."""

_SPARE = 3  # so many sentences are read for each pair that is wanted: not every one gives a good pair
_KIND_OF = {"and": "and", "or": "or", "nor": "or", "but": "but"}


class Candidate(NamedTuple):
    """A pair with its label, the number of the sentence that it was made from, and what else that one has."""

    sentence: int
    kind: str
    pair: Pair
    labelled: Labelled
    variety: Variety


@dataclass(frozen=True)
class Built:
    """What came of sentences: the pairs, how many were asked for, and what was not used for which reason.

    ``skipped`` counts sentences of which no pair is used, ``dropped`` pairs that were made and not trusted, and
    ``possible`` trusted pairs by conjunction.
    """

    split: Split
    size: int
    skipped: Mapping[str, int]
    dropped: Mapping[str, int]
    possible: Mapping[str, int]

    @property
    def missing(self) -> int:
        """How many pairs fewer there are than were asked for."""
        return self.size - len(self.split)


def build_pairs(
    texts: Iterable[str], size: int, seed: int = 0, parser: Parser | None = None, most: int = MOST, name: str = "pairs"
) -> Built:
    """At most ``size`` labelled pairs from sentences, a third for each of *and*, *or* and *but*.

    The same texts, size, seed and parser give the same pairs. At most ``most`` pairs come from one sentence. Where a
    conjunction has too few pairs, there are fewer of it; no third is filled up with others.
    """
    skipped: Counter[str] = Counter()
    usable = _usable(texts, skipped)
    wanted = _wanted(usable, size, seed, skipped)
    read = list((parser or make_parser()).read(wanted))
    dropped: Counter[str] = Counter()
    found = candidates(read, seed, skipped, dropped)
    chosen = balanced_choice(found, _thirds(size), most, stream(seed, "data", "conjuncts", "balance"))
    used = {one.sentence for one in chosen}
    skipped["not needed: enough pairs of others"] += len({one.sentence for one in found} - used)
    examples = tuple(_example(one, f"{name}-{number}") for number, one in enumerate(chosen, 1))
    possible = Counter(one.kind for one in found)
    return Built(
        Split(name, examples, NLI3), size, _sorted(skipped), _sorted(dropped), {k: possible[k] for k in BALANCED}
    )


def candidates(
    sentences: Sequence[Sentence], seed: int, skipped: Counter[str], dropped: Counter[str]
) -> list[Candidate]:
    """All trusted pairs of read sentences with their labels, each pair of texts once; the rest is counted."""
    with _uncollected():
        return _candidates(sentences, WordReplacer(collect_names(sentences), seed), skipped, dropped)


@contextmanager
def _uncollected() -> Iterator[None]:
    """No search for rings of garbage: what is built has none, and searching it over and over takes time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _candidates(
    sentences: Sequence[Sentence], replacer: WordReplacer, skipped: Counter[str], dropped: Counter[str]
) -> list[Candidate]:
    seen: set[tuple[str, str]] = set()
    found: list[Candidate] = []
    for number, sentence in enumerate(sentences):
        if not sentence.coordinations:
            skipped["no conjuncts found"] += 1
            continue
        before, variety = len(found), variety_of(word.text for word in sentence.words)
        for pair, labelled, doubt in judged_pairs(sentence, replacer):
            texts = pair.premise, pair.hypothesis
            if labelled is None:
                dropped[doubt] += 1
            elif texts not in seen:
                seen.add(texts)
                found.append(Candidate(number, _KIND_OF[pair.conjunction], pair, labelled, variety))
        if len(found) == before:
            skipped["no pair that can be trusted"] += 1
    return found


def _usable(texts: Iterable[str], skipped: Counter[str]) -> list[str]:
    """The sentences that can be used, each once, with single spaces."""
    found: dict[str, None] = {}
    for text in texts:
        reason = refusal(text)
        plain = " ".join(text.split()) if reason is None else ""
        if reason is None and plain in found:
            reason = "repeated"
        if reason is None:
            found[plain] = None
        else:
            skipped[reason] += 1
    return list(found)


def _wanted(texts: Sequence[str], size: int, seed: int, skipped: Counter[str]) -> list[str]:
    """As many sentences of each conjunction as may be needed, drawn at random but varied, in their order."""
    limit = _SPARE * -(-size // len(BALANCED))
    counts: Counter[str] = Counter()
    chosen: list[int] = []
    drawn = stream(seed, "data", "conjuncts", "sentences").permutation(len(texts)).tolist()
    for place in in_turns(drawn, lambda place: variety_of(words_of(texts[place]))):
        kinds = {_KIND_OF[word] for word in conjunctions_of(texts[place])}
        if any(counts[kind] < limit for kind in kinds):
            counts.update(kinds)
            chosen.append(place)
    skipped["not read: enough other sentences"] += len(texts) - len(chosen)
    return [texts[place] for place in sorted(chosen)]


def _thirds(size: int) -> dict[str, int]:
    return {kind: size // len(BALANCED) + (place < size % len(BALANCED)) for place, kind in enumerate(BALANCED)}


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return {name: count for name, count in counts.most_common() if count}


def _example(made: Candidate, id: str) -> Example:
    pair, labelled = made.pair, made.labelled
    return Example.make(
        id,
        pair.premise,
        pair.hypothesis,
        labelled.label,
        rule=labelled.rule,
        boolean=yes_or_no(labelled.boolean),
        operation=pair.operation,
        side=pair.side,
        conjunction=made.kind,
        change=pair.change.why if pair.change else "none",
        quantifier=yes_or_no(made.variety.quantifier),
        negation=yes_or_no(made.variety.negation),
        multiple=yes_or_no(made.variety.multiple),
    )
