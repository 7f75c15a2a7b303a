"""The base of all results: tidy rows, data frames, JSON, reports, notebooks."""

from __future__ import annotations

import csv
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from trivium.data.cells import guarded_row
from trivium.errors import UserError, option, unknown_name
from trivium.measure.chart import Figure
from trivium.measure.table import Cell, Table
from trivium.report.document import Document
from trivium.saving import check_writable_file, saving, write_text

if TYPE_CHECKING:
    import pandas

T = TypeVar("T")


class Result(ABC):
    """The base of all results: rows for data frames, figures as JSON, and a document for reports."""

    @abstractmethod
    def document(self) -> Document:
        """Return everything that a report shows."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain values."""

    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of a tidy table."""

    def to_frame(self) -> pandas.DataFrame:
        """Return the tidy table as a pandas data frame."""
        try:
            import pandas
        except ImportError:
            raise UserError("to_frame() needs pandas: pip install 'trivium-nli[pandas]'") from None
        return pandas.DataFrame(self.rows())

    def report(self, path: str | Path) -> Path:
        """Write a report (``.html`` or ``.md``) that works offline, and return its path."""
        from trivium.report.write import write_document

        file = check_report(Path(path))
        write_document(self.document(), file)
        return file

    def export(self, path: str | Path, format: str | None = None) -> Path:
        """Write the tidy table as CSV, JSON or Parquet; the format is that of the file's ending by default."""
        file = Path(path)
        write_rows(self.rows(), file, format or file.suffix.removeprefix("."))
        return file

    def _repr_html_(self) -> str:
        from trivium.report.notebook import document_frame

        return document_frame(self.document())

    def __str__(self) -> str:
        from trivium.report.terminal import tables_text

        document = self.document()
        return "\n\n".join(filter(None, (document.title, "\n".join(document.lead), tables_text(document.tables))))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: print() shows its tables, rows() returns its figures>"


def check_report(file: Path) -> Path:
    """Return the file; raise, before any work is done, if no report can be written there."""
    if file.suffix not in (".html", ".md"):
        raise UserError(f"{file}: a report must be an .html or .md file")
    check_writable_file(file)
    return file


def write_rows(rows: Sequence[Mapping[str, Any]], file: Path, format: str) -> None:
    """Write rows as ``csv``, ``json`` or ``parquet``, whole or not at all."""
    if format not in ("csv", "json", "parquet"):
        raise UserError(f"{option('format', format)}: must be 'csv', 'json' or 'parquet'")
    check_writable_file(file)
    if format == "json":
        write_text(file, json.dumps(list(rows), indent=1, ensure_ascii=False) + "\n")
        return
    with saving(file) as unfinished:
        if format == "parquet":
            import pyarrow as pa
            import pyarrow.parquet as pq

            pq.write_table(pa.Table.from_pylist([dict(row) for row in rows]), unfinished)
        else:
            columns = list(dict.fromkeys(column for row in rows for column in row))
            with unfinished.open("w", encoding="utf-8", newline="") as opened:
                writer = csv.writer(opened)
                writer.writerow(guarded_row(columns))
                writer.writerows(guarded_row(row.get(column, "") for column in columns) for row in rows)


class Named(Mapping[str, T]):
    """Things by a short name, such as ``table-6``; a misspelt name gets a suggestion."""

    def __init__(self, kind: str, things: Mapping[str, T]) -> None:
        self._kind, self._things = kind, dict(things)

    def __getitem__(self, name: str) -> T:
        if name not in self._things:
            raise unknown_name(self._kind, name, self._things)
        return self._things[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._things)

    def __len__(self) -> int:
        return len(self._things)

    def __repr__(self) -> str:
        return f"{self._kind}s: {', '.join(self._things)}"

    @classmethod
    def by_slug(cls, kind: str, titled: Sequence[tuple[str, T]]) -> Named[T]:
        """Name things after their titles; things of one title are numbered."""
        things: dict[str, T] = {}
        for title, thing in titled:
            slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or kind
            number, name = 1, slug
            while name in things:
                number += 1
                name = f"{slug}-{number}"
            things[name] = thing
        return cls(kind, things)


@dataclass(frozen=True)
class TableResult:
    """A table that renders in a notebook and becomes a data frame: ``run.tables["table-6"].to_frame()``."""

    table: Table

    def rows(self) -> list[dict[str, Any]]:
        """Return one row for each cell: group, row, column, value, low, high, published."""
        return [
            {"group": row.group, "row": row.name, "column": column, **_values(cell)}
            for row in self.table.rows
            for column, cell in zip(self.table.columns, row.cells, strict=True)
        ]

    def to_frame(self) -> pandas.DataFrame:
        """Return the cells as a pandas data frame."""
        import pandas

        return pandas.DataFrame(self.rows())

    def _repr_html_(self) -> str:
        from trivium.report.notebook import table_html

        return table_html(self.table)

    def __repr__(self) -> str:
        from trivium.report.terminal import tables_text

        return tables_text([self.table])


def _values(cell: Cell) -> dict[str, float | None]:
    ours = cell.measured
    if ours is None:
        return {"value": None, "low": None, "high": None, "published": cell.published}
    bounds = (None, None) if cell.exact else (ours.low, ours.high)
    return {"value": ours.value, "low": bounds[0], "high": bounds[1], "published": cell.published}


@dataclass(frozen=True)
class ChartResult:
    """A figure that renders in a notebook."""

    chart: Figure

    def _repr_html_(self) -> str:
        from trivium.report.plots import can_draw, draw

        return draw(self.chart) if can_draw(self.chart) else "not run"

    def __repr__(self) -> str:
        return f"<Chart {self.chart.name}: {self.chart.title}. It is drawn in a notebook and in reports.>"


def flat(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return nested values under joined names: ``accuracy_low`` for ``{"accuracy": {"low": …}}``."""
    values: dict[str, Any] = {}
    for name, value in plain.items():
        if isinstance(value, Mapping):
            values |= {name if key == "value" else f"{name}_{key}": inner for key, inner in flat(value).items()}
        else:
            values[name] = value
    return values
