"""The history of a corrected model: its corrections, where the previous model is kept, and how to restore it."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

from trivium.data.check import sha256_of
from trivium.data.example import Example, check_example
from trivium.errors import UserError, describe, did_you_mean, option, shown
from trivium.models.classifiers import SUPPORT, load_head
from trivium.models.fingerprint import identify_encoder, is_folder
from trivium.saving import check_empty_folder, recover_folder, saving_folder, write_text
from trivium.settings import Settings

HISTORY = "trivium-corrections.json"
_FORMAT = 1
_HUB = "hub:"  # how the fingerprint of a model on a hub begins


class Previous(Settings):
    """The model before a correction: its folder or name on a hub (``where``), and the fingerprint of its weights.

    In the history file, a folder beside the corrected model is stored by name only, so that both can be moved together.
    """

    where: str
    fingerprint: str

    @property
    def is_on_hub(self) -> bool:
        """Whether ``where`` is a name on a hub."""
        return self.fingerprint.startswith(_HUB)


class Record(Settings):
    """One correction: its examples and settings, the figures it reached, and the previous model.

    ``kind`` is that of the mistakes, and ``pairs`` are what the lesson held out: later corrections must keep them.
    """

    format: int = _FORMAT
    method: str
    examples: tuple[Mapping[str, Any], ...]
    guard: str
    settings: Mapping[str, Any]
    figures: Mapping[str, Any]
    previous: Previous
    kind: str = ""
    pairs: tuple[Mapping[str, Any], ...] = ()

    def corrections(self) -> list[Example]:
        """Return the examples that the model was corrected with."""
        return [Example.from_json(plain) for plain in self.examples]

    def suite(self) -> list[Example]:
        """Return the pairs that the lesson held out."""
        return [Example.from_json(plain) for plain in self.pairs]

    def with_previous(self, where: str) -> Record:
        """Return the same record with another location of the previous model."""
        return self.model_copy(update={"previous": self.previous.model_copy(update={"where": where})})


def read_history(model: str | Path) -> tuple[Record, ...]:
    """Return the corrections of a model, the oldest first; nothing for a model that was never corrected.

    The folders of previous models are absolute paths.
    """
    file = Path(model) / HISTORY
    if not file.is_file():
        return ()
    try:
        plain = json.loads(file.read_text(encoding="utf-8"))
        _check_format(file, plain)
        if not isinstance(plain, list):
            raise ValueError("must be a list")
        records = tuple(Record.model_validate(each) for each in plain)
        for record in records:
            for example in (*record.corrections(), *record.suite()):
                check_example(example)
    except (ValueError, KeyError, TypeError, AttributeError, OSError, RecursionError) as error:
        raise UserError(f"{file} is damaged: {shown(describe(error))}") from None
    parent = Path(model).resolve().parent
    return tuple(
        record if record.previous.is_on_hub else record.with_previous(str(parent / record.previous.where))
        for record in records
    )


def correction_dates(model: str | Path) -> list[str]:
    """Return the date of each correction of a model; ``–`` if the folder that shows it is missing."""
    history = read_history(model)
    folders = [*(Path(record.previous.where) for record in history[1:]), Path(model)]
    files = [folder / HISTORY for folder in folders[: len(history)]]
    return [date.fromtimestamp(file.stat().st_mtime).isoformat() if file.is_file() else "–" for file in files]


def write_history(folder: Path, records: Sequence[Record]) -> None:
    """Write the history into the folder of a model, or into a temporary folder beside it that will replace it."""
    parent = folder.resolve().parent
    relative = [
        record.with_previous(Path(record.previous.where).name) if _is_in(parent, record.previous) else record
        for record in records
    ]
    plain = [record.model_dump(mode="json") for record in relative]
    write_text(folder / HISTORY, json.dumps(plain, indent=1, ensure_ascii=False) + "\n")


def fingerprint(model: str) -> str:
    """Return an identifier of the weights of a model: a hash of its ``.safetensors`` files, or a commit on a hub."""
    if not is_folder(model):
        return identify_encoder(model).fingerprint
    digest = hashlib.sha256()
    for file in sorted(Path(model).glob("*.safetensors")):
        digest.update(f"{file.name}\0{sha256_of(file)}\n".encode())
    return digest.hexdigest()


def default_folder(model: str) -> Path:
    """Return the default folder of a corrected model: beside the model, or in the working folder for one on a hub."""
    folder = Path(model).resolve() if Path(model).is_dir() else Path(Path(model).name)
    return folder.parent / f"{folder.name}-corrected"


def is_in_place(model: str, out: Path) -> bool:
    """Return whether a corrected model is to replace the model itself."""
    return Path(model).is_dir() and Path(model).resolve() == out.resolve()


def check_destination(model: str, out: Path) -> None:
    """Raise, before any work is done, if a corrected model cannot be written to ``out``."""
    recover_folder(out.resolve())
    if is_in_place(model, out):
        check_empty_folder(_free_folder(out.resolve(), "before"))
    elif (out / HISTORY).is_file():
        raise UserError(
            f"{out}: already holds a corrected model: continue from it with trivium correct {quote(str(out))}, or "
            f"choose another folder with {option('out')}"
        )
    else:
        check_empty_folder(out)


@contextmanager
def saving_model(model: str, out: Path) -> Iterator[tuple[Path, Previous]]:
    """Yield a temporary folder for the corrected model, and where the previous model will be; rename it at the end.

    A model that is replaced in place is kept in a folder beside it. If the block fails, nothing changes.
    """
    if not is_in_place(model, out):
        where = str(Path(model).resolve()) if is_folder(model) else model
        with saving_folder(out.resolve()) as temporary:
            yield temporary, Previous(where=where, fingerprint=fingerprint(model))
        return
    folder = out.resolve()
    recover_folder(folder)  # which may bring back an earlier backup
    backup = _free_folder(folder, "before")
    with saving_folder(folder, backup) as temporary:
        yield temporary, Previous(where=str(backup), fingerprint=fingerprint(model))


def copy_model(model: str, to: Path) -> None:
    """Copy the files of a model into the folder ``to``, without those that earlier corrections added."""
    if not is_folder(model):
        load_head(model).save(to)
        return
    for file in sorted(Path(model).iterdir()):
        if file.is_file() and file.name not in (HISTORY, SUPPORT):
            shutil.copy2(file, to / file.name)


class Undone(NamedTuple):
    """A correction that was undone, and the folder that keeps the corrected model."""

    record: Record
    kept: Path


def undo(model: str) -> Undone:
    """Restore the model from before the last correction, atomically; keep the corrected one as ``MODEL.undone-1``."""
    recover_folder(Path(model).resolve())
    history = read_history(model)
    if not history:
        raise _nothing_to_undo(model)
    folder, previous = Path(model).resolve(), history[-1].previous
    undone = Undone(history[-1], _free_folder(folder, "undone"))
    if previous.is_on_hub:
        commit = previous.fingerprint.rpartition("@")[2]
        with saving_folder(folder, undone.kept) as temporary:
            load_head(previous.where, commit).save(temporary)
        return undone
    source = Path(previous.where)
    _check_previous(folder, source, previous)
    with saving_folder(folder, undone.kept) as temporary:
        shutil.copytree(source, temporary, dirs_exist_ok=True)
        if earlier := read_history(source):
            write_history(temporary, earlier)  # because names are relative to the parent folder
    if source.parent == folder.parent and re.fullmatch(re.escape(folder.name) + r"\.before-\d+", source.name):
        shutil.rmtree(source, ignore_errors=True)
    return undone


def _check_format(file: Path, plain: object) -> None:
    """Raise if a file has another format, before its content is validated."""
    records = plain if isinstance(plain, list) else [plain]
    if any(isinstance(record, dict) and record.get("format", _FORMAT) != _FORMAT for record in records):
        raise UserError(
            f"{file} was written by another version of Trivium: this one reads format {_FORMAT}: use the other version"
        )


def _is_in(folder: Path, previous: Previous) -> bool:
    return not previous.is_on_hub and Path(previous.where).parent == folder


def _nothing_to_undo(model: str) -> UserError:
    """Return an error that says why nothing can be undone, and which corrected model may be meant."""
    exists, default = Path(model).is_dir(), default_folder(model)
    problem = f"{model}: no such folder"
    if exists:
        problem = f"{model}: nothing to undo, as it was never corrected (it contains no {HISTORY})"
    if (default / HISTORY).is_file():
        return UserError(f"{problem}: undo its correction with trivium correct {quote(str(default))} --undo")
    known = [str(file.parent) for file in Path(model).parent.glob(f"*/{HISTORY}")]
    return UserError(f"{problem}: {did_you_mean(model, known)}" if known and not exists else problem)


def _check_previous(folder: Path, source: Path, previous: Previous) -> None:
    if not source.is_dir():
        raise UserError(
            f"{folder}: cannot be undone: the model from before its last correction is gone from {source}: move it back"
        )
    if fingerprint(str(source)) != previous.fingerprint:
        raise UserError(
            f"{folder}: cannot be undone: {source} is not the model from before its last correction: its weights differ"
        )


def _free_folder(folder: Path, purpose: str) -> Path:
    """Return the first free folder ``NAME.before-1``, ``NAME.before-2`` and so on beside a model."""
    number = 1
    while (free := folder.with_name(f"{folder.name}.{purpose}-{number}")).exists():
        number += 1
    return free
