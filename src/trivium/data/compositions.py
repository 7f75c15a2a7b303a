"""Read compositions in the layout of C²Gen's authors: a JSON line has three sentences and the labels of their pairs."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from trivium.data.example import Example
from trivium.data.jsonl import read_objects, text_fields
from trivium.data.labels import NLI3
from trivium.errors import UserError, did_you_mean

_TEXTS: Final = ("sent1", "sent2", "mid_sent", "sick_label", "label")
_SPELLINGS: Final = ("veridical_label", "verdical_label")  # the authors' code, and their README
_VERIDICAL: Final = MappingProxyType({"positive": "entailment", "neutral": "neutral", "negative": "contradiction"})


def read_compositions(path: Path) -> list[Example]:
    """Return the composition (sent1, sent2) of each line, with (sent1, mid_sent) and (mid_sent, sent2) as its parts.

    ``veridical_label`` is positive, neutral or negative; ``sick_label`` and ``label`` are the labels of the natural
    pair and of the composition. Ids are those of the lines; equal natural pairs have the id of the first.
    """
    natural_ids: dict[tuple[str, str], str] = {}
    return [_composition(row, f"{path}:{number}", number, natural_ids) for number, row in read_objects(path)]


def _composition(row: dict[str, Any], where: str, number: int, natural_ids: dict[tuple[str, str], str]) -> Example:
    spelling = next((name for name in _SPELLINGS if name in row), _SPELLINGS[0])
    texts = text_fields(row, (*_TEXTS, spelling), where)
    veridical = _label(texts, spelling, _VERIDICAL, where)
    natural, composed = (_label(texts, name, {label: label for label in NLI3.names}, where) for name in _TEXTS[3:])
    outer, inner, middle = (texts[name].strip() for name in _TEXTS[:3])
    id_ = natural_ids.setdefault((middle, inner), f"pair-{number}")
    parts = (
        Example(f"line-{number}/v", outer, middle, veridical, "veridical"),
        Example(id_, middle, inner, natural, "natural"),
    )
    return Example(f"line-{number}", outer, inner, composed, "composed", (), parts)


def _label(texts: dict[str, str], name: str, labels: Any, where: str) -> str:
    text = texts[name].strip().lower()
    if text not in labels:
        raise UserError(f"{where}: {name!r} is {texts[name]!r}: {did_you_mean(text, labels)}")
    return str(labels[text])
