"""``trivium verify``: let people check what was built, and see how far they agree."""

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
from trivium.cli.conjunctions import conjlabels, conjuncts, show_how_to_judge
from trivium.cli.console import out
from trivium.cli.options import Plugins, Set, open_session
from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3, Labels
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.plugins import load_plugins
from trivium.seeds import stream

verify_app = typer.Typer(help="Let people check what was built, and see how far they agree.", no_args_is_help=True)
verify_app.command()(conjuncts)
verify_app.command()(conjlabels)

Key = Annotated[
    Path | None, typer.Option("--key", help="The key of the sample; by default key.csv beside the first sheet.")
]
_DISAGREEMENTS = Path("disagreements.csv")


@verify_app.command()
def sample(
    what: Annotated[str, typer.Argument(help="A benchmark (c2gen), or a .jsonl or .parquet split.")],
    number: Annotated[int, typer.Option("--number", min=1, help="How many instances to draw.")] = 200,
    to: Annotated[Path, typer.Option("--out", help="The folder for sheet.csv and key.csv.")] = Path("verify"),
    source: Annotated[str | None, typer.Option("--source", help="A benchmark's source of natural pairs.")] = None,
    preset: Annotated[str, typer.Option("--preset", help="A benchmark's preset.")] = "paper",
    set: Set = None,
    seed: Annotated[int, typer.Option("--seed", help="Another number draws another sample.")] = 0,
    plugin: Plugins = None,
) -> None:
    """Draw a stratified sample, as a spreadsheet to fill in and a key with the labels that were built."""
    sheet, key = to / "sheet.csv", to / "key.csv"
    if there := [str(file) for file in (sheet, key) if file.exists()]:
        raise UserError(f"{' and '.join(there)} is already there: choose another folder with --out")
    load_plugins(plugin or ())
    items = draw_items(_examples(what, source, preset, set or ()), number, stream(seed, "verify"))
    try:
        to.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"--out {to}: it cannot be made ({error.strerror})") from None
    write_key(items, key)
    write_sheet(items, sheet)
    kinds = ", ".join(f"{count} {kind}" for kind, count in Counter(item.inference for item in items).items())
    out.print(f"{len(items)} pairs ({kinds}) in {sheet}; what they were built with in {key}.", markup=False)
    show_how_to_judge(key)


@verify_app.command()
def answer(sheet: Annotated[Path, typer.Argument(help="A copy of sheet.csv.")], key: Key = None) -> None:
    """Fill in a sheet in the terminal: one key for each answer, saved at once; goes on where it was left."""
    known, labels = _key(key, sheet)
    filled = read_sheet(sheet, known, labels)
    keys = {name[0]: name for name in labels.names}
    out.print("Does the second sentence follow from the first? Keys:", markup=False)
    answers = "   ".join(f"{letter} {name}" for letter, name in keys.items())
    out.print(f"  {answers}   s skip   b back   q quit", markup=False)
    order = list(filled.notes)
    todo = [place for place, id in enumerate(order) if id not in filled.answers]
    while todo:
        place = todo.pop(0)
        item = known[order[place]]
        out.print(f"\n[{len(filled.answers)}/{len(order)}]  {item.premise}\n   →  {item.hypothesis}", markup=False)
        pressed = _pressed({*keys, "s", "b", "q"})
        if pressed == "q":
            break
        if pressed == "b":
            todo = [*([place - 1] if place else []), place, *(later for later in todo if later != place - 1)]
        elif pressed in keys:
            out.print(f"      {keys[pressed]}", style="dim")
            filled = replace(filled, answers={**filled.answers, order[place]: keys[pressed]})
            write_answers(filled, known)
    out.print(f"\n{len(filled.answers)} of {len(order)} answered, saved in {sheet}.", markup=False)


@verify_app.command()
def score(
    first: Annotated[Path, typer.Argument(metavar="A.csv", help="One person's sheet.")],
    second: Annotated[Path, typer.Argument(metavar="B.csv", help="The other person's.")],
    key: Key = None,
    to: Annotated[
        Path, typer.Option("--out", help="The list of disagreements, with a column for their causes.")
    ] = _DISAGREEMENTS,
) -> None:
    """Cohen's kappa for each kind of inference, agreement with the labels that were built, and all disagreements.

    Write causes into the list's last column and score again: they are kept and counted.
    """
    from trivium.measure.agreement import agreement_tables
    from trivium.report.terminal import table_view

    known, labels = _key(key, first)
    sheets = [_answered(path, known, labels) for path in (first, second)]
    answers = {id: (sheets[0].answers[id], sheets[1].answers[id]) for id in known}
    for table in agreement_tables(known, answers):
        out.print(table_view(table))
    _list_disagreements(known, answers, to)


def _examples(what: str, source: str | None, preset: str, changes: Sequence[str]) -> list[Example]:
    if Path(what).suffix in (".jsonl", ".parquet"):
        split = Split.read(Path(what))
        _check_labels(what, [split.labels])
        return list(split)
    splits = open_session().build(what, preset, changes, source=source).splits
    _check_labels(what, [split.labels for split in splits.values()])
    return [example for name, split in splits.items() if not name.startswith("pseudo") for example in split]


def _check_labels(what: str, found: Sequence[Labels]) -> None:
    """A sheet is answered in one scheme."""
    if any(labels not in (NLI2, NLI3) for labels in found) or any(labels != found[0] for labels in found):
        raise UserError(
            f"{what}: it has two-way and three-way labels, and a sheet is answered in one scheme: choose a part of it, "
            "for instance with --set 'run.phenomena=[\"ner\"]'"
        )


def _key(key: Path | None, sheet: Path) -> tuple[dict[str, Item], Labels]:
    path = key or sheet.with_name("key.csv")
    if not path.exists():
        raise UserError(f"{path}: there is no key: name the one that `trivium verify sample` wrote with --key")
    labels = read_labels(path)
    return read_key(path, labels), labels


def _answered(path: Path, key: Mapping[str, Item], labels: Labels) -> Sheet:
    sheet = read_sheet(path, key, labels)
    if open_ones := [id for id in key if id not in sheet.answers]:
        raise UserError(f"{path}: {len(open_ones)} of {len(key)} pairs have no answer yet, such as {open_ones[0]}")
    return sheet


def _getchar() -> str:
    return typer.getchar()


def _pressed(allowed: set[str]) -> str:
    while True:
        try:
            pressed = _getchar().lower()
        except (EOFError, KeyboardInterrupt):
            return "q"
        except OSError:
            raise UserError(
                "verify answer reads keys from a terminal, and there is none: fill in the sheet's column "
                "'answer' in any editor instead"
            ) from None
        if pressed in ("", "\x03", "\x04"):
            return "q"
        if pressed in allowed:
            return pressed


def _list_disagreements(key: Mapping[str, Item], answers: Mapping[str, tuple[str, str]], path: Path) -> None:
    causes = read_causes(path)
    rows = [
        (id, item.inference, item.premise, item.hypothesis, item.label, *answers[id], causes.get(id, ""))
        for id, item in key.items()
        if {item.label} != set(answers[id])
    ]
    columns = ("id", "inference", "premise", "hypothesis", "built", "A", "B", CAUSE)
    write_csv(path, columns, rows)
    out.print(f"{len(rows)} of {len(key)} pairs on which not all agree are in {path}.", markup=False)
    if any(row[-1] for row in rows):
        for kind in sorted({row[1] for row in rows}):
            noted = Counter(row[-1] or "not noted" for row in rows if row[1] == kind)
            counted = ", ".join(f"{cause} {count}" for cause, count in noted.most_common())
            out.print(f"Causes, {kind}: {counted}.", markup=False)
    elif rows:
        out.print(f"Note causes in its last column ({', '.join(CAUSES)}, …) and score again.", markup=False)
