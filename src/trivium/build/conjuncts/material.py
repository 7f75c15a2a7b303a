"""What ConjNLI's models are trained on and tested with, and the proof that nothing that is tested was trained."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from trivium.build.conjuncts.builtin import built_pairs
from trivium.build.conjuncts.sentence import CONJUNCTIONS
from trivium.build.conjuncts.traits import BALANCED, KINDS
from trivium.build.edits.suites import sample, without_premises_of
from trivium.build.splits.invariants import Invariant, check_invariant
from trivium.build.splits.similarity import similarity
from trivium.data.example import Example, key_of
from trivium.data.labels import NLI3
from trivium.data.sources import load_source
from trivium.data.sources.conjnli import NONE, conjunction_of, load_part
from trivium.data.sources.mnli import read_release
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.seeds import stream

CONJ: Final = "ConjNLI"
FRAGMENT: Final = "Boolean fragment"
MNLI, SNLI = "mnli", "snli"
TITLES = {MNLI: "MNLI", SNLI: "SNLI"}
MISMATCHED: Final = "MNLI-mm"
BUILTIN: Final = "builtin"
COPY: Final = 0.7
"""Two pairs that share so much of their words are taken for one."""
ADVERSARIAL = "adversarial"
_TASK = "nli"
_TEST = {MNLI: 3000, SNLI: 9824}  # pairs that are kept for testing, at most
_BUILTIN_SENTENCES = 96
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Sizes:
    """How many pairs, at most (0: all): of each base, of each base test, and of the adversarial data.

    ``own`` are files to train on instead of what is public: by base, and under ``adversarial``. ``mismatched`` is the
    file of MNLI's mismatched dev part to test on, of which as many pairs are taken as of the matched one.
    """

    bases: Mapping[str, int]
    tests: Mapping[str, int]
    adversarial: int
    own: Mapping[str, Path] = field(default_factory=dict)
    mismatched: Path | None = None


@dataclass(frozen=True)
class Material:
    """Training pairs of each base, the tests by name, and the adversarial pairs in the order in which they are taken.

    The order is balanced: of any first part the pairs of *and*, *or* and *but* are as many as can be.
    """

    bases: Mapping[str, Split]
    tests: Mapping[str, Split]
    adversarial: Split
    fragment: Split | None = None
    """Pairs of the Boolean fragment to train on, if they are wanted; those to test are among the tests."""
    copies: int = 0
    """How many adversarial pairs were left out, for they have nearly the words of a tested one."""

    def first(self, number: int) -> Split:
        """The first adversarial pairs."""
        return Split(f"adversarial {number}", self.adversarial.examples[:number], self.adversarial.labels)

    def conjunctive(self, base: str) -> list[Example]:
        """The pairs of a base in which there is a conjunction, in their order."""
        return [example for example in self.bases[base] if is_conjunctive(example)]


def load_material(source: str, sizes: Sizes, seed: int) -> Material:
    """The pairs of the release, or of the small grammar (``builtin``)."""
    if source == BUILTIN:
        adversarial, tested, bases, tests = _of_grammar(sizes, seed)
    else:
        tested, adversarial = load_part("dev").examples, load_part("adversarial").examples
        bases, tests = _released(sizes, seed)
    if ADVERSARIAL in sizes.own:
        adversarial = _read(sizes.own[ADVERSARIAL])
    free = adversarial if source == BUILTIN else without_copies(adversarial, tested)
    taken = in_turn(free, seed)[: sizes.adversarial or len(free)]
    every = {CONJ: tested, **{TITLES[name]: tuple(found) for name, found in tests.items()}}
    if sizes.mismatched is not None:
        known = {key_of(example): example for example in read_release(sizes.mismatched, "mm")}
        every[MISMATCHED] = sample(tuple(known.values()), sizes.tests[MNLI], seed, MISMATCHED)
        bases = {name: without_premises_of(base, every[MISMATCHED]) for name, base in bases.items()}
    return Material(
        {name: Split(name, tuple(_plain(found))) for name, found in bases.items()},
        {name: Split(name, tuple(_plain(found))) for name, found in every.items()},
        Split("adversarial", tuple(_plain(taken))),
        copies=len(adversarial) - len(free),
    )


def with_fragment(material: Material, number: int, seed: int) -> Material:
    """The material with so many pairs of the Boolean fragment to train on, and with its test part."""
    known = load_source("boolean-fragment")
    tested = Split(FRAGMENT, tuple(_plain(e for e in known if e.fact("part") == "test")))
    asked = {key_of(example) for example in tested}
    there = [example for example in known if example.fact("part") == "train" and key_of(example) not in asked]
    taken = Split("fragment", tuple(_plain(sample(there, number, seed, "conjuncts", "fragment"))))
    if len(taken) < number:
        raise UserError(f"run.fragment: {number:,} pairs are wanted, and there are {len(taken):,}")
    return replace(material, tests={**material.tests, FRAGMENT: tested}, fragment=taken)


def without_copies(examples: Sequence[Example], tested: Sequence[Example]) -> list[Example]:
    """The examples that share less than :data:`COPY` of their words with each that is tested.

    The released adversarial pairs hold some of the tested ones with other marks, or with *either* put in.
    """
    near = similarity(list(map(_all_words, examples)), list(map(_all_words, tested)))
    return [example for example, share in zip(examples, near, strict=True) if share < COPY]


def in_turn(examples: Sequence[Example], seed: int) -> list[Example]:
    """The examples in a random order that takes *and*, *or* and *but* in turn, as long as there are some of each."""
    queues: dict[str, list[Example]] = {kind: [] for kind in BALANCED}
    for example in sample(examples, 0, seed, "conjuncts", "adversarial"):
        queues[changed_conjunction(example)].append(example)
    longest = max(map(len, queues.values()))
    return [queue[place] for place in range(longest) for queue in queues.values() if place < len(queue)]


def changed_conjunction(example: Example) -> str:
    """The conjunction that a pair is about: of several that of which one sentence has more, else the first one."""
    counts = [_counted(text) for text in (example.premise, example.hypothesis or "")]
    for kind in BALANCED:
        if counts[0][kind] != counts[1][kind]:
            return kind
    return next((kind for kind in counts[0] if counts[0][kind]), BALANCED[0])


def is_conjunctive(example: Example) -> bool:
    """Whether premise or hypothesis has a conjunction."""
    return conjunction_of(example.premise, example.hypothesis or "") != NONE


def slices(examples: Sequence[Example], number: int, size: int) -> list[tuple[Example, ...]]:
    """So many disjoint slices, one behind the other, each with ``size`` examples (0: an equal share of all)."""
    share = len(examples) // number
    if share == 0 or size > share:
        raise UserError(
            f"{number} slices of {size or 1:,} pairs with a conjunction are wanted, and there are {len(examples):,}: "
            "lower data.slice or run.rounds"
        )
    size = size or share
    return [tuple(examples[start : start + size]) for start in range(0, number * size, size)]


def check_material(material: Material) -> list[Invariant]:
    """That nothing which is tested was trained: pairs, turned pairs, and for bases premises."""
    everywhere = {key_of(example) for test in material.tests.values() for example in test}
    fragment = (
        []
        if material.fragment is None
        else [
            check_invariant(
                f"no tested pair of the {FRAGMENT} is trained", material.fragment, lambda e: key_of(e) not in everywhere
            )
        ]
    )
    turned = {(hypothesis, premise) for premise, hypothesis in everywhere}
    pairs = material.adversarial
    found = [
        *fragment,
        check_invariant("no adversarial pair is tested", pairs, lambda one: key_of(one) not in everywhere),
        check_invariant("no adversarial pair is tested, turned", pairs, lambda one: key_of(one) not in turned),
    ]
    premises = {key_of(example)[0] for test in material.tests.values() for example in test}
    for name, base in material.bases.items():
        title = TITLES[name]
        found.append(
            check_invariant(
                f"no pair of {title} that is tested is trained", base, lambda e: key_of(e) not in everywhere
            )
        )
        found.append(
            check_invariant(
                f"no premise that is tested is one of {title}'s", base, lambda e: key_of(e)[0] not in premises
            )
        )
    return found


def check_copies(material: Material) -> Invariant:
    """That no adversarial pair has nearly the words of a tested one of ConjNLI."""
    free = {id(example) for example in without_copies(material.adversarial.examples, material.tests[CONJ].examples)}
    promise = f"no adversarial pair shares {100 * COPY:.0f} % of its words with one of {CONJ}"
    return check_invariant(promise, material.adversarial, lambda one: id(one) in free)


def check_slices(parts: Sequence[Sequence[Example]]) -> list[Invariant]:
    """That slices have nothing in common, and that each pair has a conjunction."""
    every = [example for part in parts for example in part]
    often = Counter(map(key_of, every))
    return [
        check_invariant("every pair of a slice has a conjunction", every, is_conjunctive),
        check_invariant("no pair is in two slices, or twice in one", every, lambda one: often[key_of(one)] == 1),
    ]


def kinds_of(examples: Iterable[Example]) -> dict[str, int]:
    """How many pairs there are of each kind of conjunction."""
    seen = Counter(conjunction_of(example.premise, example.hypothesis or "") for example in examples)
    return {kind: seen[kind] for kind in KINDS}


def _released(sizes: Sizes, seed: int) -> tuple[dict[str, list[Example]], dict[str, tuple[Example, ...]]]:
    """MNLI and SNLI: of MNLI's dev part some premises are kept for testing, of SNLI the test part."""
    bases: dict[str, list[Example]] = {}
    tests: dict[str, tuple[Example, ...]] = {}
    for name, part in ((MNLI, "dev"), (SNLI, "test")):
        known = list({key_of(example): example for example in load_source(name)}.values())
        held = [example for example in known if example.fact("part") == part]
        tests[name] = sample(held, min(sizes.tests[name] or _TEST[name], _TEST[name]), seed, name, "test")
        rest = known if name == MNLI else [example for example in known if example.fact("part") != part]
        rest = list(_read(sizes.own[name])) if name in sizes.own else rest
        bases[name] = list(sample(without_premises_of(rest, tests[name]), sizes.bases[name], seed, name))
    asked = [example for test in tests.values() for example in test] + list(load_part("dev"))
    return {name: without_premises_of(base, asked) for name, base in bases.items()}, tests


def _of_grammar(
    sizes: Sizes, seed: int
) -> tuple[tuple[Example, ...], tuple[Example, ...], dict[str, list[Example]], dict[str, tuple[Example, ...]]]:
    """Adversarial and tested pairs of different sentences, and for MNLI and SNLI pairs of the built-in grammar."""
    built = built_pairs(_BUILTIN_SENTENCES, seed)
    names = list(dict.fromkeys(str(example.fact("sentence")) for example in built))
    order = stream(seed, "data", "conjuncts", "test").permutation(len(names))
    held = {names[place] for place in order[: len(names) // 3]}
    tested = tuple(example for example in built if example.fact("sentence") in held)
    asked = {sentence for example in tested for sentence in key_of(example)}
    free = tuple(example for example in built if not asked & set(key_of(example)))
    conjunctive, plain = free[: len(free) // 3], load_source("builtin").examples
    middle = len(plain) // 2
    bases, tests = {}, {}
    for name, part in ((MNLI, plain[:middle]), (SNLI, plain[middle:])):
        tests[name] = sample(part, sizes.tests[name] or middle // 10, seed, name, "test")
        rest = [*without_premises_of(part, tests[name]), *(conjunctive if name == MNLI else ())]
        rest = without_premises_of(_read(sizes.own[name]), tests[name]) if name in sizes.own else rest
        bases[name] = list(sample(rest, sizes.bases[name], seed, name))
    asked_too = [example for test in tests.values() for example in test]
    return (
        free[len(free) // 3 :],
        tested,
        {name: without_premises_of(base, asked_too) for name, base in bases.items()},
        tests,
    )


def _read(file: Path) -> tuple[Example, ...]:
    """The pairs of a user's file, each once."""
    found = Split.read(file)
    if found.labels != NLI3:
        raise UserError(
            f"{file}: its labels are of the scheme {found.labels.name}: pairs to train on have three labels"
        )
    if any(example.label is None or example.hypothesis is None for example in found):
        raise UserError(f"{file}: a pair to train on has a hypothesis and a label")
    return tuple({key_of(example): example for example in found}.values())


def _plain(examples: Iterable[Example]) -> list[Example]:
    """Pairs for one head."""
    return [replace(example, task=_TASK, parts=()) for example in examples]


def _all_words(example: Example) -> frozenset[str]:
    return frozenset(_WORD.findall(f"{example.premise} {example.hypothesis or ''}".lower()))


def _counted(text: str) -> Counter[str]:
    words = (word.strip(".,;:()\"'").lower() for word in text.split())
    return Counter("or" if word == "nor" else word for word in words if word in CONJUNCTIONS)
