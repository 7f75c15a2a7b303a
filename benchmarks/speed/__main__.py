"""Measure all rows of the table, or those named, and write them as a page. Usage::

    python -m benchmarks.speed --peers .peers --baseline v0.1.0     # everything, quick sizes
    python -m benchmarks.speed predict knn --peers .peers           # two rows, printed only
    python -m benchmarks.speed --full --out docs/results/speed.md   # large sizes
    python -m benchmarks.speed --install .peers                     # set up the environment of the peers

Rows are left out if the peers or the earlier commit that they need are not given, or the processor lacks instructions.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import tarfile
import tempfile
import venv
from dataclasses import replace
from pathlib import Path

from benchmarks.speed.page import Line, render
from benchmarks.speed.rows import ROWS, Row, Setting, overlap
from benchmarks.speed.sides import REPOSITORY, SideError, Turns
from benchmarks.speed.work import FULL, QUICK, Workshop

PAGE = REPOSITORY / "docs" / "results" / "speed.md"
WRITTEN_BY_HAND = "## What falls short"
"""From this heading on, the page is kept."""
PACKAGES = ("transformers", "accelerate", "scikit-learn", "avalanche-lib==0.6.0")


def main() -> None:
    options = parse()
    if options.install:
        install(options.install)
        return
    rows = [row for row in ROWS if row.name in options.rows or not (options.rows or (row.long and not options.full))]
    sizes = replace(FULL if options.full else QUICK, **({"rounds": options.rounds} if options.rounds else {}))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "work").mkdir()
        baseline = extract(options.baseline, folder / "baseline") if options.baseline else None
        peers = options.peers.absolute() if options.peers else None
        setting = Setting(Workshop(folder / "work", options.encoder, sizes), peers, baseline)
        lines = [line for row in rows if (line := measure(row, setting)) is not None]
    out = options.out or (None if options.rows else PAGE)
    arguments = [".peers" if argument == str(options.peers) else argument for argument in sys.argv[1:]]
    page = render(lines, sizes, options.encoder, arguments, options.baseline)
    if out is None:
        print(page)
    else:
        written = out.read_text(encoding="utf-8") if out.exists() else ""
        _, heading, rest = written.partition(WRITTEN_BY_HAND)
        out.write_text(page + ("\n" + heading + rest if heading else ""), encoding="utf-8")
        print(f"Wrote {out}")


def parse() -> argparse.Namespace:
    names = [row.name for row in ROWS]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description="Speed against peers.")
    parser.add_argument("rows", nargs="*", help=f"rows to measure: {', '.join(names)}; by default all")
    parser.add_argument("--peers", type=Path, help="folder of an environment with the peers")
    parser.add_argument("--baseline", metavar="COMMIT", help="earlier commit to compare with")
    parser.add_argument("--encoder", default="minilm", choices=("minilm", "tiny"))
    parser.add_argument("--rounds", type=int, help="rounds of each side")
    parser.add_argument("--full", action="store_true", help="large sizes, for hours")
    parser.add_argument("--out", type=Path, help=f"page to write; by default {PAGE.name} if all rows are measured")
    parser.add_argument("--install", type=Path, metavar="FOLDER", help="install the peers into a new environment")
    options = parser.parse_args()
    if unknown := [name for name in options.rows if name not in names]:
        parser.error(f"no row {unknown[0]!r}: choose from {', '.join(names)}")
    return options


def measure(row: Row, setting: Setting) -> Line | None:
    """Return the line of a row; None if something that it needs is not there."""
    if lacking := setting.lacks(row):
        print(f"{row.name}: left out, needs {' and '.join(lacking)}", file=sys.stderr)
        return None
    print(f"{row.name} …", file=sys.stderr, flush=True)
    try:
        with Turns(*row.sides(setting)) as turns:
            measured = turns.measure(row.rounds or setting.shop.sizes.rounds, row.clock, int(not row.rounds))
    except SideError as error:
        print(f"{row.name}: {error}", file=sys.stderr)
        return Line(row, error=str(error))
    note, error_text = "", ""
    try:
        note = row.check(*measured.results) if len(measured.results) == 2 or row.check is overlap else ""
    except AssertionError as error:
        error_text = str(error)
    units = row.units(setting.shop)
    seconds = [[value / units for value in side] for side in measured.seconds]
    line = Line(row, tuple(seconds), note, error_text, measured.versions)
    print(f"{row.name}: {line.summary()}", file=sys.stderr, flush=True)
    return line


def extract(commit: str, folder: Path) -> Path:
    """Write the files of a commit to a folder."""
    done = subprocess.run(["git", "-C", str(REPOSITORY), "archive", commit], capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"--baseline {commit}: {done.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as files:
        files.extractall(folder, filter="data")
    return folder


def install(folder: Path) -> None:
    """Install the peers. Torch comes first and stays, since the torchvision that Avalanche brings may want another."""
    venv.create(folder, with_pip=True)
    torch = next(
        line for line in (REPOSITORY / "constraints.txt").read_text().splitlines() if line.startswith("torch==")
    )
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install"]
    constraint = folder / "constraints.txt"
    constraint.write_text(torch + "\n")
    subprocess.run([*pip, torch], check=True)
    subprocess.run([*pip, "--constraint", str(constraint), *PACKAGES], check=True)


if __name__ == "__main__":
    main()
