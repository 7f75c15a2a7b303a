"""Feed generated inputs to every reader and to the command line: none may crash, hang or leave a half-written file.

Each input is a mutated valid file, or a random structure. It must be accepted, or refused with a UserError of one line,
within two seconds of processor time. The inputs depend on the seed alone. Each reader runs in a process of its own. Usage::

    python benchmarks/fuzz.py                 # the whole table, as Markdown: 10,000 inputs for each reader
    python benchmarks/fuzz.py jsonl 500       # one reader
    python benchmarks/fuzz.py jsonl 500 417   # only input 417, with the traceback of a fault
"""

# ruff: noqa: E501 - samples and tokens read better in one line

from __future__ import annotations

import contextlib
import gzip
import io
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

INPUTS, SECONDS = 10_000, 2.0
MEMORY = 8 << 30  # bytes of address space of a process
SEED = 20260

Read = Callable[[Path], object]
Make = Callable[[random.Random], bytes]


@dataclass(frozen=True)
class Reader:
    """How a format is read, valid samples of it, and random structures in it."""

    name: str
    file: str
    samples: tuple[bytes, ...]
    read: Read
    make: Make | None = None
    prepare: Callable[[Path], object] = lambda folder: None


@dataclass
class Outcome:
    """What became of the inputs of a reader."""

    reader: str
    accepted: int = 0
    refused: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    first: dict[str, int] = field(default_factory=dict)

    def row(self) -> str:
        """Return a row of the table."""
        total = self.accepted + self.refused + sum(self.faults.values())
        counts = f"{total:,} | {self.accepted:,} | {self.refused:,} | {sum(self.faults.values()):,}"
        return f"| {self.reader} | {counts} | {1000 * self.slowest:,.0f} |"


class HangError(BaseException):
    """An input takes too long."""


# Random bytes and structures.

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


# The command line.

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


# Samples.


def lines(*rows: object) -> bytes:
    return "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows).encode()


PAIR = {"id": "1", "premise": "A man sings.", "hypothesis": "A person sings.", "label": "entailment", "genre": "music"}
EXAMPLE = {"id": "1", "premise": "A", "hypothesis": "B", "label": "neutral", "facts": {"verb": "sing"}, "parts": []}
SPLIT = lines(
    {"labels": "nli3"}, {**EXAMPLE, "parts": [{**EXAMPLE, "id": "2", "task": "natural"}]}, {**EXAMPLE, "id": "3"}
)
CHOICE = {"context": "The roof leaks.", "question": "Who comes?", "choices": ["A roofer.", "A baker."], "answer": 0}
QUESTION = {"context": "Ada sang and Tom danced.", "question": "Who sang?", "answer": "Ada", "wrong": ["Tom"]}
CHOICES = lines(CHOICE, CHOICE)
CONLLU = (
    b"# text = Tom can't sing.\n1\tTom\tTom\tPROPN\tNNP\t_\t4\tnsubj\t_\t_\n2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\t_\n"
    b"2\tca\tcan\tAUX\tMD\t_\t4\taux\t_\t_\n3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_\n3.1\tx\tx\tX\tX\t_\t_\t_\t_\t_\n"
    b"4\tsing\tsing\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No\n5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_\n\n"
)
ROLES = b"Tom sings well .\nB-ARG0\tB-V\tB-ARGM\tO\n\nIt rains.\nO\tB-V\tO\n\n"
PERSONA = json.dumps(
    {"format": 1, "facts": ["I sing."], "lessons": [{"name": "a", "right": 0.5}], "knew": True}
).encode()
RECORD = {"format": 1, "method": "replay", "examples": [EXAMPLE], "guard": "none", "settings": {"a": 1}, "figures": {"b": [1.5]},
          "previous": {"where": "old", "fingerprint": "abc"}}  # fmt: skip
SICK_COLUMNS = ("pair_ID", "sentence_A", "sentence_B", "entailment_label", "relatedness_score", "entailment_AB", "entailment_BA",
                "SemEval_set")  # fmt: skip
SICK = "\t".join(SICK_COLUMNS) + "\n1\tA man sings\tA person sings\tENTAILMENT\t4.5\tA_entails_B\tB_neutral_A\tTRAIN\n"
REVIEWS = 'Sentiment\tText\tbatch_id\nPositive\t"A ""fine"" film<br />"\t4\nNegative\tA dull film\t4\n'
ANLI = {"uid": "a", "context": "A", "hypothesis": "B", "label": "e", "genre": "news"}
SNLI = {"sentence1": "A", "sentence2": "B", "gold_label": "neutral", "pairID": "1", "captionID": "2"}
DIALOGUES = b"1 your persona: I sing.\n2 partner's persona: I dance.\n3 hello\thi, I sing\t\ta|b\n1 your persona: I run.\n2 a\tb\n"


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


def consume(read: Callable[..., Any], *rest: Any) -> Read:
    """Return a reader that reads everything of an iterator."""

    def consumed(path: Path) -> object:
        result = read(path, *rest)
        return list(result) if isinstance(result, Iterator) else result

    return consumed


def read_released(path: Path) -> object:
    """Read a released task from a data folder with one archive."""
    from trivium.data.curriculum import read_released as read

    read.cache_clear()
    before = os.environ.get("TRIVIUM_DATA")
    os.environ["TRIVIUM_DATA"] = str(path.parents[1])
    try:
        return read("bool")
    finally:
        os.environ.pop("TRIVIUM_DATA")
        if before is not None:
            os.environ["TRIVIUM_DATA"] = before


def read_override(path: Path) -> object:
    """Apply the lines of a file as overrides."""
    from trivium.benchmarks.benchmark import find_benchmarks

    overrides = path.read_bytes().decode("utf-8", "surrogateescape").split("\0")
    return find_benchmarks()[("c2gen", "cfl", "curriculum")[len(overrides) % 3]].settings("smoke", overrides)


def random_overrides(rng: random.Random) -> bytes:
    names = ("suites.snli.x", "train.epochs", "run.folds", "strategy.er-res.memory_size", "a", "", ".", "a..b", "model", "a." * 3000,
             "suites", "run.strategies", "note", text(rng), "model.name", "train", "strategy.kd")  # fmt: skip
    overrides = [
        f"{rng.choice(names)}{rng.choice(('=', '=', '=', ''))}{toml_value(rng)}" for _ in range(rng.randrange(1, 4))
    ]
    return "\0".join(overrides).encode("utf-8", "surrogatepass")


def read_preset(path: Path) -> object:
    from trivium.benchmarks.benchmark import find_benchmarks

    return find_benchmarks()["cfl"].settings(str(path))


def recaster(kind: str) -> Read:
    from trivium.build.recasting import RecastOptions, recast

    classes = {"negative": "The reader is bored.", "positive": "The reader is glad."} if kind == "classes" else {}
    return lambda path: recast(kind, path, RecastOptions(classes=classes))


def read_sheets(path: Path) -> object:
    from trivium.build.verification import read_causes, read_key, read_labels, read_sheet
    from trivium.data.labels import NLI3

    key = read_key(path, NLI3)
    return read_labels(path), read_sheet(path, key, NLI3), read_causes(path)


def key_sample() -> bytes:
    from trivium.build.verification import Item, write_csv

    with tempfile.TemporaryDirectory() as folder:
        items = [
            Item("nli", "=A man sings", 'A "person" sings', "entailment"),
            Item("nli", "It rains", "No", "neutral"),
        ]
        columns = ("id", "inference", "premise", "hypothesis", "label", "answer", "note", "cause")
        rows = [
            (item.id, item.inference, item.premise, item.hypothesis, item.label, "n", "-", "slip") for item in items
        ]
        write_csv(Path(folder) / "key.csv", columns, rows)
        return (Path(folder) / "key.csv").read_bytes()


def plain_readers() -> Iterator[Reader]:
    """Yield the readers of users' own files."""
    from trivium.build.conjuncts.texts import read_texts
    from trivium.data.conllu import read_conllu
    from trivium.data.manifest import read_manifest
    from trivium.data.persona import read_dialogues, read_lesson
    from trivium.data.roles import read_roles
    from trivium.data.split import Split
    from trivium.data.tables import read_pairs

    jsonl, csv = (
        lines(PAIR, {**PAIR, "id": "2"}),
        b'id,premise,hypothesis,label\n1,"A, ""b""",C,neutral\n2,"D\nE",F,entailment\n',
    )
    tsv = b'id\tpremise\thypothesis\tlabel\n1\t"A ""b"""\tC\tneutral\n2\t"D\nE"\tF\tentailment\n'
    columns = ("id", "premise", "hypothesis", "label", "genre")
    yield Reader("JSON Lines", "a.jsonl", (jsonl,), read_pairs, json_lines(PAIR))
    yield Reader("JSON Lines, gzipped", "a.jsonl.gz", (gzip.compress(jsonl, mtime=0), gzip.compress(jsonl * 50, mtime=0)), read_pairs,
                 lambda rng: gzip.compress(json_lines(PAIR)(rng), mtime=0))  # fmt: skip
    yield Reader("CSV", "a.csv", (csv,), read_pairs, table(",", *columns))
    yield Reader("TSV", "a.tsv", (tsv,), read_pairs, table("\t", *columns))
    yield Reader(
        "Parquet", "a.parquet", (parquet([PAIR, PAIR]), parquet([PAIR], {"labels": "nli3"})), read_pairs, random_parquet
    )
    yield Reader("split, JSON Lines", "a.jsonl", (SPLIT,), Split.read, json_lines(EXAMPLE))
    yield Reader("split, Parquet", "a.parquet", (parquet([{**EXAMPLE, "facts": "{}", "parts": "[]"}], {"labels": "nli3"}),), Split.read,
                 random_parquet)  # fmt: skip
    yield Reader("preset", "a.toml", tuple(_presets()), read_preset, toml)
    yield Reader(
        "--set", "set", (b"train.epochs=2\0run.seed=1", b"suites.snli.limit=3"), read_override, random_overrides
    )
    yield Reader("manifest", "a.toml", (_manifest(),), read_manifest, toml)
    yield Reader("CoNLL-U", "a.conllu", (CONLLU,), consume(read_conllu))
    yield Reader("roles", "a.txt", (ROLES,), read_roles)
    yield Reader("dialogues", "a.txt", (DIALOGUES, b"I sing.\nI run.\n"), read_dialogues)
    lesson = {"fact": "I sing.", "utterance": "I am a singer.", "label": "entailment"}
    published = {"relevant_persona_sentence": "I sing.", "candidates": {"similar": ["a"], "rand": ["b"], "neg": ["c"]}}
    yield Reader(
        "lesson", "a.jsonl", (lines(lesson), lines(published)), read_lesson, json_lines({**lesson, **published})
    )
    yield Reader("sentences", "a.txt", (b"Tom sings and Ada dances.\nIt rains.\n",), lambda path: read_texts(str(path)))
    yield Reader(
        "sheet and key",
        "key.csv",
        (key_sample(),),
        read_sheets,
        table(",", "id", "inference", "premise", "hypothesis", "label", "answer"),
    )
    for kind, row in (
        ("choices", CHOICE),
        ("concatenation", QUESTION),
        ("swap", QUESTION),
        ("classes", {"text": "Dull!", "label": "negative"}),
    ):
        yield Reader(f"recast: {kind}", "a.jsonl", (lines(row),), recaster(kind), json_lines(row))
    for mode in ("zip", "gz", ""):
        sample = packed({"a.txt": b"hello" * 50, "b/c.txt": b"x"} | ({} if mode == "zip" else {"link": b"a.txt"}), mode)
        yield Reader(f"archive, {'tar' if mode != 'zip' else ''}{mode and mode != 'zip' and '.'}{mode}".replace("False", ""),
                     "a.archive", (sample,), unpack_archive, random_archive(mode))  # fmt: skip


def tool_readers() -> Iterator[Reader]:
    """Yield the readers of files in the folders of models and personas, which import torch, and the command line."""
    from trivium.tools.history import HISTORY, read_history
    from trivium.tools.persona import Persona

    def random_json(template: dict[str, Any], rng: random.Random) -> Any:
        row = {**template, **{rng.choice([*template]): value(rng) for _ in range(rng.randrange(3))}}
        return row if rng.random() < 0.95 else value(rng)

    persona = json.loads(PERSONA)
    yield Reader("persona.json", "persona.json", (PERSONA,), lambda path: Persona.open(path.parent),
                 lambda rng: json.dumps(random_json(persona, rng)).encode(),
                 lambda folder: [(folder / f"model-{number}").mkdir() for number in range(3)])  # fmt: skip
    yield Reader("history of corrections", HISTORY, (json.dumps([RECORD]).encode(),), lambda path: read_history(path.parent),
                 lambda rng: json.dumps([random_json(RECORD, rng), {**RECORD, "examples": [random_json(EXAMPLE, rng)]}]).encode())  # fmt: skip
    yield Reader("command line", "arguments", (), run_command, arguments)


def source_readers() -> Iterator[Reader]:
    """Yield the readers of public data sets."""
    from trivium.data.reasoning import read_reasoning
    from trivium.data.sources import anli, cad, conjnli, fragments, mnli, sick, snli

    yield Reader("ANLI", "a.jsonl", (lines(ANLI),), consume(anli.read_anli, "R1", "dev"), json_lines(ANLI))
    yield Reader(
        "ANLI, reasoning",
        "a.csv",
        (b'uid,A1Code\na,"Basic-Lexical, Tricky"\n',),
        read_reasoning,
        table(",", "uid", "A1Code"),
    )
    yield Reader("SNLI", "a.jsonl", (lines(SNLI),), consume(snli.read_snli, "dev"), json_lines(SNLI))
    listed = json.dumps([{"sentence": "sentence 1: A \nsentence 2: B", "label": "neutral"}]).encode()
    yield Reader(
        "MultiNLI, training",
        "a.json",
        (listed,),
        consume(mnli.read_train),
        lambda rng: json.dumps([value(rng)]).encode(),
    )
    yield Reader("MultiNLI, dev", "a.jsonl", (lines(PAIR),), consume(mnli.read_dev), json_lines(PAIR))
    yield Reader("SICK", "a.txt", (SICK.encode(),), sick.read_sick, table("\t", *SICK_COLUMNS))
    yield Reader(
        "SICK, SemEval", "a.txt", (SICK.replace("entailment_label", "entailment_judgment").encode(),), sick.read_semeval
    )
    yield Reader("SICK, corrected", "a.csv", (SICK.encode(),), sick.read_corrected)
    pairs = ("sentence1", "sentence2", "gold_label")
    yield Reader("CAD, pairs", "a.tsv", (b'sentence1\tsentence2\tgold_label\n"A ""b"""\tC\tneutral\nD\tE\tentailment\n',),
                 consume(cad.read_pairs, "original", "dev"), table("\t", *pairs))  # fmt: skip
    yield Reader(
        "CAD, reviews",
        "a.tsv",
        (REVIEWS.encode(),),
        consume(cad.read_reviews, "dev"),
        table("\t", "Sentiment", "Text", "batch_id"),
    )
    yield Reader("ConjNLI", "a.tsv", (b"Premise\tHypothesis\tLabel\nA and B\tA\tentailment\n",), consume(conjnli.read_pairs, "dev"),
                 table("\t", "Premise", "Hypothesis", "Label"))  # fmt: skip
    yield Reader("fragments", "a.tsv", (b"x\tA\tB\tENTAILMENT\ny\tC\tD\tNEUTRAL\n",), consume(fragments.read_fragment, "dev"),
                 table("\t", "x", "A", "B", "NEUTRAL"))  # fmt: skip
    task = {"premise": "A", "hypothesis": "B", "gold_label": "entailment", "idx": 1}
    yield Reader("CURRICULUM", "curriculum/boolean.zip", (packed({"t/train.jsonl": lines(task), "t/val.jsonl": lines(task)}, "zip"),),
                 read_released, lambda rng: packed({"t/train.jsonl": json_lines(task)(rng), "t/val.jsonl": lines(task)}, "zip"))  # fmt: skip


def _presets() -> Iterator[bytes]:
    import trivium.benchmarks

    for file in sorted(Path(trivium.benchmarks.__path__[0]).glob("cfl/presets/*.toml")):
        yield file.read_bytes()


def _manifest() -> bytes:
    return (
        b'address = "https://example.org"\n[sources.a]\ntitle = "A"\ncitation = "B"\nlicence = "C"\n[[sources.a.origins]]\n'
        b'repository = "a/b"\ncommit = "0123456789ab"\nlicence = "C"\n[[sources.a.origins.files]]\npath = "a.txt"\n'
        b'original = "a.txt"\nsha256 = "' + b"0" * 64 + b'"\n'
    )


@lru_cache(maxsize=1)
def readers() -> dict[str, Reader]:
    """Return all readers by name."""
    return {reader.name: reader for reader in _all_readers()}


def _all_readers() -> Iterator[Reader]:
    for group in (plain_readers, source_readers, tool_readers):
        yield from group()


def reader_of(name: str) -> Reader:
    """Return a reader by name, without importing what the later ones need."""
    return next(reader for reader in _all_readers() if reader.name == name)


# Running.


def content_of(reader: Reader, number: int) -> bytes:
    """Return one input of a reader: of every five, two are random structures where there are any."""
    rng = random.Random(f"{SEED} {reader.name} {number}")
    if reader.make is not None and (not reader.samples or number % 5 < 2):
        content = reader.make(rng)
        return mutated((content,), rng) if reader.samples and rng.random() < 0.2 else content
    return mutated(reader.samples, rng)


def check(reader: Reader, number: int, outcome: Outcome, *, raising: bool = False) -> None:
    """Read one input, and count what happens."""
    from trivium.errors import ConfigError, UserError

    with tempfile.TemporaryDirectory(dir=_memory_folder()) as name:
        path = Path(name) / reader.file
        path.parent.mkdir(exist_ok=True)
        reader.prepare(path.parent)
        path.write_bytes(content_of(reader, number))
        begin = time.process_time()  # of the processor, so that other work on the machine does not count
        fault, before = None, (outcome.accepted, outcome.refused)
        try:
            signal.setitimer(signal.ITIMER_PROF, 2 * SECONDS)
            signal.setitimer(signal.ITIMER_REAL, 60)  # for an input that waits and does not compute
            try:
                reader.read(path)
                outcome.accepted += 1
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
                signal.setitimer(signal.ITIMER_REAL, 0)
        except UserError as error:
            message = str(error)
            if not message.strip() or (len(message.splitlines()) > 1 and not isinstance(error, ConfigError)):
                fault = "a message that is not one line"
            else:
                outcome.refused += 1
        except BaseException as error:
            if raising or isinstance(error, KeyboardInterrupt):
                raise
            frame = traceback.extract_tb(error.__traceback__)[-1]
            fault = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
        seconds = time.process_time() - begin
        if fault is None and seconds > SECONDS:
            fault = f"slow: {seconds:.1f} s"
            outcome.accepted, outcome.refused = before
        outcome.slowest = max(outcome.slowest, seconds)
        if fault is not None:
            outcome.faults[fault] += 1
            outcome.first.setdefault(fault, number)


def _memory_folder() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _hang(signum: int, frame: object) -> None:
    raise HangError


def run_reader(name: str, inputs: int) -> Outcome:
    """Read some inputs with a reader."""
    before = {number: signal.signal(number, _hang) for number in (signal.SIGALRM, signal.SIGPROF)}
    reader = reader_of(name)
    outcome = Outcome(name)
    try:
        for sample in reader.samples or ("\0".join(words).encode() for words in COMMANDS):  # imports do not count
            with contextlib.suppress(Exception), tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / reader.file
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(sample)
                reader.read(path)
        for number in range(inputs):
            check(reader, number, outcome)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return outcome


def main(inputs: int = INPUTS) -> None:
    """Print the table. Two readers run at a time."""
    print(f"| reader | inputs | accepted | refused | faults | slowest (ms) |\n{'|---' * 6}|", flush=True)
    found = []

    def run_apart(name: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, __file__, name, str(inputs)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    pool = ThreadPoolExecutor(2)
    for name, done in zip(readers(), pool.map(run_apart, readers()), strict=True):
        if done.returncode:
            print(f"| {name} | | | | ended by {done.returncode} | |", flush=True)
            found.append(f"{name}: {done.stderr.strip().splitlines()[-1:]}")
            continue
        row, *faults = done.stdout.strip().splitlines()
        print(row, flush=True)
        found += faults
    print("\n" + "\n".join(f"- {fault}" for fault in found) if found else "\nNo faults.", flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 1:
        main()
    elif len(sys.argv) == 2:
        main(int(sys.argv[1]))
    elif len(sys.argv) == 3:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        result = run_reader(sys.argv[1], int(sys.argv[2]))
        print(result.row())
        for fault, count in result.faults.most_common():
            print(f"{result.reader}: {fault}: {count} (first: input {result.first[fault]})")
    else:
        signal.signal(signal.SIGPROF, _hang)
        print(content_of(reader_of(sys.argv[1]), int(sys.argv[3]))[:2000])
        result = Outcome(sys.argv[1])
        check(reader_of(sys.argv[1]), int(sys.argv[3]), result, raising=True)
        print(result)
