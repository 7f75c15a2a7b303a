"""Detect the label scheme of a user's table, and translate its labels."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trivium.data.labels import NLI2, NLI3, SENTIMENT, Labels
from trivium.data.table_rows import TableRow, line_of, value_text
from trivium.errors import UserError, did_you_mean, option

NO_CONSENSUS = "-"
"""The label of SNLI's pairs on which annotators did not agree."""

_NO_CLASS = re.compile(r"-1(\.0+)?")  # no consensus where labels are numbers
_NUMBER = re.compile(r"[+-]?\d{1,9}(\.0{1,9})?")
_SCHEMES = (NLI3, NLI2, SENTIMENT)
_LONGEST_SHOWN = 60  # characters of an unknown label in an error
_EXAMPLE_LABELS = "entailment,neutral,contradiction"


class LabelReader:
    """Narrows down the label scheme of a file, label by label, and translates labels when the scheme is known."""

    def __init__(self, labels: str | Sequence[str] | None) -> None:
        names = labels.split(",") if isinstance(labels, str) else labels
        self._numbered = None if names is None else [name.strip() for name in names]
        self.candidates = _SCHEMES if self._numbered is None else _schemes_of(self._numbered)
        self._texts: dict[str, str] = {}
        self._names: dict[str, str] = {}  # the name of each label, by its spelling in the file
        self._first: dict[str, str] = {}  # the location where each spelling occurs first

    @property
    def scheme(self) -> Labels:
        """The label scheme; where several are possible, the first of three-way, two-way and sentiment."""
        return self.candidates[0]

    def may_be_sentiment(self, label: str | None) -> bool:
        """Return whether a row with this label (or None) may belong to a task on one text, without a hypothesis."""
        return SENTIMENT in self.candidates and (label is not None or self.scheme == SENTIMENT)

    def read(self, row: TableRow, column: str) -> str | None:
        """Return the label of a row as it is spelled; None if it is missing, ``-`` if there is no consensus."""
        text = (value_text(row.fields, column, row.where) or "").strip()
        if not text:
            return None
        if text == NO_CONSENSUS or (self._numbered is not None and _NO_CLASS.fullmatch(text)):
            return NO_CONSENSUS
        if text not in self._names:
            self._narrow(text, self._name(text, column, row.where), column, row.where)
            self._texts[text] = text
        return self._texts[text]  # one object for all rows, which takes less memory

    def translated(self, text: str) -> str:
        """Return the name of a label in the scheme."""
        return self.scheme.parse(self._names[text], self._first[text])

    def _name(self, text: str, column: str, where: str) -> str:
        """Return the name of a label; a number is an index into the names that the user listed."""
        if not _NUMBER.fullmatch(text):
            return text
        if self._numbered is None:
            raise UserError(
                f"{where}: the label {text} (column {column!r}) is a number: say what 0, 1, … mean, for instance "
                f"{option('labels', _EXAMPLE_LABELS)}"
            )
        index = int(float(text))
        if not 0 <= index < len(self._numbered):
            raise UserError(
                f"{where}: the label {text} has no name: {option('labels')} names 0 to {len(self._numbered) - 1} only"
            )
        return self._numbered[index]

    def _narrow(self, text: str, name: str, column: str, where: str) -> None:
        remaining = tuple(scheme for scheme in self.candidates if _spells(scheme, name))
        if not remaining:
            other = next((first for first in self._first if any(_spells(scheme, name) for scheme in _SCHEMES)), None)
            if other is not None:
                raise UserError(
                    f"{where}: the label {text!r} is not of the same scheme as {other!r} "
                    f"({line_of(self._first[other])}): use one scheme, such as {', '.join(self.scheme.names)}"
                )
            known = dict.fromkeys(word for scheme in self.candidates for word in (*scheme.names, *scheme.spellings))
            hint = did_you_mean(name.lower(), known)
            shown = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
            raise UserError(f"{where}: unknown label {shown!r} (column {column!r}): {hint}")
        self.candidates = remaining
        self._names[text], self._first[text] = name, where


def _spells(scheme: Labels, name: str) -> bool:
    word = name.strip().lower()
    return word in scheme.names or word in scheme.spellings


def _schemes_of(names: Sequence[str]) -> tuple[Labels, ...]:
    """Return the schemes that contain all of these labels."""
    schemes = tuple(scheme for scheme in _SCHEMES if all(_spells(scheme, name) for name in names))
    where = option("labels", ",".join(names))
    if not schemes:
        known = dict.fromkeys(word for scheme in _SCHEMES for word in scheme.names)
        unknown = next((name for name in names if not any(_spells(scheme, name) for scheme in _SCHEMES)), None)
        if unknown is None:
            raise UserError(f"{where}: labels of different schemes: use those of one, such as {_EXAMPLE_LABELS}")
        raise UserError(f"{where}: unknown label {unknown!r}: {did_you_mean(unknown.lower(), known)}")
    if len({schemes[0].parse(name, where) for name in names}) < len(names):
        raise UserError(f"{where}: a label occurs twice: name each label once, in the order of the numbers")
    return schemes
