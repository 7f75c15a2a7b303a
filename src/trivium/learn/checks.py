"""Check that a learner can answer examples, and that they have the labels it needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from trivium.data.example import Example
from trivium.data.labels import Labels
from trivium.errors import UserError


def check_answerable(examples: Sequence[Example], tasks: Sequence[str]) -> None:
    """Raise a UserError if neither an example nor any of its parts has one of the tasks."""
    for example in examples:
        if not any(row.task in tasks for row in example.rows()):
            raise unanswerable([example], tasks)


def check_labelled(examples: Sequence[Example], tasks: Sequence[str], labels: Labels) -> None:
    """Raise a UserError for the first example or part whose label is neither in the scheme nor maps to it."""
    if not examples:
        raise UserError("no examples: give at least one")
    check_answerable(examples, tasks)
    for row in (row for example in examples for row in example.rows() if row.task in tasks):
        if row.label is None:
            raise UserError(f"example {row.id!r} has no label: training and evaluation need one for every example")
        try:
            labels.indices(row.label)
        except UserError as error:
            raise UserError(f"example {row.id!r}: {error}") from None


def unanswerable(examples: Sequence[Example], tasks: Sequence[str]) -> UserError:
    """Return the error for examples without a task that the learner answers."""
    given = tuple(dict.fromkeys(row.task for example in examples for row in example.rows()))
    return UserError(
        f"the learner answers the task {_listed(tasks)}, but the examples have {_listed(given)} (the first is "
        f"{examples[0].id!r}): change them with dataclasses.replace(example, task={tasks[0]!r}), or build the learner "
        f"with Learner(..., tasks={given!r})"
    )


def row_for(example: Example, task: str) -> Example:
    """Return the row that a learner with one task answers: the example itself, or its only part with that task."""
    rows = [example] if example.task == task else [row for row in example.rows() if row.task == task]
    if not rows:
        raise unanswerable([example], [task])
    if len(rows) > 1:
        raise UserError(
            f"example {example.id!r} has {len(rows)} parts of the task {task!r}, and one label cannot answer "
            "them all: predict its parts instead"
        )
    return rows[0]


def answered_rows(examples: Sequence[Example], tasks: Sequence[str]) -> list[Example]:
    """Return the rows that a learner answers about examples; with a single task, one for each example."""
    if len(tasks) == 1:
        return [replace(row_for(example, tasks[0]), parts=()) for example in examples]
    check_answerable(examples, tasks)
    return [replace(row, parts=()) for example in examples for row in example.rows() if row.task in tasks]


def _listed(names: Iterable[str]) -> str:
    return " and ".join(map(repr, names))
