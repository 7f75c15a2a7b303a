"""``trivium data``: list, download and check public data sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.filesize import decimal
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn
from rich.table import Table
from rich.text import Text

from trivium.cli.console import out, say
from trivium.data.locate import cache_folder, data_folders, locate_file
from trivium.data.split import Split
from trivium.errors import UserError, did_you_mean
from trivium.printing import safe_console

if TYPE_CHECKING:  # imported late here and below, because pydantic would slow down every --help
    from trivium.data.check import FileCheck
    from trivium.data.fetch import ProgressCallback
    from trivium.data.manifest import Entry, Manifest, PublicSource

data_app = typer.Typer(help="List, download and check public data sets.", no_args_is_help=True)


@data_app.command("list", epilog="Example: trivium data list")
def list_sources() -> None:
    """List the public sources: title, licence, number of files, size, and location on this machine."""
    from trivium.data.manifest import manifest

    folders = data_folders()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("source", no_wrap=True)
    table.add_column("title")
    table.add_column("files", justify="right", no_wrap=True)
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("where", no_wrap=True)
    for name, source in manifest().sources.items():
        title = Text.assemble(source.title, "\n", (f"licence: {source.licence}", "dim"))
        table.add_row(name, title, str(len(source.files)), _size(source), _where(source, folders))
    out.print(table)
    legend = ", ".join(f"{_folder_name(folder)} is {folder}" for folder in folders)
    say(f"\n{legend}. Download a source with: trivium data get NAME")


@data_app.command("get", epilog="Example: trivium data get sick")
def get_source(
    name: Annotated[str, typer.Argument(help="The source; see trivium data list.")],
    to: Annotated[Path | None, typer.Option(help="The data folder to write to; by default the cache.")] = None,
    mirror: Annotated[
        str | None, typer.Option(help="The address of a mirror that serves files as REPOSITORY/COMMIT/PATH.")
    ] = None,
) -> None:
    """Download the files of a source and check their sha256. Resume a download that was interrupted."""
    from trivium.data.check import still_needed
    from trivium.data.manifest import manifest

    public = manifest() if mirror is None else manifest().at(mirror)
    source = public.source(name)
    say(f"{source.title}\n{source.citation}.\nLicence: {source.licence}")
    for origin in source.origins:
        say(f"  github.com/{origin.repository}: {origin.licence}")
    needed = still_needed(public, name, data_folders() if to is None else (to,))
    if len(needed) < len(source.files):
        say(f"{len(source.files) - len(needed)} of {len(source.files)} files are already on this machine.")
    folder = cache_folder() if to is None else to
    for entry in needed:
        _get_file(entry, folder)
    if needed:
        say(f"Wrote {_files(len(needed))} to {folder}.")
    if to is not None and to.resolve() not in [searched.resolve() for searched in data_folders()]:
        say(f"To use the files, set the variable: export TRIVIUM_DATA={to.resolve()}")


@data_app.command("check", epilog="Example: trivium data check sick")
def check(
    what: Annotated[str, typer.Argument(help="A source, a folder of data or splits, or a .jsonl or .parquet split.")],
) -> None:
    """Check the sha256 of the files of a source or a data folder, or summarize splits."""
    from trivium.data.manifest import manifest

    public = manifest()
    path = Path(what)
    if what in public.sources:
        _check_sources(public, [what], data_folders())
    elif path.is_dir():
        _check_folder(public, path)
    elif path.suffix in (".jsonl", ".parquet"):
        _describe(Split.read(path))
    else:
        hint = did_you_mean(what, public.sources)
        raise UserError(f"{what}: not a data source, a folder, or a .jsonl or .parquet file: {hint}")


def _size(source: PublicSource) -> str:
    sizes = [file.size for file in source.files if file.size is not None]
    return ("" if len(sizes) == len(source.files) else "> ") + decimal(sum(sizes))


def _folder_name(folder: Path) -> str:
    return "the cache" if folder == cache_folder() else "TRIVIUM_DATA"


def _where(source: PublicSource, folders: tuple[Path, ...]) -> str:
    """Return the folders that contain files of a source, with counts if files are missing or only samples."""
    matches = [(file.held, match) for file in source.files if (match := locate_file(file, folders))]
    counts = Counter(_folder_name(match.folder) for _, match in matches)
    lines = [
        name if count == len(source.files) else f"{count} of {len(source.files)} in {name}"
        for name, count in counts.items()
    ]
    samples = sum(
        held is not None and held.kind == "sample" and held.path == match.relative_path for held, match in matches
    )
    if samples:
        lines.append(f"{samples} as samples")
    return "\n".join(lines) or "not on this machine"


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"


def _get_file(entry: Entry, folder: Path) -> None:
    from trivium.data.fetch import download

    file = entry.file
    if file.held and file.held.kind == "sample":
        say(f"{file.path}: downloading the complete file, because the sample {file.held.path} is not public")
    with _progress(file.path) as watch:
        download(entry.address, folder / file.path, file.sha256, size=file.size, progress=watch)
    say(f"{file.path}  {decimal((folder / file.path).stat().st_size)}")


@contextmanager
def _progress(path: str) -> Iterator[ProgressCallback]:
    """Yield a function that updates a progress bar with bytes, speed and time left. Show nothing without a terminal."""
    console = safe_console()
    if not console.is_terminal:
        yield lambda received, total: None
        return
    name = TextColumn("{task.description}", markup=False)
    columns = (name, BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bars:
        task = bars.add_task(path, total=None)
        yield lambda received, total: bars.update(task, completed=received, total=total)


def _check_folder(public: Manifest, folder: Path) -> None:
    """Check a folder of public data, or summarize a folder of splits, such as ``trivium build --out`` writes."""
    splits = sorted(
        file for suffix in ("jsonl", "parquet") for file in folder.rglob(f"[!.]*.{suffix}") if file.is_file()
    )
    if splits and not any(locate_file(file, (folder,)) for source in public.sources.values() for file in source.files):
        _describe_all(splits, folder)
        return
    _check_sources(public, list(public.sources), (folder,))


def _describe_all(splits: list[Path], folder: Path) -> None:
    problems = []
    for file in splits:
        try:
            _describe(Split.read(file, str(file.relative_to(folder))))
        except UserError as error:
            problems.append(str(error))
    if problems:
        raise UserError("\n".join(problems))


def _check_sources(public: Manifest, names: list[str], folders: tuple[Path, ...]) -> None:
    from trivium.data.check import State, check_source

    checks = ((name, check_source(public, name, folders)) for name in names)
    available = {name: files for name, files in checks if any(file.state is not State.MISSING for file in files)}
    if not available:
        where = " and ".join(map(str, folders))
        get = f"trivium data get {names[0]}" if len(names) == 1 else "trivium data get NAME"
        raise UserError(f"{where}: no files of {', '.join(names)}: run `{get}`")
    for name, files in available.items():
        say(_summary(name, files))
    problems = [file.problem for files in available.values() for file in files if file.state is State.DAMAGED]
    if problems:
        raise UserError("\n".join(problems))


def _summary(name: str, files: list[FileCheck]) -> str:
    from trivium.data.check import State

    counts = Counter(file.state for file in files)
    states = ", ".join(f"{counts[state]} {state.value}" for state in State if counts[state])
    return f"{name}, {_files(len(files))}: {states}"


def _describe(split: Split) -> None:
    from trivium.data.check import report_split

    report = report_split(split)
    labels = ", ".join(f"{label} {count}" for label, count in report.labels.items())
    unlabelled = f", without label {report.unlabelled}" if report.unlabelled else ""
    say(f"{split.name}: {report.examples} examples ({labels}{unlabelled})")
    say(f"repeated pairs: {report.repeated_pairs}; pairs with several labels: {report.contradicting_pairs}")
    if ids := report.repeated_ids:
        more = ", …" if len(ids) > 5 else ""
        say(f"ids used more than once: {len(ids)} ({', '.join(ids[:5])}{more})")
    say(f"identity: {report.identity}")
