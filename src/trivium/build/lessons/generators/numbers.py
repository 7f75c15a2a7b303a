"""Exact numbers, bounds such as *at least* and *fewer than*, and sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trivium.build.lessons.clauses import SUBJECT, Clause, act_clause, entries, word_bank
from trivium.build.lessons.generation import Request, scenes
from trivium.build.lessons.scenes import HYPOTHESIS, PREMISE, Form, Scene, table_of
from trivium.build.phenomena.words import NUMBERS, pick

if TYPE_CHECKING:
    import numpy as np

_LIMIT = 64  # numbers in a scene are smaller
# A world is the number, and whether an unrelated detail holds.
_WORLDS = [(number, detail) for number in range(_LIMIT) for detail in (False, True)]
_DETAILED = table_of(_WORLDS, lambda world: world[1])
_ALL = (1 << len(_WORLDS)) - 1


@scenes("numbers", about="exact numbers, bounds and sums")
def numbers(request: Request, rng: np.random.Generator) -> Scene:
    """Return a scene about how many things someone counted, or about a measure."""
    number = int(rng.integers(3, 30))
    near = sorted({max(2, number + int(rng.integers(-6, 7))), number + int(rng.integers(1, 5)), number})
    if rng.random() < 0.35:
        text = pick(rng, _entries("measures"))[0]
        before, after = text.split("#")
        return Scene(_bounds(rng, before, after.rstrip(), near, ""), _ALL)
    verb, noun, detail = pick(rng, _entries("acts"))
    subject = pick(rng, entries("subjects", pick(rng, ("person", "organization"))))
    clause = act_clause(subject, verb)
    forms = _bounds(rng, f"{SUBJECT} {clause.finite} ", f" {noun}", near, detail)
    forms += _sums(rng, clause, noun, number)
    return Scene.about(clause, forms, _ALL)


def _entries(name: str) -> tuple[tuple[str, ...], ...]:
    return word_bank()["counts"][name]


def _bounds(rng: np.random.Generator, before: str, after: str, near: list[int], detail: str) -> list[Form]:
    """Return statements with exact numbers, with bounds, and with a detail."""
    words = rng.random() < 0.5
    forms: list[Form] = []
    for value in near:
        text, low = _written(value, words), max(1, value - 2)
        for cue, phrase, least, most in (
            ("at least", f"at least {text}", value, _LIMIT),
            ("more than", f"{pick(rng, ('more than', 'over'))} {text}", value + 1, _LIMIT),
            ("fewer than", f"{pick(rng, ('fewer than', 'less than'))} {text}", 0, value - 1),
            ("at most", f"{pick(rng, ('at most', 'no more than'))} {text}", 0, value),
            ("exactly", f"exactly {text}", value, value),
            ("between", f"between {_written(low, words)} and {_written(value + 2, words)}", low, value + 2),
        ):
            forms.append(Form(f"{before}{phrase}{after}", _range(least, most), cue, cue))
            if detail:
                detailed = _range(least, most) & _DETAILED
                forms.append(Form(f"{before}{phrase}{after} {detail}", detailed, f"{cue} with detail", cue, HYPOTHESIS))
        exact = _range(value, value)
        forms.append(Form(f"{before}{text}{after}", exact, "number", "number", PREMISE))
        forms.append(Form(f"{before}{text}{after}", _range(value, _LIMIT), "number", "number", HYPOTHESIS, exact))
        if detail:
            forms.append(Form(f"{before}{text}{after} {detail}", exact & _DETAILED, "detail", "number"))
    return forms


def _sums(rng: np.random.Generator, clause: Clause, noun: str, number: int) -> list[Form]:
    """Return premises that state a number in two parts."""
    first = int(rng.integers(1, number))
    when, then = pick(
        rng, (("in the first week", "in the second"), ("before lunch", "after it"), ("in May", "in June"))
    )
    words = rng.random() < 0.5
    one, two = _written(first, words), _written(number - first, words)
    text = f"{SUBJECT} {clause.finite} {one} {noun} {when} and {two} more {then}"
    return [Form(text, _range(number, number), "sum", "sum", PREMISE)]


def _range(low: int, high: int) -> int:
    return table_of(_WORLDS, lambda world: low <= world[0] <= high)


def _written(number: int, words: bool) -> str:
    return NUMBERS[number] if words and number < len(NUMBERS) else str(number)
