"""The split: an ordered, named set of examples, identified by the hash of its content."""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from trivium.data.example import Example, shared_facts
from trivium.data.jsonl import check_fields, parse_json, read_objects, text_of
from trivium.data.labels import NLI3, SCHEMES, Labels
from trivium.errors import UserError, shown_value, unknown_name
from trivium.saving import saving

_DEEPEST = 20  # maximum depth of nested parts
_COLUMNS = ("id", "premise", "hypothesis", "label", "task", "facts", "parts")


@dataclass(frozen=True)
class Split:
    """An ordered, named set of examples and the scheme of their labels."""

    name: str
    examples: tuple[Example, ...]
    labels: Labels = field(default=NLI3)

    def __len__(self) -> int:
        return len(self.examples)

    def __iter__(self) -> Iterator[Example]:
        return iter(self.examples)

    @cached_property
    def identity(self) -> str:
        """The sha256 of the labels and the examples; it does not depend on the name."""
        digest = _digest(self.labels)
        for example in self.examples:
            digest.update(b"\n")
            digest.update(_dumps(example.to_json()).encode())
        return digest.hexdigest()

    def counts(self) -> dict[str, int]:
        """Return how often each label of the scheme occurs."""
        counts = Counter(example.label for example in self.examples)
        return {label: counts[label] for label in self.labels.names}

    def write(self, path: Path) -> None:
        """Write a ``.jsonl`` or ``.parquet`` file atomically. The same split always gives the same bytes."""
        suffix = _checked_suffix(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"{path}: cannot be written: {error.strerror}") from None
        with saving(path) as temporary:
            if suffix == ".jsonl":
                self.write_jsonl(temporary)
            else:
                self._write_parquet(temporary)

    @classmethod
    def read(cls, path: Path, name: str | None = None) -> Split:
        """Read a ``.jsonl`` or ``.parquet`` file. Errors name the file and the line or row."""
        suffix = _checked_suffix(path)
        if not path.is_file():
            raise UserError(f"{path}: no such file")
        scheme, rows = _read_jsonl(path) if suffix == ".jsonl" else _read_parquet(path)
        if scheme not in SCHEMES:
            raise unknown_name(f"label scheme in {path}:", scheme, SCHEMES)
        labels = SCHEMES[scheme]
        examples = tuple(_example(row, f"{path}:{number}", labels) for number, row in rows)
        return cls(name or path.stem, examples, labels)

    def write_jsonl(self, path: Path) -> None:
        """Write the ``.jsonl`` file of the split, line by line."""
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.write(_dumps({"labels": self.labels.name}) + "\n")
            file.writelines(_dumps(example.to_json()) + "\n" for example in self.examples)

    def _write_parquet(self, path: Path) -> None:
        import pyarrow as pa  # imported here because it takes long, and few callers need it
        import pyarrow.parquet as pq

        rows = []
        for example in self.examples:
            row = example.to_json()
            row["task"] = example.task
            row["facts"] = _dumps(dict(example.facts))
            row["parts"] = _dumps([part.to_json() for part in example.parts])
            rows.append(row)
        schema = pa.schema([(column, pa.string()) for column in _COLUMNS], metadata={"labels": self.labels.name})
        table = pa.Table.from_pylist(rows, schema=schema)
        pq.write_table(table, path, compression="zstd")


def identity_of_file(path: Path) -> str:
    """Return the identity of the split in a ``.jsonl`` file without parsing its examples; empty if it has no header."""
    with path.open("rb") as file:
        try:
            labels = SCHEMES[json.loads(file.readline())["labels"]]
        except (ValueError, TypeError, KeyError):
            return ""
        digest = _digest(labels)
        for line in file:
            digest.update(b"\n")
            digest.update(line.rstrip(b"\n"))
    return digest.hexdigest()


def _digest(labels: Labels) -> hashlib._Hash:
    return hashlib.sha256(json.dumps([labels.name, *labels.names]).encode())


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _checked_suffix(path: Path) -> str:
    if path.suffix not in (".jsonl", ".parquet"):
        raise UserError(f"{path}: must be a .jsonl or a .parquet file")
    return path.suffix


_Rows = Iterator[tuple[int, dict[str, Any]]]


def _read_jsonl(path: Path) -> tuple[str, _Rows]:
    """Return the name of the label scheme of a JSON Lines file, and its numbered lines."""
    rows = read_objects(path)
    first = next(rows, None)
    if first is None:
        raise UserError(f"{path}: the file is empty")
    number, row = first
    if number == 1 and set(row) == {"labels"}:
        return text_of(row, "labels", f"{path}:{number}"), rows
    return NLI3.name, chain((first,), rows)


def _read_parquet(path: Path) -> tuple[str, _Rows]:
    """Return the name of the label scheme of a Parquet file, and its numbered rows."""
    from trivium.data.parquet import parquet_metadata

    return parquet_metadata(path).get(b"labels", NLI3.name.encode()).decode(errors="replace"), _parquet_rows(path)


def _parquet_rows(path: Path) -> _Rows:
    from trivium.data.parquet import read_parquet

    for number, row in enumerate(read_parquet(path), 1):
        for column in ("facts", "parts"):
            if not row.get(column):
                row.pop(column, None)
            elif isinstance(row[column], str):
                row[column] = parse_json(row[column], f"{path}:{number}: {column!r}")
        row["task"] = row.get("task") or "nli"
        yield number, row


def _example(row: dict[str, Any], where: str, labels: Labels, depth: int = 0) -> Example:
    """Return the example of a line, of a row, or of one of its parts. ``where`` is the file and the line or row."""
    if depth > _DEEPEST:
        raise UserError(f"{where}: parts are nested more than {_DEEPEST} times")
    check_fields(row, ("premise", "hypothesis", "label"), where)
    row = {"id": where.rpartition(":")[2], "task": "nli", "facts": {}, "parts": [], **row}
    facts, parts = row["facts"], row["parts"]
    if not isinstance(facts, dict):
        raise UserError(f"{where}: 'facts' must be an object, not {shown_value(facts)}")
    if not isinstance(parts, list) or not all(isinstance(part, dict) and "id" in part for part in parts):
        raise UserError(f"{where}: 'parts' must be a list of objects, each with an 'id'")
    return Example(
        id=text_of(row, "id", where),
        premise=text_of(row, "premise", where),
        hypothesis=None if row["hypothesis"] is None else text_of(row, "hypothesis", where),
        label=None if row["label"] is None else labels.parse(_label_text(row["label"]), where),
        task=sys.intern(text_of(row, "task", where)),
        facts=shared_facts(tuple(sorted((name, text_of(facts, name, where)) for name in facts))),
        parts=tuple(_example(part, where, labels, depth + 1) for part in parts),
    )


def _label_text(label: object) -> str:
    return label if isinstance(label, str) else shown_value(label)
