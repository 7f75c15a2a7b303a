"""All readers, with their samples."""

# ruff: noqa: E501 - a reader is one line

from __future__ import annotations

import gzip
import json
import os
import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from benchmarks.fuzzing.commands import arguments, run_command
from benchmarks.fuzzing.inputs import (
    Make,
    json_lines,
    packed,
    parquet,
    random_archive,
    random_parquet,
    table,
    text,
    toml,
    toml_value,
    unpack_archive,
    value,
)
from benchmarks.fuzzing.samples import (
    ANLI,
    CHOICE,
    CONLLU,
    DIALOGUES,
    EXAMPLE,
    PAIR,
    PERSONA,
    QUESTION,
    RECORD,
    REVIEWS,
    ROLES,
    SICK,
    SICK_COLUMNS,
    SNLI,
    SPLIT,
    lines,
)

Read = Callable[[Path], object]


@dataclass(frozen=True)
class Reader:
    """How a format is read, valid samples of it, and random structures in it."""

    name: str
    file: str
    samples: tuple[bytes, ...]
    read: Read
    make: Make | None = None
    prepare: Callable[[Path], object] = lambda folder: None


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
