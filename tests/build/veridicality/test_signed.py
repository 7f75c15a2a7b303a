"""Two-signature composition."""

from __future__ import annotations

import pytest

from trivium.build.veridicality.composition import TYPES
from trivium.build.veridicality.signed import SIGNS, signed_label, signed_table
from trivium.build.veridicality.verbs import INFINITIVE_VERBS, THAT_VERBS
from trivium.language.signatures import FRAMES, signature_of, signatures


@pytest.mark.parametrize(
    ("verb", "frame", "negated", "natural", "label"),
    [
        ("manage", "to", True, "entailment", "contradiction"),
        ("know", "that", True, "entailment", "entailment"),
        ("forget", "to", True, "contradiction", "contradiction"),
        ("forget", "to", False, "contradiction", "entailment"),
        ("hope", "to", True, "contradiction", "neutral"),
    ],
)
def test_worked_cases(verb: str, frame: str, negated: bool, natural: str, label: str) -> None:
    assert signed_label(str(signature_of(verb, frame)), negated, natural) == label


def test_affirmed_verbs_compose_as_table_2() -> None:
    nine = {(type_.veridical, type_.natural): type_.label for type_ in TYPES}
    cells = list(signed_table())
    assert len(cells) == len(set(cells)) == 54
    for cell in cells:
        sign = cell.signature[0] if cell.polarity == "affirmed" else cell.signature[2]
        assert cell.label == nine[SIGNS[sign], cell.natural]


def test_the_signatures_agree_with_the_papers_verbs() -> None:
    for verb in INFINITIVE_VERBS:
        assert SIGNS[str(signature_of(verb.lemma, "to"))[0]] == verb.label
    for verb in THAT_VERBS:
        assert (str(signature_of(verb.lemma, "that"))[0] == "+") == (verb.label == "entailed")


def test_at_least_300_verbs_have_a_signature_in_both_polarities() -> None:
    lemmas = {lemma for frame in FRAMES for lemma in signatures()[frame]}
    assert len(lemmas) >= 300
    assert all(s[0] in SIGNS and s[1] == "/" and s[2] in SIGNS for f in FRAMES for s in signatures()[f].values())
