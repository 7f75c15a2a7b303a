"""The invariants of SETI's settings: what the test set shares with the training set, and what is new in it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping

from trivium.build.splits.invariants import Invariant, check_invariant, require
from trivium.build.splits.systematicity import YES, Setting, SettingSplits, sentences_of, text_key
from trivium.build.veridicality.composition import composed_label, rule_of
from trivium.build.veridicality.verbs import THAT_VERBS
from trivium.data.example import Example

_VERBS = {verb.lemma: verb for verb in THAT_VERBS}
Facet = Callable[[Example], frozenset[Hashable]]
"""Returns the values of a property of an example."""


def _of_composed(*facts: str) -> Facet:
    """Return a facet with these facts of a composition as its value; other examples have no value."""

    def read(example: Example) -> frozenset[Hashable]:
        if example.fact("kind") != "composed":
            return frozenset()
        return frozenset([tuple(example.fact(fact) for fact in facts)])

    return read


FACETS: dict[str, Facet] = {
    "composition rule": _of_composed("rule"),
    "type of verb with type of pair": _of_composed("verb_label", "relation"),
    "verb": lambda e: frozenset(str(e.fact("verb")).split("+") if e.fact("verb") else ()),
    "pair": lambda e: frozenset({e.fact("pair") or (e.id if e.fact("kind") == "natural" else None)} - {None}),
    "lexical rule": lambda e: frozenset(
        {(e.fact("words"), e.fact("natural_label") or e.label)} if e.fact("words") else ()
    ),
    "sentence": lambda e: frozenset(sentences_of(e)),
}
"""The properties of an example that an invariant can refer to, by name."""


def require_setting_invariants(setting: Setting, splits: Mapping[str, SettingSplits]) -> list[Invariant]:
    """Check every invariant of a setting; raise a UserError with the offending examples if one is broken."""
    return require(setting.title, [*check_setting(setting, splits["compositional"]), *check_divided(splits)])


def check_setting(setting: Setting, splits: SettingSplits) -> list[Invariant]:
    """Check the invariants of the compositional configuration. The development set counts as trained."""
    trained, tested = [*splits.train, *splits.dev], [*splits.test, *splits.few]
    invariants = [
        check_invariant("a test example is a composition", tested, lambda e: e.fact("kind") == "composed"),
        check_invariant("a label follows from the verbs and the natural pair", [*trained, *tested], label_follows),
    ]
    invariants += [_shared(name, trained, tested) for name in setting.shared]
    return [*invariants, *(_new(name, trained, tested) for name in setting.new)]


def _shared(name: str, trained: Iterable[Example], tested: Iterable[Example]) -> Invariant:
    facet, known = FACETS[name], _values(FACETS[name], trained)
    statement = f"the {name} of a test example is in the training or development set"
    return check_invariant(statement, tested, lambda e: bool(facet(e)) and facet(e) <= known)


def _new(name: str, trained: Iterable[Example], tested: Iterable[Example]) -> Invariant:
    facet, known = FACETS[name], _values(FACETS[name], trained)
    return check_invariant(f"no {name} of a test example is trained", tested, lambda e: facet(e).isdisjoint(known))


def _values(facet: Facet, examples: Iterable[Example]) -> frozenset[Hashable]:
    return frozenset(value for example in examples for value in facet(example))


def check_divided(splits: Mapping[str, SettingSplits]) -> list[Invariant]:
    """Check the invariants of both configurations: disjoint parts (ignoring articles) and the same sizes."""
    invariants = [_disjoint(name, parts) for name, parts in splits.items()]
    test = splits["compositional"].test
    if splits["compositional"].few:
        sentences = _values(FACETS["sentence"], splits["compositional"].few)
        invariants.append(
            check_invariant("no sentence of a shot is tested", test, lambda e: sentences_of(e).isdisjoint(sentences))
        )
    sizes = [[len(part) for part in parts] for parts in splits.values()]
    unequal = test.examples[:1] if any(size != sizes[0] for size in sizes) else ()
    return [*invariants, Invariant("both configurations have the same sizes", len(sizes), unequal)]


def _disjoint(name: str, parts: SettingSplits) -> Invariant:
    trained = {text_key(example) for example in (*parts.train, *parts.dev)}
    return check_invariant(f"no test example is trained ({name})", parts.test, lambda e: text_key(e) not in trained)


def label_follows(example: Example) -> bool:
    """Return whether the label follows by the Boolean rules from the labels of the verbs and of the natural pair."""
    if example.fact("kind") == "natural":
        return True
    verbs = [_VERBS[lemma] for lemma in str(example.fact("verb")).split("+")]
    natural = str(example.fact("natural_label") or YES)
    if composed_label(verbs, natural) != example.label:
        return False
    rule = str(rule_of(composed_label(verbs, YES), natural))
    return example.fact("kind") == "veridical" or example.fact("rule") == rule
