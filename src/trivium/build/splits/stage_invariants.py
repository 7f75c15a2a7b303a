"""The invariants of a C²Gen fold."""

from __future__ import annotations

from collections import Counter

from trivium.build.splits.invariants import Invariant, check_invariant, require
from trivium.build.splits.stages import FoldSplits
from trivium.build.veridicality.composition import NINE_RULES, type_of
from trivium.build.veridicality.natural import pair_key, premise_key
from trivium.build.veridicality.pseudo import Lexicon
from trivium.data.example import Example


def require_fold_invariants(splits: FoldSplits) -> list[Invariant]:
    """Check every invariant of a fold; raise a UserError with the offending examples if one is broken."""
    return _require(splits, check_fold(splits))


def require_pseudo_words(splits: FoldSplits, lexicon: Lexicon) -> list[Invariant]:
    """Check that every word of the lexicon has been replaced by its pseudo-word."""
    examples = [*splits.ver, *splits.nat, *splits.composed, *splits.primitive]
    return _require(
        splits,
        [
            check_invariant(
                "no word that has a pseudo-word is left",
                examples,
                lambda e: not any(lexicon.remaining_words(f"{row.premise} {row.hypothesis}") for row in e.rows()),
            )
        ],
    )


def _require(splits: FoldSplits, invariants: list[Invariant]) -> list[Invariant]:
    return require(f"fold {splits.fold.test.number}", invariants)


def check_fold(splits: FoldSplits) -> list[Invariant]:
    """Check the invariants of a fold."""
    train = [*splits.ver, *splits.nat]
    trained_types = {type_of(example) for example in train}
    trained_pairs = {_natural(example).id for example in train}
    trained_verbs = {example.fact("verb") for example in train}
    trained_keys = {pair_key(_natural(example)) for example in train}
    trained_clauses = {premise_key(_natural(example)) for example in train}
    tests = [*splits.composed, *splits.primitive]
    occurrences = Counter((example.premise, example.hypothesis) for example in train)
    fold = splits.fold
    return [
        check_invariant(
            "a composed test example has the tested type", splits.composed, lambda e: type_of(e) == fold.test
        ),
        check_invariant(
            "no tested composition type is trained", splits.composed, lambda e: type_of(e) not in trained_types
        ),
        check_invariant("the veridical stage trains only its own types", splits.ver, lambda e: type_of(e) in fold.ver),
        check_invariant("the natural stage trains only its own types", splits.nat, lambda e: type_of(e) in fold.nat),
        check_invariant(
            "the veridical primitive of a composed test example is trained",
            splits.composed,
            lambda e: e.fact("verb") in trained_verbs,
        ),
        check_invariant(
            "the natural primitive of a composed test example is trained",
            splits.composed,
            lambda e: _natural(e).id in trained_pairs,
        ),
        check_invariant(
            "the natural pair of a primitive test example is unseen in either direction",
            splits.primitive,
            lambda e: pair_key(_natural(e)) not in trained_keys,
        ),
        check_invariant(
            "the clause of a primitive test example is embedded in no training example",
            splits.primitive,
            lambda e: premise_key(_natural(e)) not in trained_clauses,
        ),
        check_invariant("no example is trained twice", train, lambda e: occurrences[e.premise, e.hypothesis] == 1),
        check_invariant("a composed label follows from its primitives", [*train, *tests], _label_follows),
        check_invariant("the premise of the natural primitive is what the verb embeds", [*train, *tests], _parts_match),
    ]


def _natural(composed: Example) -> Example:
    return next(part for part in composed.parts if part.task == "natural")


def _label_follows(composed: Example) -> bool:
    labels = {part.task: str(part.label) for part in composed.parts}
    return composed.label == NINE_RULES[labels["veridical"], labels["natural"]]


def _parts_match(composed: Example) -> bool:
    veridical, natural = composed.parts
    return (
        veridical.premise == composed.premise
        and veridical.hypothesis == natural.premise
        and natural.hypothesis == composed.hypothesis
    )
