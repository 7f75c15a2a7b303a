"""The commands ``trivium verify``: sheets of two annotators from sample to score, and errors in sheets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from trivium.build.verification import read_csv, read_key, write_csv
from trivium.cli.verify import verify_app
from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3, NLI3_AND_2
from trivium.data.split import Split
from trivium.errors import UserError

COLUMNS = ("id", "inference", "premise", "hypothesis", "answer", "note")


def output_of(*arguments: object, keys: str | None = None) -> str:
    result = CliRunner().invoke(verify_app, [str(a) for a in arguments], input=keys, env={"COLUMNS": "120"})
    assert result.exit_code == 0, result.exception
    return " ".join(result.output.split())


def error_of(*arguments: object) -> str:
    result = CliRunner().invoke(verify_app, [str(a) for a in arguments])
    assert isinstance(result.exception, UserError), result.output
    assert "\n" not in str(result.exception)
    return str(result.exception)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A sample of 50 pairs from a split of 60 pairs, which have two labels."""
    examples = tuple(
        Example.make(str(i), f"premise {i}", f"hypothesis {i}", NLI3.names[i % 2], task="natural") for i in range(60)
    )
    Split("pairs", examples).write(tmp_path / "pairs.jsonl")
    output = output_of("sample", tmp_path / "pairs.jsonl", "--number", 50, "--out", tmp_path / "v")
    assert "50 pairs (50 natural)" in output
    return tmp_path / "v"


def write_annotated(folder: Path, name: str, answer: Callable[[int, str], str]) -> Path:
    """Write a complete sheet and return its path. ``answer`` maps the index and the label of a pair to an answer."""
    rows = []
    for number, (id, item) in enumerate(read_key(folder / "key.csv", NLI3).items()):
        rows.append((id, item.inference, item.premise, item.hypothesis, answer(number, item.label), ""))
    write_csv(folder / name, COLUMNS, rows)
    return folder / name


def test_kappa_and_agreement_match_figures_computed_by_hand(folder: Path) -> None:
    # By number: both "entailment" 20, A "entailment" and B "neutral" 5, the other way 10, both "neutral" 15.
    first = write_annotated(folder, "a.csv", lambda i, _: "e" if i < 25 else "n")
    second = write_annotated(folder, "b.csv", lambda i, _: "entailment" if i < 20 or 25 <= i < 35 else "Neutral")
    output = output_of("score", first, second, "--out", folder / "apart.csv")
    assert "0.400 [0." in output
    assert "70.0 [" in output
    rows = [row for _, row in read_csv(folder / "apart.csv", ["id", "built", "A", "B", "cause"])]
    assert sum(row["A"] != row["B"] for row in rows) == 15
    assert all({row["built"]} != {row["A"], row["B"]} for row in rows)
    assert f"Wrote {len(rows)} disagreements (of 50 pairs) to" in output


def test_noted_causes_are_kept_and_counted(folder: Path) -> None:
    first = write_annotated(folder, "a.csv", lambda _, label: label)
    second = write_annotated(folder, "b.csv", lambda i, label: "contradiction" if i < 3 else label)
    apart = folder / "apart.csv"
    assert "Note causes in its last column (ambiguity, veridicality bias" in output_of(
        "score", first, second, "--out", apart
    )
    rows = [row for _, row in read_csv(apart, ["cause"])]
    rows[0]["cause"] = rows[2]["cause"] = "ambiguity"
    write_csv(apart, list(rows[0]), [tuple(row.values()) for row in rows])
    assert "Causes, natural: ambiguity 2, not noted 1." in output_of("score", first, second, "--out", apart)
    assert [row["cause"] for _, row in read_csv(apart, ["cause"])] == ["ambiguity", "", "ambiguity"]


def test_answers_in_the_terminal_are_saved_at_once_and_resumed(folder: Path) -> None:
    sheet = folder / "sheet.csv"
    answers = lambda: [row["answer"] for _, row in read_csv(sheet, ["answer"])]  # noqa: E731
    assert "3 of 50 answered" in output_of("answer", sheet, keys="enxcq")
    assert answers()[:4] == ["entailment", "neutral", "contradiction", ""]
    assert "[3/50]" in output_of("answer", sheet, keys="q")
    assert "4 of 50 answered" in output_of("answer", sheet, keys="scq"), "s skips a pair"
    assert answers()[:5] == ["entailment", "neutral", "contradiction", "", "contradiction"]
    assert "5 of 50 answered" in output_of("answer", sheet, keys="bneq"), (
        "b goes back to the third, then on to the fourth"
    )
    assert answers()[:5] == ["entailment", "neutral", "neutral", "entailment", "contradiction"]


def test_answers_are_saved_when_the_input_ends(folder: Path) -> None:
    assert "2 of 50 answered" in output_of("answer", folder / "sheet.csv", keys="ee")


def test_without_a_terminal_the_error_suggests_an_editor(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_terminal() -> str:
        raise OSError(6, "No such device or address", "/dev/tty")

    monkeypatch.setattr("trivium.cli.verify._getchar", no_terminal)
    assert "fill in the column 'answer' of the sheet in an editor" in error_of("answer", folder / "sheet.csv")


def test_an_incomplete_sheet_is_not_scored(folder: Path) -> None:
    first = write_annotated(folder, "a.csv", lambda _, label: label)
    assert "sheet.csv: 50 of 50 pairs have no answer yet" in error_of("score", first, folder / "sheet.csv")


def test_sheets_of_different_samples_are_not_compared(folder: Path, tmp_path: Path) -> None:
    output_of("sample", tmp_path / "pairs.jsonl", "--number", 40, "--seed", 1, "--out", tmp_path / "w")
    first = write_annotated(folder, "a.csv", lambda _, label: label)
    second = write_annotated(tmp_path / "w", "b.csv", lambda _, label: label)
    message = error_of("score", first, second)
    assert "b.csv" in message
    assert "is not in this sample" in message or "are missing" in message


def test_a_sample_is_not_overwritten(folder: Path, tmp_path: Path) -> None:
    assert "sheet.csv: already exists" in error_of("sample", tmp_path / "pairs.jsonl", "--out", folder)


def test_scoring_requires_a_key(folder: Path, tmp_path: Path) -> None:
    first = write_annotated(folder, "a.csv", lambda _, label: label)
    alone = tmp_path / "a.csv"
    alone.write_bytes(first.read_bytes())
    assert "key.csv: no such key" in error_of("score", alone, alone)
    assert "100.0" in output_of("score", alone, alone, "--key", folder / "key.csv", "--out", tmp_path / "x.csv")


@pytest.mark.parametrize("what", ["c2gne", "nothing.jsonl"])
def test_an_unknown_benchmark_or_file_is_a_one_line_error(tmp_path: Path, what: str) -> None:
    assert what in error_of("sample", what, "--out", tmp_path / "v")
    assert not (tmp_path / "v").exists()


def test_going_back_from_the_first_pair_stays_there(folder: Path) -> None:
    assert "2 of 50 answered" in output_of("answer", folder / "sheet.csv", keys="bbenq")


def test_two_label_schemes_are_rejected_before_anything_is_written(tmp_path: Path) -> None:
    pair = Example.make("1", "p", "h", "entailed")
    Split("two", (pair,), NLI3_AND_2).write(tmp_path / "two.jsonl")
    assert "a sheet must have one label scheme" in error_of("sample", tmp_path / "two.jsonl", "--out", tmp_path / "v")
    assert not (tmp_path / "v").exists()


def test_two_way_pairs_have_two_answer_keys(tmp_path: Path) -> None:
    examples = tuple(Example.make(str(i), f"p {i}", f"h {i}", NLI2.names[i % 2]) for i in range(8))
    Split("pairs", examples, NLI2).write(tmp_path / "pairs.jsonl")
    output_of("sample", tmp_path / "pairs.jsonl", "--number", 8, "--out", tmp_path / "v")
    sheets = []
    for name in ("a.csv", "b.csv"):
        sheets.append(tmp_path / "v" / name)
        sheets[-1].write_bytes((tmp_path / "v" / "sheet.csv").read_bytes())
        output = output_of("answer", sheets[-1], keys="eeeennnn")
        assert "e entailed n not-entailed s skip" in output
        assert "8 of 8 answered" in output
    assert "1.000" in output_of("score", *sheets, "--out", tmp_path / "apart.csv")


def test_parsers_are_measured_on_a_users_trees(tmp_path: Path) -> None:
    rows = ("1 Ann PROPN 4 nsubj", "2 and CCONJ 3 cc", "3 Bob PROPN 1 conj", "4 sang VERB 0 root")
    fields = (row.split() for row in rows)
    lines = ["\t".join((n, form, form, tag, "NN", "_", head, rel, "_", "_")) for n, form, tag, head, rel in fields]
    trees = tmp_path / "trees.conllu"
    trees.write_text("\n".join(lines) + "\n\n")
    output = output_of("conjuncts", "--parser", "light", "--file", trees)
    assert "light │ of two conjuncts │ 1 │ 1 │ 1 │ 100.0 % │ 100.0 %" in output


def test_a_malformed_tree_and_an_unknown_parser_are_errors(tmp_path: Path) -> None:
    (tmp_path / "trees.conllu").write_text("1\tAnn\n")
    message = error_of("conjuncts", "--parser", "light", "--file", tmp_path / "trees.conllu")
    assert "trees.conllu:1: expected 10 fields separated by tabs, found 2" in message
    assert "did you mean 'light'" in error_of("conjuncts", "--parser", "ligth")
