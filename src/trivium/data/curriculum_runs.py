"""Read what CURRICULUM's authors measured: the zero-shot accuracy and correlation of four models by phenomenon."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final, NamedTuple

from trivium.data.jsonl import parse_json
from trivium.data.locate import are_available, find_file, read_lines
from trivium.data.phenomena import PHENOMENA
from trivium.errors import UserError

MODELS: Final = MappingProxyType(
    {
        "mnli_roberta": "RoBERTa, MNLI",
        "mnli_bart": "BART, MNLI",
        "anli_roberta": "RoBERTa, ANLI",
        "anli_xlnet": "XLNet, ANLI",
    }
)
"""The authors' models: the name of the folder, and the title in tables."""
_FILES: Final = ("binarynli_eval", "binarynli2_eval", "commonnli_eval", "commonnli2_eval")


class Measured(NamedTuple):
    """Accuracy and Matthews' correlation of a model on a phenomenon."""

    accuracy: float
    correlation: float


def has_author_runs() -> bool:
    """Return whether the files are on this machine."""
    return are_available(*(_path(model, file) for model in MODELS for file in _FILES))


def read_author_runs() -> dict[str, dict[str, Measured]]:
    """Return the figures by model and phenomenon. Tasks that are not among the 36 phenomena are left out.

    The files whose names end with 2 have tasks that a first run lacked; where both have one, they agree.
    """
    names = {phenomenon.task: name for name, phenomenon in PHENOMENA.items()}
    return {
        model: {
            names[task]: measured
            for file in _FILES
            for task, measured in _read(_path(model, file)).items()
            if task in names
        }
        for model in MODELS
    }


def _path(model: str, file: str) -> str:
    return f"curriculum_runs/zero-shot/{model}/{file}.json"


def _read(name: str) -> dict[str, Measured]:
    path = find_file(name)
    plain: Any = parse_json("\n".join(read_lines(path)), str(path))
    try:
        return {task: Measured(float(row["acc"]), float(row["mcc"])) for task, row in plain.items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        raise UserError(f"{path}: every task must have the figures 'acc' and 'mcc'") from None
