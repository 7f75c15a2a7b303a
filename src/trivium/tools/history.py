"""What a corrected model remembers of its corrections, where the model before is kept, and how it is put back."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import Any

from trivium.data.check import sha256_of
from trivium.data.example import Example
from trivium.errors import UserError, did_you_mean
from trivium.models.classifiers import SUPPORT, load_head
from trivium.models.fingerprint import identify_encoder, is_folder
from trivium.saving import check_free, saving_folder, write_text
from trivium.settings import Settings

HISTORY = "trivium-corrections.json"
_FORMAT = 1
_HUB = "hub:"


class Previous(Settings):
    """Where the model from before a correction is, and what tells it from others.

    In a file, a model that lies beside the corrected one is a bare name, so that both can be moved together.
    """

    where: str
    fingerprint: str

    @property
    def is_on_hub(self) -> bool:
        """Whether it is a name on a hub."""
        return self.fingerprint.startswith(_HUB)


class Record(Settings):
    """One correction: what was taught, how, what came of it, and the model from before."""

    format: int = _FORMAT
    method: str
    examples: tuple[Mapping[str, Any], ...]
    guard: str
    settings: Mapping[str, Any]
    figures: Mapping[str, Any]
    previous: Previous

    def taught(self) -> list[Example]:
        """The corrections."""
        return [Example.from_json(plain) for plain in self.examples]

    def placed(self, where: str) -> Record:
        """The same with the model from before elsewhere."""
        return self.model_copy(update={"previous": self.previous.model_copy(update={"where": where})})


def read_history(model: str | Path) -> tuple[Record, ...]:
    """The corrections of a model so far, the first one first; none of a model that was never corrected.

    Where models from before are is a whole path.
    """
    file = Path(model) / HISTORY
    if not file.is_file():
        return ()
    try:
        plain = json.loads(file.read_text(encoding="utf-8"))
        _check_format(file, plain)
        if not isinstance(plain, list):
            raise ValueError("it is not a list")
        found = tuple(Record.model_validate(one) for one in plain)
        for record in found:
            record.taught()
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        raise UserError(f"{file} is damaged: {' '.join(str(error).split())[:200]}") from None
    beside = Path(model).resolve().parent
    return tuple(one if one.previous.is_on_hub else one.placed(str(beside / one.previous.where)) for one in found)


def write_history(folder: Path, records: Sequence[Record]) -> None:
    """Write the corrections into the folder of a model, or into one beside it that will take its place."""
    beside = folder.resolve().parent
    named = [one.placed(Path(one.previous.where).name) if _is_in(beside, one.previous) else one for one in records]
    plain = [record.model_dump(mode="json") for record in named]
    write_text(folder / HISTORY, json.dumps(plain, indent=1, ensure_ascii=False) + "\n")


def fingerprint(model: str) -> str:
    """What tells the weights of a model from others: a hash of its .safetensors files, or a commit on a hub."""
    if not is_folder(model):
        return identify_encoder(model).fingerprint
    digest = hashlib.sha256()
    for file in sorted(Path(model).glob("*.safetensors")):
        digest.update(f"{file.name}\0{sha256_of(file)}\n".encode())
    return digest.hexdigest()


def usual_place(model: str) -> Path:
    """Where a corrected model goes if nobody says: beside the model, or here if that is on a hub."""
    folder = Path(model).resolve() if Path(model).is_dir() else Path(Path(model).name)
    return folder.parent / f"{folder.name}-corrected"


def is_in_place(model: str, out: Path) -> bool:
    """Whether a corrected model is to take the place of the one before."""
    return Path(model).is_dir() and Path(model).resolve() == out.resolve()


def check_place(model: str, out: Path) -> None:
    """An error, before any work is done, if a corrected model cannot be written there."""
    if is_in_place(model, out):
        check_free(_kept(out.resolve()))
    elif (out / HISTORY).is_file():
        raise UserError(
            f"{out}: there is a corrected model already: go on from it with trivium correct {quote(str(out))}, or name "
            "another folder with --out"
        )
    else:
        check_free(out)


@contextmanager
def placing(model: str, out: Path) -> Iterator[tuple[Path, Previous]]:
    """Within: a folder to write the corrected model into, and where the one before will be when it has its place.

    In place, the model before is kept beside it. If the block does not end well, everything stays as it was.
    """
    if not is_in_place(model, out):
        where = str(Path(model).resolve()) if is_folder(model) else model
        with saving_folder(out.resolve()) as unfinished:
            yield unfinished, Previous(where=where, fingerprint=fingerprint(model))
        return
    folder = out.resolve()
    kept = _kept(folder)
    with saving_folder(folder, kept) as unfinished:
        yield unfinished, Previous(where=str(kept), fingerprint=fingerprint(model))


def copy_model(model: str, to: Path) -> None:
    """Copy a model without what earlier corrections put beside it."""
    if not is_folder(model):
        load_head(model).save(to)
        return
    for file in sorted(Path(model).iterdir()):
        if file.is_file() and file.name not in (HISTORY, SUPPORT):
            shutil.copy2(file, to / file.name)


def undo(model: str) -> Record:
    """Put back the model from before the last correction, whole or not at all; gives the correction that is gone."""
    history = read_history(model)
    if not history:
        raise _nothing_to_undo(model)
    folder, previous = Path(model).resolve(), history[-1].previous
    if previous.is_on_hub:
        commit = previous.fingerprint.rpartition("@")[2]
        before = load_head(previous.where, commit)
        before.save(folder)
        return history[-1]
    source = Path(previous.where)
    _check_previous(folder, source, previous)
    with saving_folder(folder) as unfinished:
        shutil.copytree(source, unfinished, dirs_exist_ok=True)
        if earlier := read_history(source):
            write_history(unfinished, earlier)  # from here, other models are beside it than from there
    if source.parent == folder.parent and re.fullmatch(re.escape(folder.name) + r"\.before-\d+", source.name):
        shutil.rmtree(source, ignore_errors=True)
    return history[-1]


def _check_format(file: Path, plain: object) -> None:
    """An error if a file is of another format, whatever else is in it."""
    records = plain if isinstance(plain, list) else [plain]
    if any(isinstance(one, dict) and one.get("format", _FORMAT) != _FORMAT for one in records):
        raise UserError(f"{file} was written by another version of Trivium: this one reads the format {_FORMAT}")


def _is_in(folder: Path, previous: Previous) -> bool:
    return not previous.is_on_hub and Path(previous.where).parent == folder


def _nothing_to_undo(model: str) -> UserError:
    """Why nothing can be undone there, and where it can."""
    is_there, usual = Path(model).is_dir(), usual_place(model)
    what = f"{model}: there is no such folder"
    if is_there:
        what = f"{model}: it was not corrected ({HISTORY} is not there), so there is nothing to undo"
    if (usual / HISTORY).is_file():
        return UserError(f"{what}: its correction is undone with trivium correct {quote(str(usual))} --undo")
    known = [str(file.parent) for file in Path(model).parent.glob(f"*/{HISTORY}")]
    return UserError(f"{what}: {did_you_mean(model, known)}" if known and not is_there else what)


def _check_previous(folder: Path, source: Path, previous: Previous) -> None:
    if not source.is_dir():
        raise UserError(f"{folder}: the model from before its last correction is gone: there is no {source}")
    if fingerprint(str(source)) != previous.fingerprint:
        raise UserError(
            f"{folder}: the model in {source} is not the one from before its last correction: its weights differ"
        )


def _kept(folder: Path) -> Path:
    """The first free name to keep a model under."""
    number = 1
    while (found := folder.with_name(f"{folder.name}.before-{number}")).exists():
        number += 1
    return found
