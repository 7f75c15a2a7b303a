"""Results of benchmarks: a run, its data, a comparison, and a sweep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from trivium.benchmarks.experiment import Experiment
from trivium.benchmarks.outcomes import tidy_rows
from trivium.benchmarks.sweep import Headline, Sweep, collect_headlines, sweep_chart, sweep_table
from trivium.data.split import Split
from trivium.engine.store import Store
from trivium.errors import UserError, option
from trivium.measure.claim import Claim
from trivium.measure.statistics.intervals import Interval, bounds
from trivium.measure.table import Cell, Row, Table
from trivium.report.document import Document
from trivium.results.base import ChartResult, Named, Result, TableResult
from trivium.settings import Settings, to_toml
from trivium.tools.comparison import ComparisonFigures


@dataclass(frozen=True, eq=False, repr=False)
class Run(Result):
    """A run of a benchmark: its experiment, and everything that is derived from the store.

    ``options`` are the command-line options that repeat the run.
    """

    name: str
    experiment: Experiment[Any, Any]
    store: Store
    options: str

    @cached_property
    def tables(self) -> Named[TableResult]:
        """The paper's tables, filled with the results, by name: ``run.tables["table-6"]``."""
        tables = self.experiment.tables(self.store)
        return Named.by_slug("table", [(table.name or table.title, TableResult(table)) for table in tables])

    @cached_property
    def claims(self) -> list[Claim]:
        """The paper's claims with their verdicts."""
        return self.experiment.claims(self.store)

    @cached_property
    def charts(self) -> Named[ChartResult]:
        """The paper's figures, by name."""
        charts = self.experiment.charts(self.store)
        return Named.by_slug("chart", [(chart.name, ChartResult(chart)) for chart in charts])

    @property
    def summary(self) -> list[str]:
        """The main findings, in sentences."""
        return self.experiment.summary(self.store)

    @property
    def caveats(self) -> list[str]:
        """Limitations to report with the results."""
        return self.experiment.caveats

    def rows(self) -> list[dict[str, Any]]:
        """Return one row for each prediction and metric: fold, seed, setting, strategy, stage, metric, value, ….

        All values are in per cent, as in the tables; ``low`` and ``high`` are the 95 % interval over test examples. The
        metric ``Forget`` is the share of the accuracy after the first stage that is lost in the second.
        """
        return list(tidy_rows(self.experiment, self.store))

    def to_json(self) -> dict[str, Any]:
        """Return settings, tidy rows, and claims."""
        return {
            "name": self.name,
            "benchmark": self.experiment.name,
            "settings": self.experiment.settings.model_dump(mode="json"),
            "results": self.rows(),
            "claims": [
                {
                    "group": claim.group,
                    "text": claim.text,
                    "quantity": claim.quantity,
                    "published": claim.published,
                    "measured": bounds(claim.measured),
                    "verdict": claim.verdict.value,
                    "reason": claim.reason,
                    "p_corrected": claim.p if claim.measured is not None else None,
                    "seeds": claim.evidence.seeds,
                    "folds": claim.evidence.folds,
                    "baselines": list(claim.evidence.baselines),
                }
                for claim in self.claims
            ],
        }

    def document(self) -> Document:
        """Return the content of the report."""
        from trivium.report.write import make_document

        return make_document(self.experiment, self.store, self.options)

    def __repr__(self) -> str:
        return f"Run({self.name!r}: {self.experiment.description})"

    def __str__(self) -> str:
        from trivium.report.terminal import tables_text

        return "\n\n".join([repr(self), tables_text([table.table for table in self.tables.values()])])


@dataclass(frozen=True, eq=False, repr=False)
class Build(Result):
    """The data of a benchmark: its splits, their statistics, and the invariants that were checked."""

    experiment: Experiment[Any, Any]

    @property
    def splits(self) -> Named[Split]:
        """All splits by name."""
        return Named("split", self.experiment.splits())

    @property
    def invariants(self) -> list[str]:
        """The invariants that the splits were checked for, one sentence each."""
        return self.experiment.invariants()

    @property
    def tables(self) -> Named[TableResult]:
        """The statistics of the data."""
        tables = self.experiment.build_tables()
        return Named.by_slug("table", [(table.name or table.title, TableResult(table)) for table in tables])

    def write(self, folder: str | Path, format: str = "jsonl") -> list[Path]:
        """Write each split as a ``jsonl`` or ``parquet`` file, and return the files."""
        if format not in ("jsonl", "parquet"):
            raise UserError(f"{option('format', format)}: must be 'jsonl' or 'parquet'")
        files = []
        for name, split in self.splits.items():
            files.append(Path(folder) / f"{name}.{format}")
            split.write(files[-1])
        return files

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each example."""
        return [{"split": name, **example.to_json()} for name, split in self.splits.items() for example in split]

    def to_json(self) -> dict[str, Any]:
        """Return the number of examples of each split, and the invariants."""
        sizes = {name: len(split) for name, split in self.splits.items()}
        return {"benchmark": self.experiment.name, "splits": sizes, "invariants": self.invariants}

    def document(self) -> Document:
        """Return the statistics and the invariants."""
        return Document(
            title=f"Data of {self.experiment.name}",
            lead=(self.experiment.description, *self.invariants),
            tables=tuple(self.experiment.build_tables()),
        )


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """The difference between two runs, or two strategies of one run, on each test."""

    figures: ComparisonFigures
    command: str = ""

    def rows(self) -> list[dict[str, Any]]:
        """Return one row for each test and metric; accuracies are in per cent and differences in points."""
        return [
            {
                "test": item.group,
                "metric": item.metric,
                self.figures.first: 100 * item.first,
                self.figures.second: 100 * item.second,
                **{f"difference_{name}": 100 * value for name, value in bounds(item.difference).items()},
                "p_corrected": item.p,
                "trainings": item.trainings,
                "verdict": self.verdict(item.verdict),
            }
            for item in self.figures.metrics
        ]

    def verdict(self, text: str) -> str:
        """Replace "first" and "second" in a verdict by the names of the two sides."""
        return text.replace("first", self.figures.first).replace("second", self.figures.second)

    @property
    def table(self) -> Table:
        """The comparison as a table."""
        rows = tuple(
            Row(
                f"{item.metric}: {self.verdict(item.verdict)}",
                (
                    Cell.without_interval(100 * item.first),
                    Cell.without_interval(100 * item.second),
                    Cell(Interval(*(100 * value for value in bounds(item.difference).values()))),
                ),
                item.group,
            )
            for item in self.figures.metrics
        )
        columns = (self.figures.first, self.figures.second, "difference")
        return Table("Comparison", f"{self.figures.second} − {self.figures.first}", columns, rows, "%", self.notes)

    @property
    def notes(self) -> tuple[str, ...]:
        """How to read the comparison."""
        notes = ["Paired over folds, seeds and test examples; verdicts at 5 %, Holm-corrected within this table."]
        if any(item.trainings == 1 for item in self.figures.metrics):
            notes.append("One training per side: the intervals do not cover variation between trainings.")
        obstacles = sorted({item.obstacle for item in self.figures.metrics if item.obstacle})
        notes += [f"Not decidable: {obstacle}." for obstacle in obstacles]
        for name in ("seeds", "folds"):
            more = [number for item in self.figures.metrics if (number := getattr(item, f"more_{name}"))]
            if more:
                few = "" if min(more) == max(more) else f"{min(more)} to "
                notes.append(f"At the observed variance, {few}{max(more)} more {name} would show a difference.")
        if self.figures.identical:
            notes.append("Both are right and wrong on the same examples everywhere: check that they differ at all.")
        return tuple(notes)

    def to_json(self) -> dict[str, Any]:
        """Return both names and the rows."""
        return {"first": self.figures.first, "second": self.figures.second, "tests": self.rows()}

    def document(self) -> Document:
        """Return the comparison as a table."""
        title = f"{self.figures.second} compared with {self.figures.first}"
        return Document(title=title, tables=(self.table,), commands=(self.command,) if self.command else ())


@dataclass(frozen=True, eq=False, repr=False)
class SweepResult(Result):
    """The main quantities of a benchmark for several values of one setting."""

    sweep: Sweep
    experiments: Mapping[str, Experiment[Any, Any]]
    store: Store
    settings: Settings
    command: str

    @cached_property
    def headlines(self) -> dict[str, list[Headline]]:
        """The main quantities of each value."""
        return collect_headlines(self.experiments, self.store)

    @property
    def table(self) -> Table:
        """A table with a row for each quantity and a column for each value."""
        return sweep_table(self.sweep, self.headlines)

    @property
    def claims(self) -> list[Claim]:
        """The paper's claims about the sweep, with their verdicts."""
        return self.sweep.claims(self.headlines)

    @property
    def caveats(self) -> list[str]:
        """Limitations to report with the results."""
        return next(iter(self.experiments.values())).caveats

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each quantity and value."""
        return TableResult(self.table).rows()

    def to_json(self) -> dict[str, Any]:
        """Return the name of the sweep and the rows."""
        return {"sweep": self.sweep.about, "results": self.rows()}

    def document(self) -> Document:
        """Return the table, the chart and the claims."""
        first = next(iter(self.experiments.values()))
        runs = [run for experiment in self.experiments.values() for run in experiment.runs()]
        return Document(
            title=f"{first.title}: by {self.sweep.about}",
            lead=(first.description,),
            tables=(self.table,),
            claims=tuple(self.claims),
            charts=(sweep_chart(self.sweep, self.headlines),),
            settings=to_toml(self.settings),
            commands=(self.command,),
            environment=tuple(sorted(self.store.environment([step.key for run in runs for step in run]).items())),
            caveats=tuple(first.caveats),
        )
