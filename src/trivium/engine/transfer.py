"""Copy finished steps between stores, and to and from archives. Imports no torch."""

from __future__ import annotations

import tarfile
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from trivium.data.archive import Limits, unpack
from trivium.engine.records import read_record, run_names
from trivium.engine.store import Store, UnreadableStepError
from trivium.errors import UserError
from trivium.saving import check_writable_file, saving

_LIMITS = Limits(total=1 << 40, ratio=1000.0, members=10_000_000)


def export_steps(store: str | Path, archive: Path, runs: Sequence[str] = ()) -> int:
    """Write an archive with the predictions of runs, or with the whole store, and return the number of steps."""
    if not archive.name.endswith((".tar", ".tar.gz")):
        raise UserError(f"{archive}: must end in .tar or .tar.gz")
    check_writable_file(archive)
    source = Store(store).open_existing()
    keys = {key for name in runs for key in read_record(source, name).steps if key in source} if runs else None
    with tempfile.TemporaryDirectory(prefix="trivium-") as folder:
        target = Store(folder).open()
        number = _copy(source, target, keys)
        for name in run_names(target):
            if runs and name not in runs:
                target.remove(f"runs/{name}.json")
        with saving(archive) as temporary:
            mode = "w:gz" if archive.name.endswith(".gz") else "w"
            with tarfile.open(temporary, mode) as tar:  # type: ignore[call-overload]
                for part in ("store.json", "steps", "splits", "costs", "losses", "runs"):
                    if (Path(folder) / part).exists():
                        tar.add(Path(folder) / part, part)
    return number


def import_steps(archive: Path, store: str | Path) -> int:
    """Add the steps of an archive to a store, and return how many were new."""
    if not archive.is_file():
        raise UserError(f"{archive}: no such file")
    with tempfile.TemporaryDirectory(prefix="trivium-") as folder:
        unpack(archive, Path(folder) / "store", _LIMITS)
        if not (Path(folder) / "store" / "store.json").is_file():
            raise UserError(f"{archive}: not an archive that `trivium store export` wrote")
        return merge_stores(Path(folder) / "store", store)


def merge_stores(other: str | Path, store: str | Path) -> int:
    """Add the steps of another store to a store, and return how many were new."""
    return _copy(Store(other).open_existing(), Store(store).open(), None)


def _copy(source: Store, target: Store, keys: Iterable[str] | None) -> int:
    try:
        return target.copy_from(source, keys)
    except UnreadableStepError as error:
        raise UserError(
            f"{source.url}: step {error.key[:12]}… {error.reason}: remove it with `trivium store verify --quarantine`"
        ) from None
