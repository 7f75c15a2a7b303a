"""``trivium recast``: other tasks made into pairs of premise and hypothesis."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trivium.cli.console import out
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.seeds import stream

if TYPE_CHECKING:
    from trivium.build.recasting import Recast

_SHOWN = 5


def recast(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="choices, concatenation, swap or classes.")],
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file with a JSON object a line (.jsonl, or .gz of it).")
    ],
    to: Annotated[Path, typer.Option("--out", help="The .jsonl or .parquet file for the pairs.")],
    negatives: Annotated[
        str, typer.Option("--negatives", help="Not-entailed pairs beside each entailed one: a number at most, or all.")
    ] = "1",
    classes: Annotated[
        list[str] | None,
        typer.Option("--class", metavar="NAME=STATEMENT", help="What a class says, for classes; give each of them."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Another number draws other wrong answers.")] = 0,
) -> None:
    """Recast another task into pairs that are entailed or not-entailed.

    A line of the file, for each kind:

    choices: {"context": "The roof leaks.", "question": "Who comes?", "choices": ["A roofer.", "A baker."], "answer": 0}

    concatenation: {"context": "Ada sang.", "question": "Who sang?", "answer": "Ada", "wrong": ["Tom"]}

    swap: {"context": "Ada sang and Tom danced.", "question": "Who sang?", "answer": "Ada"}

    classes: {"text": "What a dull book!", "label": "negative"}, with --class "negative=The reader is bored." and so on

    classes, two texts: {"text": "Ada sang.", "text2": "There was singing.", "label": true}
    """
    from trivium.build.recasting import RecastOptions
    from trivium.build.recasting import recast as recast_file

    _check_out(to)
    chosen = RecastOptions(_number(negatives), _statements(kind, classes or ()), seed)
    found = recast_file(kind, file, chosen)
    if not found.split.examples:
        raise UserError(f"{file}: nothing could be recast: {'; '.join(_reasons(found))}")
    found.split.write(to)
    counted = ", ".join(f"{count} {label}" for label, count in found.split.counts().items())
    out.print(f"{len(found.split)} pairs ({counted}) in {to}.", markup=False, soft_wrap=True)
    for reason in _reasons(found):
        out.print(f"Left out: {reason}.", markup=False, soft_wrap=True)
    _show(found.split, seed)


def _check_out(path: Path) -> None:
    if path.suffix not in (".jsonl", ".parquet"):
        raise UserError(f"--out {path}: the pairs go into a .jsonl or a .parquet file")
    if path.exists():
        raise UserError(f"{path}: there is something already: choose another file with --out")


def _number(negatives: str) -> int | None:
    if negatives == "all":
        return None
    if not re.fullmatch(r"0*[1-9][0-9]{0,8}", negatives):
        raise UserError(f"--negatives {negatives}: it is a number of 1 or more, or all")
    return int(negatives)


def _statements(kind: str, given: Sequence[str]) -> dict[str, str]:
    if given and kind != "classes":
        raise UserError(f"--class {given[0]}: it is for the kind classes, not for {kind}")
    found: dict[str, str] = {}
    for one in given:
        name, equals, statement = (part.strip() for part in one.partition("="))
        if not name or not equals or not statement:
            raise UserError(f"--class {one}: it is NAME=STATEMENT, for instance negative=The reader is bored.")
        if name in found:
            raise UserError(f"--class {one}: the class {name!r} has a statement already, {found[name]!r}")
        found[name] = statement
    return found


def _reasons(found: Recast) -> list[str]:
    return [
        f"{skip.lines} {'line' if skip.lines == 1 else 'lines'} (the first is {skip.first}): {reason}"
        for reason, skip in sorted(found.skipped.items(), key=lambda item: -item[1].lines)
    ]


def _show(split: Split, seed: int) -> None:
    """A few pairs to read, drawn at random: a premise with its end, a hypothesis in full."""
    places = stream(seed, "data", "recast", "shown").permutation(len(split))[:_SHOWN]
    out.print("To read:", markup=False)
    for place in sorted(places):
        example = split.examples[place]
        premise = " ".join(example.premise.split())
        shown = premise if len(premise) <= 160 else f"… {premise[-157:].lstrip()}"
        out.print(f"\n  {shown}\n  → {example.hypothesis}\n    {example.label}", markup=False, soft_wrap=True)
