"""Recasting other tasks into two-way NLI (CURRICULUM, section 3.4 and appendix C).

A file with a JSON object a line becomes pairs of premise and hypothesis that are entailed or not. There are four kinds:
questions with choices, questions with an answer that are made into a statement, the same with the answer's entity
swapped for another one of the context, and texts with classes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from trivium.build.recasting.entities import NAMES, Entity, Finder, find_entities, overlap, same, value_of
from trivium.build.recasting.phrases import is_sentence
from trivium.build.recasting.questions import statements, without_alternatives
from trivium.data.example import Example
from trivium.data.jsonl import read_objects, text_of
from trivium.data.labels import NLI2
from trivium.data.split import Split
from trivium.errors import UserError, did_you_mean, unknown_name
from trivium.seeds import stream

_Found = TypeVar("_Found")

ENTAILED, NOT_ENTAILED = NLI2.names
ABOUT = "{about}"
"""Where the statement of a class takes what a line's field ``about`` says."""

_LEFT_OUT = re.compile(
    r"(?:none|all|both|any|neither|either)(?: of)?(?: the)? (?:above|below|these|following|others?|two|options|choices|"
    r"answers)(?: (?:options|choices|answers|ones))?\W*",
    re.IGNORECASE,
)
_PLACE_ASKED = re.compile(
    r"\bwhere\b|\b(?:what|which) (?:city|town|country|state|place|village|river|island|continent|county|region)\b",
    re.IGNORECASE,
)
_ENOUGH = 200  # of more entities than these, compared each with each, a line takes long and gains nothing
_COUNTED = re.compile(r"\bhow many (?:more |fewer |total )?(\w+)", re.IGNORECASE)


@dataclass(frozen=True)
class RecastOptions:
    """How to recast.

    ``negatives`` is how many not-entailed pairs stand beside an entailed one at most, None for all that there are.
    ``classes`` are the statements of classes by their names. ``find`` finds entities and tells their kinds.
    """

    negatives: int | None = 1
    classes: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    find: Finder = find_entities


class Skipped(NamedTuple):
    """How many lines were left out for one reason, and the number of the first."""

    lines: int
    first: int


@dataclass(frozen=True)
class Recast:
    """The pairs, and the lines that gave none by the reason."""

    split: Split
    skipped: Mapping[str, Skipped]


class _SkippedLineError(Exception):
    """A line that is well formed and gives no pair; says why."""


class _Line(NamedTuple):
    row: Mapping[str, Any]
    where: str
    rng: np.random.Generator
    options: RecastOptions


class _Pair(NamedTuple):
    premise: str
    hypothesis: str
    label: str
    facts: Mapping[str, str]


def recast(kind: str, path: Path, options: RecastOptions | None = None) -> Recast:
    """The pairs of a file. What a line gives depends on itself, the file's name, its number and the seed alone."""
    chosen = options or RecastOptions()
    if kind not in KINDS:
        raise unknown_name("kind of recasting", kind, KINDS)
    _check(chosen)
    stem = Path(path.name.removesuffix(".gz")).stem
    examples: list[Example] = []
    skipped: dict[str, Skipped] = {}
    number = 0
    for number, row in read_objects(path):
        name = f"{stem}-{number}"
        line = _Line(row, f"{path}:{number}", stream(chosen.seed, "data", "recast", name), chosen)
        try:
            pairs = KINDS[kind](line)
        except _SkippedLineError as reason:
            before = skipped.get(str(reason), Skipped(0, number))
            skipped[str(reason)] = before._replace(lines=before.lines + 1)
            continue
        for n, pair in enumerate(pairs, 1):
            facts = tuple(sorted({"recast": kind, **pair.facts}.items()))
            examples.append(Example(f"{name}-{n}", pair.premise, pair.hypothesis, pair.label, facts=facts))
    if not number:
        raise UserError(f"{path}: the file is empty")
    return Recast(Split(stem, tuple(examples), NLI2), skipped)


def _check(options: RecastOptions) -> None:
    if options.negatives is not None and options.negatives < 1:
        raise UserError(f"negatives {options.negatives}: it is 1 or more, or all")
    said: dict[str, str] = {}
    for name, text in options.classes.items():
        if not text.strip():
            raise UserError(f"class {name!r}: its statement is empty")
        if text in said:
            raise UserError(f"classes {said[text]!r} and {name!r} have the same statement: one must not follow")
        said[text] = name
    if len(said) == 1:
        raise UserError(f"there is one class, {next(iter(options.classes))!r}: what does not follow needs another")


# Questions with choices.


def _choices(line: _Line) -> list[_Pair]:
    context, question = _text(line, "context"), _optional_text(line, "question")
    choices = _texts(line, "choices")
    if len(choices) < 2:
        raise UserError(f"{line.where}: 'choices' has {len(choices)} entries: it takes two or more")
    right = choices[_place_of_answer(line, choices)]
    if _LEFT_OUT.fullmatch(right):
        raise _SkippedLineError("the right choice is one such as “None of the above”")
    offered = [choice for choice in choices if not _LEFT_OUT.fullmatch(choice)]
    wrong = _different([right, *offered])[1:]
    if not wrong:
        raise _SkippedLineError("no wrong choice is left beside the right one")
    declarative = _flag(line, "declarative", all(map(is_sentence, (right, *wrong))))
    premise = context if declarative or question is None else f"{context} {question}"
    facts = {"form": "declarative" if declarative else "phrase"}
    return [
        _Pair(premise, right, ENTAILED, facts),
        *(_Pair(premise, choice, NOT_ENTAILED, facts) for choice in _drawn(wrong, line)),
    ]


def _place_of_answer(line: _Line, choices: Sequence[str]) -> int:
    answer = _field(line, "answer")
    if isinstance(answer, int) and not isinstance(answer, bool):
        if 0 <= answer < len(choices):
            return answer
        raise UserError(
            f"{line.where}: 'answer' is {_shown(answer)}, and there are {len(choices)} choices: it is a number from 0 "
            f"to {len(choices) - 1}"
        )
    text = _text(line, "answer")
    for place, choice in enumerate(choices):
        if _key(choice) == _key(text):
            return place
    raise UserError(
        f"{line.where}: the answer {_shown(text)} is not among the choices: write one of them, or its number"
    )


# Questions and answers as statements.


def _concatenation(line: _Line) -> list[_Pair]:
    context, question, answer = (_text(line, name) for name in ("context", "question", "answer"))
    wrong = _texts(line, "wrong") if line.row.get("wrong") is not None else []
    if any(_key(other) == _key(answer) for other in wrong):
        raise UserError(f"{line.where}: 'wrong' has the answer {_shown(answer)} itself: take it out")
    first, *others = statements(question, [answer, *wrong])
    apart = _different([first.text, *(other.text for other in others)])[1:]
    if wrong and not apart:
        raise _SkippedLineError("the wrong answers make the same statement as the right one")
    facts = {"statement": first.rule}
    return [
        _Pair(context, first.text, ENTAILED, facts),
        *(_Pair(context, text, NOT_ENTAILED, facts) for text in _drawn(apart, line)),
    ]


def _swap(line: _Line) -> list[_Pair]:
    context, question, answer = (_text(line, name) for name in ("context", "question", "answer"))
    own, others = _exchangeable(context, question, answer, line.options.find)
    chosen = _drawn(others, line)
    before, after = answer[: own.start], answer[own.start + len(own.text) :]
    first, *made = statements(question, [answer, *(f"{before}{other}{after}" for other in chosen)])
    swapped = [
        _Pair(context, said.text, NOT_ENTAILED, {"statement": said.rule, "swapped": f"{own.text}→{other}"})
        for said, other in zip(made, chosen, strict=True)
        if _key(said.text) != _key(first.text)
    ]
    if not swapped:
        raise _SkippedLineError("the swapped answer makes the same statement as the right one")
    return [_Pair(context, first.text, ENTAILED, {"statement": first.rule}), *swapped]


def _exchangeable(context: str, question: str, answer: str, find: Finder) -> tuple[Entity, list[str]]:
    """The first entity of the answer that others of its kind in the context can stand for, and these."""
    there = list({(entity.text, entity.kind, entity.unit): entity for entity in find(context)}.values())
    asked = without_alternatives(question)
    found = _entities_of(answer, asked, find)
    if not found:
        raise _SkippedLineError("the answer holds no entity (a name, a number, a date) that can be swapped")
    for own in found:
        kind = _kind(own, there, asked)
        if others := _others(own._replace(kind=kind), there, (context, asked, answer)):
            return own, others
    raise _SkippedLineError("the context holds no other entity of the answer's kind")


def _entities_of(answer: str, question: str, find: Finder) -> list[Entity]:
    """The entities of an answer, read as in the middle of a sentence, where a capital means a name."""
    opening = ", "
    counted = _COUNTED.search(question)
    text = f"{opening}{answer} {counted[1]}" if counted and value_of(answer) is not None else f"{opening}{answer}"
    moved = [entity._replace(start=entity.start - len(opening)) for entity in find(text)]
    return [entity for entity in moved if answer.startswith(entity.text, entity.start)]


def _kind(own: Entity, there: Iterable[Entity], question: str) -> str:
    """The kind of the answer's entity: as the context shows it, and a place or person where that is asked for."""
    kinds = [entity.kind for entity in there if same(entity.text, own.text)]
    kind = own.kind if own.kind in kinds or not kinds else kinds[0]
    if kind in ("person", "group", "other") and _PLACE_ASKED.search(question):
        return "place"
    return "person" if kind == "other" and re.match(r"who", question, re.IGNORECASE) else kind


def _others(own: Entity, there: Sequence[Entity], texts: tuple[str, str, str]) -> list[str]:
    """The entities of one kind that are neither in the question nor another name of what the answer names."""
    context, question, answer = texts
    named = [own.text, answer, *(entity.text for entity in there if overlap(entity.text, own.text))]
    alike = [
        entity.text
        for entity in there
        if (entity.kind, entity.unit) == (own.kind, own.unit)
        and not any(overlap(entity.text, name) for name in named)
        and not _is_asked_about(entity, question)
        and _fits(own, entity.text, answer, context)
    ]
    longest = sorted(_different(alike)[:_ENOUGH], key=lambda text: -len(text))
    kept = [text for place, text in enumerate(longest) if not any(overlap(text, other) for other in longest[:place])]
    return [text for text in _different(alike)[:_ENOUGH] if text in kept]


def _is_asked_about(entity: Entity, question: str) -> bool:
    """Whether a question names an entity, or a part of its name."""
    if entity.kind not in NAMES:
        return bool(re.search(rf"(?<!\w){re.escape(entity.text)}(?!\w)", question, re.IGNORECASE))
    parts = [part for part in entity.text.split() if part[0].isupper()]
    return any(re.search(rf"(?<!\w){re.escape(part)}(?!\w)", question) for part in parts)


def _fits(own: Entity, other: str, answer: str, context: str) -> bool:
    """Whether the words around an entity go with another: "2 goals" and not "1 goals", "the Tarn", not "the Rome"."""
    if own.kind in NAMES and re.search(r"\bthe $", answer[: own.start], re.IGNORECASE):
        return bool(re.search(rf"\bthe {re.escape(other)}\b", context, re.IGNORECASE))
    article = re.search(r"\b(an?) $", answer[: own.start], re.IGNORECASE)
    vowels = [bool(re.match(r"[aeiou]|8|11\b|18\b", text, re.IGNORECASE)) for text in (own.text, other)]
    if article and vowels[0] != vowels[1]:
        return False
    counts = answer[own.start + len(own.text) :].strip() != ""
    return not counts or (value_of(own.text) == 1) == (value_of(other) == 1)


# Texts with classes, and pairs of texts.


def _classes(line: _Line) -> list[_Pair]:
    text = _text(line, "text")
    if line.row.get("text2") is not None:
        return [_Pair(text, _text(line, "text2"), ENTAILED if _truth(line) else NOT_ENTAILED, {})]
    said = line.options.classes
    if not said:
        raise UserError(f"{line.where}: no statement is given for a class: say --class NAME=STATEMENT for each")
    name = _class_name(line)
    if name not in said:
        raise UserError(f"{line.where}: no statement is given for the class {_shown(name)}: {did_you_mean(name, said)}")
    filled = {other: _about(statement, line) for other, statement in said.items()}
    right = filled.pop(name)
    others = _drawn(list(filled.items()), line)
    return [
        _Pair(text, right, ENTAILED, {"class": name}),
        *(
            _Pair(text, statement, NOT_ENTAILED, {"class": name, "swapped": f"{name}→{other}"})
            for other, statement in others
        ),
    ]


def _about(statement: str, line: _Line) -> str:
    return statement.replace(ABOUT, _text(line, "about")) if ABOUT in statement else statement


def _class_name(line: _Line) -> str:
    label = _field(line, "label")
    if isinstance(label, bool):
        return str(label).lower()
    return str(label) if isinstance(label, int) else _text(line, "label")


def _truth(line: _Line) -> bool:
    label = _field(line, "label")
    if isinstance(label, int) and label in (0, 1):
        return bool(label)
    raise UserError(f"{line.where}: 'label' of two texts is true or false (or 1 or 0), not {_shown(label)}")


KINDS: dict[str, Callable[[_Line], list[_Pair]]] = {
    "choices": _choices,
    "concatenation": _concatenation,
    "swap": _swap,
    "classes": _classes,
}
"""What can be recast, by name."""


# What a line says.


def _field(line: _Line, name: str) -> Any:
    if line.row.get(name) is None:
        there = ", ".join(sorted(line.row)) or "nothing"
        raise UserError(f"{line.where}: the field {name!r} is missing (there is {_shown(there, quoted=False)})")
    return line.row[name]


def _text(line: _Line, name: str) -> str:
    value = _field(line, name)
    if not isinstance(value, str):
        raise UserError(f"{line.where}: {name!r} must be text, not {_shown(value)}")
    text = text_of(line.row, name, line.where).strip()
    if not text:
        raise UserError(f"{line.where}: {name!r} is empty")
    return text


def _optional_text(line: _Line, name: str) -> str | None:
    return None if line.row.get(name) in (None, "") else _text(line, name)


def _texts(line: _Line, name: str) -> list[str]:
    values = _field(line, name)
    if not isinstance(values, list):
        raise UserError(f"{line.where}: {name!r} must be a list of texts, not {_shown(values)}")
    named = {f"{name}[{place}]": value for place, value in enumerate(values)}
    return [" ".join(_text(line._replace(row=named), one).split()) for one in named]


def _flag(line: _Line, name: str, otherwise: bool) -> bool:
    value = line.row.get(name)
    if value is not None and not isinstance(value, bool):
        raise UserError(f"{line.where}: {name!r} must be true or false, not {_shown(value)}")
    return otherwise if value is None else value


def _shown(value: Any, *, quoted: bool = True) -> str:
    text = repr(value) if quoted else str(value)
    return text if len(text) <= 80 else f"{text[:77]}…"


def _key(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(".!?")


def _different(texts: Iterable[str]) -> list[str]:
    """Texts without those that differ from an earlier one in case, space or their end alone."""
    found: dict[str, str] = {}
    for text in texts:
        found.setdefault(_key(text), text)
    return list(found.values())


def _drawn(found: Sequence[_Found], line: _Line) -> list[_Found]:
    """As many as there are to be of what there is, at random and in their order."""
    wanted = len(found) if line.options.negatives is None else line.options.negatives
    places = line.rng.permutation(len(found))[:wanted]
    return [found[place] for place in sorted(places)]
