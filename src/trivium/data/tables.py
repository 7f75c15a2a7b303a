"""Read a user's own pairs, with any columns and the usual label names: from a file, a data frame or Python objects."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from textwrap import shorten
from typing import Any, NamedTuple, Protocol, TypeAlias

from trivium.data.example import Example, shared_facts
from trivium.data.jsonl import text_of
from trivium.data.labels import NLI3, SCHEMES, Labels
from trivium.data.split import Split
from trivium.data.table_labels import NO_CONSENSUS, LabelReader
from trivium.data.table_rows import TableRow, csv_separator, ending_of, line_of, parquet_labels, read_rows, value_text
from trivium.errors import UserError, option

_TEXTS = (
    ("premise", "hypothesis"),
    ("sentence1", "sentence2"),
    ("sentence_a", "sentence_b"),
    ("sentencea", "sentenceb"),
    ("text_a", "text_b"),
    ("text1", "text2"),
    ("text", "text_pair"),
    ("context", "hypothesis"),
    ("context", "statement"),
    ("evidence", "claim"),
    ("document", "claim"),
)
_ONE_TEXT = ("premise", "text", "sentence", "review", "sentence1")
_LABEL = (
    "label",
    "gold_label",
    "entailment_label",
    "entailment_judgment",
    "labels",
    "gold",
    "target",
    "class",
    "sentiment",
)
_MOST_COLUMNS = 30  # columns that an error lists
_ID = ("id", "pairid", "pair_id", "uid", "guid")


class DataFrame(Protocol):
    """A pandas data frame."""

    columns: Any

    def astype(self, dtype: Any) -> Any:
        """Return the data frame with other types of columns."""


Data: TypeAlias = (
    str | Path | Split | Iterable[Example] | Iterable[Mapping[str, Any]] | Iterable[Sequence[str | None]] | DataFrame
)
"""Pairs in any form: a file, a split, examples, rows as mappings, pairs of texts, or a data frame."""


class ReadOptions(NamedTuple):
    """How pairs are read: the arguments of :func:`read_pairs`."""

    premise: str | None = None
    hypothesis: str | None = None
    label: str | None = None
    labels: str | Sequence[str] | None = None
    require_labels: bool = False


LABELLED = ReadOptions(require_labels=True)


class PairTable(NamedTuple):
    """Pairs, and how they were read.

    ``left_out`` is the number of rows with the label ``-`` (no consensus), ``empty`` that of rows without any value.
    ``where`` has the location of each pair, ``columns`` describes the columns that were used, and ``metadata`` are the
    others in order.
    """

    split: Split
    left_out: int
    empty: int = 0
    where: tuple[str, ...] = ()
    columns: str = ""
    metadata: tuple[str, ...] = ()

    def notes(self, name: str) -> list[str]:
        """Return lines that tell the user how the data called ``name`` were read."""
        counts = ((self.empty, "empty row{} skipped"), (self.left_out, "row{} without consensus ('-') left out"))
        skipped = [f"{number:,} {text.format('' if number == 1 else 's')}" for number, text in counts if number]
        return [f"{name}: {'; '.join(filter(None, (self.columns, *skipped)))}"] if self.columns or skipped else []


def read_pairs(
    path: str | Path,
    *,
    premise: str | None = None,
    hypothesis: str | None = None,
    label: str | None = None,
    labels: str | Sequence[str] | None = None,
    require_labels: bool = False,
) -> Split:
    """Read pairs from a ``.jsonl``, ``.csv``, ``.tsv`` (each also with ``.gz``) or ``.parquet`` file.

    Args:
        path: The file. A split that Trivium wrote is read as it is.
        premise: The column of the premise; by default a well-known one, such as ``sentence1``.
        hypothesis: The column of the hypothesis; by default the counterpart, such as ``sentence2``.
        label: The column of the label; by default a well-known one, such as ``gold_label``.
        labels: What the numbers 0, 1, … of the label column mean, such as ``"entailment,neutral,contradiction"`` or a
            list of these.
        require_labels: Whether a row without a label is an error.

    Returns:
        The pairs in order, with the scheme of their labels. All other columns become ``facts``. Rows
        with the label ``-`` are left out; :func:`read_pair_table` also counts them.

    Raises:
        UserError: If the file cannot be read; the message has the location and what to do.

    Example:
        >>> import tempfile
        >>> file = Path(tempfile.mkdtemp()) / "pairs.csv"
        >>> _ = file.write_text("sentence1,sentence2,gold_label,genre\\nIt rains.,It is wet.,entailment,weather\\n")
        >>> read_pairs(file).examples[0].facts
        (('genre', 'weather'),)
    """
    options = ReadOptions(premise, hypothesis, label, labels, require_labels)
    return _read(Path(path), options).split


def read_pair_table(
    path: str | Path,
    *,
    premise: str | None = None,
    hypothesis: str | None = None,
    label: str | None = None,
    labels: str | Sequence[str] | None = None,
    require_labels: bool = False,
) -> PairTable:
    """Read pairs as :func:`read_pairs` does, and count the rows without a consensus label that were left out."""
    return _read(Path(path), ReadOptions(premise, hypothesis, label, labels, require_labels))


def as_split(
    data: Data,
    name: str,
    *,
    premise: str | None = None,
    hypothesis: str | None = None,
    label: str | None = None,
    labels: str | Sequence[str] | None = None,
    require_labels: bool = False,
) -> Split:
    """Return pairs in any form as a split. The arguments are those of :func:`read_pairs`.

    A split is returned as it is. ``name`` is the name of the split of examples, pairs, mappings or a data frame.

    Example:
        >>> rows = [{"sentence1": "It rains.", "sentence2": "It is wet.", "gold_label": "entailment"}]
        >>> as_split(rows, "weather").examples[0].hypothesis
        'It is wet.'
    """
    return read_data(data, name, ReadOptions(premise, hypothesis, label, labels, require_labels)).split


def read_data(data: Data, name: str, options: ReadOptions) -> PairTable:
    """Read pairs in any form as :func:`as_split` does, and also return how they were read."""
    if isinstance(data, str | Path):
        return _read(Path(data), options)
    rows = data if isinstance(data, Split) else _rows_of(data, name)
    if isinstance(rows, Split) or all(isinstance(row, Example) for row in rows):
        if any(options[:4]):
            raise UserError(f"{name}: examples have no columns: leave out premise, hypothesis, label and labels")
        split = rows if isinstance(rows, Split) else Split(name, tuple(rows), _scheme_of(rows, name))
        return PairTable(split, 0, where=tuple(f"{name}:row {number}" for number in range(1, len(split) + 1)))
    if all(isinstance(row, list | tuple) and len(row) in (2, 3) for row in rows):
        rows = [dict(zip(("premise", "hypothesis", "label"), row, strict=False)) for row in rows]
    other = next((row for row in rows if not isinstance(row, Mapping)), None)
    if other is not None:
        raise UserError(
            f"{name}: must contain only examples, mappings, or (premise, hypothesis) pairs, not {type(other).__name__}"
        )
    fields = ({str(column): value for column, value in row.items()} for row in rows)
    table = (TableRow(f"{name}:row {number}", row) for number, row in enumerate(fields, 1))
    return _pairs_of(table, name, name, options, lambda row: row.where)


def name_of(data: Data, name: str) -> str:
    """Return the name of data in messages: the file, the name of the split, or ``name``."""
    return str(data) if isinstance(data, str | Path) else data.name if isinstance(data, Split) else name


def several(data: Data | Sequence[Data]) -> list[Data]:
    """Return a list of data sets: a single data set, such as a list of examples, becomes a list with one item."""
    if not isinstance(data, list | tuple):
        return [data]  # type: ignore[list-item]
    are_sets = all(isinstance(each, str | Path | Split | list | tuple) or _is_frame(each) for each in data)
    return list(data) if are_sets else [data]


def _is_frame(data: object) -> bool:
    return hasattr(data, "columns") and hasattr(data, "to_dict")


def _rows_of(data: Any, name: str) -> list[Any]:
    """Return the rows of a data frame, with None for missing values, or the items of an iterable."""
    if _is_frame(data):
        data = data.astype(object).where(data.notna(), None).to_dict("records")
    if isinstance(data, Mapping) or not isinstance(data, Iterable):
        raise UserError(
            f"{name}: must be a file, a Split, a data frame, or a list of examples, mappings or pairs, not "
            f"{type(data).__name__}"
        )
    rows = list(data)
    if not rows:
        raise UserError(f"{name}: contains no examples")
    return rows


def _scheme_of(examples: Iterable[Example], name: str) -> Labels:
    """Return the first label scheme that contains all labels of the examples."""
    used = {example.label for example in examples if example.label is not None}
    for scheme in SCHEMES.values():
        if used <= set(scheme.names):
            return scheme
    raise UserError(
        f"{name}: the labels {', '.join(sorted(used))} are not those of one scheme, such as {', '.join(NLI3.names)}"
    )


class _Columns(NamedTuple):
    """The columns of a table by their content; ``facts`` are all others."""

    premise: str
    hypothesis: str | None
    label: str | None
    id: str | None
    facts: tuple[str, ...]

    def describe(self) -> str:
        """Return which columns are used: ``premise from 'sentence1', …; metadata: topic``."""
        texts = (("premise", self.premise), ("hypothesis", self.hypothesis), ("label", self.label))
        used = ", ".join(f"{name} from {column!r}" for name, column in texts if column is not None)
        return used + (f"; metadata: {_shown(self.facts)}" if self.facts else "")


def _read(path: Path, options: ReadOptions) -> PairTable:
    ending = ending_of(path)
    if ending == ".parquet" and path.is_file() and parquet_labels(path) is not None:
        return _read_split(path, options)
    rows = read_rows(path)
    first = next(rows)  # exists: read_rows raises if a file is empty
    if ending == ".jsonl" and set(first.fields) == {"labels"}:
        return _read_split(path, options)
    table = _pairs_of(chain((first,), rows), _stem(path), str(path), options, lambda row: _header_of(row, ending, path))
    if ending == ".csv" and csv_separator(path) == ";":
        return table._replace(columns=f"separated by semicolons; {table.columns}")
    return table


def _pairs_of(
    rows: Iterable[TableRow], name: str, origin: str, options: ReadOptions, header_of: Callable[[TableRow], str]
) -> PairTable:
    """Return the pairs of rows; ``header_of`` returns the location of a row's column names."""
    labels = LabelReader(options.labels)
    columns: dict[tuple[str, ...], _Columns] = {}
    examples: list[Example] = []
    where: list[str] = []
    ids: dict[str, str] = {}
    left_out = empty = 0
    for number, row in enumerate(rows, 1):
        if all(value is None or (isinstance(value, str) and not value.strip()) for value in row.fields.values()):
            empty += 1
            continue
        names = tuple(row.fields)
        header = header_of(row)
        if names not in columns:  # the rows of a JSONL file may have different fields
            columns[names] = _find_columns(names, options, header)
        example = _example(row, columns[names], number, labels)
        if example.label == NO_CONSENSUS:
            left_out += 1
            continue
        if example.label is None and options.require_labels:
            raise UserError(f"{row.where}: the label is missing: add it, or remove the row")
        if example.hypothesis is None and not labels.may_be_sentiment(example.label):
            raise _without_hypothesis(row, columns[names], header)
        line = line_of(row.where)
        first = ids.setdefault(example.id, line)
        if first != line:
            raise UserError(f"{row.where}: the id {example.id!r} is already used in {first}: make ids unique")
        examples.append(example)
        where.append(row.where)
    if not examples:
        reason = f"all {left_out} rows have the label '-' (no consensus): no pair is left" if left_out else "no pairs"
        raise UserError(f"{origin}: {reason}")
    for index, example in enumerate(examples):  # in place, so that examples are not held twice
        if example.label is not None:
            examples[index] = replace(example, label=labels.translated(example.label))
    first_columns = next(iter(columns.values()))
    return PairTable(
        Split(name, tuple(examples), labels.scheme),
        left_out,
        empty,
        tuple(where),
        first_columns.describe(),
        first_columns.facts,
    )


def _without_hypothesis(row: TableRow, columns: _Columns, header: str) -> UserError:
    if columns.hypothesis is not None:
        return UserError(
            f"{row.where}: the hypothesis (column {columns.hypothesis!r}) is empty: fill it, or remove the row"
        )
    return UserError(
        f"{header}: no column for the hypothesis: name it with {option('hypothesis')}, or use "
        f"{option('labels', 'negative,positive')} if rows have one text{_available(tuple(row.fields), 'hypothesis')}"
    )


def _read_split(path: Path, options: ReadOptions) -> PairTable:
    """Read a split that Trivium wrote."""
    if any((options.premise, options.hypothesis, options.label)):
        raise UserError(
            f"{path}: a split that Trivium wrote, whose columns are fixed: leave out premise, hypothesis and label"
        )
    if path.suffix.lower() == ".gz":
        raise UserError(f"{path}: a split that Trivium wrote must not be gzipped: unpack it with `gunzip {path}`")
    split = Split.read(path)
    if not len(split):
        raise UserError(f"{path}: the split has no examples")
    unlabelled = next((example for example in split if example.label is None), None)
    if options.require_labels and unlabelled is not None:
        raise UserError(f"{path}: the example {unlabelled.id!r} has no label: add it, or leave out the example")
    first, unit = (1, "row ") if path.suffix.lower() == ".parquet" else (2, "")  # line 1 of JSONL names the labels
    return PairTable(split, 0, where=tuple(f"{path}:{unit}{number}" for number in range(first, len(split) + first)))


def _stem(path: Path) -> str:
    return path.name.removesuffix(path.suffix).removesuffix(".jsonl").removesuffix(".csv").removesuffix(".tsv")


def _header_of(row: TableRow, ending: str, path: Path) -> str:
    """Return the location of the column names."""
    return {".jsonl": row.where, ".parquet": str(path)}.get(ending, f"{path}:1")


def _find_columns(names: Sequence[str], options: ReadOptions, where: str) -> _Columns:
    """Return the columns by their content, from the options and the well-known names."""
    for purpose, name in (("premise", options.premise), ("hypothesis", options.hypothesis), ("label", options.label)):
        if name is not None and name not in names:
            raise UserError(f"{where}: no column {name!r} for the {purpose}{_available(names, name)}")
    by_lower = {name.lower(): name for name in reversed(names)}
    premise, hypothesis = _find_texts(by_lower, options)
    used = {premise, hypothesis, options.label}
    known = {lower: name for lower, name in by_lower.items() if name not in used}
    label = options.label or next((known[alias] for alias in _LABEL if alias in known), None)
    if premise is None:
        raise UserError(
            f"{where}: no column for the premise: name it with {option('premise')}{_available(names, 'premise')}"
        )
    if label is None and options.require_labels:
        raise UserError(f"{where}: no column for the label: name it with {option('label')}{_available(names, 'label')}")
    id_ = next((known[alias] for alias in _ID if alias in known and known[alias] != label), None)
    facts = tuple(name for name in names if name not in (premise, hypothesis, label, id_))
    return _Columns(premise, hypothesis, label, id_, facts)


def _find_texts(by_lower: Mapping[str, str], options: ReadOptions) -> tuple[str | None, str | None]:
    """Return the columns of premise and hypothesis; None for one that is neither named nor well known."""
    premise, hypothesis = options.premise, options.hypothesis
    if premise is not None and hypothesis is not None:
        return premise, hypothesis
    for first, second in _TEXTS:
        names = premise or by_lower.get(first), hypothesis or by_lower.get(second)
        if names[0] is not None and names[1] is not None and names[0] != names[1]:
            return names
    firsts = (*_ONE_TEXT, *(first for first, _ in _TEXTS))
    if premise is None:
        premise = next((by_lower[name] for name in firsts if name in by_lower and by_lower[name] != hypothesis), None)
    return premise, hypothesis


def _available(names: Sequence[str], name: str) -> str:
    """Return the end of an error about a missing column: all columns, and the most similar one."""
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.75)
    return f" (available: {_shown(names)})" + (f": did you mean {near[0]!r}?" if near else "")


def _shown(names: Sequence[str]) -> str:
    shown = [shorten(column, 40, placeholder="…") for column in names[:_MOST_COLUMNS]]
    return ", ".join(shown) + (", …" if len(names) > _MOST_COLUMNS else "")


def _example(row: TableRow, columns: _Columns, number: int, labels: LabelReader) -> Example:
    """Return the example of a row, with its label as spelled in the file."""
    premise = _text(row, columns.premise)
    if premise is None:
        raise UserError(f"{row.where}: the premise (column {columns.premise!r}) is empty: fill it, or remove the row")
    hypothesis = None if columns.hypothesis is None else _text(row, columns.hypothesis)
    label = None if columns.label is None else labels.read(row, columns.label)
    id_ = str(number) if columns.id is None else value_text(row.fields, columns.id, row.where)
    if not id_:
        raise UserError(f"{row.where}: the id (column {columns.id!r}) is empty: fill it, or remove the column")
    facts = shared_facts(tuple(sorted(_facts(row, columns.facts).items())))
    return Example(id_, premise, hypothesis, label, facts=facts)


def _text(row: TableRow, column: str) -> str | None:
    """Return the text of a column; None if it is missing or blank."""
    if row.fields[column] is None:
        return None
    text = text_of(row.fields, column, row.where)
    if "\0" in text:
        raise UserError(f"{row.where}: a NUL character in the column {column!r}: remove it")
    return text if text.strip() else None


def _facts(row: TableRow, columns: Iterable[str]) -> dict[str, str]:
    facts: dict[str, str] = {}
    for column in columns:
        value = row.fields[column]
        # The facts of examples that Trivium wrote, in a file without the line that names the labels.
        inner = value if column == "facts" and isinstance(value, dict) else {column: value}
        for name in inner:
            text = value_text(inner, name, row.where)
            if text is not None:
                facts[name] = text
    return facts
