"""The command line: commands, random changes to their arguments, and what a command must not do."""

# ruff: noqa: E501 - lists of inputs read better in long lines

from __future__ import annotations

import contextlib
import io
import os
import random
import shutil
from pathlib import Path

from benchmarks.fuzzing.samples import CHOICES, PERSONA, SPLIT

JUNK = (
    "", "-", "--", "---", "-x", "--x=1", "=", "\x1b[31m", "\udcff", "9" * 5000, "-9", "1e9", "nan", "x" * 300, "a/b/c", "..", ".", "~", "é",
    "a\nb", "*", "%s", "{}", "[bold]", "[/red]", "split.jsonl", "pairs.csv", "sheet.csv", "key.csv", "empty", "persona", "folder",
    "own.toml", "--help", "--version", "--out", "--store", "--set", "a=1", "a.b=[", "suites.x.y=1", "--seed", "--json", "--preset",
    "smoke", "c2gen", "cfl", "nli", "sick", "file.xml", "--plugin", "plugin.py", "--report", "page.html", "--by", "id", "-h",
)  # fmt: skip
COMMANDS = tuple(
    line.split()
    for line in """
    --version
    nothing
    list
    list strategies
    list sources --plugin plugin.py
    data list
    data check split.jsonl
    data check sick
    data check folder
    data check pairs.csv
    plan c2gen --preset smoke --set nothing=1
    plan cfl --preset own.toml --set suites.snli.x=1
    run nothing --preset smoke --report page.html
    build nothing --out out --format jsonl
    status --store store
    store list --store store
    store size --store store
    store gc --dry-run --store store
    claims first --store store
    report first --out page.html --store store
    compare first second --strategies a,b --store store
    export first --format csv --out rows.csv --store store
    evaluate nowhere pairs.csv --by id --out predictions.csv
    predict nowhere pairs.csv --out predictions.csv
    recast choices recast.jsonl --out recast-out.jsonl --negatives 2 --seed 1
    recast classes recast.jsonl --out recast-out.jsonl --class a=b --class c=d
    verify sample split.jsonl --number 1 --out sample --seed 3
    verify score sheet.csv sheet.csv --key key.csv --out disagreements.csv
    persona add persona fact
    persona show persona
    persona check persona text --json
    """.strip().splitlines()
)


def prepare_folder(folder: Path) -> None:
    """Write the files that commands are given."""
    from trivium.build.verification import Item, write_key, write_sheet

    (folder / "folder").mkdir()
    (folder / "persona").mkdir()
    (folder / "empty").write_bytes(b"")
    (folder / "split.jsonl").write_bytes(SPLIT)
    (folder / "pairs.csv").write_bytes(b"id,premise,hypothesis,label\n1,A,B,neutral\n")
    (folder / "recast.jsonl").write_bytes(CHOICES)
    (folder / "own.toml").write_bytes(b"note = 'own'\n")
    (folder / "plugin.py").write_text("raise SystemExit(0)\n")
    (folder / "persona" / "persona.json").write_bytes(PERSONA)
    items = [Item("nli", "=A man sings", "A person sings", "entailment")]
    write_sheet(items, folder / "sheet.csv")
    write_key(items, folder / "key.csv")


def arguments(rng: random.Random) -> bytes:
    """Return the arguments of a command, some of them replaced, removed or added, separated by NUL."""
    words = list(rng.choice(COMMANDS))
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        index = rng.randrange(len(words) + 1)
        change = rng.randrange(3)
        if change == 0:
            words[index:index] = [rng.choice(JUNK)]
        elif change == 1:
            words[index : index + 1] = [rng.choice(JUNK)]
        else:
            del words[index : index + 1]
    if words[:2] == ["data", "get"] or "train" in words[:1]:  # no downloads, no training
        words = ["list"]
    return "\0".join(words).encode("utf-8", "surrogateescape")


def run_command(path: Path) -> object:
    """Run the program in a new folder. Raise a UserError if it refuses, and an AssertionError if it misbehaves."""
    from trivium.cli.main import run
    from trivium.errors import UserError

    words = path.read_bytes().decode("utf-8", "surrogateescape").split("\0")
    before = Path.cwd()
    folder = path.parent / "deep" / "enough"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    prepare_folder(folder)
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace")  # as that of Python
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(words)
    finally:
        os.chdir(before)
    for stream in (out, err):
        stream.flush()
    printed = b"".join(stream.buffer.getvalue() for stream in (out, err)).decode()  # type: ignore[attr-defined]
    left = [file.name for file in folder.rglob(".*") if ".tmp" in file.name or file.name.endswith(".probe")]
    assert not left, f"left behind: {left}"
    assert code in (0, 1, 2), f"exit code {code}"
    assert "Traceback" not in printed, printed[-300:]
    assert "\x1b" not in printed, "a terminal escape is printed"
    if code:
        assert printed, "an error without a message"
        raise UserError("refused")
    return code
