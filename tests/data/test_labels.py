"""Labels are parsed, numbered and mapped between schemes, and unknown labels are errors."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.data.labels import NLI2, NLI3, NLI3_AND_2, SCHEMES, SENTIMENT, Labels, output_labels
from trivium.errors import UserError


def test_the_schemes_have_the_usual_labels_in_the_order_of_a_models_outputs() -> None:
    assert NLI3.names == ("entailment", "neutral", "contradiction")
    assert NLI2.names == ("entailed", "not-entailed")
    assert SENTIMENT.names == ("negative", "positive")
    assert SCHEMES == {"nli3": NLI3, "nli2": NLI2, "nli3+2": NLI3_AND_2, "sentiment": SENTIMENT}
    assert (len(NLI3), len(NLI2), NLI3_AND_2.names) == (3, 2, NLI3.names + NLI2.names)
    assert [output_labels(scheme) for scheme in (NLI3, NLI2, NLI3_AND_2)] == [NLI3, NLI2, NLI3]


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
def test_the_index_of_a_label_is_its_position(scheme: Labels) -> None:
    assert [scheme.index(label) for label in scheme.names] == list(range(len(scheme)))


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("entailment", "entailment"),
        ("ENTAILMENT", "entailment"),
        (" Neutral\t", "neutral"),
        ("c", "contradiction"),
        ("E", "entailment"),
        ("contradicts", "contradiction"),
    ],
)
def test_case_and_spaces_are_ignored_and_other_spellings_are_known(text: str, label: str) -> None:
    assert NLI3.parse(text, "f:1") == label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("entailed", "entailed"),
        ("Entailment", "entailed"),
        ("not_entailed", "not-entailed"),
        ("NOT-ENTAILMENT", "not-entailed"),
    ],
)
def test_two_way_labels_have_spellings_of_their_own(text: str, label: str) -> None:
    assert NLI2.parse(text, "f:1") == label


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
def test_every_spelling_leads_to_a_label_of_its_scheme(scheme: Labels) -> None:
    assert set(scheme.spellings.values()) <= set(scheme.names)
    assert all(scheme.parse(text.upper(), "") == label for text, label in scheme.spellings.items())


def test_the_error_for_an_unknown_label_names_the_location_and_suggests_a_label() -> None:
    with pytest.raises(UserError) as raised:
        NLI3.parse("Entailmant", "few.jsonl:7")
    assert str(raised.value) == (
        "few.jsonl:7: unknown label 'Entailmant' for the scheme nli3: did you mean 'entailment'?"
    )  # fmt: skip


def test_the_error_for_a_label_unlike_any_other_lists_all_labels() -> None:
    with pytest.raises(UserError, match=r"x:1: unknown label '-' .*available: c, contradiction, .*neutral"):
        NLI3.parse("-", "x:1")


KNOWN = {*NLI3.names, *NLI3.spellings}


@given(text=st.text(max_size=15).filter(lambda text: text.strip().lower() not in KNOWN))
@settings(max_examples=100, deadline=None)
def test_any_other_text_is_an_error_of_one_line(text: str) -> None:
    with pytest.raises(UserError, match=r"^f:1: unknown label ") as raised:
        NLI3.parse(text, "f:1")
    assert len(str(raised.value).splitlines()) == 1


def test_the_index_of_another_spelling_is_an_error() -> None:
    with pytest.raises(UserError, match="unknown label 'e' for the scheme nli3"):
        NLI3.index("e")
    with pytest.raises(UserError, match="unknown label 'neutrl' for the scheme nli3: did you mean 'neutral'"):
        NLI3.index("neutrl")


def test_three_way_labels_are_mapped_to_two_way_labels() -> None:
    assert [NLI3.map_to(label, NLI2) for label in NLI3.names] == ["entailed", "not-entailed", "not-entailed"]


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
def test_a_scheme_maps_to_itself(scheme: Labels) -> None:
    assert [scheme.map_to(label, scheme) for label in scheme.names] == list(scheme.names)


@pytest.mark.parametrize("target", [NLI2, NLI3])
def test_a_label_of_another_scheme_is_never_mapped(target: Labels) -> None:
    with pytest.raises(UserError, match="unknown label 'entailed' for the scheme nli3"):
        NLI3.map_to("entailed", target)


def test_a_mapping_that_is_not_defined_is_an_error() -> None:
    with pytest.raises(UserError, match="no mapping is defined from the label scheme nli2 to nli3"):
        NLI2.map_to("entailed", NLI3)
