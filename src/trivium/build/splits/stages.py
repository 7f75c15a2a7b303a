"""The folds, stages and tests of C²Gen: few natural pairs with all verbs, or few verbs with many natural pairs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Annotated, Literal, TypeVar

import numpy as np
from pydantic import Field

from trivium.build.veridicality.composition import TYPES, CompositionType, compose, type_of
from trivium.build.veridicality.natural import NaturalPair, premise_key, unsoundness
from trivium.build.veridicality.pseudo import Lexicon, WordPair, is_decided, related_words, relation_pairs
from trivium.build.veridicality.verbs import INFINITIVE_VERBS, Verb
from trivium.data.example import Example
from trivium.data.labels import NLI3
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.settings import Settings

T = TypeVar("T")


@dataclass(frozen=True)
class Fold:
    """One of nine: the type that is tested, and those that train veridical and natural inference."""

    test: CompositionType
    ver: tuple[CompositionType, ...]
    nat: tuple[CompositionType, ...]


def fold_of(number: int) -> Fold:
    """The fold that tests type ``number``.

    The paper gives test ① only: veridical stage ②⑤③⑨, natural stage ④⑥⑦⑧. With labels counted modulo 3, the
    veridical stage is (v, n+1), (v+1, n+1), (v, n+2), (v+2, n+2); the natural stage is the other four.
    """
    if not 1 <= number <= len(TYPES):
        raise UserError(f"there is no fold {number}: folds go from 1 to {len(TYPES)}")
    test = TYPES[number - 1]
    v, n = divmod(number - 1, 3)
    ver = tuple(TYPES[3 * (i % 3) + j % 3] for i, j in ((v, n + 1), (v + 1, n + 1), (v, n + 2), (v + 2, n + 2)))
    return Fold(test, ver, tuple(t for t in TYPES if t != test and t not in ver))


class Sizes(Settings):
    """How much of everything; a test size of 0 takes all there is.

    The numbers of pairs and ``per_type`` are the paper's; it does not state how many pairs are held out, nor how few
    verbs the natural stage has. With ``pairs = "decided"`` only those entailed and neutral pairs are used that one
    related word decides, as for the pseudo-words of section 8.1.
    """

    pairs: Literal["all", "decided"] = "all"
    entailment: Annotated[int, Field(ge=1)] = 747
    neutral: Annotated[int, Field(ge=1)] = 693
    contradiction: Annotated[int, Field(ge=1)] = 690
    held_out: Annotated[int, Field(ge=1)] = 150
    per_type: Annotated[int, Field(ge=1)] = 800
    natural_stage_verbs: Annotated[int, Field(ge=1)] = 2
    test_composed: Annotated[int, Field(ge=0)] = 0
    test_primitive: Annotated[int, Field(ge=0)] = 0


@dataclass(frozen=True)
class NaturalPool:
    """Natural pairs by label: those to compose with, and those held out for testing unseen primitives."""

    composing: Mapping[str, tuple[NaturalPair, ...]]
    held_out: Mapping[str, tuple[NaturalPair, ...]]


@dataclass(frozen=True)
class FoldSplits:
    """What one fold trains and tests on."""

    fold: Fold
    ver: Split
    nat: Split
    composed: Split
    primitive: Split


def divide_natural(pairs: Sequence[NaturalPair], sizes: Sizes, rng: np.random.Generator) -> NaturalPool:
    """Choose at random which pairs are composed and which are held out, a given number for each label.

    No premise, articles aside, is in both: what is held out tests clauses that no verb of the training embeds. Pairs
    for which the rules of composition are not sound are left out as long as there are enough others.
    """
    single: set[WordPair] = set()
    if sizes.pairs == "decided":
        pairs = [pair for pair in pairs if is_decided(pair.example)]
        counts = relation_pairs(pair.example for pair in pairs)
        single = {related for related, count in counts.items() if count == 1}
    for limit in range(4):
        usable = [pair for pair in pairs if unsoundness(pair.example) <= limit]
        held_out = _hold_out(usable, sizes.held_out, single, rng)
        tested = {premise_key(pair.example) for pair in held_out}
        left = _by_label(pair for pair in usable if premise_key(pair.example) not in tested)
        if all(len(found) >= _wanted(label, sizes) for label, found in left.items()):
            composing = {label: tuple(_soundest(found, _wanted(label, sizes), rng)) for label, found in left.items()}
            return NaturalPool(composing, {label: tuple(found) for label, found in _by_label(held_out).items()})
    raise _too_few(_by_label(pairs), left, sizes)


def _wanted(label: str, sizes: Sizes) -> int:
    return int(getattr(sizes, label))


def _soundest(pairs: list[NaturalPair], number: int, rng: np.random.Generator) -> list[NaturalPair]:
    """A random choice among the soundest pairs, in the order in which they were given."""
    order = sorted(rng.permutation(len(pairs)), key=lambda place: unsoundness(pairs[place].example))
    return [pairs[place] for place in sorted(order[:number])]


def _by_label(pairs: Iterable[NaturalPair]) -> dict[str, list[NaturalPair]]:
    by_label: dict[str, list[NaturalPair]] = {label: [] for label in NLI3.names}
    for pair in pairs:
        by_label[str(pair.example.label)].append(pair)
    return by_label


def _too_few(found: Mapping[str, list[NaturalPair]], left: Mapping[str, list[NaturalPair]], sizes: Sizes) -> UserError:
    for label, pairs in found.items():
        wanted = _wanted(label, sizes)
        if len(pairs) < wanted + sizes.held_out:
            kind = "decided" if sizes.pairs == "decided" else "usable"
            return UserError(
                f"the source has {len(pairs)} {kind} pairs with the label {label}, but {wanted} are to be composed "
                f"and {sizes.held_out} held out: lower data.{label} or data.held_out"
            )
    label = next(label for label, pairs in left.items() if len(pairs) < _wanted(label, sizes))
    return UserError(
        f"of the {len(found[label])} usable pairs with the label {label}, {len(left[label])} have no premise that is "
        f"also held out, but {_wanted(label, sizes)} are to be composed: lower data.{label} or data.held_out"
    )


def _hold_out(
    pairs: Sequence[NaturalPair], number: int, single: Set[WordPair], rng: np.random.Generator
) -> list[NaturalPair]:
    """All pairs of randomly chosen premises, until each label has its number or there are no more.

    Premises whose pairs all fit are taken first: of the others the surplus could neither be composed nor tested. Of
    these, premises without a ``single`` relation, which no other pair could teach, come before the others.
    """
    groups: dict[str, list[int]] = {}
    for place, pair in enumerate(pairs):
        groups.setdefault(premise_key(pair.example), []).append(place)
    shuffled = _take(list(groups.values()), None, rng)
    if single:
        shuffled.sort(key=lambda group: any(related_words(pairs[place].example) in single for place in group))
    missing = dict.fromkeys(NLI3.names, number)
    taken: set[int] = set()
    for suits in (_all_fit, _some_fit):
        for group in shuffled:
            labels = Counter(str(pairs[place].example.label) for place in group)
            if not suits(labels, missing):
                continue
            for place in group:
                label = str(pairs[place].example.label)
                if missing[label] and place not in taken:
                    missing[label] -= 1
                    taken.add(place)
    return [pairs[place] for place in sorted(taken)]


def _all_fit(labels: Mapping[str, int], missing: Mapping[str, int]) -> bool:
    return all(count <= missing[label] for label, count in labels.items())


def _some_fit(labels: Mapping[str, int], missing: Mapping[str, int]) -> bool:
    return any(missing[label] for label in labels)


def build_fold(pool: NaturalPool, fold: Fold, sizes: Sizes, rng: np.random.Generator) -> FoldSplits:
    """Stages and tests of one fold."""
    ver = _veridical_stage(pool, fold, sizes, rng)
    nat = _natural_stage(pool, fold, sizes, rng)
    seen = {example.parts[1].id for example in nat}
    testable = [pair for pair in pool.composing[fold.test.natural] if pair.example.id in seen]
    composed = [compose(verb, pair) for pair in testable for verb in _verbs(fold.test.veridical)]
    return FoldSplits(
        fold,
        Split("ver", tuple(ver)),
        Split("nat", tuple(nat)),
        Split("composed", tuple(_sample(composed, sizes.test_composed, rng))),
        Split("primitive", tuple(_unseen_primitives(pool, sizes, rng))),
    )


def in_pseudo_words(splits: FoldSplits, lexicon: Lexicon) -> FoldSplits:
    """The same splits with the words of a lexicon replaced."""
    ver, nat, composed, primitive = (
        Split(split.name, tuple(map(lexicon.applied, split)))
        for split in (splits.ver, splits.nat, splits.composed, splits.primitive)
    )
    return FoldSplits(splits.fold, ver, nat, composed, primitive)


def composed_only(examples: Iterable[Example]) -> list[Example]:
    """The compositions without their primitives."""
    return [replace(example, parts=()) for example in examples]


def primitives_only(examples: Iterable[Example], task: str) -> list[Example]:
    """The primitives of a task that compositions are made of, each once."""
    return list({part.id: part for example in examples for part in example.parts if part.task == task}.values())


def by_function(examples: Iterable[Example]) -> dict[str, list[Example]]:
    """The compositions by the label of their verb, which decides the function that makes their label."""
    found: dict[str, list[Example]] = {label: [] for label in NLI3.names}
    for example in examples:
        found[type_of(example).veridical].append(example)
    return found


def _veridical_stage(pool: NaturalPool, fold: Fold, sizes: Sizes, rng: np.random.Generator) -> list[Example]:
    """Few natural pairs, the same for the types that share a natural label, meet all verbs of each type."""
    examples: list[Example] = []
    for natural in dict.fromkeys(t.natural for t in fold.ver):
        kinds = [t for t in fold.ver if t.natural == natural]
        few = max(math.ceil(sizes.per_type / len(_verbs(t.veridical))) for t in kinds)
        pairs = _take(pool.composing[natural], few, rng)
        for kind in kinds:
            verbs = _verbs(kind.veridical)
            if sizes.per_type < len(verbs):
                raise UserError(
                    f"data.per_type is {sizes.per_type}, but a type must hold all {len(verbs)} verbs: raise it"
                )
            examples += [compose(verb, pair) for pair in pairs for verb in verbs][: sizes.per_type]
    return _checked(examples, fold.ver, sizes)


def _natural_stage(pool: NaturalPool, fold: Fold, sizes: Sizes, rng: np.random.Generator) -> list[Example]:
    """Few verbs of each signature meet many natural pairs.

    A type goes on among the pairs where the type before it with the same natural label stopped; a pair that comes
    again in a type meets the next verb.
    """
    examples: list[Example] = []
    few = {label: _take(_verbs(label), sizes.natural_stage_verbs, rng) for label in NLI3.names}
    orders = {label: _take(pool.composing[label], None, rng) for label in NLI3.names}
    used = dict.fromkeys(NLI3.names, 0)
    for kind in fold.nat:
        verbs, pairs, start = few[kind.veridical], orders[kind.natural], used[kind.natural]
        number = min(sizes.per_type, len(pairs) * len(verbs))
        for turn, place in (divmod(count, len(pairs)) for count in range(start, start + number)):
            examples.append(compose(verbs[(turn + place) % len(verbs)], pairs[place]))
        used[kind.natural] += number
    return _checked(examples, fold.nat, sizes)


def _unseen_primitives(pool: NaturalPool, sizes: Sizes, rng: np.random.Generator) -> list[Example]:
    """Held-out natural pairs, each under a verb; signatures, verbs and labels take turns."""
    verbs = {label: cycle(_take(_verbs(label), None, rng)) for label in NLI3.names}
    examples = []
    for pairs in pool.held_out.values():
        signatures = cycle(NLI3.names)
        examples += [compose(next(verbs[next(signatures)]), pair) for pair in pairs]
    return _sample(examples, sizes.test_primitive, rng)


def _verbs(label: str) -> tuple[Verb, ...]:
    return tuple(verb for verb in INFINITIVE_VERBS if verb.label == label)


def _checked(examples: list[Example], kinds: tuple[CompositionType, ...], sizes: Sizes) -> list[Example]:
    wanted = sizes.per_type * len(kinds)
    if len(examples) < wanted:
        raise UserError(
            f"a stage of {wanted} compositions needs more natural pairs or verbs (there are {len(examples)} "
            "combinations): lower data.per_type or raise data.natural_stage_verbs"
        )
    return examples


def _take(items: Sequence[T], number: int | None, rng: np.random.Generator) -> list[T]:
    order = rng.permutation(len(items))
    return [items[i] for i in order[:number]]


def _sample(examples: list[Example], number: int, rng: np.random.Generator) -> list[Example]:
    if number == 0 or number >= len(examples):
        return examples
    return [examples[i] for i in sorted(rng.permutation(len(examples))[:number])]
