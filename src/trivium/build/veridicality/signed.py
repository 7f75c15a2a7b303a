"""Two-signature composition: verb × polarity × natural relation.

What a verb implies about its clause S is ``+`` (S holds), ``-`` (S does not hold) or ``o`` (neither), affirmed and
negated. With the label of (S, H), the label of (x VERB to S, H) follows by the rules of
:mod:`trivium.build.veridicality.composition`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trivium.build.veridicality.composition import NINE_RULES
from trivium.data.labels import NLI3

SIGNS = {"+": "entailment", "o": "neutral", "-": "contradiction"}
"""The veridical label for what a verb implies."""
POLARITIES = ("affirmed", "negated")


class SignedCell(NamedTuple):
    """A cell of the table of two-signature composition."""

    signature: str
    polarity: str
    natural: str
    label: str


def signed_label(signature: str, negated: bool, natural: str) -> str:
    """Return the label of a composition by the signature of its verb.

    >>> signed_label("+/-", True, "entailment"), signed_label("+/+", True, "entailment")
    ('contradiction', 'entailment')
    """
    return NINE_RULES[SIGNS[signature.split("/")[negated]], natural]


def signed_table() -> Iterator[SignedCell]:
    """Yield the label for each signature, polarity and natural label: 9 × 2 × 3 cells."""
    for affirmed in SIGNS:
        for negated in SIGNS:
            for polarity in POLARITIES:
                for natural in NLI3.names:
                    signature = f"{affirmed}/{negated}"
                    label = signed_label(signature, polarity == "negated", natural)
                    yield SignedCell(signature, polarity, natural, label)
