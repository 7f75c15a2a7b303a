"""Commands about conjunctions: ``conjunctions``, ``verify conjuncts`` and ``verify conjlabels``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table as Grid

from trivium.cli.benchmarks import show_examples
from trivium.cli.console import out, say
from trivium.cli.options import Seed
from trivium.errors import UserError
from trivium.saving import check_empty_folder

if TYPE_CHECKING:
    from trivium.build.conjuncts.building import Built
    from trivium.data.example import Example
    from trivium.data.split import Split

GOLD = "ud_ewt/en_ewt-ud-dev.conllu"
_SAMPLE = 100
_DEVELOPMENT_PAIRS = 330  # at the start of dev, which were visible when the rules were written


def conjuncts(
    parser: Annotated[
        str | None, typer.Option("--parser", help="spacy, benepar, light or auto; by default all that are installed.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", help="Gold trees in CoNLL-U; by default the dev set of UD English EWT.")
    ] = None,
) -> None:
    """Measure how well parsers find conjuncts, against gold trees. Both conjuncts must match to the character."""
    from trivium.build.conjuncts.accuracy import accuracy
    from trivium.build.conjuncts.gold import gold_sentences
    from trivium.build.conjuncts.parsers import find_parsers, make_parser
    from trivium.data.locate import find_file

    known = {} if parser else {name: make() for name, make in find_parsers().items()}
    parsers = [make_parser(parser)] if parser else [each for each in known.values() if each.is_available()]
    gold = list(gold_sentences(file or find_file(GOLD)))
    grid = _grid("parser", "coordinations", numbers=("gold", "found", "correct", "precision", "recall"))
    for each in parsers:
        scores = accuracy(each, gold)
        for name, score in (("of two conjuncts", scores.two_part), ("all", scores.all)):
            counts = (str(score.gold), str(score.found), str(score.right))
            grid.add_row(each.name, name, *counts, f"{score.precision:.1f} %", f"{score.recall:.1f} %")
    out.print(grid)
    missing = [name for name, each in known.items() if not each.is_available()]
    if missing:
        out.print(f"Not installed: {', '.join(missing)}.", markup=False)


def conjlabels(
    parser: Annotated[
        str,
        typer.Option("--parser", help="The parser of the premises for the last table: spacy, benepar, light or auto."),
    ] = "auto",
) -> None:
    """Measure how often the label rules agree with the labels of ConjNLI, by rule.

    A last table shows how many of ConjNLI's hypotheses that remove a conjunct are also built from its premises.
    """
    from trivium.build.conjuncts.alternatives import coverage
    from trivium.build.conjuncts.comparison import rule_scores, total
    from trivium.build.conjuncts.parsers import make_parser
    from trivium.build.conjuncts.readings import MOST
    from trivium.data.sources.conjnli import load_part

    dev = load_part("dev").examples
    first, rest = dev[:_DEVELOPMENT_PAIRS], dev[_DEVELOPMENT_PAIRS:]
    parts = {
        f"dev 1-{len(first)}": first,
        f"dev {len(first) + 1}-{len(dev)}": rest,
        "adversarial": load_part("adversarial").examples,
    }
    out.print(_agreement(parts))
    overall = total(rule_scores(dev))
    out.print(
        f"The rules agree with {overall.percentage:.1f} % of the {overall.pairs} labels of dev. The first {len(first)} "
        "pairs were visible when the rules were written; of the rest, only counts by rule were examined.",
        markup=False,
    )
    grid = _grid("parses per conjunction", numbers=("removals in dev", "also built", "share", "built per premise"))
    reader = make_parser(parser)
    for most in (1, MOST):
        result = coverage(dev, reader, most)
        per_pair = f"{result.built / max(result.pairs, 1):.1f}"
        grid.add_row(str(most), str(result.pairs), str(result.found), f"{result.percentage:.1f} %", per_pair)
    out.print(grid)


def _agreement(parts: Mapping[str, Sequence[Example]]) -> Grid:
    """Return a table of the agreement of each rule, and of all rules together, on each part of the data."""
    from trivium.build.conjuncts.comparison import RuleScore, rule_scores, total

    grid = _grid("operation", "rule", "label", numbers=parts)
    scores = {part: rule_scores(examples) for part, examples in parts.items()}
    cells = {
        (score.operation, score.rule, score.label, part): score
        for part, scores_of_part in scores.items()
        for score in scores_of_part
    }

    def format_cell(score: RuleScore | None) -> str:
        return "" if score is None else f"{score.agreed}/{score.pairs} {score.percentage:5.1f} %"

    for row in sorted({key[:3] for key in cells}):
        grid.add_row(*row, *(format_cell(cells.get((*row, part))) for part in parts))
    grid.add_section()
    grid.add_row("all", "", "", *(format_cell(total(scores[part])) for part in parts))
    return grid


def conjunctions(
    sentences: Annotated[
        str,
        typer.Argument(
            metavar="SENTENCES", help="A file with one sentence per line, or a source (see trivium list sources)."
        ),
    ],
    folder: Annotated[
        Path | None, typer.Option("--out", help="Write the pairs, and a sample to annotate, into this folder.")
    ] = None,
    size: Annotated[int, typer.Option("--size", min=1, help="The number of pairs to build.")] = 15_000,
    parser: Annotated[
        str, typer.Option("--parser", help="The parser of the sentences: spacy, benepar, light or auto.")
    ] = "auto",
    format: Annotated[str, typer.Option("--format", help="The format of the file: jsonl or parquet.")] = "jsonl",
    seed: Seed = 0,
    sample: Annotated[int, typer.Option("--sample", min=0, help="Show this many random pairs.")] = 0,
) -> None:
    """Build NLI pairs on conjunctions from plain sentences, labelled by rules and balanced by conjunction and label."""
    from trivium.build.conjuncts.building import build_pairs
    from trivium.build.conjuncts.parsers import make_parser
    from trivium.build.conjuncts.texts import read_texts

    if format not in ("jsonl", "parquet"):
        raise UserError(f"--format {format}: must be 'jsonl' or 'parquet'")
    if folder is not None:
        _check_out(folder, format)
    texts = read_texts(sentences)
    if not texts:
        raise UserError(f"{sentences}: contains no sentences")
    reader = make_parser(parser)
    say(f"{len(texts):,} sentences, parsed by {reader.name} (--parser).")
    built = build_pairs(texts, size, seed, reader, name="conjnli")
    if not built.split.examples:
        raise UserError(f"{sentences}: no pair could be built: {_join_counts(built.skipped)}")
    _show_built(built)
    show_examples(built.split.examples, sample)
    if folder is None:
        say("Nothing was written: choose a folder with --out.")
        return
    file, sheets = folder / f"conjnli.{format}", folder / "verify"
    built.split.write(file)
    _write_sample(built.split, sheets, seed)
    say(f"Wrote {len(built.split):,} pairs to {file}, and a sample to annotate to {sheets / 'sheet.csv'}.")
    show_instructions(sheets / "key.csv")


def _check_out(folder: Path, format: str) -> None:
    """Raise, before any work is done, if a file would be overwritten or cannot be written."""
    if folder.is_file():
        raise UserError(f"--out {folder}: is a file, but must be a folder")
    for file in (folder / "verify" / "sheet.csv", folder / f"conjnli.{format}"):
        if file.exists():
            raise UserError(f"{file}: already exists: choose another folder with --out")
    check_empty_folder(folder / "verify")


def _show_built(built: Built) -> None:
    out.print(_cells(built.split))
    out.print(_rules(built.split))
    out.print(_variety(built.split), markup=False)
    if built.missing > 0:
        usable = ", ".join(f"{count:,} with {conjunction}" for conjunction, count in built.possible.items())
        out.print(
            f"{built.missing:,} pairs fewer than the {built.size:,} requested: the sentences yield no more. Pairs that "
            f"passed the filters: {usable}; at most a third of the size is used for each conjunction, and a few pairs "
            "of each sentence.",
            markup=False,
        )
    if built.skipped:
        out.print(f"Sentences without a pair: {_join_counts(built.skipped)}.", markup=False)
    if built.dropped:
        out.print(f"Pairs removed by the filters: {_join_counts(built.dropped)}.", markup=False)


def _variety(split: Split) -> str:
    """Return a line with the number of pairs with several conjunctions, quantifiers and negations."""
    from trivium.build.conjuncts.traits import YES

    names = {"multiple": "several conjunctions", "quantifier": "a quantifier", "negation": "a negation"}
    counts = [f"{sum(example.fact(fact) == YES for example in split):,} {name}" for fact, name in names.items()]
    return f"Of {len(split):,} pairs, the sentence with both conjuncts also has: {', '.join(counts)}."


def _cells(split: Split) -> Grid:
    """Return a table of the number of pairs of each conjunction, operation and label."""
    from trivium.build.conjuncts.traits import BALANCED, CHANGES

    grid = _grid("conjunction", "operation", numbers=(*split.labels.names, "all"))
    counts = Counter((example.fact("conjunction"), example.fact("operation"), example.label) for example in split)
    for conjunction in BALANCED:
        for operation in CHANGES:
            cells = [counts[conjunction, operation, label] for label in split.labels.names]
            grid.add_row(conjunction, operation, *map(str, cells), str(sum(cells)))
    grid.add_section()
    grid.add_row("all", "", *map(str, split.counts().values()), str(len(split)))
    return grid


def _rules(split: Split) -> Grid:
    """Return a table of the number of pairs that each rule labelled, by conjunction."""
    from trivium.build.conjuncts.traits import BALANCED, CHANGES

    columns = (*BALANCED, "all")
    grid = _grid("operation", "rule", "label", "Boolean", numbers=columns)
    counts = Counter(
        (example.fact("operation"), example.fact("rule"), example.label, example.fact("boolean"), column)
        for example in split
        for column in (example.fact("conjunction"), "all")
    )
    rows = sorted({key[:4] for key in counts}, key=lambda key: (CHANGES.index(str(key[0])), -counts[(*key, "all")]))
    for row in rows:
        grid.add_row(*map(str, row), *(str(counts[(*row, column)]) for column in columns))
    return grid


def _grid(*names: str, numbers: Iterable[str]) -> Grid:
    grid = Grid(*names)
    for name in numbers:
        grid.add_column(name, justify="right")
    return grid


def _join_counts(counts: Mapping[str, int]) -> str:
    return "; ".join(f"{count:,} {name}" for name, count in counts.items()) or "none"


def _write_sample(split: Split, folder: Path, seed: int) -> None:
    """Write a sheet to annotate and its key, with about equally many pairs of each conjunction."""
    from trivium.build.conjuncts.balance import sample_items

    items = sample_items(split, min(_SAMPLE, len(split)), seed)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"--out {folder.parent}: cannot be created ({error.strerror})") from None
    from trivium.build.verification import write_key, write_sheet

    write_key(items, folder / "key.csv")
    write_sheet(items, folder / "sheet.csv")


def show_instructions(key: Path) -> None:
    """Print how two people annotate a sheet, and how to score them."""
    say("Give a copy of the sheet to each of two people, who fill it in with a spreadsheet, or with:")
    say(f"  trivium verify answer COPY.csv --key {key}")
    say("Then measure their agreement:")
    say(f"  trivium verify score A.csv B.csv --key {key}")
