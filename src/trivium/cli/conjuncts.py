"""``trivium verify conjuncts``: how often each parser finds both conjuncts of a coordination exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table as Grid

from trivium.cli.screen import out

GOLD = "ud_ewt/en_ewt-ud-dev.conllu"


def conjuncts(
    parser: Annotated[
        str | None, typer.Option("--parser", help="spacy, benepar, light or auto; by default all that are installed.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", help="Gold trees in CoNLL-U; by default the dev part of UD English EWT.")
    ] = None,
) -> None:
    """Measure the parsers on gold trees: both conjuncts exact, by characters."""
    from trivium.build.conjuncts.accuracy import accuracy
    from trivium.build.conjuncts.gold import gold_sentences
    from trivium.build.conjuncts.parsers import find_parsers, make_parser
    from trivium.data.locate import find_file

    chosen = (
        [make_parser(parser)] if parser else [made for _, make in find_parsers().items() if (made := make()).is_there()]
    )
    gold = list(gold_sentences(file or find_file(GOLD)))
    grid = Grid("parser", "coordinations")
    for column in ("gold", "found", "right", "precision", "recall"):
        grid.add_column(column, justify="right")
    for made in chosen:
        scores = accuracy(made, gold)
        for name, score in (("of two conjuncts", scores.two_part), ("all", scores.all)):
            counts = (str(score.gold), str(score.found), str(score.right))
            grid.add_row(made.name, name, *counts, f"{score.precision:.1f} %", f"{score.recall:.1f} %")
    out.print(grid)
    absent = [name for name, make in find_parsers().items() if not parser and not make().is_there()]
    if absent:
        out.print(f"Not installed: {', '.join(absent)}.", markup=False)
