"""``trivium persona``: facts that grow, utterances checked against them, lessons that are not forgotten."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from trivium.cli.console import out, resumable
from trivium.cli.options import STORE, Device, LearningRate, Plugins, StoreFolder, Workers, open_session
from trivium.data.labels import NLI3
from trivium.errors import UserError
from trivium.plugins import load_plugins
from trivium.settings import read_values

if TYPE_CHECKING:
    from trivium.data.persona import Dialogue
    from trivium.tools.persona import Checked, Lesson, Persona, Teaching
    from trivium.tools.utterances import Judgement

persona_app = typer.Typer(
    help="Keep a persona: facts that grow, utterances checked against them, lessons that are not forgotten.",
    no_args_is_help=True,
)
Folder = Annotated[Path, typer.Argument(metavar="PERSONA", help="The folder of the persona.")]
DialogueNumber = Annotated[int, typer.Option("--dialogue", min=1, help="Which dialogue of a ConvAI2 file.")]
_STYLES = {"entailment": "green", "neutral": "dim", "contradiction": "red"}
_SHOWN_LOST = 10


@persona_app.command()
def new(
    folder: Folder,
    model: Annotated[str, typer.Option("--model", help="An NLI classifier: a folder, or a name on a hub.")],
    fact: Annotated[list[str] | None, typer.Option("--fact", help="A fact; may be repeated.")] = None,
    facts: Annotated[Path | None, typer.Option("--facts", help="A file: a fact a line, or ConvAI2 dialogues.")] = None,
    dialogue: DialogueNumber = 1,
    known: Annotated[
        list[str] | None,
        typer.Option(
            "--knows",
            help="A source or a file of what the model can do already: checked after every lesson, and rehearsed by "
            "strategies that do so.",
        ),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=3, help="How many pairs of each --knows are kept.")] = 600,
    plugin: Plugins = None,
) -> None:
    """Begin a persona with a trained model and, if you like, some facts."""
    from trivium.models.classifiers import load_classifier
    from trivium.tools.persona import Persona
    from trivium.tools.training import gather_pairs

    load_plugins(plugin or ())
    given = [*(fact or ()), *(_dialogue(facts, dialogue).facts if facts else ())]
    examples = gather_pairs("--knows", known, limit, seed=0) if known else []
    made = Persona.create(folder, load_classifier(model), given, examples)
    out.print(f"{folder}: a persona with {_facts(made)}, and the model {model}", markup=False)


@persona_app.command()
def add(folder: Folder, facts: Annotated[list[str], typer.Argument(help="The facts.")]) -> None:
    """Add facts, without teaching the model anything."""
    from trivium.tools.persona import Persona

    old = Persona.open(folder)
    grown = old.with_facts(facts)
    out.print(f"{folder}: {_facts(grown)}, {len(grown.facts) - len(old.facts)} of them new", markup=False)


@persona_app.command()
def check(
    folder: Folder,
    utterances: Annotated[list[str] | None, typer.Argument(help="What is said.")] = None,
    file: Annotated[
        Path | None, typer.Option("--file", help="A file: an utterance a line, or ConvAI2 dialogues; - for stdin.")
    ] = None,
    dialogue: DialogueNumber = 1,
    details: Annotated[bool, typer.Option("--details", help="Show what each fact says.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines, for machines.")] = False,
) -> None:
    """Check whether what is said follows from the facts, contradicts them, or neither."""
    from trivium.tools.persona import Persona
    from trivium.tools.utterances import judge

    persona = Persona.open(folder)
    said = list(utterances or ())
    if file is not None:
        said += sys.stdin.read().splitlines() if str(file) == "-" else _dialogue(file, dialogue).said
    said = [" ".join(line.split()) for line in said if line.strip()]
    if not said:
        raise UserError("nothing is said: name utterances, or a file of them with --file")
    found = judge(persona.learner(), persona.facts, said)
    for judgement in found:
        if as_json:
            typer.echo(json.dumps(_plain(judgement, persona), ensure_ascii=False))
        else:
            _show(judgement, persona, details)
    if 1 < len(persona.facts) == len(found[0].shares) and not as_json:
        out.print("The facts are too many to be read at once: each was asked alone.", style="dim")


@persona_app.command()
def teach(
    folder: Folder,
    lesson: Annotated[
        Path | None,
        typer.Argument(help="JSON lines with fact, utterance and label, or a consistency set of Dialogue NLI."),
    ] = None,
    fact: Annotated[
        list[str] | None,
        typer.Option(
            "--fact", help="A fact to teach by itself: that it is so, and its denial is not; may be repeated."
        ),
    ] = None,
    strategy: Annotated[str, typer.Option("--strategy", help="What is done against forgetting.")] = "er-buff",
    change: Annotated[
        list[str] | None,
        typer.Option("--set", help="A setting of the strategy, for instance memory_size=200; may be repeated."),
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=3, help="At most so many pairs, at random.")] = None,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="How often each pair is seen.")] = 3,
    rate: LearningRate = 1e-4,
    device: Device = "cpu",
    most_lost: Annotated[
        float,
        typer.Option(
            "--most-lost", min=0, max=100, help="Save nothing if anything before loses more points than this."
        ),
    ] = 100.0,
    store: StoreFolder = STORE,
    workers: Workers = 0,
    plugin: Plugins = None,
) -> None:
    """Teach a lesson, and check that all earlier facts and lessons still hold."""
    from trivium.tools.persona import TEACHING, LessonRecord, Persona

    session = open_session(store, workers, plugin)
    persona = Persona.open(folder)
    train = TEACHING.model_copy(update={"epochs": epochs, "learning_rate": rate, "device": device})
    taught, facts, name = _chosen(persona, lesson, fact or [], limit)
    how = LessonRecord(name=name, strategy=strategy, settings=read_values(change or ()), train=train)
    if not persona.lessons_by_name() and strategy != "finetune":
        out.print("There is nothing to rehearse yet: no earlier lesson, and no --knows when the persona was made.")
    with resumable():
        result = persona.teach(taught, facts, how, session, most_lost)
    _show_teaching(result, folder, most_lost)


@persona_app.command()
def show(folder: Folder) -> None:
    """Show the facts, the lessons, and how well each of them holds now."""
    from trivium.tools.persona import Persona, holds

    persona = Persona.open(folder)
    for number, fact in enumerate(persona.facts, 1):
        out.print(f"{number:3} {fact}", markup=False, soft_wrap=True)
    checks = persona.checks()
    learner = persona.learner() if checks else None
    table = Table("lesson", "strategy", "taught", "checked by", "right when taught", "right now", box=None)
    records = {f"lesson {number}: {record.name}": record for number, record in enumerate(persona.lessons, 1)}
    for name, lesson in checks.items():
        assert learner is not None
        record = records.get(name)
        then = "" if record is None or record.right is None else f"{100 * record.right:.1f} %"
        now = f"{100 * holds(learner, lesson.checked).mean():.1f} %"
        sizes = ("" if name not in records else str(len(lesson.taught)), str(len(lesson.checked)))
        table.add_row(Text(name), record.strategy if record else "", *sizes, then, now)
    if checks:
        out.print(table)


def _chosen(persona: Persona, file: Path | None, facts: list[str], limit: int | None) -> tuple[Lesson, list[str], str]:
    """The lesson that a file or facts make, the facts that are the persona's own, and the lesson's name."""
    from trivium.build.denial import deny
    from trivium.data.persona import read_lesson
    from trivium.seeds import stream
    from trivium.tools.persona import cleaned, divided_lesson

    if (file is None) == (not facts):
        raise UserError("name a lesson file, or facts with --fact, and not both")
    if file is None:
        given = list(cleaned(facts))
        for fact in given:
            if deny(fact) is None:
                out.print(f"{fact!r} cannot be denied by plain rules: it teaches no contradiction.", markup=False)
        name = given[0] if len(given) == 1 else f"{len(given)} facts"
        return persona.lesson_about(given), given, name
    examples, own = read_lesson(file)
    if limit is not None and len(examples) > limit:
        chosen = stream(0, "lesson", "limit").permutation(len(examples))[:limit]
        examples = [examples[place] for place in sorted(chosen)]
    return divided_lesson(examples, len(persona.lessons) + 1), own, file.stem


def _show_teaching(found: Teaching, folder: Path, most_lost: float) -> None:
    from trivium.tools.persona import Persona

    out.print(_checks([*found.earlier, found.new]))
    for checked in found.earlier:
        for example in checked.lost[:_SHOWN_LOST]:
            out.print(
                f"  lost: {example.premise} → {example.hypothesis}  [{example.label}]", markup=False, soft_wrap=True
            )
        if len(checked.lost) > _SHOWN_LOST:
            out.print(f"  … and {len(checked.lost) - _SHOWN_LOST} more of {checked.name}", markup=False)
    if not found.saved and found.worst is not None:
        out.print(
            f"Not saved: {found.worst.name} would lose {found.worst.loss:.1f} points, more than {most_lost:g}. "
            "Try another --strategy, or --set memory_size=….",
            style="bold red",
            markup=False,
        )
        raise typer.Exit(1)
    out.print(f"Saved. {folder} has {_facts(Persona.open(folder))}.", markup=False)


def _dialogue(file: Path, number: int) -> Dialogue:
    from trivium.data.persona import read_dialogues

    dialogues = read_dialogues(file)
    if number > len(dialogues):
        raise UserError(f"--dialogue {number}: {file} has {len(dialogues)}")
    return dialogues[number - 1]


def _facts(persona: Persona) -> str:
    return f"{len(persona.facts)} fact{'' if len(persona.facts) == 1 else 's'}"


def _premise(persona: Persona, line: int) -> str:
    return persona.facts[line] if line < len(persona.facts) else "all facts together"


def _plain(judgement: Judgement, persona: Persona) -> dict[str, object]:
    lines = [
        {"fact": _premise(persona, line)} | dict(zip(NLI3.names, map(float, shares.round(4)), strict=True))
        for line, shares in enumerate(judgement.shares)
    ]
    reason = None if judgement.reason is None else _premise(persona, judgement.reason)
    return {"utterance": judgement.utterance, "label": judgement.label, "because": reason, "facts": lines}


def _show(judgement: Judgement, persona: Persona, details: bool) -> None:
    line = Text(f"{judgement.label:<14}", style=_STYLES[judgement.label]).append(judgement.utterance, style="default")
    out.print(line, soft_wrap=True)
    if judgement.reason is not None:
        share = judgement.shares[judgement.reason, NLI3.index(judgement.label)]
        out.print(
            f"{'':14}{share:.0%} by: {_premise(persona, judgement.reason)}", markup=False, style="dim", soft_wrap=True
        )
    if details:
        table = Table("", *NLI3.names, box=None, padding=(0, 1, 0, 0))
        for number, shares in enumerate(judgement.shares):
            table.add_row(Text(_premise(persona, number)), *(f"{share:.2f}" for share in shares))
        out.print(table)


def _checks(checks: list[Checked]) -> Table:
    from trivium.measure.bootstrap import Bootstrap, interval

    table = Table("lesson", "checked by", "before", "after", "change [95 %]", "lost", box=None)
    for checked in checks:
        sides = [100 * Bootstrap().mean(side, checked.name) for side in (checked.before, checked.after)]
        change = interval(sides[1] - sides[0])
        table.add_row(
            Text(checked.name),
            str(len(checked.examples)),
            f"{sides[0][0]:.1f}",
            f"{sides[1][0]:.1f}",
            f"{change.value:+.1f} [{change.low:+.1f}, {change.high:+.1f}]",
            str(len(checked.lost)),
        )
    return table
