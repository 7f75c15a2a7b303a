"""``trivium recast``: turn questions, choices and classes into pairs of premise and hypothesis."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trivium.cli.console import say
from trivium.cli.options import Seed
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.seeds import stream

if TYPE_CHECKING:
    from trivium.build.recasting import Recast

_SHOWN = 5


def recast(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="choices, concatenation, swap or classes.")],
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file with one JSON object per line: .jsonl or .jsonl.gz.")
    ],
    to: Annotated[Path, typer.Option("--out", help="The file to write: .jsonl or .parquet.")],
    negatives: Annotated[
        str,
        typer.Option("--negatives", help="The maximum number of not-entailed pairs per entailed pair, or 'all'."),
    ] = "1",
    classes: Annotated[
        list[str] | None,
        typer.Option(
            "--class", metavar="NAME=STATEMENT", help="The statement of a class, for the kind 'classes'; repeatable."
        ),
    ] = None,
    seed: Seed = 0,
) -> None:
    """Recast another task as NLI pairs that are entailed or not-entailed.

    A line of the file looks like this, for each kind:

    choices: {"context": "The roof leaks.", "question": "Who comes?", "choices": ["A roofer.", "A baker."], "answer": 0}

    concatenation: {"context": "Ada sang.", "question": "Who sang?", "answer": "Ada", "wrong": ["Tom"]}

    swap: {"context": "Ada sang and Tom danced.", "question": "Who sang?", "answer": "Ada"}

    classes: {"text": "What a dull book!", "label": "negative"}, with --class "negative=The reader is bored." and so on

    classes, two texts: {"text": "Ada sang.", "text2": "There was singing.", "label": true}
    """
    from trivium.build.recasting import RecastOptions
    from trivium.build.recasting import recast as recast_file

    _check_out(to)
    options = RecastOptions(_parse_negatives(negatives), _parse_classes(kind, classes or ()), seed)
    result = recast_file(kind, file, options)
    if not result.split.examples:
        raise UserError(f"{file}: nothing could be recast: {'; '.join(_skip_reasons(result))}")
    result.split.write(to)
    counts = ", ".join(f"{count} {label}" for label, count in result.split.counts().items())
    say(f"Wrote {len(result.split)} pairs ({counts}) to {to}.")
    for reason in _skip_reasons(result):
        say(f"Skipped {reason}.")
    _show_examples(result.split, seed)


def _check_out(path: Path) -> None:
    if path.suffix not in (".jsonl", ".parquet"):
        raise UserError(f"--out {path}: must be a .jsonl or a .parquet file")
    if path.exists():
        raise UserError(f"{path}: already exists: choose another file with --out")


def _parse_negatives(value: str) -> int | None:
    if value == "all":
        return None
    if not re.fullmatch(r"0*[1-9][0-9]{0,8}", value):
        raise UserError(f"--negatives {value}: must be a number, 1 or more, or 'all'")
    return int(value)


def _parse_classes(kind: str, definitions: Sequence[str]) -> dict[str, str]:
    """Return the statement of each class."""
    if definitions and kind != "classes":
        raise UserError(f"--class {definitions[0]}: only for the kind 'classes', not for {kind!r}: leave it out")
    statements: dict[str, str] = {}
    for definition in definitions:
        name, equals, statement = (part.strip() for part in definition.partition("="))
        if not name or not equals or not statement:
            raise UserError(f"--class {definition}: must be NAME=STATEMENT, such as negative=The reader is bored.")
        if name in statements:
            raise UserError(f"--class {definition}: the class {name!r} already has the statement {statements[name]!r}")
        statements[name] = statement
    return statements


def _skip_reasons(result: Recast) -> list[str]:
    return [
        f"{skip.lines} {'line' if skip.lines == 1 else 'lines'} (first: line {skip.first}): {reason}"
        for reason, skip in sorted(result.skipped.items(), key=lambda item: -item[1].lines)
    ]


def _show_examples(split: Split, seed: int) -> None:
    """Print a few random pairs. Of a long premise, only the end is shown."""
    indices = stream(seed, "data", "recast", "shown").permutation(len(split))[:_SHOWN]
    say("Random examples:")
    for index in sorted(indices):
        example = split.examples[index]
        premise = " ".join(example.premise.split())
        shortened = premise if len(premise) <= 160 else f"… {premise[-157:].lstrip()}"
        say(f"\n  {shortened}\n  → {example.hypothesis}\n    {example.label}")
