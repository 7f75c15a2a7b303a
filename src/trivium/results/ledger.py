"""The ledger of all claims: what the runs in a store say about every paper."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from trivium.measure.claim import Claim, Verdict
from trivium.measure.statistics.intervals import bounds
from trivium.measure.table import COUNT, Cell, Row, Table
from trivium.report.document import Document
from trivium.report.formatting import claim_summary
from trivium.results.base import Result

_TITLES = {
    Verdict.HOLDS: "What holds",
    Verdict.FAILS: "What does not hold",
    Verdict.UNDECIDED: "What is undecided, and what would decide it",
    Verdict.NOT_DECIDABLE: "What the runs cannot decide, and why",
    Verdict.NOT_RUN: "Not run",
}


class LedgerEntry(NamedTuple):
    """A claim of a benchmark, and the run that it was checked with; empty if it was not run."""

    benchmark: str
    claim: Claim
    run: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Ledger(Result):
    """All claims of all benchmarks, each from the run with the most trainings."""

    entries: tuple[LedgerEntry, ...]
    notes: tuple[str, ...] = ()

    @property
    def claims(self) -> list[Claim]:
        """The claims by verdict: what holds, what does not, what is open, and by benchmark what was not run."""
        return [
            _titled(entry, verdict) for verdict in Verdict for entry in self.entries if entry.claim.verdict is verdict
        ]

    @property
    def table(self) -> Table:
        """The number of claims of each benchmark with each verdict."""
        names = list(dict.fromkeys(entry.benchmark for entry in self.entries))
        rows = [_counts(name, [entry.claim for entry in self.entries if entry.benchmark == name]) for name in names]
        rows.append(_counts("all", [entry.claim for entry in self.entries]))
        columns = ("claims", *(verdict.value for verdict in Verdict))
        return Table("Ledger", "Claims by verdict", columns, tuple(rows), COUNT)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each claim."""
        return [
            {
                "benchmark": entry.benchmark,
                "group": entry.claim.group,
                "claim": entry.claim.text,
                "verdict": entry.claim.verdict.value,
                "reason": entry.claim.reason,
                "quantity": entry.claim.quantity,
                **(bounds(entry.claim.measured) or {"value": None, "low": None, "high": None}),
                "published": entry.claim.published,
                "p_corrected": None if entry.claim.measured is None else entry.claim.p,
                "seeds": entry.claim.evidence.seeds,
                "folds": entry.claim.evidence.folds,
                "baselines": ", ".join(f"{value:.1f}" for value in entry.claim.evidence.baselines),
                "run": entry.run,
            }
            for entry in self.entries
        ]

    def to_json(self) -> dict[str, Any]:
        """Return the rows."""
        return {"claims": self.rows(), "notes": list(self.notes)}

    def document(self) -> Document:
        """Return the counts, and all claims by verdict."""
        lead = (f"{claim_summary(self.claims)}.", *self.notes)
        return Document(
            title="Ledger of claims",
            lead=lead,
            tables=(self.table,),
            claims=tuple(self.claims),
            commands=("trivium claims --all --report claims.md",),
        )

    def __repr__(self) -> str:
        return f"Ledger({claim_summary(self.claims)})"


def make_ledger(benchmark: str, runs: Iterable[tuple[str, list[Claim]]]) -> list[LedgerEntry]:
    """Return each claim from the run with the most trainings, whatever its verdict; the first of equals."""
    best: dict[tuple[str, str], LedgerEntry] = {}
    for name, claims in runs:
        for claim in claims:
            entry = LedgerEntry(benchmark, claim, name if claim.measured is not None else "")
            key = (claim.group, claim.text)
            if key not in best or _weight(entry) > _weight(best[key]):
                best[key] = entry
    return list(best.values())


def _titled(entry: LedgerEntry, verdict: Verdict) -> Claim:
    """Return a claim under its verdict, with its benchmark and section; those that were not run stay in theirs."""
    claim, section = entry.claim, f"{entry.benchmark}, {entry.claim.group}"
    if verdict is Verdict.NOT_RUN:
        return replace(claim, group=f"{_TITLES[verdict]}: {section}")
    return replace(claim, group=_TITLES[verdict], text=f"{section}: {claim.text}")


def _weight(entry: LedgerEntry) -> tuple[bool, int, int]:
    evidence = entry.claim.evidence
    return entry.claim.measured is not None, evidence.seeds * max(evidence.folds, 1), evidence.folds


def _counts(name: str, claims: list[Claim]) -> Row:
    numbers = [sum(claim.verdict is verdict for claim in claims) for verdict in Verdict]
    return Row(name, tuple(map(Cell.without_interval, (len(claims), *numbers))))
