"""Write predictions, one row per example, as CSV, TSV, JSON Lines or Parquet, atomically."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any

from trivium.data.cells import guarded
from trivium.errors import UserError
from trivium.saving import check_writable_file, saving

ENDINGS = (".csv", ".tsv", ".jsonl", ".parquet")
_TEXTS = ("id", "premise", "hypothesis", "label", "predicted")
_BATCH = 4096


def check_predictions_path(path: Path) -> None:
    """Raise, before any work is done, if predictions cannot be written to a file."""
    if path.suffix.lower() not in ENDINGS:
        raise UserError(f"{path}: predictions are written to {', '.join(ENDINGS)} files: choose one of these endings")
    check_writable_file(path)


def write_rows(rows: Iterable[Mapping[str, Any]], labels: Sequence[str], metadata: Sequence[str], path: Path) -> None:
    """Write rows of :meth:`trivium.tools.evaluation.Evaluation.rows`.

    JSON Lines keep probabilities and metadata as objects. In the other formats each label has a column
    ``p_<label>`` and each metadata column its own name, or ``metadata_<name>`` if that name is already used. In CSV
    and TSV a cell that a spreadsheet would evaluate as a formula is prefixed with an apostrophe.
    """
    check_predictions_path(path)
    with saving(path) as temporary:
        if path.suffix.lower() == ".jsonl":
            with temporary.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        elif path.suffix.lower() == ".parquet":
            _write_parquet(flat_rows(rows, labels, metadata), labels, temporary)
        else:
            _write_delimited(
                flat_rows(rows, labels, metadata), "," if path.suffix.lower() == ".csv" else "\t", temporary
            )


def flat_rows(
    rows: Iterable[Mapping[str, Any]], labels: Sequence[str], metadata: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Yield the names of the columns, each with itself as value, and then the rows."""
    own = (*_TEXTS, "correct", "probability", *(f"p_{label}" for label in labels))
    names: dict[str, str] = {}
    for name in metadata:
        column = name
        while column in own or column in names.values() or (column != name and column in metadata):
            column = f"metadata_{column}"
        names[name] = column
    yield {column: column for column in (*own, *names.values())}
    for row in rows:
        yield {
            **{name: row[name] for name in (*_TEXTS, "correct", "probability")},
            **{f"p_{label}": row["probabilities"][label] for label in labels},
            **{column: row["metadata"].get(name) for name, column in names.items()},
        }


def _write_delimited(rows: Iterator[dict[str, Any]], separator: str, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(_LineFeeds(file), delimiter=separator, lineterminator="\r\n")
        writer.writerows([_cell(value) for value in row.values()] for row in rows)


class _LineFeeds:
    """Ends rows with a line feed. With that line terminator, csv would not quote carriage returns in cells."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, row: str) -> int:
        """Write a row."""
        return self._file.write(row.removesuffix("\r\n") + "\n")


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    return guarded(value)


def _write_parquet(rows: Iterator[dict[str, Any]], labels: Sequence[str], path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {"correct": pa.bool_(), "probability": pa.float64(), **{f"p_{label}": pa.float64() for label in labels}}
    schema = pa.schema([(name, types.get(name, pa.string())) for name in next(rows)])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        while batch := list(islice(rows, _BATCH)):
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
