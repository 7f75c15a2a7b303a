"""The folds, stages and tests of C²Gen.

The veridical stage combines few natural pairs with all verbs, the natural stage few verbs with many natural pairs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Annotated, Any, Literal, TypeVar

import numpy as np
from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from trivium.build.veridicality.composition import TYPES, CompositionType, compose, type_of
from trivium.build.veridicality.natural import CONTRARY, NaturalPair, premise_key, unsoundness
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
    """One of nine folds: the tested composition type, and the types of the veridical and of the natural stage."""

    test: CompositionType
    ver: tuple[CompositionType, ...]
    nat: tuple[CompositionType, ...]


def fold_of(number: int) -> Fold:
    """Return the fold that tests type ``number``.

    The paper specifies only the fold that tests ①: veridical stage ②⑤③⑨, natural stage ④⑥⑦⑧. Let
    (v, n) be the veridical and the natural label of the tested type, numbered modulo 3. Then the veridical stage has
    the types (v, n+1), (v+1, n+1), (v, n+2) and (v+2, n+2), and the natural stage has the other four.
    """
    if not 1 <= number <= len(TYPES):
        raise UserError(f"fold {number} does not exist: must be between 1 and {len(TYPES)}")
    test = TYPES[number - 1]
    v, n = divmod(number - 1, 3)
    ver = tuple(TYPES[3 * (i % 3) + j % 3] for i, j in ((v, n + 1), (v + 1, n + 1), (v, n + 2), (v + 2, n + 2)))
    return Fold(test, ver, tuple(t for t in TYPES if t != test and t not in ver))


class Sizes(Settings):
    """The sizes of all parts of the data; a test size of 0 means all available examples.

    The defaults of ``per_type`` and of the numbers of pairs are the paper's, which states neither how many pairs are
    held out nor how many verbs the natural stage uses. With ``pairs = "decided"``, entailed and neutral pairs are used
    only if their sentences differ in one pair of related words, as pseudo-words require (section 8.1). With ``pseudo =
    "negations"`` words of negation have pseudo-words too, so that these also decide contradictions.

    ``contradictions`` are ``denials`` as far as there are enough (rule ⑨ is sound for them), ``any``, or
    ``contraries``, whose hypothesis denies nothing. Rule ⑨ is unsound for contraries: who refuses to open a door need
    not close it.
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
    contradictions: Literal["denials", "any", "contraries"] = "denials"
    pseudo: Literal["related", "negations"] = "related"

    @model_serializer(mode="wrap")
    def _leave_out_later_fields(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out defaults that came later, so that run names are those of earlier versions."""
        values: dict[str, Any] = serialize(self)
        later = {"contradictions": "denials", "pseudo": "related"}
        return {name: value for name, value in values.items() if value != later.get(name)}


@dataclass(frozen=True)
class NaturalPool:
    """Natural pairs by label: those used in compositions, and those held out to test unseen primitives."""

    composing: Mapping[str, tuple[NaturalPair, ...]]
    held_out: Mapping[str, tuple[NaturalPair, ...]]


@dataclass(frozen=True)
class FoldSplits:
    """The training and test splits of one fold."""

    fold: Fold
    ver: Split
    nat: Split
    composed: Split
    primitive: Split


def divide_natural(pairs: Sequence[NaturalPair], sizes: Sizes, rng: np.random.Generator) -> NaturalPool:
    """Randomly choose the pairs to compose and the pairs to hold out, a fixed number for each label.

    No premise (ignoring articles) is in both, so that held-out pairs test clauses that are not embedded in training.
    Pairs for which the composition rules are unsound are only used if there are not enough others.
    """
    unique_relations: set[WordPair] = set()
    if sizes.pairs == "decided":
        pairs = [pair for pair in pairs if is_decided(pair.example)]
        counts = relation_pairs(pair.example for pair in pairs)
        unique_relations = {related for related, count in counts.items() if count == 1}
    if sizes.contradictions == "contraries":
        pairs = [
            pair for pair in pairs if pair.example.label != "contradiction" or unsoundness(pair.example) == CONTRARY
        ]
    rank = unsoundness if sizes.contradictions == "denials" else _equally_sound
    for limit in range(CONTRARY + 1):
        usable = [pair for pair in pairs if rank(pair.example) <= limit]
        held_out = _hold_out(usable, sizes.held_out, unique_relations, rng)
        tested = {premise_key(pair.example) for pair in held_out}
        remaining = _by_label(pair for pair in usable if premise_key(pair.example) not in tested)
        if all(len(group) >= _required(label, sizes) for label, group in remaining.items()):
            composing = {
                label: tuple(_soundest(group, _required(label, sizes), rank, rng)) for label, group in remaining.items()
            }
            return NaturalPool(composing, {label: tuple(group) for label, group in _by_label(held_out).items()})
    raise _too_few(_by_label(pairs), remaining, sizes)


def _required(label: str, sizes: Sizes) -> int:
    return int(getattr(sizes, label))


def _equally_sound(example: Example) -> int:
    return 0


def _soundest(
    pairs: list[NaturalPair], number: int, rank: Callable[[Example], int], rng: np.random.Generator
) -> list[NaturalPair]:
    """Return the ``number`` soundest pairs in their original order; ties are broken at random."""
    order = sorted(rng.permutation(len(pairs)), key=lambda index: rank(pairs[index].example))
    return [pairs[index] for index in sorted(order[:number])]


def _by_label(pairs: Iterable[NaturalPair]) -> dict[str, list[NaturalPair]]:
    by_label: dict[str, list[NaturalPair]] = {label: [] for label in NLI3.names}
    for pair in pairs:
        by_label[str(pair.example.label)].append(pair)
    return by_label


def _too_few(
    available: Mapping[str, list[NaturalPair]], remaining: Mapping[str, list[NaturalPair]], sizes: Sizes
) -> UserError:
    for label, pairs in available.items():
        required = _required(label, sizes)
        if len(pairs) < required + sizes.held_out:
            adjective = "decided" if sizes.pairs == "decided" else "usable"
            return UserError(
                f"the source has {len(pairs)} {adjective} pairs with the label {label}, but {required} are to be "
                f"composed and {sizes.held_out} held out: lower data.{label} or data.held_out"
            )
    label = next(label for label, pairs in remaining.items() if len(pairs) < _required(label, sizes))
    return UserError(
        f"of the {len(available[label])} usable pairs with the label {label}, {len(remaining[label])} have a premise "
        f"that is not held out, but {_required(label, sizes)} are to be composed: lower data.{label} or data.held_out"
    )


def _hold_out(
    pairs: Sequence[NaturalPair], number: int, unique_relations: Set[WordPair], rng: np.random.Generator
) -> list[NaturalPair]:
    """Return pairs of randomly chosen premises, until each label has ``number`` pairs or none are left.

    Premises whose pairs all fit are chosen first, because surplus pairs of a held-out premise can be neither composed
    nor tested. Among them, premises without ``unique_relations``, which only one pair has, come first.
    """
    groups: dict[str, list[int]] = {}
    for index, pair in enumerate(pairs):
        groups.setdefault(premise_key(pair.example), []).append(index)
    shuffled = _draw(list(groups.values()), None, rng)
    if unique_relations:
        shuffled.sort(key=lambda group: any(related_words(pairs[index].example) in unique_relations for index in group))
    missing = dict.fromkeys(NLI3.names, number)
    chosen: set[int] = set()
    for fits in (_all_fit, _some_fit):
        for group in shuffled:
            labels = Counter(str(pairs[index].example.label) for index in group)
            if not fits(labels, missing):
                continue
            for index in group:
                label = str(pairs[index].example.label)
                if missing[label] and index not in chosen:
                    missing[label] -= 1
                    chosen.add(index)
    return [pairs[index] for index in sorted(chosen)]


def _all_fit(labels: Mapping[str, int], missing: Mapping[str, int]) -> bool:
    return all(count <= missing[label] for label, count in labels.items())


def _some_fit(labels: Mapping[str, int], missing: Mapping[str, int]) -> bool:
    return any(missing[label] for label in labels)


def build_fold(pool: NaturalPool, fold: Fold, sizes: Sizes, rng: np.random.Generator) -> FoldSplits:
    """Return the stages and tests of one fold."""
    ver = _veridical_stage(pool, fold, sizes, rng)
    nat = _natural_stage(pool, fold, sizes, rng)
    trained = {example.parts[1].id for example in nat}
    testable = [pair for pair in pool.composing[fold.test.natural] if pair.example.id in trained]
    composed = [compose(verb, pair) for pair in testable for verb in _verbs(fold.test.veridical)]
    return FoldSplits(
        fold,
        Split("ver", tuple(ver)),
        Split("nat", tuple(nat)),
        Split("composed", tuple(_sample(composed, sizes.test_composed, rng))),
        Split("primitive", tuple(_unseen_primitives(pool, sizes, rng))),
    )


def with_pseudo_words(splits: FoldSplits, lexicon: Lexicon) -> FoldSplits:
    """Return the splits with the words of a lexicon replaced by pseudo-words."""
    ver, nat, composed, primitive = (
        Split(split.name, tuple(map(lexicon.apply, split)))
        for split in (splits.ver, splits.nat, splits.composed, splits.primitive)
    )
    return FoldSplits(splits.fold, ver, nat, composed, primitive)


def composed_only(examples: Iterable[Example]) -> list[Example]:
    """Return the compositions without their primitives."""
    return [replace(example, parts=()) for example in examples]


def with_primitive(split: Split, task: str) -> Split:
    """Return the compositions of a split with their primitives of one task alone."""
    examples = (replace(e, parts=tuple(part for part in e.parts if part.task == task)) for e in split)
    return Split(split.name, tuple(examples), split.labels)


def primitives_only(examples: Iterable[Example], task: str) -> list[Example]:
    """Return the primitives of the compositions that belong to one task, without duplicates."""
    return list({part.id: part for example in examples for part in example.parts if part.task == task}.values())


def by_function(examples: Iterable[Example]) -> dict[str, list[Example]]:
    """Group compositions by the label of their verb, which maps the natural label to the label of the composition."""
    groups: dict[str, list[Example]] = {label: [] for label in NLI3.names}
    for example in examples:
        groups[type_of(example).veridical].append(example)
    return groups


def _veridical_stage(pool: NaturalPool, fold: Fold, sizes: Sizes, rng: np.random.Generator) -> list[Example]:
    """Combine few natural pairs with all verbs of each type; types with the same natural label use the same pairs."""
    examples: list[Example] = []
    for natural in dict.fromkeys(t.natural for t in fold.ver):
        types = [t for t in fold.ver if t.natural == natural]
        number = max(math.ceil(sizes.per_type / len(_verbs(t.veridical))) for t in types)
        pairs = _draw(pool.composing[natural], number, rng)
        for type_ in types:
            verbs = _verbs(type_.veridical)
            if sizes.per_type < len(verbs):
                raise UserError(
                    f"data.per_type is {sizes.per_type}, but a type needs an example of each of its {len(verbs)} "
                    f"verbs: raise it to {len(verbs)} or more"
                )
            examples += [compose(verb, pair) for pair in pairs for verb in verbs][: sizes.per_type]
    return _check_size(examples, fold.ver, sizes)


def _natural_stage(pool: NaturalPool, fold: Fold, sizes: Sizes, rng: np.random.Generator) -> list[Example]:
    """Combine few verbs of each signature with many natural pairs.

    Types with the same natural label share one sequence of pairs: each continues where the previous one stopped. When
    a type uses a pair again, it takes the next verb.
    """
    examples: list[Example] = []
    verbs_by_label = {label: _draw(_verbs(label), sizes.natural_stage_verbs, rng) for label in NLI3.names}
    orders = {label: _draw(pool.composing[label], None, rng) for label in NLI3.names}
    used = dict.fromkeys(NLI3.names, 0)
    for type_ in fold.nat:
        verbs, pairs, start = verbs_by_label[type_.veridical], orders[type_.natural], used[type_.natural]
        number = min(sizes.per_type, len(pairs) * len(verbs))
        for round_, index in (divmod(count, len(pairs)) for count in range(start, start + number)):
            examples.append(compose(verbs[(round_ + index) % len(verbs)], pairs[index]))
        used[type_.natural] += number
    return _check_size(examples, fold.nat, sizes)


def _unseen_primitives(pool: NaturalPool, sizes: Sizes, rng: np.random.Generator) -> list[Example]:
    """Embed each held-out natural pair under one verb, cycling through signatures and verbs."""
    verbs = {label: cycle(_draw(_verbs(label), None, rng)) for label in NLI3.names}
    examples = []
    for pairs in pool.held_out.values():
        signatures = cycle(NLI3.names)
        examples += [compose(next(verbs[next(signatures)]), pair) for pair in pairs]
    return _sample(examples, sizes.test_primitive, rng)


def _verbs(label: str) -> tuple[Verb, ...]:
    return tuple(verb for verb in INFINITIVE_VERBS if verb.label == label)


def _check_size(examples: list[Example], types: tuple[CompositionType, ...], sizes: Sizes) -> list[Example]:
    required = sizes.per_type * len(types)
    if len(examples) < required:
        raise UserError(
            f"a stage needs {required} compositions, but there are only {len(examples)} combinations of verbs and "
            "natural pairs: lower data.per_type or raise data.natural_stage_verbs"
        )
    return examples


def _draw(items: Sequence[T], number: int | None, rng: np.random.Generator) -> list[T]:
    order = rng.permutation(len(items))
    return [items[i] for i in order[:number]]


def _sample(examples: list[Example], number: int, rng: np.random.Generator) -> list[Example]:
    if number == 0 or number >= len(examples):
        return examples
    return [examples[i] for i in sorted(rng.permutation(len(examples))[:number])]
