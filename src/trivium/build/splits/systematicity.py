"""SETI's inferences and its seven settings (section 3.2, equations 1 to 9).

A lexical pair differs in two related words and nothing else (``boy→kid``), a structural pair in voice. Labels are two:
what is neutral or a contradiction is not entailed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import numpy as np
from pydantic import Field

from trivium.build.veridicality.composition import embed, rule_of, truth_of
from trivium.build.veridicality.natural import confirmed, content_words
from trivium.build.veridicality.pseudo import related_words
from trivium.build.veridicality.verbs import THAT_VERBS, Verb
from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.language.inflection import getAllLemmas
from trivium.settings import Settings

YES, NO = NLI2.names
LEXICAL, STRUCTURAL = "lexical", "structural"
_PASSIVE = re.compile(r"\bbeing (?!(?:a|an|the|in|on|at|very|so)\b)\w+", re.IGNORECASE)
_HALF_PASSIVE = re.compile(r"\b(?:is|are)(?: \w+ly)? \w+(?:ed|en)\b", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:no|not|nobody|none|never|without)\b|n't\b", re.IGNORECASE)
_VOICE_WORDS = frozenset("being by who which that".split())
_VERBS = {label: tuple(verb for verb in THAT_VERBS if verb.label == label) for label in (YES, NO)}
_SHOT_PAIRS = 12  # of each label are reserved for shots, if there are three times as many


class SystematicSizes(Settings):
    """How much of everything; 0 takes all there is.

    ``lexical`` and ``structural`` are pairs of each label: the paper has 754 and 300. ``dev`` is the share of what is
    trained that is set apart. ``train`` limits what is trained, evenly over the pairs, and ``test`` what is tested.
    """

    lexical: Annotated[int, Field(ge=0)] = 0
    structural: Annotated[int, Field(ge=0)] = 300
    dev: Annotated[float, Field(gt=0, lt=0.5)] = 0.2
    train: Annotated[int, Field(ge=0)] = 0
    test: Annotated[int, Field(ge=0)] = 0


@dataclass(frozen=True)
class Inferences:
    """Natural pairs by kind (lexical, structural) and label, as many of each label of a kind.

    ``halves`` are two sets of lexical pairs that share their rules and no sentence, drawn from all there are.
    """

    pairs: Mapping[tuple[str, str], tuple[Example, ...]]
    halves: tuple[tuple[Example, ...], tuple[Example, ...]]

    def of(self, *kinds: str, label: str | None = None) -> list[Example]:
        """The pairs of some kinds, or of both, and of one label, or of both."""
        wanted = (YES, NO) if label is None else (label,)
        return [pair for kind in kinds or (LEXICAL, STRUCTURAL) for one in wanted for pair in self.pairs[kind, one]]


class Setting(NamedTuple):
    """One of the seven: its name in the paper, and what is trained and tested.

    ``trained`` gives the two kinds of training inferences, which are balanced; one kind alone has nothing to balance.
    ``shared`` and ``new`` name what a test example has in common with the training and what it has not (see
    :mod:`trivium.build.splits.systematicity_invariants`). ``shots`` says whether the paper gives shots of what is
    tested.
    """

    name: str
    title: str
    trained: Callable[[Inferences], list[list[Example]]]
    tested: Callable[[Inferences], list[Example]]
    shared: tuple[str, ...]
    new: tuple[str, ...]
    shots: bool = False


class SettingSplits(NamedTuple):
    """What one setting trains and tests on, in one configuration; ``few`` is what shots are drawn from, if any are."""

    train: Split
    dev: Split
    test: Split
    few: Split


def choose_inferences(examples: Iterable[Example], sizes: SystematicSizes, rng: np.random.Generator) -> Inferences:
    """The lexical and structural pairs of a source, balanced by label.

    Each is there once in each direction, articles aside; what has both labels is left out.
    """
    found: dict[tuple[str, ...], Example] = {}
    doubtful: set[tuple[str, ...]] = set()
    for example in examples:
        kind, words = kind_of(example)
        if kind is None or example.label is None or not confirmed(example):
            continue
        label = NLI3.mapped(example.label, NLI2)
        if kind == STRUCTURAL and label == YES and not same_words(example.premise, str(example.hypothesis)):
            continue
        pair = Example.make(example.id, example.premise, example.hypothesis, label,
                            kind="natural", relation=kind, words=words)  # fmt: skip
        if found.setdefault(said(pair), pair).label != label:
            doubtful.add(said(pair))
    pairs: dict[tuple[str, str], list[Example]] = {
        (kind, one): [] for kind in (LEXICAL, STRUCTURAL) for one in (YES, NO)
    }
    for key, pair in found.items():
        if key not in doubtful:
            pairs[str(pair.fact("relation")), str(pair.label)].append(pair)
    return Inferences(_balanced_pairs(pairs, sizes, rng), _halves(pairs, sizes, rng))


def _balanced_pairs(
    pairs: Mapping[tuple[str, str], list[Example]], sizes: SystematicSizes, rng: np.random.Generator
) -> dict[tuple[str, str], tuple[Example, ...]]:
    chosen: dict[tuple[str, str], tuple[Example, ...]] = {}
    for kind, limit in ((LEXICAL, sizes.lexical), (STRUCTURAL, sizes.structural)):
        there = min(len(pairs[kind, YES]), len(pairs[kind, NO]))
        if there < max(limit, 2):
            raise UserError(
                f"the source has {there} {kind} pairs of each label, but data.{kind} is {limit}: lower it, or 0 for all"
            )
        for label in (YES, NO):
            chosen[kind, label] = tuple(_drawn(pairs[kind, label], limit or there, rng))
    return chosen


def _halves(
    pairs: Mapping[tuple[str, str], list[Example]], sizes: SystematicSizes, rng: np.random.Generator
) -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    """Lexical pairs in two halves that share their rules and no sentence, as many of each label in each.

    Pairs of one rule go to both halves in turn, as their sentences allow; a rule that fits into one half only is in
    neither.
    """
    sentences: tuple[set[str], set[str]] = (set(), set())
    taken: dict[tuple[str, int], list[Example]] = {(label, side): [] for label in (YES, NO) for side in (0, 1)}
    for label in (YES, NO):
        rules: dict[str, list[Example]] = {}
        for pair in _drawn(pairs[LEXICAL, label], len(pairs[LEXICAL, label]), rng):
            rules.setdefault(str(pair.fact("words")), []).append(pair)
        for same_rule in rules.values():
            for side, mine in enumerate(_dealt(same_rule, sentences)):
                taken[label, side] += mine
                sentences[side].update(text for pair in mine for text in said(pair))
    number = min(map(len, taken.values()))
    number = min(number, sizes.lexical or number)
    trained = [pair for label in (YES, NO) for pair in _even(taken[label, 0], "words")[:number]]
    known = {(pair.fact("words"), pair.label) for pair in trained}
    fits = [[p for p in taken[label, 1] if (p.fact("words"), p.label) in known][:number] for label in (YES, NO)]
    return tuple(trained), tuple(pair for mine in fits for pair in mine[: min(map(len, fits))])


def _dealt(pairs: Sequence[Example], taken: tuple[set[str], set[str]]) -> tuple[list[Example], list[Example]]:
    """Pairs of one rule for both halves, none of them with a sentence of the other half; none if one gets none."""
    mine: tuple[list[Example], list[Example]] = ([], [])
    here: tuple[set[str], set[str]] = (set(), set())
    for pair in pairs:
        side = 0 if len(mine[0]) <= len(mine[1]) else 1
        texts = set(said(pair))
        if not texts & (taken[1 - side] | here[1 - side]):
            mine[side].append(pair)
            here[side].update(texts)
    return mine if all(mine) else ([], [])


def said(example: Example) -> tuple[str, str]:
    """What an example says, articles aside."""
    return " ".join(content_words(example.premise)), " ".join(content_words(str(example.hypothesis)))


def kind_of(example: Example) -> tuple[str | None, str]:
    """Whether a pair is lexical or structural, if either, and by which words or voice."""
    if example.hypothesis is None:
        return None, ""
    texts = (example.premise, example.hypothesis)
    voices = ["passive" if _PASSIVE.search(text) else "active" for text in texts]
    if voices[0] != voices[1]:
        other = texts[voices.index("active")]
        unclear = _HALF_PASSIVE.search(other) or any(map(_NEGATED.search, texts))
        return (None, "") if unclear else (STRUCTURAL, "→".join(voices))
    words = related_words(example)
    return (None, "") if words is None else (LEXICAL, f"{words.first}→{words.second}")


def same_words(one: str, other: str) -> bool:
    """Whether two sentences have the same words in whatever form, those aside that a change of voice needs."""
    forms = [[_lemmas(word) for word in content_words(text) if word not in _VOICE_WORDS] for text in (one, other)]
    return all(any(a & b for b in forms[1]) for a in forms[0]) and all(any(a & b for b in forms[0]) for a in forms[1])


def _lemmas(word: str) -> frozenset[str]:
    return frozenset([word, *(lemma for lemmas in getAllLemmas(word).values() for lemma in lemmas)])


def veridical(verbs: Sequence[Verb], natural: Example) -> Example:
    """The veridical inference (Someone VERBs that S, S) of a pair's premise."""
    label = truth_of(verbs, YES)
    name = "+".join(verb.lemma for verb in verbs)
    return Example.make(f"{natural.id}+{name}/v", embed(verbs, natural.premise), natural.premise, label,
                        kind="veridical", verb=name, verb_label=label)  # fmt: skip


def composed(verbs: Sequence[Verb], natural: Example) -> Example:
    """The inference (Someone VERBs that S, S') of verbs, the outermost first, and a pair (S, S')."""
    label, over = str(natural.label), truth_of(verbs, YES)
    name = "+".join(verb.lemma for verb in verbs)
    facts = dict(natural.facts) | {"kind": "composed", "verb": name, "verb_label": over, "pair": natural.id}
    facts |= {"rule": str(rule_of(over, label)), "depth": str(len(verbs)), "embedded": natural.premise}
    made = Example.make(
        f"{natural.id}+{name}", embed(verbs, natural.premise), natural.hypothesis, truth_of(verbs, label)
    )
    return replace(made, facts=tuple(sorted((facts | {"natural_label": label}).items())))


def _over(label: str | None, pairs: Iterable[Example]) -> list[Example]:
    """Compositions of pairs with all verbs of a label, or with all verbs."""
    verbs = THAT_VERBS if label is None else _VERBS[label]
    return [composed((verb,), pair) for pair in pairs for verb in verbs]


def _veridicals(label: str | None, pairs: Iterable[Example]) -> list[Example]:
    """Veridical inferences of the premises of pairs, each once, with all verbs of a label, or with all verbs."""
    verbs = THAT_VERBS if label is None else _VERBS[label]
    premises = {said(pair)[0]: pair for pair in pairs}
    return [veridical((verb,), pair) for pair in premises.values() for verb in verbs]


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "task1-trivial", "Task 1, trivial",
        lambda i: [_veridicals(None, i.of()), i.of()],
        lambda i: _over(None, i.of()),
        ("verb", "pair"), ("composition rule",),
    ),
    Setting(
        "task1-nontrivial", "Task 1, non-trivial",
        lambda i: [_veridicals(None, i.halves[0]), list(i.halves[0])],
        lambda i: _over(None, i.halves[1]),
        ("verb", "lexical rule"), ("composition rule", "pair", "sentence"), shots=True,
    ),
    Setting(
        "task2-trivial", "Task 2, trivial",
        lambda i: [[*_over(YES, i.of(LEXICAL)), *_over(NO, i.of(STRUCTURAL))]],
        lambda i: [*_over(YES, i.of(STRUCTURAL)), *_over(NO, i.of(LEXICAL))],
        ("verb", "pair", "composition rule"), ("kind of verb with kind of pair",),
    ),
    Setting(
        "task2-nontrivial", "Task 2, non-trivial",
        lambda i: [[*_over(YES, i.of(label=YES)), *_over(NO, i.of(label=NO))]],
        lambda i: [*_over(YES, i.of(label=NO)), *_over(NO, i.of(label=YES))],
        ("verb", "pair"), ("composition rule",), shots=True,
    ),
    Setting(
        "task3-trivial", "Task 3, trivial",
        lambda i: [i.of(STRUCTURAL), _over(YES, i.of(LEXICAL))],
        lambda i: _over(YES, i.of(STRUCTURAL)),
        ("verb", "pair", "composition rule"), ("kind of verb with kind of pair",),
    ),
    Setting(
        "task3-nontrivial-ver", "Task 3, non-trivial, R_ver",
        lambda i: [_veridicals(NO, i.of(LEXICAL, label=YES)), _over(YES, i.of(LEXICAL, label=YES))],
        lambda i: _over(NO, i.of(LEXICAL, label=YES)),
        ("verb", "pair"), ("composition rule",),
    ),
    Setting(
        "task3-nontrivial-nat", "Task 3, non-trivial, R_nat",
        lambda i: [i.of(LEXICAL, label=NO), _over(YES, i.of(LEXICAL, label=YES))],
        lambda i: _over(YES, i.of(LEXICAL, label=NO)),
        ("verb", "pair"), ("composition rule",), shots=True,
    ),
)  # fmt: skip
"""The seven settings, in the paper's order."""


def build_setting(
    setting: Setting, inferences: Inferences, sizes: SystematicSizes, rng: np.random.Generator
) -> dict[str, SettingSplits]:
    """The splits of a setting: for compositional generalization, and in distribution, of the same sizes.

    In distribution, the same examples are divided at random. What shots are drawn from is about pairs of its own, none
    of whose sentences is tested.
    """
    trained, tested = balanced(setting.trained(inferences), rng), setting.tested(inferences)
    few: list[Example] = []
    if setting.shots:
        tested, few = _reserved(tested, rng)
    if not tested:
        raise UserError(f"{setting.title}: there are too few pairs to test anything: raise data.lexical")
    every = _drawn([*trained, *tested], len(trained) + len(tested), rng)
    return {
        "compositional": _divided(_drawn(trained, len(trained), rng), tested, few, sizes, rng),
        "in-distribution": _divided(every[: len(trained)], every[len(trained) :], few, sizes, rng),
    }


def balanced(kinds: Sequence[list[Example]], rng: np.random.Generator) -> list[Example]:
    """Two kinds of inferences in equal numbers: of the larger one a part, spread evenly over its verbs (appendix B)."""
    number = min(map(len, kinds))
    found: list[Example] = []
    for kind in kinds:
        found += kind if len(kind) == number else _spread(kind, number, rng)
    return found


def _spread(examples: Sequence[Example], number: int, rng: np.random.Generator) -> list[Example]:
    """A number of examples, the same of each verb; what does not divide is left out."""
    by_verb: dict[str, list[Example]] = {}
    for example in examples:
        by_verb.setdefault(str(example.fact("verb")), []).append(example)
    each = max(1, number // len(by_verb))
    return [example for found in by_verb.values() for example in _drawn(found, each, rng)]


def _even(examples: Sequence[Example], fact: str = "") -> list[Example]:
    """The examples in an order in which every pair, premise or value of a fact comes once before any comes twice."""
    seen: Counter[str] = Counter()
    turns = []
    for example in examples:
        own = example.id if example.fact("kind") == "natural" else said(example)[1]
        about = str(example.fact(fact) if fact else example.fact("pair") or own)
        turns.append(seen[about])
        seen[about] += 1
    return [examples[place] for place in sorted(range(len(examples)), key=turns.__getitem__)]


def _reserved(tested: Sequence[Example], rng: np.random.Generator) -> tuple[list[Example], list[Example]]:
    """What stays tested, and the compositions of a few pairs of each label, whose sentences are not tested."""
    pairs: dict[str, list[str]] = {}
    for example in tested:
        known = pairs.setdefault(str(example.fact("natural_label")), [])
        if example.fact("pair") not in known[-1:]:
            known.append(str(example.fact("pair")))
    chosen: set[str] = set()
    for known in pairs.values():
        number = min(_SHOT_PAIRS, len(known) // 3)
        chosen.update(known[place] for place in rng.permutation(len(known))[:number])
    few = [example for example in tested if example.fact("pair") in chosen]
    sentences = {text for example in few for text in sentences_of(example)}
    return [example for example in tested if sentences.isdisjoint(sentences_of(example))], few


def sentences_of(example: Example) -> set[str]:
    """The plain sentences that an example is about, articles aside: what its verb embeds, and its hypothesis."""
    premise = str(example.fact("embedded") or example.premise)
    texts = [str(example.hypothesis)] if example.fact("kind") == "veridical" else [premise, str(example.hypothesis)]
    return {" ".join(content_words(text)) for text in texts}


def shortcut_probe(inferences: Inferences, number: int, rng: np.random.Generator) -> Split:
    """Compositions by rule ②, which the training of R_ver does not show, and which the verb alone gets wrong."""
    every = _over(YES, inferences.of(LEXICAL, label=NO))
    return Split("rule-2", tuple(_drawn(every, number, rng)), NLI2)


def shots_of(few: Sequence[Example], number: int, rng: np.random.Generator) -> list[Example]:
    """Shots at random, the rules taking turns, so that as many shots as rules show each rule once."""
    by_rule: dict[str, list[Example]] = {}
    for example in _drawn(few, len(few), rng):
        by_rule.setdefault(str(example.fact("rule")), []).append(example)
    rules = [by_rule[rule] for rule in sorted(by_rule)]
    longest = max(map(len, rules), default=0)
    return [shots[turn] for turn in range(longest) for shots in rules if turn < len(shots)][:number]


def _divided(
    trained: Sequence[Example],
    tested: Sequence[Example],
    few: Sequence[Example],
    sizes: SystematicSizes,
    rng: np.random.Generator,
) -> SettingSplits:
    held = max(1, round(sizes.dev * len(trained)))
    train, test = list(trained[held:]), list(tested)
    if sizes.train and sizes.train < len(train):
        train = _even(train)[: sizes.train]
    if sizes.test and sizes.test < len(test):
        test = _drawn(test, sizes.test, rng)
    parts = {"train": train, "dev": trained[:held], "test": test, "few": few}
    return SettingSplits(**{name: Split(name, tuple(examples), NLI2) for name, examples in parts.items()})


def _drawn(examples: Sequence[Example], number: int, rng: np.random.Generator) -> list[Example]:
    return [examples[place] for place in rng.permutation(len(examples))[:number]]
