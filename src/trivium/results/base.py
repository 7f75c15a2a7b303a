"""The base class of all results, and results for tables and charts."""

from __future__ import annotations

import csv
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from trivium.data.cells import guarded_row
from trivium.errors import UserError, option, unknown_name
from trivium.measure.chart import Chart, Figure
from trivium.measure.statistics.intervals import bounds
from trivium.measure.table import Cell, Table
from trivium.report.document import Document
from trivium.saving import check_writable_file, saving, write_text

if TYPE_CHECKING:
    import pandas

T = TypeVar("T")


class Result(ABC):
    """The base class of all results. Subclasses provide rows, JSON values and a document."""

    @abstractmethod
    def document(self) -> Document:
        """Return the content of the report."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain values."""

    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of a tidy table."""

    def figure_rows(self) -> list[dict[str, Any]]:
        """Return the figures as rows of a table: those of :meth:`rows`, unless they are single examples."""
        return self.rows()

    def to_frame(self) -> pandas.DataFrame:
        """Return the tidy table as a pandas data frame."""
        return _to_frame(self.rows())

    def report(self, path: str | Path) -> Path:
        """Write a self-contained report (``.html`` or ``.md``), and return its path."""
        from trivium.report.write import write_document

        file = check_report(Path(path))
        write_document(self.document(), file)
        return file

    def export(self, path: str | Path, format: str | None = None) -> Path:
        """Write the tidy table as CSV, JSON or Parquet; by default, the file extension determines the format."""
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


def _to_frame(rows: Sequence[Mapping[str, Any]]) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError:
        raise UserError("to_frame() needs pandas: pip install 'trivium-nli[pandas]'") from None
    return pandas.DataFrame(rows)


def check_report(file: Path) -> Path:
    """Return the file after checking that a report can be written to it."""
    if file.suffix not in (".html", ".md"):
        raise UserError(f"{file}: a report must be an .html or .md file")
    check_writable_file(file)
    return file


def write_rows(rows: Sequence[Mapping[str, Any]], file: Path, format: str) -> None:
    """Write rows as ``csv``, ``json`` or ``parquet``. An error leaves no partial file."""
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
    """A mapping from short names such as ``table-6``; the error for an unknown name suggests the closest one."""

    def __init__(self, kind: str, items: Mapping[str, T]) -> None:
        self._kind, self._items = kind, dict(items)

    def __getitem__(self, name: str) -> T:
        if name not in self._items:
            raise unknown_name(self._kind, name, self._items)
        return self._items[name]

    def __contains__(self, name: object) -> bool:
        return name in self._items

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"{self._kind}s: {', '.join(self._items)}"

    @classmethod
    def by_slug(cls, kind: str, titled_items: Sequence[tuple[str, T]]) -> Named[T]:
        """Name items after their titles; items with the same title are numbered."""
        items: dict[str, T] = {}
        for title, item in titled_items:
            slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or kind
            number, name = 1, slug
            while name in items:
                number += 1
                name = f"{slug}-{number}"
            items[name] = item
        return cls(kind, items)


@dataclass(frozen=True)
class TableResult:
    """A table that renders in a notebook and converts to a data frame: ``run.tables["table-6"].to_frame()``."""

    table: Table

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each cell: group, row, column, value, low, high, published."""
        return [
            {"group": row.group, "row": row.name, "column": column, **_values(cell)}
            for row in self.table.rows
            for column, cell in zip(self.table.columns, row.cells, strict=True)
        ]

    def to_frame(self) -> pandas.DataFrame:
        """Return the cells as a pandas data frame."""
        return _to_frame(self.rows())

    def _repr_html_(self) -> str:
        from trivium.report.notebook import table_html

        return table_html(self.table)

    def __repr__(self) -> str:
        from trivium.report.terminal import tables_text

        return tables_text([self.table])


def _values(cell: Cell) -> dict[str, float | None]:
    measured = cell.measured
    if measured is None:
        return {"value": None, "low": None, "high": None, "published": cell.published}
    low, high = (None, None) if cell.exact else (measured.low, measured.high)
    return {"value": measured.value, "low": low, "high": high, "published": cell.published}


@dataclass(frozen=True)
class ChartResult:
    """A figure that renders in a notebook: ``run.charts["forgetting"].save("forgetting.png")``."""

    chart: Figure

    def save(self, path: str | Path) -> Path:
        """Write the figure as ``.svg``, ``.png`` or ``.html``, and return the path."""
        from trivium.report.plots import draw

        file = Path(path)
        if file.suffix not in (".svg", ".png", ".html"):
            raise UserError(f"{file}: a figure must be an .svg, .png or .html file")
        check_writable_file(file)
        svg = draw(self.chart)
        if file.suffix == ".png":
            import vl_convert

            with saving(file) as unfinished:
                unfinished.write_bytes(vl_convert.svg_to_png(svg, scale=2))
        else:
            write_text(file, svg)
        return file

    def rows(self) -> list[dict[str, Any]]:
        """Return one row for each point that is drawn."""
        if isinstance(self.chart, Chart):
            return [flatten(asdict(point) | {"measured": bounds(point.measured)}) for point in self.chart.points]
        return [asdict(dot) for dot in self.chart.dots]

    def to_frame(self) -> pandas.DataFrame:
        """Return the points as a pandas data frame."""
        import pandas

        return pandas.DataFrame(self.rows())

    def _repr_html_(self) -> str:
        from trivium.report.plots import can_draw, draw

        return draw(self.chart) if can_draw(self.chart) else "not run"

    def __repr__(self) -> str:
        return f"<Chart {self.chart.name}: {self.chart.title}, drawn in notebooks and reports>"


def flatten(nested: Mapping[str, Any]) -> dict[str, Any]:
    """Flatten a nested mapping: ``{"accuracy": {"low": …}}`` becomes ``{"accuracy_low": …}``."""
    values: dict[str, Any] = {}
    for name, value in nested.items():
        if isinstance(value, Mapping):
            values |= {name if key == "value" else f"{name}_{key}": inner for key, inner in flatten(value).items()}
        else:
            values[name] = value
    return values
