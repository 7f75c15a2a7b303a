"""Recasting: the examples of the paper, swaps of the same type, skipped lines, and error messages."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.build.recasting import Recast, RecastOptions, recast
from trivium.build.recasting.entities import find_entities, overlap, same_entity
from trivium.build.recasting.questions import JOINED
from trivium.data.labels import NLI2
from trivium.data.split import Split
from trivium.errors import UserError

ALL = RecastOptions(negatives=None)
# CURRICULUM, Table 6 (after DROP).
GAME = (
    "...The Buccaneers tied it up with a 38-yard field goal by Connor Barth, ... The game's final points came when "
    "Mike Williams of Tampa Bay caught a 5-yard pass..."
)
CAUGHT = "Who caught the touchdown for the fewest yard?"
# CURRICULUM, Table 7 (after Cosmos QA), with the choice that its caption omits.
ARM = (
    "The flash in the room that followed was proof of that assumption. The man grabbed his arm again. "
    '"Please let go of my arm." He requested, his voice low. "Look."'
)
WANTED = [
    "The man wanted to dance with him.",
    "The man wanted to get his attention.",
    "The man wanted to pull him closer so he can cry on this shoulder.",
    "The man was angry with him and wanted to push him outside.",
]


def from_lines(kind: str, *rows: object, options: RecastOptions | None = None, name: str = "qa.jsonl") -> Recast:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return recast(kind, path, options)


def pairs(result: Recast) -> list[tuple[str | None, str | None]]:
    return [(example.hypothesis, example.label) for example in result.split]


def row(**fields: Any) -> dict[str, Any]:
    return {"context": "Ada sang and Tom danced.", "question": "Who sang?", "answer": "Ada", **fields}


def test_table_6_swaps_the_player_for_another_one() -> None:
    result = from_lines("swap", {"context": GAME, "question": CAUGHT, "answer": "Mike Williams"})
    assert pairs(result) == [
        ("Mike Williams caught the touchdown for the fewest yard", "entailed"),
        ("Connor Barth caught the touchdown for the fewest yard", "not-entailed"),
    ]
    assert {example.premise for example in result.split} == {GAME}
    assert result.split.examples[1].fact("swapped") == "Mike Williams→Connor Barth"
    assert [example.id for example in result.split] == ["qa-1-1", "qa-1-2"]
    assert result.split.labels == NLI2


def test_table_7_uses_declarative_choices_as_hypotheses_without_the_question() -> None:
    line = {"context": ARM, "question": "Why did the man grabbed his arm?", "choices": WANTED, "answer": 1}
    result = from_lines("choices", {**line, "choices": [*WANTED, "None of the above choices."]}, options=ALL)
    assert pairs(result) == [
        (WANTED[1], "entailed"),
        *((choice, "not-entailed") for choice in (WANTED[0], *WANTED[2:])),
    ]
    assert {example.premise for example in result.split} == {ARM}
    drawn = [pairs(from_lines("choices", line, options=RecastOptions(seed=seed))) for seed in range(20)]
    assert [(WANTED[1], "entailed"), (WANTED[0], "not-entailed")] in drawn
    assert all(len(sample) == 2 for sample in drawn)


def test_the_question_is_in_the_premise_of_choices_that_are_phrases() -> None:
    line = {
        "context": "The baker opens at six.",
        "question": "Who opens?",
        "choices": ["the baker", "a cat"],
        "answer": 0,
    }
    result = from_lines("choices", line)
    assert {example.premise for example in result.split} == {"The baker opens at six. Who opens?"}
    assert {example.fact("form") for example in result.split} == {"phrase"}
    declarative = from_lines("choices", {**line, "declarative": True})
    assert {example.premise for example in declarative.split} == {"The baker opens at six."}
    without = from_lines("choices", {key: value for key, value in line.items() if key != "question"})
    assert {example.premise for example in without.split} == {"The baker opens at six."}


def test_all_choices_of_a_line_have_the_same_form() -> None:
    line = {"context": "It rained.", "question": "Why?", "choices": ["The sky was grey.", "bad luck"], "answer": 0}
    assert {example.fact("form") for example in from_lines("choices", line).split} == {"phrase"}


def test_not_entailed_pairs_need_incorrect_answers() -> None:
    result = from_lines("concatenation", row(), row(wrong=["Tom", "Eva"]), options=ALL)
    assert pairs(result) == [
        ("Ada sang", "entailed"),
        ("Ada sang", "entailed"),
        ("Tom sang", "not-entailed"),
        ("Eva sang", "not-entailed"),
    ]
    assert [example.id for example in result.split] == ["qa-1-1", "qa-2-1", "qa-2-2", "qa-2-3"]


def test_incorrect_answers_with_the_same_statement_are_ignored() -> None:
    line = row(question="When did the mill close?", answer="in 1990")
    assert pairs(from_lines("concatenation", {**line, "wrong": ["1990", "in 1991"]})) == [
        ("The mill closed in 1990", "entailed"),
        ("The mill closed in 1991", "not-entailed"),
    ]
    assert list(from_lines("concatenation", {**line, "wrong": ["1990"]}).skipped.values()) == [(1, 1)]


def test_a_part_of_the_answer_is_never_swapped_in() -> None:
    context = "Mike Williams ran. Williams fell over Tom Barth, who called him mike  williams. In the end Mike won."
    result = from_lines("swap", row(context=context, question="Who fell?", answer="Williams"), options=ALL)
    assert pairs(result) == [("Williams fell", "entailed"), ("Tom Barth fell", "not-entailed")]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"answer": "a song"}, "no entity"),
        ({"context": "Ada sang."}, "no other entity"),
        ({"context": "Ada sang in 1990 and 2000."}, "no other entity"),
        ({"context": "Ada sang for Tom.", "question": "Who sang for Tom?"}, "no other entity"),
        (
            {"context": "It took 3 hours and 40 miles.", "question": "How long did it take?", "answer": "3 hours"},
            "no other",
        ),
    ],
)
def test_lines_without_a_swap_are_skipped_and_counted(fields: dict[str, str], reason: str) -> None:
    result = from_lines("swap", row(), row(**fields), row(**fields))
    assert len(result.split) == 2
    ((message, skipped),) = result.skipped.items()
    assert reason in message
    assert skipped == (2, 2)


def test_a_line_whose_correct_choice_is_none_of_the_above_is_skipped() -> None:
    line = {"context": "It rained.", "choices": ["a", "b", "None of these"], "answer": 2}
    assert [skip.lines for skip in from_lines("choices", line).skipped.values()] == [1]
    alone = from_lines("choices", {**line, "choices": ["a", "All of the above", "A "], "answer": 0})
    assert list(alone.skipped) == ["no incorrect choice differs from the correct one"]


def test_a_class_entails_its_own_statement_and_not_that_of_another() -> None:
    statements = {"good": "The author likes {about}.", "bad": "The author hates {about}.", "1": "One."}
    options = RecastOptions(negatives=None, classes=statements)
    result = from_lines("classes", {"text": "What a film!", "label": "good", "about": "the film"}, options=options)
    assert pairs(result) == [
        ("The author likes the film.", "entailed"),
        ("The author hates the film.", "not-entailed"),
        ("One.", "not-entailed"),
    ]
    assert (
        from_lines("classes", {"text": "x", "label": 1, "about": "y"}, options=options).split.examples[0].hypothesis
        == "One."
    )


def test_two_texts_are_entailed_if_their_label_is_true() -> None:
    result = from_lines("classes", *({"text": "a", "text2": "b", "label": label} for label in (True, False, 1, 0)))
    assert [label for _, label in pairs(result)] == ["entailed", "not-entailed"] * 2


CHOICE = {"context": "It rained.", "choices": ["a", "b"], "answer": 0}
TWO = RecastOptions(classes={"good": "Good.", "bad": "Bad."})
MISTAKES: list[tuple[str, object, RecastOptions | None, tuple[str, ...]]] = [
    ("choices", "{nonsense", None, ("not JSON", "column 2")),
    ("choices", "[1]", None, ("must be a JSON object",)),
    ("choices", {"context": "c", "answer": 0}, None, ("'choices' is missing", "answer, context")),
    ("choices", {**CHOICE, "context": 5}, None, ("'context' must be text, not 5",)),
    ("choices", {**CHOICE, "context": " "}, None, ("'context' is empty",)),
    ("choices", {**CHOICE, "choices": []}, None, ("'choices' has 0 entries", "must have two or more")),
    ("choices", {**CHOICE, "choices": ["a"]}, None, ("'choices' has 1 entries",)),
    ("choices", {**CHOICE, "choices": "ab"}, None, ("'choices' must be a list of texts",)),
    ("choices", {**CHOICE, "choices": ["a", 3]}, None, ("'choices[1]' must be text, not 3",)),
    ("choices", {**CHOICE, "choices": ["a", ""]}, None, ("'choices[1]' is empty",)),
    ("choices", {**CHOICE, "answer": "c"}, None, ("'c' is not among the choices",)),
    ("choices", {**CHOICE, "answer": 2}, None, ("'answer' is 2", "from 0 to 1")),
    ("choices", {**CHOICE, "answer": -1}, None, ("'answer' is -1",)),
    ("choices", {**CHOICE, "answer": True}, None, ("'answer' must be text, not True",)),
    ("choices", {**CHOICE, "declarative": "yes"}, None, ("'declarative' must be true or false",)),
    ("concatenation", {"context": "c", "question": "q"}, None, ("'answer' is missing",)),
    ("concatenation", row(wrong="Tom"), None, ("'wrong' must be a list",)),
    ("concatenation", row(wrong=["ada"]), None, ("'wrong' contains the answer 'Ada' itself",)),
    ("concatenation", '{"context": "c", "question": "q", "answer": "\\ud800"}', None, ("lone surrogate",)),
    ("swap", {"context": "c", "question": None, "answer": "a"}, None, ("'question' is missing",)),
    ("swap", row(answer=["Ada"]), None, ("'answer' must be text",)),
    ("classes", {"text": "t", "label": "good"}, None, ("no statements: add one for each with classes=",)),
    ("classes", {"text": "t", "label": "goood"}, TWO, ("class 'goood'", "did you mean 'good'")),
    ("classes", {"text": "t", "label": 1.5}, TWO, ("'label' must be text, not 1.5",)),
    ("classes", {"text": "t", "text2": "u", "label": "good"}, None, ("true or false", "'good'")),
    ("classes", {"label": "good"}, TWO, ("'text' is missing",)),
    ("classes", {"text": "t", "label": "a"}, RecastOptions(classes={"a": "{about}?", "b": "B"}), ("'about' is",)),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "line", "options", "words"), MISTAKES)
def test_an_invalid_line_is_reported_in_one_line_with_its_location(
    kind: str, line: object, options: RecastOptions | None, words: tuple[str, ...]
) -> None:
    with pytest.raises(UserError) as caught:
        from_lines(kind, "", line, options=options)
    message = str(caught.value)
    assert "\n" not in message
    assert "qa.jsonl:2: " in message
    assert len(message) < 400
    assert all(word in message for word in words), message


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (RecastOptions(negatives=0), "1 or more"),
        (RecastOptions(classes={"a": "A"}), "only one class"),
        (RecastOptions(classes={"a": "A", "b": "A"}), "same statement"),
        (RecastOptions(classes={"a": " ", "b": "A"}), "empty"),
    ],
)
def test_invalid_options_are_rejected(options: RecastOptions, words: str) -> None:
    with pytest.raises(UserError, match=words):
        from_lines("choices", CHOICE, options=options)


def test_an_empty_file_an_unknown_kind_and_a_missing_file_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="the file is empty"):
        from_lines("choices", "", " ")
    with pytest.raises(UserError, match="did you mean 'choices'"):
        from_lines("choises", CHOICE)
    with pytest.raises(UserError, match="no such file"):
        recast("swap", tmp_path / "none.jsonl")


def test_other_alphabets_and_huge_lines_are_read() -> None:
    context = "Łukasz Żak sang in São Paulo and Émile Noël danced 日本. "
    result = from_lines(
        "swap", row(context=context, answer="Łukasz Żak"), row(context=context * 2_000, answer="Łukasz Żak")
    )
    assert (
        pairs(result)[:2] == pairs(result)[2:] == [("Łukasz Żak sang", "entailed"), ("Émile Noël sang", "not-entailed")]
    )
    long = from_lines("concatenation", row(question="Who sang " + "very " * 20_000 + "well?"))
    assert long.split.examples[0].fact("statement") == JOINED


def test_the_pairs_can_be_written_and_read(tmp_path: Path) -> None:
    split = from_lines("swap", row()).split
    split.write(tmp_path / "pairs.jsonl")
    assert Split.read(tmp_path / "pairs.jsonl").examples == split.examples


PEOPLE = ("Ada Blum", "Tom Reed", "Lena Voss", "Blum", "Mira Sato", "Tom", "Karl von Roth")
NUMBERS = ("3", "three", "17", "25", "twenty-five", "1", "1,200")
YEARS = ("1903", "1987", "2004")
SUMS = ("$5", "$2.5 million", "20 dollars", "5 dollars")
QUESTIONS = {
    PEOPLE: "Who opened the shop?",
    NUMBERS: "How many boats came to the island?",
    YEARS: "When did the mill close?",
    SUMS: "How much did the lamp cost?",
}
SENTENCES = ("then {} came", "people saw {} there", "and {} was near", "nobody forgot {} again")


@st.composite
def lines(draw: st.DrawFn) -> dict[str, Any]:
    entities = [draw(st.sampled_from(sum(QUESTIONS, ()))) for _ in range(draw(st.integers(1, 8)))]
    clauses = [draw(st.sampled_from(SENTENCES)).format(entity) for entity in entities]
    entity_type = draw(st.sampled_from(list(QUESTIONS)))
    return {
        "context": f"It is told that {', '.join(clauses)}.",
        "question": QUESTIONS[entity_type],
        "answer": draw(st.sampled_from(entity_type)),
    }


@settings(max_examples=150, deadline=None)
@given(lines(), st.integers(0, 5))
def test_a_swapped_entity_is_another_one_of_the_same_type_from_the_context(line: dict[str, Any], seed: int) -> None:
    result = from_lines("swap", line, options=RecastOptions(negatives=None, seed=seed))
    if not result.split.examples:
        assert sum(skip.lines for skip in result.skipped.values()) == 1
        return
    correct, *incorrect = result.split.examples
    assert correct.label == "entailed"
    assert incorrect
    types = {entity.text: entity.type for entity in find_entities(line["context"])}
    for example in incorrect:
        old, _, new = str(example.fact("swapped")).partition("→")
        assert new in line["context"]
        assert not same_entity(new, line["answer"])
        assert not overlap(new, line["answer"])
        assert types[new] == find_entities(f", {line['answer']}")[0].type
        assert old in line["answer"]
        assert example.hypothesis != correct.hypothesis
        assert example.label == "not-entailed"


@settings(max_examples=60, deadline=None)
@given(st.lists(lines(), min_size=2, max_size=5), st.data())
def test_the_pairs_of_a_line_do_not_depend_on_other_lines(rows: list[dict[str, Any]], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(rows) - 1))
    others = [row() if other != index else line for other, line in enumerate(rows)]
    name = f"qa-{index + 1}-"
    first, second = (from_lines("swap", *given).split for given in (rows, others))
    assert [e for e in first if e.id.startswith(name)] == [e for e in second if e.id.startswith(name)]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=30), min_size=2, max_size=6), st.data())
def test_choices_of_any_text_give_one_pair_of_each_label(texts: list[str], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(texts) - 1))
    line = {"context": "It rained.", "question": "Why?", "choices": texts, "answer": index}
    if not all(text.strip() for text in texts):
        with pytest.raises(UserError, match="is empty"):
            from_lines("choices", line)
        return
    result = from_lines("choices", line)
    if result.split.examples:
        correct, incorrect = result.split.examples
        assert (correct.label, incorrect.label) == ("entailed", "not-entailed")
        assert correct.premise == incorrect.premise
        assert correct.hypothesis != incorrect.hypothesis


def test_the_same_seed_gives_the_same_pairs_and_another_seed_others() -> None:
    rows = [row(context="Ada sang, and Tom, Eva, Noor and Finn danced.")] * 10
    once, again = (from_lines("swap", *rows).split for _ in range(2))
    assert once.identity == again.identity
    assert once.identity != from_lines("swap", *rows, options=RecastOptions(seed=1)).split.identity
    assert once.counts() == {"entailed": 10, "not-entailed": 10}
