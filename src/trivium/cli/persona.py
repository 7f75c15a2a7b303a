"""``trivium persona``: collect facts, check utterances against them, and teach a model lessons about them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from trivium.cli.console import out, resumable, say
from trivium.cli.options import STORE, Device, LearningRate, Plugins, StoreFolder, Workers, open_session
from trivium.data.labels import NLI3
from trivium.errors import UserError
from trivium.plugins import load_plugins

if TYPE_CHECKING:
    from trivium.data.persona import Dialogue
    from trivium.tools.persona import Lesson, LessonCheck, Persona, Teaching
    from trivium.tools.utterances import Judgement

persona_app = typer.Typer(
    help="Keep a persona consistent: collect facts, check utterances against them, and teach a model what it lacks.",
    no_args_is_help=True,
)
Folder = Annotated[Path, typer.Argument(metavar="PERSONA", help="The folder of the persona.")]
DialogueNumber = Annotated[
    int, typer.Option("--dialogue", min=1, help="The number of the dialogue to read from a ConvAI2 file.")
]
_STYLES = {"entailment": "green", "neutral": "dim", "contradiction": "red"}
_SHOWN_LOST = 10


@persona_app.command(epilog="Example: trivium persona new ada --model my-model --fact 'I have two dogs.' --knows sick")
def new(
    folder: Folder,
    model: Annotated[str, typer.Option("--model", help="An NLI classifier: a folder, or a name on a hub.")],
    fact: Annotated[list[str] | None, typer.Option("--fact", help="A fact; repeatable.")] = None,
    facts: Annotated[
        Path | None, typer.Option("--facts", help="A file with one fact per line, or with ConvAI2 dialogues.")
    ] = None,
    dialogue: DialogueNumber = 1,
    known: Annotated[
        list[str] | None,
        typer.Option(
            "--knows",
            help="A source (see trivium list sources) or a file of pairs that the model must not forget; repeatable. "
            "They are checked after every lesson, and replayed by strategies with a memory.",
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=3, help="The maximum number of pairs of each source or file of --knows.")
    ] = 600,
    plugin: Plugins = None,
) -> None:
    """Create a persona from a trained model and, optionally, facts."""
    from trivium.models.classifiers import load_classifier
    from trivium.tools.persona import Persona
    from trivium.tools.training import gather_pairs

    load_plugins(plugin or ())
    all_facts = [*(fact or ()), *(_read_dialogue(facts, dialogue).facts if facts else ())]
    examples = gather_pairs("knows", known, limit, seed=0) if known else []
    persona = Persona.create(folder, load_classifier(model), all_facts, examples)
    out.print(f"Created {folder}, a persona with {_count_facts(persona)} and the model {model}", markup=False)


@persona_app.command(epilog="Example: trivium persona add ada 'I live by the sea.'")
def add(folder: Folder, facts: Annotated[list[str], typer.Argument(help="The facts to add.")]) -> None:
    """Add facts without training the model."""
    from trivium.tools.persona import Persona

    old = Persona.open(folder)
    new = old.with_facts(facts)
    out.print(f"{folder}: {_count_facts(new)}, {len(new.facts) - len(old.facts)} of them new", markup=False)


@persona_app.command(epilog="Example: trivium persona check ada 'I have a pet.' --details")
def check(
    folder: Folder,
    utterances: Annotated[list[str] | None, typer.Argument(help="The utterances to check.")] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file", help="A file with one utterance per line, or with ConvAI2 dialogues; - for standard input."
        ),
    ] = None,
    dialogue: DialogueNumber = 1,
    details: Annotated[bool, typer.Option("--details", help="Show the probabilities for each fact.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per utterance.")] = False,
) -> None:
    """Check whether utterances follow from the facts, contradict them, or neither."""
    from trivium.tools.persona import Persona
    from trivium.tools.utterances import judge

    persona = Persona.open(folder)
    lines = list(utterances or ())
    if file is not None:
        lines += sys.stdin.read().splitlines() if str(file) == "-" else _read_dialogue(file, dialogue).utterances
    lines = [" ".join(line.split()) for line in lines if line.strip()]
    if not lines:
        raise UserError("no utterances to check: give them as arguments, or in a file with --file")
    judgements = judge(persona.learner(), persona.facts, lines)
    for judgement in judgements:
        if as_json:
            say(json.dumps(_to_json(judgement, persona), ensure_ascii=False))
        else:
            _show_judgement(judgement, persona, details)
    if 1 < len(persona.facts) == len(judgements[0].probabilities) and not as_json:
        out.print("All facts together exceed the length limit of the model: each fact was checked alone.", style="dim")


@persona_app.command(epilog="Example: trivium persona teach ada lesson.jsonl --strategy er-res --most-lost 2")
def teach(
    folder: Folder,
    lesson: Annotated[
        Path | None,
        typer.Argument(help="JSON Lines with fact, utterance and label, or a consistency set of Dialogue NLI."),
    ] = None,
    fact: Annotated[
        list[str] | None,
        typer.Option(
            "--fact",
            help="A fact to teach without a file, with pairs built by rules: it entails itself, contradicts its "
            "denial, and is neutral to other facts; repeatable.",
        ),
    ] = None,
    strategy: Annotated[
        str, typer.Option("--strategy", help="The strategy against forgetting; see trivium list strategies.")
    ] = "er-buff",
    change: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Override a setting of the strategy, such as memory_size=200; repeatable.",
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=3, help="The maximum number of pairs, drawn at random from the file.")
    ] = None,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="How often each pair is seen.")] = 3,
    rate: LearningRate = 1e-4,
    device: Device = "cpu",
    most_lost: Annotated[
        float | None,
        typer.Option(
            "--most-lost",
            min=0,
            max=100,
            help="Save nothing, and exit with code 1, if the accuracy on earlier lessons or facts drops by more. "
            "By default nothing is saved if a loss is shown (5 %, Holm-corrected).",
        ),
    ] = None,
    store: StoreFolder = STORE,
    workers: Workers = 0,
    plugin: Plugins = None,
) -> None:
    """Teach the model a lesson, and check how well it still knows all earlier facts and lessons."""
    from trivium.settings import read_values
    from trivium.tools.persona import TEACHING, LessonRecord, Persona

    session = open_session(store, workers, plugin)
    persona = Persona.open(folder)
    train = TEACHING.model_copy(update={"epochs": epochs, "learning_rate": rate, "device": device})
    pairs, facts, name = _read_or_build_lesson(persona, lesson, fact or [], limit)
    record = LessonRecord(name=name, strategy=strategy, settings=read_values(change or ()), train=train)
    if not persona.lessons_by_name() and strategy != "finetune":
        say("Nothing to replay yet: the persona has no earlier lesson, and was created without --knows.")
    with resumable():
        result = persona.teach(pairs, facts, record, session, most_lost)
    _show_teaching(result, folder, most_lost)


@persona_app.command(epilog="Example: trivium persona show ada")
def show(folder: Folder) -> None:
    """Show the facts, the lessons, and the current accuracy on each of them."""
    from trivium.tools.persona import Persona, is_correct

    persona = Persona.open(folder)
    for number, fact in enumerate(persona.facts, 1):
        out.print(f"{number:3} {fact}", markup=False, soft_wrap=True)
    checks = persona.checks()
    learner = persona.learner() if checks else None
    table = Table("lesson", "strategy", "taught", "checked on", "accuracy when taught", "accuracy now", box=None)
    records = {f"lesson {number}: {record.name}": record for number, record in enumerate(persona.lessons, 1)}
    for name, lesson in checks.items():
        assert learner is not None
        record = records.get(name)
        before = "" if record is None or record.accuracy is None else f"{100 * record.accuracy:.1f} %"
        now = f"{100 * is_correct(learner, lesson.checked).mean():.1f} %"
        sizes = (str(len(lesson.taught)) if record else "", str(len(lesson.checked)))
        table.add_row(Text(name), record.strategy if record else "", *sizes, before, now)
    if checks:
        out.print(table)


def _read_or_build_lesson(
    persona: Persona, file: Path | None, facts: list[str], limit: int | None
) -> tuple[Lesson, list[str], str]:
    """Read a lesson from a file, or build one about facts. Return it, the facts to add to the persona, and its name."""
    from trivium.build.denial import deny
    from trivium.data.persona import read_lesson
    from trivium.seeds import stream
    from trivium.tools.persona import clean_facts, split_lesson

    if (file is None) == (not facts):
        raise UserError("give either a lesson file or facts with --fact")
    if file is None:
        cleaned_facts = list(clean_facts(facts))
        for fact in cleaned_facts:
            if deny(fact) is None:
                say(f"{fact!r} cannot be negated by rules: the lesson has no contradiction for it.")
        name = cleaned_facts[0] if len(cleaned_facts) == 1 else f"{len(cleaned_facts)} facts"
        return persona.lesson_about(cleaned_facts), cleaned_facts, name
    examples, own_facts = read_lesson(file)
    if limit is not None and len(examples) > limit:
        indices = stream(0, "lesson", "limit").permutation(len(examples))[:limit]
        examples = [examples[index] for index in sorted(indices)]
    return split_lesson(examples, len(persona.lessons) + 1), own_facts, file.stem


def _show_teaching(result: Teaching, folder: Path, most_lost: float | None) -> None:
    """Print the accuracy before and after, and the forgotten examples. Exit with code 1 if the lesson was not saved."""
    from trivium.tools.persona import Persona

    out.print(_accuracy_table([*result.earlier, result.new]))
    for checked in result.earlier:
        for example in checked.lost[:_SHOWN_LOST]:
            say(f"  lost: {example.premise} → {example.hypothesis}  [{example.label}]")
        if len(checked.lost) > _SHOWN_LOST:
            say(f"  … and {len(checked.lost) - _SHOWN_LOST} more of {checked.name}")
    if not result.saved and result.worst is not None:
        reason = f"{result.worst.name} would lose {result.worst.loss:.1f} points, more than {most_lost or 0:g}"
        if most_lost is None:
            reason = f"a loss is shown on {', '.join(change.name for change in result.shown_losses)}"
        out.print(
            f"Not saved: {reason}. Try another --strategy, or a larger memory with --set memory_size=….",
            style="bold red",
            markup=False,
        )
        raise typer.Exit(1)
    out.print(f"Saved. {folder} has {_count_facts(Persona.open(folder))}.", markup=False)


def _read_dialogue(file: Path, number: int) -> Dialogue:
    from trivium.data.persona import read_dialogues

    dialogues = read_dialogues(file)
    if number > len(dialogues):
        raise UserError(f"--dialogue {number}: must be at most {len(dialogues)}, the number of dialogues in {file}")
    return dialogues[number - 1]


def _count_facts(persona: Persona) -> str:
    return f"{len(persona.facts)} fact{'' if len(persona.facts) == 1 else 's'}"


def _premise(persona: Persona, row: int) -> str:
    """Return the premise of a row of ``Judgement.probabilities``: a fact, or all facts together in the last row."""
    return persona.facts[row] if row < len(persona.facts) else "all facts together"


def _to_json(judgement: Judgement, persona: Persona) -> dict[str, object]:
    facts = [
        {"fact": _premise(persona, row)} | dict(zip(NLI3.names, map(float, probabilities.round(4)), strict=True))
        for row, probabilities in enumerate(judgement.probabilities)
    ]
    reason = None if judgement.reason is None else _premise(persona, judgement.reason)
    return {"utterance": judgement.utterance, "label": judgement.label, "because": reason, "facts": facts}


def _show_judgement(judgement: Judgement, persona: Persona, details: bool) -> None:
    line = Text(f"{judgement.label:<14}", style=_STYLES[judgement.label]).append(judgement.utterance, style="default")
    out.print(line, soft_wrap=True)
    if judgement.reason is not None:
        probability = judgement.probabilities[judgement.reason, NLI3.index(judgement.label)]
        reason = f"{'':14}{probability:.0%} given: {_premise(persona, judgement.reason)}"
        out.print(reason, markup=False, style="dim", soft_wrap=True)
    if details:
        table = Table("", *NLI3.names, box=None, padding=(0, 1, 0, 0))
        for row, probabilities in enumerate(judgement.probabilities):
            table.add_row(Text(_premise(persona, row)), *(f"{probability:.2f}" for probability in probabilities))
        out.print(table)


def _accuracy_table(checks: list[LessonCheck]) -> Table:
    from trivium.measure.statistics.flips import Flips

    table = Table("lesson", "checked on", "before", "after", "change [95 %]", "lost", box=None)
    for checked in checks:
        change = 100 * Flips.of(checked.before, checked.after).gain()
        table.add_row(
            Text(checked.name),
            str(len(checked.examples)),
            f"{100 * checked.before.mean():.1f}",
            f"{100 * checked.after.mean():.1f}",
            f"{change.value:+.1f} [{change.low:+.1f}, {change.high:+.1f}]",
            str(len(checked.lost)),
        )
    return table
