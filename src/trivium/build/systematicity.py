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

from trivium.build.composition import embed, rule_of, truth_of
from trivium.build.natural import confirmed, content_words
from trivium.build.pseudo import related_words
from trivium.build.verbs import THAT_VERBS, Verb
from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.settings import Settings

YES, NO = NLI2.names
LEXICAL, STRUCTURAL = "lexical", "structural"
_PASSIVE = re.compile(r"\bbeing \w+", re.IGNORECASE)
_VERBS = {label: tuple(verb for verb in THAT_VERBS if verb.label == label) for label in (YES, NO)}


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
    few: Annotated[int, Field(ge=0)] = 128


@dataclass(frozen=True)
class Inferences:
    """Natural pairs by kind (lexical, structural) and label, as many of each label of a kind."""

    pairs: Mapping[tuple[str, str], tuple[Example, ...]]

    def of(self, *kinds: str, label: str | None = None) -> list[Example]:
        """The pairs of some kinds, or of both, and of one label, or of both."""
        wanted = (YES, NO) if label is None else (label,)
        return [pair for kind in kinds or (LEXICAL, STRUCTURAL) for one in wanted for pair in self.pairs[kind, one]]


class Setting(NamedTuple):
    """One of the seven: its name in the paper, and what is trained and tested.

    ``trained`` gives the two kinds of training inferences, which are balanced; one kind alone has nothing to balance.
    ``unseen`` are the numbers of the composition rules that no training example shows. ``shots`` says whether the paper
    gives shots of what is tested (section 5.2).
    """

    name: str
    title: str
    trained: Callable[[Inferences], list[list[Example]]]
    tested: Callable[[Inferences], list[Example]]
    unseen: tuple[int, ...]
    shots: bool = False


class SettingSplits(NamedTuple):
    """What one setting trains and tests on, in one configuration; ``few`` are shots of what is tested, if any."""

    train: Split
    dev: Split
    test: Split
    few: Split


def choose_inferences(examples: Iterable[Example], sizes: SystematicSizes, rng: np.random.Generator) -> Inferences:
    """The lexical and structural pairs of a source, balanced by label; each once in each direction, articles aside."""
    found: dict[tuple[str, str], dict[tuple[str, ...], Example]] = {
        (kind, label): {} for kind in (LEXICAL, STRUCTURAL) for label in (YES, NO)
    }
    labels: dict[tuple[str, str | None], str] = {}
    for example in examples:
        kind, words = kind_of(example)
        if kind is None or example.label is None or not confirmed(example):
            continue
        label = NLI3.mapped(example.label, NLI2)
        if labels.setdefault((example.premise, example.hypothesis), label) != label:
            continue
        pair = Example.make(example.id, example.premise, example.hypothesis, label,
                            kind="natural", relation=kind, words=words)  # fmt: skip
        said = tuple(" ".join(content_words(text)) for text in (example.premise, str(example.hypothesis)))
        found[kind, label].setdefault(said, pair)
    chosen: dict[tuple[str, str], tuple[Example, ...]] = {}
    for kind, limit in ((LEXICAL, sizes.lexical), (STRUCTURAL, sizes.structural)):
        there = min(len(found[kind, YES]), len(found[kind, NO]))
        if there < max(limit, 1):
            raise UserError(
                f"the source has {there} {kind} pairs of each label, but data.{kind} is {limit}: lower it, or 0 for all"
            )
        for label in (YES, NO):
            chosen[kind, label] = tuple(_drawn(list(found[kind, label].values()), limit or there, rng))
    return Inferences(chosen)


def kind_of(example: Example) -> tuple[str | None, str]:
    """Whether a pair is lexical or structural, if either, and by which words or voice."""
    if example.hypothesis is None:
        return None, ""
    voices = ["passive" if _PASSIVE.search(text) else "active" for text in (example.premise, example.hypothesis)]
    if voices[0] != voices[1]:
        return STRUCTURAL, "→".join(voices)
    words = related_words(example)
    return (None, "") if words is None else (LEXICAL, f"{words.first}→{words.second}")


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
    return replace(made, facts=tuple(sorted(facts.items())))


def _over(label: str | None, pairs: Iterable[Example]) -> list[Example]:
    """Compositions of pairs with all verbs of a label, or with all verbs."""
    verbs = THAT_VERBS if label is None else _VERBS[label]
    return [composed((verb,), pair) for pair in pairs for verb in verbs]


def _veridicals(label: str | None, pairs: Iterable[Example]) -> list[Example]:
    """Veridical inferences of the premises of pairs, each once, with all verbs of a label, or with all verbs."""
    verbs = THAT_VERBS if label is None else _VERBS[label]
    premises = {pair.premise: pair for pair in pairs}
    return [veridical((verb,), pair) for pair in premises.values() for verb in verbs]


def _shared_rules(inferences: Inferences) -> tuple[list[Example], list[Example]]:
    """Lexical pairs in two halves that share their rules (``boy→kid``) and no sentence, as many of each in each.

    Pairs of one rule are divided as evenly as their sentences allow; a rule with one pair is in neither half.
    """
    halves: tuple[list[Example], list[Example]] = ([], [])
    said: tuple[set[str], set[str]] = (set(), set())
    for label in (YES, NO):
        rules: dict[str, list[Example]] = {}
        for pair in inferences.of(LEXICAL, label=label):
            rules.setdefault(str(pair.fact("words")), []).append(pair)
        for pairs in rules.values():
            _divide(pairs, halves, said)
    return halves


def _divide(
    pairs: Sequence[Example], halves: tuple[list[Example], list[Example]], said: tuple[set[str], set[str]]
) -> None:
    """Put pairs of one rule into both halves in turn, if at least one fits into each."""
    mine: tuple[list[Example], list[Example]] = ([], [])
    sentences: tuple[set[str], set[str]] = (set(), set())
    for pair in pairs:
        side = 0 if len(mine[0]) <= len(mine[1]) else 1
        for here in (side, 1 - side):
            texts = {pair.premise, str(pair.hypothesis)}
            if not texts & (said[1 - here] | sentences[1 - here]):
                mine[here].append(pair)
                sentences[here].update(texts)
                break
    number = min(map(len, mine))
    for here in (0, 1):
        for pair in mine[here][:number]:
            halves[here].append(pair)
            said[here].update((pair.premise, str(pair.hypothesis)))


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "task1-trivial", "Task 1, trivial",
        lambda i: [_veridicals(None, i.of()), i.of()],
        lambda i: _over(None, i.of()), (1, 2, 3, 4),
    ),
    Setting(
        "task1-nontrivial", "Task 1, non-trivial",
        lambda i: [_veridicals(None, _shared_rules(i)[0]), _shared_rules(i)[0]],
        lambda i: _over(None, _shared_rules(i)[1]), (1, 2, 3, 4), shots=True,
    ),
    Setting(
        "task2-trivial", "Task 2, trivial",
        lambda i: [[*_over(YES, i.of(LEXICAL)), *_over(NO, i.of(STRUCTURAL))]],
        lambda i: [*_over(YES, i.of(STRUCTURAL)), *_over(NO, i.of(LEXICAL))], (),
    ),
    Setting(
        "task2-nontrivial", "Task 2, non-trivial",
        lambda i: [[*_over(YES, i.of(label=YES)), *_over(NO, i.of(label=NO))]],
        lambda i: [*_over(YES, i.of(label=NO)), *_over(NO, i.of(label=YES))],
        (2, 3), shots=True,
    ),
    Setting(
        "task3-trivial", "Task 3, trivial",
        lambda i: [i.of(STRUCTURAL), _over(YES, i.of(LEXICAL))],
        lambda i: _over(YES, i.of(STRUCTURAL)), (3, 4),
    ),
    Setting(
        "task3-nontrivial-ver", "Task 3, non-trivial, R_ver",
        lambda i: [_veridicals(NO, i.of(LEXICAL, label=YES)), _over(YES, i.of(LEXICAL, label=YES))],
        lambda i: _over(NO, i.of(LEXICAL, label=YES)), (2, 3, 4),
    ),
    Setting(
        "task3-nontrivial-nat", "Task 3, non-trivial, R_nat",
        lambda i: [i.of(LEXICAL, label=NO), _over(YES, i.of(LEXICAL, label=YES))],
        lambda i: _over(YES, i.of(LEXICAL, label=NO)), (2, 3, 4), shots=True,
    ),
)  # fmt: skip
"""The seven settings, in the paper's order."""


def build_setting(
    setting: Setting, inferences: Inferences, sizes: SystematicSizes, rng: np.random.Generator
) -> dict[str, SettingSplits]:
    """The splits of a setting: for compositional generalization, and in distribution, of the same sizes.

    In distribution, the same examples are divided at random. Both have the shots of the compositional test.
    """
    trained, tested = balanced(setting.trained(inferences), rng), setting.tested(inferences)
    few = _shots(tested, sizes.few, rng) if setting.shots else []
    held = {shot.id for shot in few}
    tested = [example for example in tested if example.id not in held]
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


def _even(examples: Sequence[Example]) -> list[Example]:
    """The examples in an order in which every pair, or embedded premise, comes once before any comes twice."""
    seen: Counter[str] = Counter()
    turns = []
    for example in examples:
        about = str(example.fact("pair") or (example.id if example.fact("kind") == "natural" else example.hypothesis))
        turns.append(seen[about])
        seen[about] += 1
    return [examples[place] for place in sorted(range(len(examples)), key=turns.__getitem__)]


def _shots(tested: Sequence[Example], number: int, rng: np.random.Generator) -> list[Example]:
    """Examples of what is tested, the rules taking turns, so that as many shots as rules show each rule once."""
    by_rule: dict[str, list[Example]] = {}
    for example in tested:
        by_rule.setdefault(str(example.fact("rule")), []).append(example)
    each = -(-number // len(by_rule))
    drawn = [_drawn(by_rule[rule], each, rng) for rule in sorted(by_rule)]
    return [shots[place] for place in range(each) for shots in drawn if place < len(shots)][:number]


def _divided(
    trained: Sequence[Example],
    tested: Sequence[Example],
    few: Sequence[Example],
    sizes: SystematicSizes,
    rng: np.random.Generator,
) -> SettingSplits:
    held = round(sizes.dev * len(trained))
    train, test = list(trained[held:]), list(tested)
    if sizes.train and sizes.train < len(train):
        train = _even(train)[: sizes.train]
    if sizes.test and sizes.test < len(test):
        test = _drawn(test, sizes.test, rng)
    parts = {"train": train, "dev": trained[:held], "test": test, "few": few}
    return SettingSplits(**{name: Split(name, tuple(examples), NLI2) for name, examples in parts.items()})


def _drawn(examples: Sequence[Example], number: int, rng: np.random.Generator) -> list[Example]:
    return [examples[place] for place in rng.permutation(len(examples))[:number]]
