"""``trivium verify``: have people annotate built pairs and measure their agreement; measure parsers and label rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from trivium.build.verification import (
    CAUSE,
    CAUSES,
    Item,
    Sheet,
    draw_items,
    read_causes,
    read_key,
    read_labels,
    read_sheet,
    write_answers,
    write_csv,
    write_key,
    write_sheet,
)
from trivium.cli.conjunctions import conjlabels, conjuncts, show_instructions
from trivium.cli.console import out
from trivium.cli.options import Plugins, Preset, Seed, Set, open_session
from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3, Labels
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.plugins import load_plugins
from trivium.seeds import stream

verify_app = typer.Typer(
    help="Have people annotate built pairs, and measure their agreement; measure parsers and label rules.",
    no_args_is_help=True,
)
verify_app.command(epilog="Example: trivium verify conjuncts --parser spacy")(conjuncts)
verify_app.command(epilog="Example: trivium verify conjlabels --parser light")(conjlabels)

Key = Annotated[
    Path | None, typer.Option("--key", help="The key of the sample; by default key.csv beside the first sheet.")
]
_DISAGREEMENTS = Path("disagreements.csv")


@verify_app.command(epilog="Example: trivium verify sample c2gen --number 100 --out verify")
def sample(
    what: Annotated[
        str, typer.Argument(help="A benchmark (see trivium list benchmarks), or a .jsonl or .parquet split.")
    ],
    number: Annotated[int, typer.Option("--number", min=1, help="The number of examples to draw.")] = 200,
    to: Annotated[Path, typer.Option("--out", help="The folder for sheet.csv and key.csv.")] = Path("verify"),
    source: Annotated[
        str | None,
        typer.Option("--source", help="Where a benchmark's natural pairs come from; see trivium list sources."),
    ] = None,
    preset: Preset = "paper",
    set: Set = None,
    seed: Seed = 0,
    plugin: Plugins = None,
) -> None:
    """Draw a stratified sample of examples: write a sheet to annotate, and a key with the labels.

    Each example is annotated together with the primitives it is composed of, so that a sheet can have more pairs than
    --number.
    """
    sheet, key = to / "sheet.csv", to / "key.csv"
    for file in (sheet, key):
        if file.exists():
            raise UserError(f"{file}: already exists: choose another folder with --out")
    load_plugins(plugin or ())
    items = draw_items(_examples(what, source, preset, set or ()), number, stream(seed, "verify"))
    try:
        to.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"--out {to}: cannot be created ({error.strerror})") from None
    write_key(items, key)
    write_sheet(items, sheet)
    counts = ", ".join(f"{count} {type_}" for type_, count in Counter(item.inference for item in items).items())
    out.print(f"Wrote {len(items)} pairs ({counts}) to {sheet}, and their labels to {key}.", markup=False)
    show_instructions(key)


@verify_app.command(epilog="Example: trivium verify answer anna.csv --key verify/key.csv")
def answer(sheet: Annotated[Path, typer.Argument(help="An annotator's copy of sheet.csv.")], key: Key = None) -> None:
    """Fill in a sheet in the terminal, with one key press per pair.

    Each answer is saved at once. Run the same command again to continue.
    """
    items, labels = _read_key(key, sheet)
    filled = read_sheet(sheet, items, labels)
    answer_keys = {name[0]: name for name in labels.names}
    out.print("Does the second sentence follow from the first? Keys:", markup=False)
    legend = "   ".join(f"{letter} {name}" for letter, name in answer_keys.items())
    out.print(f"  {legend}   s skip   b back   q quit", markup=False)
    ids = list(filled.notes)
    todo = [index for index, id in enumerate(ids) if id not in filled.answers]
    while todo:
        index = todo.pop(0)
        item = items[ids[index]]
        out.print(f"\n[{len(filled.answers)}/{len(ids)}]  {item.premise}\n   →  {item.hypothesis}", markup=False)
        pressed = _wait_for_key({*answer_keys, "s", "b", "q"})
        if pressed == "q":
            break
        if pressed == "b":
            todo = [*([index - 1] if index else []), index, *(later for later in todo if later != index - 1)]
        elif pressed in answer_keys:
            out.print(f"      {answer_keys[pressed]}", style="dim")
            filled = replace(filled, answers={**filled.answers, ids[index]: answer_keys[pressed]})
            write_answers(filled, items)
    out.print(f"\n{len(filled.answers)} of {len(ids)} answered, saved in {sheet}.", markup=False)


@verify_app.command(epilog="Example: trivium verify score anna.csv ben.csv --key verify/key.csv")
def score(
    first: Annotated[Path, typer.Argument(metavar="A.csv", help="The sheet of one annotator.")],
    second: Annotated[Path, typer.Argument(metavar="B.csv", help="The sheet of the other annotator.")],
    key: Key = None,
    to: Annotated[
        Path, typer.Option("--out", help="The list of disagreements, with a column for their causes.")
    ] = _DISAGREEMENTS,
) -> None:
    """Show Cohen's kappa for each type of inference and the agreement with the built labels; list all disagreements.

    Write causes into the last column of the list and run the command again: causes are kept and counted.
    """
    from trivium.measure.agreement import agreement_tables
    from trivium.report.terminal import table_view

    items, labels = _read_key(key, first)
    sheets = [_read_complete_sheet(path, items, labels) for path in (first, second)]
    answers = {id: (sheets[0].answers[id], sheets[1].answers[id]) for id in items}
    for table in agreement_tables(items, answers):
        out.print(table_view(table))
    _write_disagreements(items, answers, to)


def _examples(what: str, source: str | None, preset: str, changes: Sequence[str]) -> list[Example]:
    if Path(what).suffix in (".jsonl", ".parquet"):
        split = Split.read(Path(what))
        _check_labels(what, [split.labels])
        return list(split)
    splits = open_session().build(what, preset, changes, source=source).splits
    _check_labels(what, [split.labels for split in splits.values()])
    return [example for name, split in splits.items() if not name.startswith("pseudo") for example in split]


def _check_labels(what: str, schemes: Sequence[Labels]) -> None:
    """Raise a UserError unless all examples have the same label scheme, two-way or three-way NLI."""
    if any(labels not in (NLI2, NLI3) for labels in schemes) or any(labels != schemes[0] for labels in schemes):
        raise UserError(
            f"{what}: a sheet must have one label scheme, two-way or three-way NLI: choose a part of the data, "
            "for instance with --set 'run.phenomena=[\"ner\"]'"
        )


def _read_key(key: Path | None, sheet: Path) -> tuple[dict[str, Item], Labels]:
    path = key or sheet.with_name("key.csv")
    if not path.exists():
        raise UserError(f"{path}: no such key: use --key to name the key.csv that `trivium verify sample` wrote")
    labels = read_labels(path)
    return read_key(path, labels), labels


def _read_complete_sheet(path: Path, items: Mapping[str, Item], labels: Labels) -> Sheet:
    sheet = read_sheet(path, items, labels)
    if unanswered := [id for id in items if id not in sheet.answers]:
        raise UserError(
            f"{path}: {len(unanswered)} of {len(items)} pairs have no answer yet, such as {unanswered[0]}: fill them in"
        )
    return sheet


def _getchar() -> str:
    return typer.getchar()


def _wait_for_key(allowed: set[str]) -> str:
    """Return the first allowed key that is pressed; ``q`` if the input ends."""
    while True:
        try:
            pressed = _getchar().lower()
        except (EOFError, KeyboardInterrupt):
            return "q"
        except OSError:
            raise UserError(
                "trivium verify answer needs a terminal to read keys: without one, fill in the column 'answer' of the "
                "sheet in an editor"
            ) from None
        if pressed in ("", "\x03", "\x04"):
            return "q"
        if pressed in allowed:
            return pressed


def _write_disagreements(items: Mapping[str, Item], answers: Mapping[str, tuple[str, str]], path: Path) -> None:
    """Write the pairs on which the annotators and the built label do not all agree, and print the counted causes."""
    causes = read_causes(path)
    rows = [
        (id, item.inference, item.premise, item.hypothesis, item.label, *answers[id], causes.get(id, ""))
        for id, item in items.items()
        if {item.label} != set(answers[id])
    ]
    columns = ("id", "inference", "premise", "hypothesis", "built", "A", "B", CAUSE)
    write_csv(path, columns, rows)
    out.print(f"Wrote {len(rows)} disagreements (of {len(items)} pairs) to {path}.", markup=False)
    if any(row[-1] for row in rows):
        for type_ in sorted({row[1] for row in rows}):
            counts = Counter(row[-1] or "not noted" for row in rows if row[1] == type_)
            listed = ", ".join(f"{cause} {count}" for cause, count in counts.most_common())
            out.print(f"Causes, {type_}: {listed}.", markup=False)
    elif rows:
        out.print(f"Note causes in its last column ({', '.join(CAUSES)}, …) and score again.", markup=False)
