"""What each setting of SETI promises: what the test shares with the training, and what is new in it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping

from trivium.build.splits.invariants import Invariant, check_invariant, require
from trivium.build.splits.systematicity import YES, Setting, SettingSplits, said, sentences_of
from trivium.build.veridicality.composition import BOOLEAN_RULES, truth_of
from trivium.build.veridicality.verbs import THAT_VERBS
from trivium.data.example import Example

_VERBS = {verb.lemma: verb for verb in THAT_VERBS}
Facet = Callable[[Example], frozenset[Hashable]]


def _of_composed(*facts: str) -> Facet:
    def read(example: Example) -> frozenset[Hashable]:
        if example.fact("kind") != "composed":
            return frozenset()
        return frozenset([tuple(example.fact(fact) for fact in facts)])

    return read


FACETS: dict[str, Facet] = {
    "composition rule": _of_composed("rule"),
    "kind of verb with kind of pair": _of_composed("verb_label", "relation"),
    "verb": lambda e: frozenset(str(e.fact("verb")).split("+") if e.fact("verb") else ()),
    "pair": lambda e: frozenset({e.fact("pair") or (e.id if e.fact("kind") == "natural" else None)} - {None}),
    "lexical rule": lambda e: frozenset(
        {(e.fact("words"), e.fact("natural_label") or e.label)} if e.fact("words") else ()
    ),
    "sentence": lambda e: frozenset(sentences_of(e)),
}
"""What an example is made of, by the name that a promise has for it."""


def prove_setting(setting: Setting, splits: Mapping[str, SettingSplits]) -> list[Invariant]:
    """Check every promise of a setting; an error that names the first offending examples if one is broken."""
    return require(setting.title, [*check_setting(setting, splits["compositional"]), *check_divided(splits)])


def check_setting(setting: Setting, splits: SettingSplits) -> list[Invariant]:
    """The promises of compositional generalization and what breaks them; what is set apart counts as trained."""
    seen, asked = [*splits.train, *splits.dev], [*splits.test, *splits.few]
    found = [
        check_invariant("a test example is a composition", asked, lambda e: e.fact("kind") == "composed"),
        check_invariant("a label follows from the verbs and the natural pair", [*seen, *asked], follows),
    ]
    found += [_shared(name, seen, asked) for name in setting.shared]
    return [*found, *(_new(name, seen, asked) for name in setting.new)]


def _shared(name: str, seen: Iterable[Example], asked: Iterable[Example]) -> Invariant:
    facet, known = FACETS[name], _known(FACETS[name], seen)
    promise = f"the {name} of a test example is trained or set apart"
    return check_invariant(promise, asked, lambda e: bool(facet(e)) and facet(e) <= known)


def _new(name: str, seen: Iterable[Example], asked: Iterable[Example]) -> Invariant:
    facet, known = FACETS[name], _known(FACETS[name], seen)
    return check_invariant(f"no {name} of a test example is trained", asked, lambda e: facet(e).isdisjoint(known))


def _known(facet: Facet, examples: Iterable[Example]) -> frozenset[Hashable]:
    return frozenset(value for example in examples for value in facet(example))


def check_divided(splits: Mapping[str, SettingSplits]) -> list[Invariant]:
    """What both configurations promise: nothing is in two parts, articles aside, and both have the same sizes."""
    found = [_apart(name, parts) for name, parts in splits.items()]
    test = splits["compositional"].test
    if splits["compositional"].few:
        sentences = _known(FACETS["sentence"], splits["compositional"].few)
        found.append(
            check_invariant("no sentence of a shot is tested", test, lambda e: sentences_of(e).isdisjoint(sentences))
        )
    sizes = [[len(part) for part in parts] for parts in splits.values()]
    unequal = test.examples[:1] if any(one != sizes[0] for one in sizes) else ()
    return [*found, Invariant("both configurations have the same sizes", len(sizes), unequal)]


def _apart(name: str, parts: SettingSplits) -> Invariant:
    trained = {said(example) for example in (*parts.train, *parts.dev)}
    return check_invariant(f"no test example is trained ({name})", parts.test, lambda e: said(e) not in trained)


def follows(example: Example) -> bool:
    """Whether a label is what the Boolean rules make of the verbs' own labels and that of the natural pair."""
    if example.fact("kind") == "natural":
        return True
    verbs = [_VERBS[lemma] for lemma in str(example.fact("verb")).split("+")]
    natural = str(example.fact("natural_label") or YES)
    if truth_of(verbs, natural) != example.label:
        return False
    rule = str(list(BOOLEAN_RULES).index((truth_of(verbs, YES), natural)) + 1)
    return example.fact("kind") == "veridical" or example.fact("rule") == rule
