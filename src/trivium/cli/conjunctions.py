"""Commands about conjunctions: ``conjunctions``, ``verify conjuncts`` and ``verify conjlabels``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table as Grid

from trivium.build.verification import write_key, write_sheet
from trivium.cli.benchmarks import show_examples
from trivium.cli.console import out, say
from trivium.cli.options import Seed
from trivium.errors import UserError
from trivium.saving import check_free

if TYPE_CHECKING:
    from trivium.build.conjuncts.building import Built
    from trivium.data.example import Example
    from trivium.data.split import Split

GOLD = "ud_ewt/en_ewt-ud-dev.conllu"
_SAMPLE = 100
_IN_VIEW = 330  # pairs of dev that were read when the rules were written


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
    grid = _grid("parser", "coordinations", numbers=("gold", "found", "right", "precision", "recall"))
    for made in chosen:
        scores = accuracy(made, gold)
        for name, score in (("of two conjuncts", scores.two_part), ("all", scores.all)):
            counts = (str(score.gold), str(score.found), str(score.right))
            grid.add_row(made.name, name, *counts, f"{score.precision:.1f} %", f"{score.recall:.1f} %")
    out.print(grid)
    absent = [name for name, make in find_parsers().items() if not parser and not make().is_there()]
    if absent:
        out.print(f"Not installed: {', '.join(absent)}.", markup=False)


def conjlabels(
    parser: Annotated[
        str, typer.Option("--parser", help="What reads the premises for the last table: spacy, benepar, light or auto.")
    ] = "auto",
) -> None:
    """How often the label rules agree with ConjNLI's labels, by rule, and how many of its removals are built too."""
    from trivium.build.conjuncts.alternatives import coverage
    from trivium.build.conjuncts.comparison import rule_scores, total
    from trivium.build.conjuncts.parsers import make_parser
    from trivium.build.conjuncts.readings import MOST
    from trivium.data.sources.conjnli import load_part

    dev = load_part("dev").examples
    seen, unseen = f"dev 1-{_IN_VIEW}", f"dev {_IN_VIEW + 1}-{len(dev)}"
    parts = {seen: dev[:_IN_VIEW], unseen: dev[_IN_VIEW:], "adversarial": load_part("adversarial").examples}
    out.print(_agreement(parts))
    whole = total(rule_scores(dev))
    out.print(
        f"Of all {whole.pairs} pairs of dev {whole.percentage:.1f} % agree. The first {_IN_VIEW} were in view when the "
        "rules were written, of the rest only counts by rule.",
        markup=False,
    )
    grid = _grid("readings of a conjunction", numbers=("cut from the premise", "built too", "share", "built for each"))
    made = make_parser(parser)
    for most in (1, MOST):
        scored = coverage(dev, made, most)
        each = f"{scored.built / max(scored.pairs, 1):.1f}"
        grid.add_row(str(most), str(scored.pairs), str(scored.found), f"{scored.percentage:.1f} %", each)
    out.print(grid)


def _agreement(parts: Mapping[str, Sequence[Example]]) -> Grid:
    """The agreement of each rule with each part of the data, and of all rules."""
    from trivium.build.conjuncts.comparison import RuleScore, rule_scores, total

    grid = _grid("operation", "rule", "label", numbers=parts)
    scores = {name: rule_scores(examples) for name, examples in parts.items()}
    found = {(one.operation, one.rule, one.label, name): one for name, known in scores.items() for one in known}

    def shown(score: RuleScore | None) -> str:
        return "" if score is None else f"{score.agreed}/{score.pairs} {score.percentage:5.1f} %"

    for key in sorted({key[:3] for key in found}):
        grid.add_row(*key, *(shown(found.get((*key, name))) for name in parts))
    grid.add_section()
    grid.add_row("all", "", "", *(shown(total(scores[name])) for name in parts))
    return grid


def conjunctions(
    sentences: Annotated[
        str, typer.Argument(metavar="SENTENCES", help="A file with one sentence a line, or a source.")
    ],
    folder: Annotated[Path | None, typer.Option("--out", help="The folder for the pairs and a sample.")] = None,
    size: Annotated[int, typer.Option("--size", min=1, help="The number of pairs.")] = 15_000,
    parser: Annotated[
        str, typer.Option("--parser", help="What parses the sentences: spacy, benepar, light or auto.")
    ] = "auto",
    format: Annotated[str, typer.Option("--format", help="The format of the pairs: jsonl or parquet.")] = "jsonl",
    seed: Seed = 0,
    sample: Annotated[int, typer.Option("--sample", min=0, help="Show this many random pairs.")] = 0,
) -> None:
    """Build NLI pairs on conjunctions from plain sentences, labelled by rules and balanced."""
    from trivium.build.conjuncts.building import build_pairs
    from trivium.build.conjuncts.parsers import make_parser
    from trivium.build.conjuncts.texts import read_texts

    if format not in ("jsonl", "parquet"):
        raise UserError(f"--format {format}: must be 'jsonl' or 'parquet'")
    if folder is not None:
        _check_out(folder, format)
    texts = read_texts(sentences)
    if not texts:
        raise UserError(f"{sentences}: no sentences in it")
    reader = make_parser(parser)
    say(f"{len(texts):,} sentences, parsed by {reader.name} (--parser).")
    built = build_pairs(texts, size, seed, reader, name="conjnli")
    if not built.split.examples:
        raise UserError(f"{sentences}: no pair could be built: {_listed(built.skipped.items())}")
    _show_built(built)
    show_examples(built.split.examples, sample)
    if folder is None:
        say("Nothing was written: name a folder with --out.")
        return
    file, sheets = folder / f"conjnli.{format}", folder / "verify"
    built.split.write(file)
    _write_sample(built.split, sheets, seed)
    say(f"Wrote {len(built.split):,} pairs to {file}, and a sample to judge to {sheets}/sheet.csv.")
    show_how_to_judge(sheets / "key.csv")


def _check_out(to: Path, kind: str) -> None:
    """An error, before any work is done, if something would be overwritten or cannot be written."""
    if to.is_file():
        raise UserError(f"--out {to}: it is a file: name a folder")
    for file in (to / "verify" / "sheet.csv", to / f"conjnli.{kind}"):
        if file.exists():
            raise UserError(f"{file} is already there: choose another folder with --out")
    check_free(to / "verify")


def _show_built(built: Built) -> None:
    out.print(_cells(built.split))
    out.print(_rules(built.split))
    out.print(_variety(built.split), markup=False)
    if built.missing > 0:
        possible = ", ".join(f"{count:,} with {kind}" for kind, count in built.possible.items())
        out.print(
            f"{built.missing:,} pairs fewer than the {built.size:,} that were asked for: these sentences give no more "
            f"({possible} can be trusted, at most a third of the size of each and a few of a sentence are taken).",
            markup=False,
        )
    if built.skipped:
        out.print(f"Sentences of which no pair is used: {_listed(built.skipped.items())}.", markup=False)
    if built.dropped:
        out.print(f"Pairs that were made and not trusted: {_listed(built.dropped.items())}.", markup=False)


def _variety(split: Split) -> str:
    """How many pairs are of sentences with more in them than conjuncts."""
    from trivium.build.conjuncts.traits import YES

    names = {"multiple": "several conjunctions", "quantifier": "a quantifier", "negation": "a negation"}
    counts = [f"{sum(one.fact(fact) == YES for one in split):,} {name}" for fact, name in names.items()]
    return f"Of {len(split):,} pairs, in the sentence with both conjuncts: {', '.join(counts)}."


def _cells(split: Split) -> Grid:
    """How many pairs there are of each conjunction, operation and label."""
    from trivium.build.conjuncts.traits import BALANCED, CHANGES

    grid = _grid("conjunction", "operation", numbers=(*split.labels.names, "all"))
    counts = Counter((example.fact("conjunction"), example.fact("operation"), example.label) for example in split)
    for kind in BALANCED:
        for operation in CHANGES:
            cells = [counts[kind, operation, label] for label in split.labels.names]
            grid.add_row(kind, operation, *map(str, cells), str(sum(cells)))
    grid.add_section()
    grid.add_row("all", "", *map(str, split.counts().values()), str(len(split)))
    return grid


def _rules(split: Split) -> Grid:
    """How many pairs each rule labelled."""
    from trivium.build.conjuncts.traits import BALANCED, CHANGES

    kinds = (*BALANCED, "all")
    grid = _grid("operation", "rule", "label", "Boolean", numbers=kinds)
    counts = Counter(
        (*(example.fact(name) for name in ("operation", "rule")), example.label, example.fact("boolean"), kind)
        for example in split
        for kind in (example.fact("conjunction"), "all")
    )
    rows = sorted({key[:4] for key in counts}, key=lambda key: (CHANGES.index(str(key[0])), -counts[(*key, "all")]))
    for row in rows:
        grid.add_row(*map(str, row), *(str(counts[(*row, kind)]) for kind in kinds))
    return grid


def _grid(*names: str, numbers: Iterable[str]) -> Grid:
    grid = Grid(*names)
    for name in numbers:
        grid.add_column(name, justify="right")
    return grid


def _listed(counts: Iterable[tuple[str, int]]) -> str:
    return "; ".join(f"{count:,} {name}" for name, count in counts) or "there were none"


def _write_sample(split: Split, folder: Path, seed: int) -> None:
    """A sheet and a key of pairs to judge, as many of each conjunction."""
    from trivium.build.conjuncts.balance import sample_items

    items = sample_items(split, min(_SAMPLE, len(split)), seed)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"--out {folder.parent}: it cannot be made ({error.strerror})") from None
    write_key(items, folder / "key.csv")
    write_sheet(items, folder / "sheet.csv")


def show_how_to_judge(key: Path) -> None:
    """Print what two people do with a sheet that was drawn."""
    out.print("Give each of two people a copy of the sheet: a spreadsheet opens it, or", markup=False)
    out.print(f"  trivium verify answer COPY.csv --key {key}", markup=False, soft_wrap=True)
    out.print(f"and then: trivium verify score A.csv B.csv --key {key}", markup=False, soft_wrap=True)
