"""Composition of veridical and natural inferences.

The labels of (x VERB to S, S) and (S, S') determine the label of (x VERB to S, S'), by the nine rules of C²Gen's
Table 2, or, with two labels and that-complements, by the four Boolean rules of SETI's Table 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from trivium.build.veridicality.clauses import lower_first
from trivium.build.veridicality.natural import NaturalPair
from trivium.build.veridicality.verbs import Verb
from trivium.data.example import Example, Facts
from trivium.data.labels import NLI2, NLI3

_E, _N, _C = NLI3.names

NINE_RULES: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        (_E, _E): _E, (_E, _N): _N, (_E, _C): _C,
        (_N, _E): _N, (_N, _N): _N, (_N, _C): _N,
        (_C, _E): _C, (_C, _N): _N, (_C, _C): _E,
    }
)  # fmt: skip
"""The label of a composition by its veridical and natural label (C²Gen, Table 2)."""

_YES, _NO = NLI2.names
BOOLEAN_RULES: Mapping[tuple[str, str], str] = MappingProxyType(
    {(_YES, _YES): _YES, (_YES, _NO): _NO, (_NO, _YES): _NO, (_NO, _NO): _NO}
)
"""The label of a composition with two labels, in the order of the paper's rules ① to ④ (SETI, Table 3)."""


@dataclass(frozen=True, order=True)
class CompositionType:
    """One of the nine composition types: the paper's number from 1 to 9, the veridical and the natural label."""

    number: int
    veridical: str
    natural: str

    @property
    def label(self) -> str:
        """The label of compositions of this type."""
        return NINE_RULES[self.veridical, self.natural]

    @property
    def code(self) -> str:
        """The type in the notation of Table 4: ``cn_n`` is a negative verb with a neutral pair, which gives neutral."""
        return f"{self.veridical[0]}{self.natural[0]}_{self.label[0]}"


TYPES: tuple[CompositionType, ...] = tuple(
    CompositionType(3 * v + n + 1, veridical, natural)
    for v, veridical in enumerate(NLI3.names)
    for n, natural in enumerate(NLI3.names)
)


def type_of(composed: Example) -> CompositionType:
    """Return the type of a composed example, from the labels of its parts."""
    labels = {part.task: part.label for part in composed.parts}
    return next(t for t in TYPES if (t.veridical, t.natural) == (labels["veridical"], labels["natural"]))


def compose(verb: Verb, pair: NaturalPair) -> Example:
    """Return the composed example (x VERB to S, S') with its two primitives as parts."""
    natural = pair.example
    if natural.label is None or natural.hypothesis is None:
        raise ValueError(f"{natural.id}: only a labelled pair can be composed")
    embedding = pair.clause.under(verb)
    name = f"{natural.id}+{verb.lemma}"
    label, facts = _result(verb.lemma, verb.label, natural.label)
    veridical = Example(f"{name}/v", embedding, natural.premise, verb.label, "veridical", verb.facts)
    return Example(name, embedding, natural.hypothesis, label, "composed", facts, (veridical, natural))


@cache
def _result(lemma: str, veridical: str, natural: str) -> tuple[str, Facts]:
    """Return the label and the facts of a composition; examples share them."""
    type_ = next(t for t in TYPES if (t.veridical, t.natural) == (veridical, natural))
    return type_.label, (("type", str(type_.number)), ("verb", lemma))


def embed(verbs: Sequence[Verb], sentence: str) -> str:
    """Embed a sentence under verbs with that-complements, the outermost first.

    ``Someone hopes that someone realizes that a man is eating``.
    """
    text = sentence
    for verb in reversed(verbs):
        text = verb.frame.format(x="Someone", verb=verb.inflected(plural=False), s=lower_first(text))
    return text


def composed_label(verbs: Sequence[Verb], label: str) -> str:
    """Return the label of a pair with ``label`` embedded under ``verbs``, the outermost first, by the Boolean rules."""
    for verb in reversed(verbs):
        label = BOOLEAN_RULES[verb.label, label]
    return label


def rule_of(veridical: str, natural: str) -> int:
    """Return the number of the Boolean rule for two labels, from 1 to 4."""
    return list(BOOLEAN_RULES).index((veridical, natural)) + 1
