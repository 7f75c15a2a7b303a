"""Random inputs: changed samples, and random structures in a format."""

# ruff: noqa: E501 - lists of inputs read better in long lines

from __future__ import annotations

import io
import json
import random
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

Make = Callable[[random.Random], bytes]

TOKENS = (
    b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b", b"PK\x03\x04", b"\r", b"\n", b"\r\n",
    b"\t", b" ", b'"', b"'", b"\\", b"\\ud800", b"\\u0000", b"\x1b[2J", b"\xe2\x80\xa8", b"[" * 3000, b"{" * 3000, b'{"a":' * 1500,
    b"9" * 5000, b"-1", b"1e999", b"NaN", b"null", b"true", b"{}", b"[]", b"=1+1", b"#", b",", b";", b"x" * 140_000, b"." * 20_000,
    b"=", b"[a", b"]]", b'"""', b"0x", b"1979-05-27", b"../..", b"\xf0\x9f\x98\x80", b"-", b"entailment", b"label", b"1-2", b"1.1",
)  # fmt: skip
WORDS = (
    "id premise hypothesis label labels facts parts task sentence1 sentence2 gold_label text review format name entailment neutral "
    "contradiction nli3 nli2 sentiment uid context genre fact utterance candidates question answer choices wrong"
).split()


def mutated(samples: tuple[bytes, ...], rng: random.Random) -> bytes:
    """Return a sample with some changes."""
    content = bytearray(rng.choice(samples))
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        begin = rng.randrange(len(content) + 1)
        end = min(len(content), begin + rng.choice((1, 1, 2, 8, 40)))
        change = rng.randrange(7)
        if change == 0:
            del content[begin:end]
        elif change == 1:
            content[begin:begin] = rng.choice(TOKENS)
        elif change == 2:
            content[begin:end] = rng.choice(TOKENS)
        elif change == 3:
            content[begin:begin] = content[begin:end] * rng.choice((1, 2, 50))
        elif change == 4 and begin < len(content):
            content[begin] = rng.randrange(256)
        elif change == 5:
            del content[begin:]
        else:
            other = rng.choice(samples)
            content[begin:] = other[rng.randrange(len(other) + 1) :]
    return bytes(content)


def text(rng: random.Random) -> str:
    """Return a random text, often a word that means something to a reader."""
    if rng.random() < 0.6:
        return rng.choice(WORDS)
    ranges = ((32, 127), (0, 32), (127, 160), (0xD800, 0xE000), (0x2000, 0x2070), (0x1F600, 0x1F640))
    low, high = rng.choices(ranges, (20, 2, 1, 1, 1, 1))[0]
    return "".join(chr(rng.randrange(low, high)) for _ in range(rng.randrange(12)))


def value(rng: random.Random, depth: int = 0) -> Any:
    """Return a random value for JSON."""
    choice = rng.randrange(11 if depth < 5 else 8)
    if choice < 5:
        return text(rng)
    if choice == 5:
        return rng.choice((0, -1, 1, 10**20, 10**4000, 1.5, float("nan"), float("inf")))
    if choice < 8:
        return rng.choice((None, True, False))
    if choice == 8:
        return [value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {text(rng): value(rng, depth + 1) for _ in range(rng.randrange(4))}


def json_lines(template: dict[str, Any]) -> Make:
    """Return a function that makes lines of objects with some fields of a template and some random ones."""

    def make(rng: random.Random) -> bytes:
        lines = []
        for _ in range(rng.randrange(1, 5)):
            row = dict(template)
            for _ in range(rng.choice((0, 0, 1, 1, 3))):
                row[rng.choice([*template, text(rng)])] = value(rng)
            for name in [name for name in row if rng.random() < 0.02]:
                del row[name]
            lines.append(json.dumps(row, ensure_ascii=rng.random() < 0.5))
        return "\n".join(lines).encode(errors="surrogatepass")

    return make


def table(separator: str, *columns: str) -> Make:
    """Return a function that makes a table with these columns and random cells."""

    def make(rng: random.Random) -> bytes:
        def cell() -> str:
            content = text(rng)
            return f'"{content}"' if rng.random() < 0.3 else content

        rows = [separator.join(rng.sample(columns, len(columns)) if rng.random() < 0.2 else columns)]
        for _ in range(rng.randrange(5)):
            rows.append(separator.join(cell() for _ in range(len(columns) + rng.choice((0, 0, 0, 0, 1, -1)))))
        return rng.choice(("\n", "\r\n", "\r")).join(rows).encode(errors="surrogatepass")

    return make


def toml(rng: random.Random) -> bytes:
    """Return a random preset."""
    names = (
        "note source data_seed suites builtin limit model name train epochs run strategies seed strategy er-res".split()
    )
    lines = []
    for _ in range(rng.randrange(6)):
        if rng.random() < 0.3:
            lines.append(f"[{'.'.join(rng.choices(names, k=rng.randrange(1, 4)))}]")
        else:
            lines.append(f"{rng.choice(names)} = {toml_value(rng)}")
    return "\n".join(lines).encode(errors="surrogatepass")


def toml_value(rng: random.Random) -> str:
    return rng.choice((
        json.dumps(text(rng)), "1", "-1", "1e999", "nan", "9" * 5000, "[" * 2000, "true", "[]", "[1, 2]", '["a"]', "{}", "{a = 1}",
        "1979-05-27", "0x10", "", "'''", text(rng), "{a=" * 2000, "99999999999999999999", "1_0", "[[1], ['a']]",
    ))  # fmt: skip


def packed(members: dict[str, bytes], mode: str) -> bytes:
    """Return a zip or tar archive."""
    file = io.BytesIO()
    if mode == "zip":
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members.items():
                archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    else:
        with tarfile.open(fileobj=file, mode=f"w:{mode}") as tar:
            for name, content in members.items():
                info = tarfile.TarInfo(name)
                info.size = len(content)
                if name == "link":
                    info.type, info.linkname, info.size = tarfile.SYMTYPE, content.decode(), 0
                tar.addfile(info, io.BytesIO(content) if info.size else None)
    return file.getvalue()


def random_archive(mode: str) -> Make:
    """Return a function that makes archives with odd names and contents."""

    def make(rng: random.Random) -> bytes:
        names = (
            "a",
            "a/b",
            "../a",
            "/a",
            "a//b",
            "a/",
            "link",
            "C:\\a",
            "x" * 300,
            "__MACOSX/a",
            "é",
            ".",
            "",
            "a\nb",
            "a/../b",
        )
        contents = (b"", b"x", b"\0" * (1 << 21), b"y" * 1000, b"a", b"../../etc/passwd")
        return packed({rng.choice(names): rng.choice(contents) for _ in range(rng.randrange(1, 5))}, mode)

    return make


def unpack_archive(path: Path) -> object:
    """Unpack an archive. Nothing may be left behind if it is refused, nor be written elsewhere."""
    from trivium.data.archive import unpack
    from trivium.errors import UserError

    into = path.parent / "into"
    shutil.rmtree(into, ignore_errors=True)
    try:
        unpack(path, into)
    except UserError:
        assert not into.exists(), "a refused archive is unpacked"
        raise
    finally:
        left = {file.name for file in path.parent.iterdir()} - {path.name, "into"}
        assert not left, f"left behind: {left}"
    return into


def parquet(rows: list[dict[str, Any]], metadata: dict[str, str] | None = None) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows_table = pa.Table.from_pylist(rows)
    file = io.BytesIO()
    pq.write_table(rows_table.replace_schema_metadata(metadata), file, compression="none")
    return file.getvalue()


def random_parquet(rng: random.Random) -> bytes:
    """Return a Parquet file with random columns of random types."""
    import datetime
    import decimal

    columns = {**dict.fromkeys(("premise", "hypothesis"), "A"), **{rng.choice(WORDS): None for _ in range(3)}}
    choices = (
        "A",
        1,
        1.5,
        True,
        b"\xff",
        [1, 2],
        {"a": "b"},
        datetime.date(2020, 1, 1),
        decimal.Decimal("1.5"),
        float("nan"),
    )
    row = {name: rng.choice(choices) if rng.random() < 0.5 else (given or "neutral") for name, given in columns.items()}
    return parquet(
        [row, dict.fromkeys(row) if rng.random() < 0.3 else row], {"labels": "nli3"} if rng.random() < 0.3 else None
    )
