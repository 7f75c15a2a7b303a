"""The ledger counts every claim once, from the run with the most trainings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from trivium.engine.records import RunRecord, now, write_record
from trivium.measure.claim import Claim, Evidence, Verdict
from trivium.measure.statistics.intervals import Interval
from trivium.results.ledger import Ledger, make_ledger
from trivium.session import Session


def claim(text: str, seeds: int, value: float | None = 1.0, folds: int = 1) -> Claim:
    measured = None if value is None else Interval(value, value - 0.5, value + 0.5)
    return Claim("6.1", text, "CI", None, measured, evidence=Evidence(seeds=seeds, folds=folds))


def test_a_claim_is_taken_from_the_run_with_the_most_seeds_whatever_its_verdict() -> None:
    runs = [("new", [claim("a", 1), claim("b", 3)]), ("old", [claim("a", 5, -1.0), claim("b", 0, None)])]
    entries = make_ledger("c2gen", runs)
    assert [(entry.claim.text, entry.run, entry.claim.verdict) for entry in entries] == [
        ("a", "old", Verdict.FAILS),
        ("b", "new", Verdict.HOLDS),
    ]


def test_nine_folds_of_one_seed_are_more_trainings_than_two_of_three_seeds() -> None:
    runs = [("two", [claim("a", 3, folds=2)]), ("nine", [claim("a", 1, folds=9)]), ("later", [claim("a", 1, folds=9)])]
    assert [entry.run for entry in make_ledger("c2gen", runs)] == ["nine"]


def test_the_table_counts_verdicts_by_benchmark() -> None:
    entries = [*make_ledger("c2gen", [("r", [claim("a", 3), claim("b", 3)])]),
               *make_ledger("seti", [("", [claim("c", 0, None)])])]  # fmt: skip
    ledger = Ledger(tuple(entries))
    counts = {row.name: [cell.measured.value for cell in row.cells if cell.measured] for row in ledger.table.rows}
    assert counts == {"c2gen": [2, 2, 0, 0, 0, 0], "seti": [1, 0, 0, 0, 0, 1], "all": [3, 2, 0, 0, 0, 1]}
    assert ledger.rows()[0]["seeds"] == 3


def test_the_page_begins_with_what_holds_and_ends_with_what_was_not_run() -> None:
    claims = [claim("missing", 0, None), claim("open", 3, 0.1), claim("wrong", 3, -1.0), claim("right", 3)]
    document = Ledger(tuple(make_ledger("c2gen", [("r", claims)]))).document()
    assert [(each.group, each.text) for each in document.claims] == [
        ("What holds", "c2gen, 6.1: right"),
        ("What does not hold", "c2gen, 6.1: wrong"),
        ("What is undecided, and what would decide it", "c2gen, 6.1: open"),
        ("Not run: c2gen, 6.1", "missing"),
    ]


def test_a_run_that_cannot_be_opened_is_left_out_with_a_note(tmp_path: Path) -> None:
    session = Session(tmp_path, progress=False)
    settings = {"colour": "blue"}
    _record(session, "old", settings)
    ledger = session.ledger(preset="smoke")
    assert ledger.notes == (
        "c2gen: the run 'old' is left out (the run 'old' has settings that this version does not accept: colour).",
    )
    assert {entry.claim.verdict for entry in ledger.entries if entry.benchmark == "c2gen"} == {Verdict.NOT_RUN}


def test_claims_of_the_paper_are_not_taken_from_another_composer(tmp_path: Path) -> None:
    session = Session(tmp_path, progress=False)
    settings = session.experiment("c2gen", "smoke", {"model.composer": "typed"}).settings
    _record(session, "typed", settings.model_dump(mode="json"))
    ledger = session.ledger(preset="smoke")
    assert ledger.notes == ("c2gen: the run 'typed' is left out (its composer is 'typed', not the paper's head).",)


def _record(session: Session, name: str, settings: dict[str, Any]) -> None:
    record = RunRecord(name=name, benchmark="c2gen", preset="smoke", settings=settings, version="0.1", started=now())
    write_record(session.store, record)
