"""Examples in the report of a correction: each correction, and what was forgotten, not learned or lost."""

from __future__ import annotations

from collections.abc import Sequence

from trivium.data.example import Example
from trivium.measure.error_examples import ErrorExample, ErrorExamples, ErrorGroup
from trivium.tools.correction import Correction, Final

_MAX_EXAMPLES = 50  # in a group


def correction_examples(correction: Correction) -> list[ErrorExamples]:
    """Return the examples to read, by outcome; sections without any are left out."""
    final = correction.shown
    if final is None:
        return [_each_correction(correction)] if correction.ranked else []
    wrong = [
        index for index, predicted in enumerate(final.corrections) if predicted != correction.gold.corrections[index]
    ]
    forgotten = _group(correction, "forgotten", "guard", final, correction.lost("guard", final))
    sections = [
        _each_correction(correction),
        ErrorExamples(
            f"Forgotten by {final.method}", "Guard examples that were correct before and are wrong now.", (forgotten,)
        ),
        ErrorExamples(
            "Corrections that were not learned",
            "Still wrong, although they were trained on.",
            (_group(correction, "wrong", "corrections", final, wrong),),
        ),
    ]
    if correction.task.earlier_examples:
        lost = _group(correction, "lost", "earlier", final, correction.lost("earlier", final))
        caption = "Correct before this correction, and wrong now."
        sections.append(ErrorExamples("Earlier corrections that were lost", caption, (lost,)))
    return [section for section in sections if any(group.total for group in section.groups)]


def _each_correction(correction: Correction) -> ErrorExamples:
    """Return all corrections with their held-out predictions, grouped by their outcome with the best method."""
    best = correction.ranked[0] if correction.selected is None else correction.trial_of(correction.selected)
    names, gold, before = correction.labels.names, correction.gold.corrections, correction.before.corrections
    outcomes = {
        (True, False): "right before, wrong when held out",
        (False, False): "wrong before and when held out",
        (False, True): "wrong before, right when held out",
        (True, True): "right before and when held out",
    }
    groups: dict[str, list[ErrorExample]] = {name: [] for name in outcomes.values()}
    assert best.predicted is not None
    for index, example in enumerate(correction.task.corrections.examples):
        was, now = before[index] == gold[index], best.predicted[index] == gold[index]
        sides = [("before", before), *((trial.method, trial.predicted) for trial in correction.ranked)]
        answers = [(name, names[gold[index]], names[side[index]]) for name, side in sides if side is not None]
        group = outcomes[bool(was), bool(now)]
        groups[group].append(ErrorExample(example.premise, example.hypothesis or "", tuple(answers)))
    caption = (
        f"The prediction before, and that of each method for the correction when it was held out; grouped by "
        f"{best.method}."
    )
    shown = tuple(ErrorGroup(name, len(each), tuple(each)) for name, each in groups.items() if each)
    return ErrorExamples("Each correction", caption, shown)


def _group(correction: Correction, name: str, part: str, final: Final, indices: Sequence[int]) -> ErrorGroup:
    examples = correction.task.part(part)
    shown = [_error_example(correction, part, final, index, examples[index]) for index in indices[:_MAX_EXAMPLES]]
    return ErrorGroup(name, len(indices), tuple(shown))


def _error_example(correction: Correction, part: str, final: Final, index: int, example: Example) -> ErrorExample:
    names = correction.labels.names
    gold = names[getattr(correction.gold, part)[index]]
    sides = (("before", correction.before), ("after", final))
    answers = [(name, gold, names[getattr(predicted, part)[index]]) for name, predicted in sides]
    return ErrorExample(example.premise, example.hypothesis or "", tuple(answers))
