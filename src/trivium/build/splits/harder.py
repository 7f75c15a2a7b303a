"""Tests that are harder than C²Gen's: for each fold, compositions that differ from training in more than their type.

Their labels follow from the signatures of their verbs and the label of their natural pair. Examples have no parts: a
composer has to find them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Literal, NamedTuple, get_args

import numpy as np

from trivium.build.splits.invariants import Invariant, check_invariant, require
from trivium.build.splits.stages import FoldSplits, NaturalPool
from trivium.build.veridicality.composition import NINE_RULES
from trivium.build.veridicality.natural import NaturalPair, pair_key
from trivium.build.veridicality.signed import SIGNS
from trivium.build.veridicality.verbs import INFINITIVE_VERBS, Verb
from trivium.data.example import Example
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.language.inflection import inflect
from trivium.language.signatures import sign_of, signatures

Harder = Literal["new-pair", "new-verb", "chain-2", "chain-3", "negated", "passive", "relative"]
HARDER: tuple[Harder, ...] = get_args(Harder)
TITLES: dict[str, str] = {
    "new-pair": "unseen pair", "new-verb": "unseen verb", "chain-2": "two verbs", "chain-3": "three verbs",
    "negated": "negated verb", "passive": "passive verb", "relative": "relative clause",
}  # fmt: skip
_PLAIN = tuple(verb for verb in INFINITIVE_VERBS if verb.frame == "{x} {verb} to {s}")
_KNOWN = frozenset(verb.lemma for verb in INFINITIVE_VERBS)
_RELATIVE = ("who is standing nearby", "who are standing nearby")


class Context(NamedTuple):
    """What embeds a clause: the lemmas of its verbs, outermost first, what each implies, and the words around it."""

    verbs: tuple[str, ...]
    signs: tuple[str, ...]
    embed: Callable[[NaturalPair], str]


def build_harder(name: Harder, pool: NaturalPool, splits: FoldSplits, number: int, rng: np.random.Generator) -> Split:
    """Return about ``number`` test examples of a kind. Pairs are those of the composed test, except in ``new-pair``."""
    fold = splits.fold.test
    trained = {part.id for example in splits.composed for part in example.parts if part.task == "natural"}
    pairs = pool.held_out[fold.natural] if name == "new-pair" else ()
    pairs = pairs or tuple(pair for pair in pool.composing[fold.natural] if pair.example.id in trained)
    contexts = list(_contexts(name, fold.veridical, rng))
    if not pairs or not contexts:
        raise UserError(f"the test {name!r} of fold {fold.number} would be empty: choose other tests in run.harder")
    drawn = islice(_draw(pairs, contexts, rng), number)
    examples = {example.premise + "\n" + str(example.hypothesis): example for example in drawn}
    return Split(f"harder-{name}", tuple(examples.values()))


def require_harder(name: str, split: Split, splits: FoldSplits) -> list[Invariant]:
    """Check the invariants of a harder test; raise a UserError with the offending examples if one is broken."""
    train = [*splits.ver, *splits.nat]
    texts = {(example.premise, example.hypothesis) for example in train}
    pairs = {pair_key(part) for example in train for part in example.parts if part.task == "natural"}
    verbs = {str(example.fact("verb")) for example in train}
    invariants = [
        check_invariant("no example is trained", split, lambda e: (e.premise, e.hypothesis) not in texts),
        check_invariant("the label follows from signatures and the natural label", split, _label_follows),
        check_invariant("the innermost verb and the pair have an untrained type", split, _is_of(splits)),
    ]
    if name == "new-pair":
        statement = "the natural pair is unseen in either direction"
        invariants.append(check_invariant(statement, split, lambda e: _natural_key(e) not in pairs))
    if name in ("new-verb", "passive"):
        statement = "the verb is never trained"
        invariants.append(check_invariant(statement, split, lambda e: str(e.fact("verb")) not in verbs))
    if name.startswith("chain"):
        number = int(name[-1])
        statement = f"{number} verbs embed the clause"
        invariants.append(check_invariant(statement, split, lambda e: len(str(e.fact("signs"))) == number))
    if name == "negated":
        invariants.append(check_invariant("the verb is negated", split, lambda e: " not " in e.premise))
    return require(f"fold {splits.fold.test.number}, {name}", invariants)


def _contexts(name: Harder, veridical: str, rng: np.random.Generator) -> Iterator[Context]:
    """Yield contexts whose innermost verb has a veridical label."""
    tested = [verb for verb in _PLAIN if verb.label == veridical]
    if name == "new-pair":
        yield from (_context([verb], lambda pair, verb=verb: pair.clause.under(verb)) for verb in tested)  # type: ignore[misc]
    elif name == "relative":
        yield from (_context([verb], lambda pair, verb=verb: _with_relative(pair, verb)) for verb in tested)  # type: ignore[misc]
    elif name in ("chain-2", "chain-3"):
        for verb in tested:
            for _ in range(20):
                outer = [_PLAIN[index] for index in rng.integers(len(_PLAIN), size=int(name[-1]) - 1)]
                yield _context([*outer, verb], lambda pair, verbs=(*outer, verb): _chain(pair, verbs))  # type: ignore[misc]
    else:
        yield from _signed_contexts(name, veridical)


def _signed_contexts(name: str, veridical: str) -> Iterator[Context]:
    """Yield contexts of single verbs whose veridical label comes from their signature."""
    frame, negated = ("passive-to" if name == "passive" else "to"), name == "negated"
    lemmas = [verb.lemma for verb in _PLAIN] if negated else sorted(set(signatures()[frame]) - _KNOWN)
    for lemma in lemmas:
        sign = str(sign_of(lemma, frame, negated))
        if SIGNS[sign] != veridical or not lemma.isalpha():
            continue
        yield Context((lemma,), (sign,), lambda pair, lemma=lemma: _embedded(pair, lemma, frame, negated))  # type: ignore[misc]


def _context(verbs: Sequence[Verb], embed: Callable[[NaturalPair], str]) -> Context:
    signs = {label: sign for sign, label in SIGNS.items()}
    return Context(tuple(verb.lemma for verb in verbs), tuple(signs[verb.label] for verb in verbs), embed)


def _embedded(pair: NaturalPair, lemma: str, frame: str, negated: bool) -> str:
    clause = pair.clause
    if frame == "passive-to":
        return f"{clause.subject} {'are' if clause.plural else 'is'} {inflect(lemma, 'VBN')[0]} to {clause.infinitive}"
    if negated:
        return f"{clause.subject} {'do' if clause.plural else 'does'} not {lemma} to {clause.infinitive}"
    return clause.under(Verb(lemma, "neutral"))


def _chain(pair: NaturalPair, verbs: Sequence[Verb]) -> str:
    first, *others = verbs
    middle = "".join(f"{verb.lemma} to " for verb in others)
    return f"{pair.clause.subject} {first.inflected(pair.clause.plural)} to {middle}{pair.clause.infinitive}"


def _with_relative(pair: NaturalPair, verb: Verb) -> str:
    clause = pair.clause
    return f"{clause.subject} {_RELATIVE[clause.plural]} {verb.inflected(clause.plural)} to {clause.infinitive}"


def _draw(pairs: Sequence[NaturalPair], contexts: Sequence[Context], rng: np.random.Generator) -> Iterator[Example]:
    """Yield combinations of a pair and a context, in random order, each at most once."""
    for index in rng.permutation(len(pairs) * len(contexts)):
        pair, context = pairs[index % len(pairs)], contexts[index // len(pairs)]
        natural = pair.example
        signs, verbs = "".join(context.signs), "+".join(context.verbs)
        example = Example.make(
            f"{natural.id}+{verbs}", context.embed(pair), natural.hypothesis, None, task="composed",
            verb=context.verbs[-1], verbs=verbs, signs=signs, natural=str(natural.label), pair=natural.id,
            embedded=natural.premise,
        )  # fmt: skip
        label = _label(signs, str(natural.label))
        yield Example(example.id, example.premise, example.hypothesis, label, example.task, example.facts)


def _label(signs: str, natural: str) -> str:
    label = natural
    for sign in reversed(signs):
        label = NINE_RULES[SIGNS[sign], label]
    return label


def _label_follows(example: Example) -> bool:
    """Return whether the label is that of the rules, applied from the innermost verb outwards."""
    return example.label == _label(str(example.fact("signs")), str(example.fact("natural")))


def _is_of(splits: FoldSplits) -> Callable[[Example], bool]:
    test = splits.fold.test
    trained = {(part.label, other.label) for e in (*splits.ver, *splits.nat) for part, other in [e.parts]}

    def holds(example: Example) -> bool:
        type_ = (SIGNS[str(example.fact("signs"))[-1]], str(example.fact("natural")))
        return type_ == (test.veridical, test.natural) and type_ not in trained

    return holds


def _natural_key(example: Example) -> object:
    return pair_key(Example.make("pair", str(example.fact("embedded")), example.hypothesis, None))
