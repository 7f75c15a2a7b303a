"""An ordered, named set of examples whose identity is the hash of its content."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from trivium.data.example import Example
from trivium.data.labels import NLI3, SCHEMES, Labels
from trivium.errors import UserError, unknown_name

_COLUMNS = pa.schema(
    [(name, pa.string()) for name in ("id", "premise", "hypothesis", "label", "task", "facts", "parts")]
)


@dataclass(frozen=True)
class Split:
    """Examples in order, under a name, with the scheme of their labels."""

    name: str
    examples: tuple[Example, ...]
    labels: Labels = field(default=NLI3)

    def __len__(self) -> int:
        return len(self.examples)

    def __iter__(self) -> Iterator[Example]:
        return iter(self.examples)

    @cached_property
    def identity(self) -> str:
        """The sha256 of labels and examples; the name does not count."""
        digest = hashlib.sha256(json.dumps([self.labels.name, *self.labels.names]).encode())
        for example in self.examples:
            digest.update(b"\n")
            digest.update(_dumps(example.to_json()).encode())
        return digest.hexdigest()

    def counts(self) -> dict[str, int]:
        """How often each label of the scheme occurs."""
        seen = Counter(example.label for example in self.examples)
        return {label: seen[label] for label in self.labels.names}

    def write(self, path: Path) -> None:
        """Write a ``.jsonl`` or ``.parquet`` file; the same split gives the same bytes."""
        path.parent.mkdir(parents=True, exist_ok=True)
        if _ending(path) == ".jsonl":
            lines = [
                _dumps({"labels": self.labels.name}),
                *(_dumps(example.to_json()) for example in self.examples),
            ]
            path.write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="\n")
        else:
            self._write_parquet(path)

    @classmethod
    def read(cls, path: Path, name: str | None = None) -> Split:
        """Read a ``.jsonl`` or ``.parquet`` file; errors name file and line (or row)."""
        ending = _ending(path)
        if not path.is_file():
            raise UserError(f"{path}: there is no such file")
        rows, scheme = _read_jsonl(path) if ending == ".jsonl" else _read_parquet(path)
        if scheme not in SCHEMES:
            raise unknown_name(f"label scheme in {path}:", scheme, SCHEMES)
        labels = SCHEMES[scheme]
        examples = tuple(_example(row, f"{path}:{number}", labels) for number, row in rows)
        return cls(name or path.stem, examples, labels)

    def _write_parquet(self, path: Path) -> None:
        rows = []
        for example in self.examples:
            row = example.to_json()
            row["task"] = example.task
            row["facts"] = _dumps(dict(example.facts))
            row["parts"] = _dumps([part.to_json() for part in example.parts])
            rows.append(row)
        table = pa.Table.from_pylist(rows, schema=_COLUMNS.with_metadata({"labels": self.labels.name}))
        pq.write_table(table, path, compression="zstd")


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _ending(path: Path) -> str:
    if path.suffix not in (".jsonl", ".parquet"):
        raise UserError(f"{path}: a split is a .jsonl or a .parquet file, not {path.suffix or 'without an ending'}")
    return path.suffix


def _read_jsonl(path: Path) -> tuple[list[tuple[int, dict[str, Any]]], str]:
    rows: list[tuple[int, dict[str, Any]]] = []
    scheme = NLI3.name
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                raise UserError(f"{path}:{number}: not JSON ({error.msg} at column {error.colno})") from None
            if not isinstance(row, dict):
                raise UserError(f"{path}:{number}: a line must be a JSON object, not {type(row).__name__}")
            if number == 1 and set(row) == {"labels"}:
                scheme = row["labels"]
            else:
                rows.append((number, row))
    return rows, scheme


def _read_parquet(path: Path) -> tuple[Iterable[tuple[int, dict[str, Any]]], str]:
    try:
        table = pq.read_table(path)
    except pa.ArrowInvalid as error:
        raise UserError(f"{path}: not a parquet file ({str(error).splitlines()[0]})") from None
    metadata = table.schema.metadata or {}
    rows = table.to_pylist()
    for row in rows:
        for column, empty in (("facts", {}), ("parts", [])):
            row[column] = json.loads(row[column]) if row.get(column) else empty
        row["task"] = row.get("task") or "nli"
    return list(enumerate(rows, 1)), metadata.get(b"labels", NLI3.name.encode()).decode()


def _example(row: dict[str, Any], where: str, labels: Labels) -> Example:
    for column in ("premise", "hypothesis", "label"):
        if column not in row:
            raise UserError(f"{where}: the field {column!r} is missing (there is {', '.join(sorted(row))})")
    if not isinstance(row["premise"], str):
        raise UserError(f"{where}: 'premise' must be text, not {row['premise']!r}")
    row = {"id": where.rpartition(":")[2], **row}
    if row["label"] is not None:
        row["label"] = labels.parse(str(row["label"]), where)
    return Example.from_json(row)
