"""``trivium persona``: facts that grow, utterances checked against them, lessons that are not forgotten."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from trivium.cli.inventory import Plugins
from trivium.cli.screen import StoppedError, counting, out
from trivium.data.example import Example
from trivium.data.labels import NLI3
from trivium.errors import UserError
from trivium.plugins import load_plugins

if TYPE_CHECKING:
    from trivium.apply.persona import Checked, Persona, Verdict
    from trivium.data.persona import Dialogue

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
) -> None:
    """Begin a persona with a trained model and, if you like, some facts."""
    from trivium.apply.persona import Persona
    from trivium.apply.training import gather_pairs
    from trivium.models.classifiers import load_classifier

    given = [*(fact or ()), *(_dialogue(facts, dialogue).facts if facts else ())]
    examples = gather_pairs(known, limit, seed=0) if known else []
    made = Persona.create(folder, load_classifier(model), given, examples)
    out.print(f"{folder}: a persona with {_facts(made)}, and the model {model}", markup=False)


@persona_app.command()
def add(folder: Folder, facts: Annotated[list[str], typer.Argument(help="The facts.")]) -> None:
    """Add facts, without teaching the model anything."""
    from trivium.apply.persona import Persona

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
    from trivium.apply.persona import Persona
    from trivium.apply.persona import check as check_all

    persona = Persona.open(folder)
    said = list(utterances or ())
    if file is not None:
        said += sys.stdin.read().splitlines() if str(file) == "-" else _dialogue(file, dialogue).said
    said = [" ".join(line.split()) for line in said if line.strip()]
    if not said:
        raise UserError("nothing is said: name utterances, or a file of them with --file")
    for verdict in check_all(persona.learner(), persona.facts, said):
        if as_json:
            out.print(json.dumps(_plain(verdict, persona), ensure_ascii=False), markup=False, soft_wrap=True)
        else:
            _show(verdict, persona, details)


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
    strategy: Annotated[str, typer.Option("--strategy", help="What is done against forgetting.")] = "er-res",
    limit: Annotated[int | None, typer.Option("--limit", min=3, help="At most so many pairs, at random.")] = None,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="How often each pair is seen.")] = 3,
    rate: Annotated[float, typer.Option("--learning-rate", min=1e-9, max=1.0, help="The learning rate.")] = 1e-4,
    most_lost: Annotated[
        float,
        typer.Option("--most-lost", min=0, max=100, help="Save nothing if earlier lessons lose more points than this."),
    ] = 100.0,
    plugin: Plugins = None,
) -> None:
    """Teach a lesson, add its facts, and check that all earlier lessons still hold."""
    from trivium.apply.persona import TEACHING, Lesson, Persona, Taught, held_apart

    load_plugins(plugin or ())
    persona = Persona.open(folder)
    if (lesson is None) == (not fact):
        raise UserError("name a lesson file, or facts with --fact, and not both")
    if lesson is not None:
        examples = _read_lesson(lesson, limit)
        taught, facts = held_apart(examples, len(persona.lessons) + 1), [example.premise for example in examples]
    else:
        facts = fact or []
        taught = Lesson(tuple(_made_lesson(persona, facts)), ())  # too little to hold any of it out
    name = lesson.stem if lesson is not None else facts[0] if len(facts) == 1 else f"{len(facts)} facts"
    how = Taught(
        name=name, strategy=strategy, train=TEACHING.model_copy(update={"epochs": epochs, "learning_rate": rate})
    )
    try:
        with counting("teaching") as progress:
            found = persona.teach(taught, facts, how, most_lost / 100, progress)
    except KeyboardInterrupt:
        raise StoppedError from None
    out.print(_checks([*found.earlier, found.new]))
    for checked in found.earlier:
        for example in checked.lost[:_SHOWN_LOST]:
            out.print(
                f"  lost: {example.premise} → {example.hypothesis}  [{example.label}]", markup=False, soft_wrap=True
            )
        if len(checked.lost) > _SHOWN_LOST:
            out.print(f"  … and {len(checked.lost) - _SHOWN_LOST} more of {checked.name}", markup=False)
    if not found.saved:
        out.print(
            f"Not saved: earlier lessons would lose {100 * found.loss:.1f} points, more than {most_lost:g}. "
            "Try another --strategy.",
            style="bold red",
        )
        raise typer.Exit(1)
    out.print(f"Saved. {folder} has {_facts(Persona.open(folder))}.", markup=False)


@persona_app.command()
def show(folder: Folder) -> None:
    """Show the facts, the lessons, and how well each lesson holds now."""
    from trivium.apply.persona import Persona, holds

    persona = Persona.open(folder)
    for number, fact in enumerate(persona.facts, 1):
        out.print(f"{number:3} {fact}", markup=False)
    lessons = persona.named_lessons()
    if lessons:
        learner = persona.learner()
        table = Table("lesson", "strategy", "taught", "checked by", "right", box=None)
        strategies = [taught.strategy for taught in persona.lessons]
        for (name, lesson), strategy in zip(
            lessons.items(), [""] * (len(lessons) - len(strategies)) + strategies, strict=True
        ):
            right = 100 * holds(learner, lesson.checked).mean()
            table.add_row(name, strategy, str(len(lesson.taught)), str(len(lesson.checked)), f"{right:.1f} %")
        out.print(table)


def _read_lesson(file: Path, limit: int | None) -> list[Example]:
    from trivium.data.persona import read_lesson
    from trivium.seeds import stream

    examples = read_lesson(file)
    if limit is None or len(examples) <= limit:
        return examples
    return [examples[place] for place in sorted(stream(0, "lesson", "limit").permutation(len(examples))[:limit])]


def _made_lesson(persona: Persona, facts: list[str]) -> Iterator[Example]:
    from trivium.build.denial import deny, lesson_of

    for number, fact in enumerate(facts, 1):
        if deny(fact) is None:
            out.print(f"{fact!r} cannot be denied by plain rules: it teaches no contradiction.", markup=False)
        yield from lesson_of(fact, [*persona.facts, *facts], f"fact-{len(persona.lessons) + 1}-{number}")


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


def _plain(verdict: Verdict, persona: Persona) -> dict[str, object]:
    lines = [
        {"fact": _premise(persona, line)} | dict(zip(NLI3.names, map(float, shares.round(4)), strict=True))
        for line, shares in enumerate(verdict.shares)
    ]
    reason = None if verdict.reason is None else _premise(persona, verdict.reason)
    return {"utterance": verdict.utterance, "label": verdict.label, "because": reason, "facts": lines}


def _show(verdict: Verdict, persona: Persona, details: bool) -> None:
    line = Text(f"{verdict.label:<14}", style=_STYLES[verdict.label]).append(verdict.utterance, style="default")
    out.print(line, soft_wrap=True)
    if verdict.reason is not None:
        share = verdict.shares[verdict.reason, NLI3.index(verdict.label)]
        out.print(
            f"{'':14}{share:.0%} by: {_premise(persona, verdict.reason)}", markup=False, style="dim", soft_wrap=True
        )
    if details:
        table = Table("", *NLI3.names, box=None, padding=(0, 1, 0, 0))
        for number, shares in enumerate(verdict.shares):
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
