"""Real mistakes of eight kinds, and for each kind unseen pairs that measure whether their correction was learned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from trivium.build.lessons.kinds import cue_sets
from trivium.build.phenomena.words import NUMBERS, pick, pick_some
from trivium.data.example import Example, key_of
from trivium.data.labels import NLI3
from trivium.data.locate import find_file
from trivium.data.sources import load_source
from trivium.data.tsv import read_tsv
from trivium.seeds import stream

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib  # type: ignore[no-redef, import-not-found]

FOLDER = Path(__file__).parent
CORRECTIONS = 12
"""Corrections of a kind, at most."""
PER_LABEL = 60
"""Unseen pairs of each label, at most."""
Slots = Callable[[dict[str, Any], np.random.Generator], dict[str, str]]


@cache
def _tables(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def kinds() -> tuple[str, ...]:
    """Return the names of the kinds."""
    return tuple(_tables("corrections"))


def written(kind: str) -> list[Example]:
    """Return the pairs of a kind that may be corrections, in random order."""
    rows = list(_rows(_tables("corrections")[kind]))
    order = stream(0, "data", "corrections", kind).permutation(len(rows))
    return [Example.make(f"{kind}-{index + 1}", *rows[index]) for index in order]


def corrections(kind: str, answers: Sequence[str]) -> list[Example]:
    """Return the first twelve of the written pairs that a model gets wrong, given its answers to all of them."""
    pairs = zip(written(kind), answers, strict=True)
    return [example for example, answer in pairs if answer != example.label][:CORRECTIONS]


def unseen(kind: str, seed: int = 0) -> list[Example]:
    """Return pairs of a kind that measure a correction: up to 60 of each label, none of them a written pair."""
    known = {key_of(example) for example in written(kind)}
    pools: dict[str, dict[tuple[str, str], Example]] = defaultdict(dict)
    for example in PUBLIC[kind]() if kind in PUBLIC else _by_rules(kind, seed):
        if example.label in NLI3.names and key_of(example) not in known:
            pools[example.label].setdefault(key_of(example), example)
    rng = stream(seed, "data", "unseen", kind)
    return [
        examples[index]
        for label in NLI3.names
        for examples in [list(pools[label].values())]
        for index in rng.permutation(len(examples))[:PER_LABEL]
    ]


def _rows(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield premise, hypothesis and label of each line."""
    labels = {name[0]: name for name in NLI3.names}
    for line in text.strip().splitlines():
        label, premise, hypothesis = (field.strip() for field in line.split("|"))
        yield premise, hypothesis, labels[label]


def _entries(text: str) -> list[str]:
    return [" ".join(entry.split()) for entry in text.replace("\n", " ").split(",") if entry.strip()]


def _by_rules(kind: str, seed: int, rounds: int = 40) -> Iterator[Example]:
    """Yield pairs by the rules of a kind; the rules take turns, each time with other words."""
    table = _tables("unseen")[kind]
    rng = stream(seed, "data", "unseen", kind, "words")
    for _ in range(rounds):
        for rule, (premise, hypothesis, label) in enumerate(_rows(table["rules"]), 1):
            words = _SLOTS[kind](table, rng)
            words |= {name.capitalize(): text[:1].upper() + text[1:] for name, text in words.items()}
            yield Example.make(
                f"{kind}-rule-{rule}", premise.format(**words), hypothesis.format(**words), label, rule=f"{rule}"
            )


def _acts(table: dict[str, Any], rng: np.random.Generator, number: int) -> Iterator[tuple[str, str]]:
    """Yield acts in the past and as participles: wrote / written a will."""
    for act in pick_some(rng, _entries(table["do"]), number):
        past, _, participle = act.partition(" / ")
        rest = participle.partition(" ")[2]
        yield (f"{past} {rest}", participle) if participle else (past, past)


def _hedged(table: dict[str, Any], rng: np.random.Generator) -> dict[str, str]:
    ((did, done),) = _acts(table, rng, 1)
    return {
        "x": pick(rng, _entries(table["x"])),
        "place": pick(rng, _entries(table["place"])),
        "did": did,
        "done": done,
    }


def _quantified(table: dict[str, Any], rng: np.random.Generator) -> dict[str, str]:
    one, many = pick(rng, _entries(table["noun"])).split(" / ")
    plural, singular = pick(rng, _entries(table["verb"])).split(" / ")
    return {"a": one, "as": many, "v": plural, "vs": singular}


def _counted(table: dict[str, Any], rng: np.random.Generator) -> dict[str, str]:
    number = int(pick(rng, _entries(table["number"])))
    part = int(rng.integers(2, 8))
    values = {"n": number, "m": part, "rest": number - part, "less": number - int(rng.integers(2, 5)),
              "more": number + int(rng.integers(2, 5))}  # fmt: skip
    words = {name: NUMBERS[value] if value < len(NUMBERS) else str(value) for name, value in values.items()}
    return words | {"place": pick(rng, _entries(table["place"])), "things": pick(rng, _entries(table["things"]))}


def _compared(table: dict[str, Any], rng: np.random.Generator) -> dict[str, str]:
    name, _, rest = pick(rng, table["pairs"].strip().splitlines()).partition(": ")
    things, scale = (part.split(", ") for part in rest.split(" / "))
    x, y, z = pick_some(rng, things, 3)
    return dict(zip(("adj", "more", "less", "noun"), scale, strict=True)) | {"x": x, "y": y, "z": z, "class": name}


def _timed(table: dict[str, Any], rng: np.random.Generator) -> dict[str, str]:
    (did, done), (second, _) = _acts(table, rng, 2)
    year = int(pick(rng, _entries(table["year"])))
    gap = int(rng.integers(3, 9))
    years = {"y": str(year), "later": str(year + gap), "before": str(year - gap)}
    return years | {"x": pick(rng, _entries(table["x"])), "she": "she", "did": did, "done": done, "did2": second}


_SLOTS: dict[str, Slots] = {
    "hedges": _hedged,
    "quantifiers": _quantified,
    "numbers": _counted,
    "comparatives": _compared,
    "temporal": _timed,
}


def _negated() -> Iterator[Example]:
    """Return the pairs of CAD whose hypothesis has a negation."""
    cues = cue_sets()["negation"]
    return (example for example in load_source("cad-snli") if cues.find(example.hypothesis or ""))


def _conjoined() -> Iterable[Example]:
    return load_source("conjnli")


def _embedded() -> Iterator[Example]:
    """Yield sentences and their complements (Ross and Pavlick 2019), with the label of the mean rating of people."""
    sides = {"sentence": "turker_pos_ratings", "neg_sentence": "turker_neg_ratings"}
    path = find_file("verb_veridicality/verb_veridicality_evaluation.tsv")
    for number, (_, fields) in enumerate(read_tsv(path, ["complement", *sides, *sides.values()])):
        for side, ratings in sides.items():
            mean = float(np.mean([float(value) for value in fields[ratings].split(",")]))
            label = "entailment" if mean >= 1 else "contradiction" if mean <= -1 else "neutral"
            if abs(mean) >= 1 or abs(mean) < 0.5:  # people agree
                yield Example.make(f"{number}-{side}", fields[side], fields["complement"], label)


PUBLIC: dict[str, Callable[[], Iterable[Example]]] = {
    "negation": _negated,
    "veridical verbs": _embedded,
    "conjunctions": _conjoined,
}
