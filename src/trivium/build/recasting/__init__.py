"""Recast other tasks into two-way NLI (CURRICULUM, section 3.4 and appendix C).

A file with one JSON object per line is converted to pairs of premise and hypothesis that are entailed or not entailed.
There are four kinds of recasting: questions with choices; questions and answers, combined into statements; the same
with an entity of the answer swapped for another entity of the context; and texts with classes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from trivium.build.recasting.entities import NAMES, Entity, Finder, find_entities, overlap, same_entity, value_of
from trivium.build.recasting.phrases import is_sentence
from trivium.build.recasting.questions import statements, without_alternatives
from trivium.data.example import Example
from trivium.data.jsonl import read_objects, text_of
from trivium.data.labels import NLI2
from trivium.data.split import Split
from trivium.errors import UserError, did_you_mean, option, shown, unknown_name
from trivium.seeds import stream

_T = TypeVar("_T")

ENTAILED, NOT_ENTAILED = NLI2.names
ABOUT = "{about}"
"""The placeholder for the field ``about`` of a line in the statement of a class."""

_NONE_OF_THE_ABOVE = re.compile(
    r"(?:none|all|both|any|neither|either)(?: of)?(?: the)? (?:above|below|these|following|others?|two|options|choices|"
    r"answers)(?: (?:options|choices|answers|ones))?\W*",
    re.IGNORECASE,
)
_ASKS_FOR_PLACE = re.compile(
    r"\bwhere\b|\b(?:what|which) (?:city|town|country|state|place|village|river|island|continent|county|region)\b",
    re.IGNORECASE,
)
_MAX_ENTITIES = 200  # entities are compared pairwise, which takes long if there are more
_COUNTED = re.compile(r"\bhow many (?:more |fewer |total )?(\w+)", re.IGNORECASE)


@dataclass(frozen=True)
class RecastOptions:
    """Options of recasting.

    ``negatives`` is the maximal number of not-entailed pairs for each entailed one; None means all possible ones.
    ``classes`` maps the name of each class to its statement. ``find`` finds the entities of a text.
    """

    negatives: int | None = 1
    classes: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    find: Finder = find_entities


class Skipped(NamedTuple):
    """The number of lines that were skipped for one reason, and the line number of the first."""

    lines: int
    first: int


@dataclass(frozen=True)
class Recast:
    """The pairs of a file, and its skipped lines by reason."""

    split: Split
    skipped: Mapping[str, Skipped]


class _SkippedLineError(Exception):
    """Raised with the reason why a well-formed line gives no pair."""


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
    """Recast a file into pairs.

    The pairs of a line depend only on the line, its number, the name of the file and the seed.
    """
    options = options or RecastOptions()
    if kind not in KINDS:
        raise unknown_name("kind of recasting", kind, KINDS)
    _check(options)
    stem = Path(path.name.removesuffix(".gz")).stem
    examples: list[Example] = []
    skipped: dict[str, Skipped] = {}
    number = 0
    for number, row in read_objects(path):
        name = f"{stem}-{number}"
        line = _Line(row, f"{path}:{number}", stream(options.seed, "data", "recast", name), options)
        try:
            pairs = KINDS[kind](line)
        except _SkippedLineError as reason:
            count = skipped.get(str(reason), Skipped(0, number))
            skipped[str(reason)] = count._replace(lines=count.lines + 1)
            continue
        for n, pair in enumerate(pairs, 1):
            facts = tuple(sorted({"recast": kind, **pair.facts}.items()))
            examples.append(Example(f"{name}-{n}", pair.premise, pair.hypothesis, pair.label, facts=facts))
    if not number:
        raise UserError(f"{path}: the file is empty: must have a JSON object in each line")
    return Recast(Split(stem, tuple(examples), NLI2), skipped)


def _check(options: RecastOptions) -> None:
    if options.negatives is not None and options.negatives < 1:
        raise UserError(f"negatives is {options.negatives}: must be 1 or more, or 'all'")
    names: dict[str, str] = {}
    for name, text in options.classes.items():
        if not text.strip():
            raise UserError(f"class {name!r} has an empty statement: add its text")
        if text in names:
            raise UserError(f"classes {names[text]!r} and {name!r} have the same statement: statements must differ")
        names[text] = name
    if len(names) == 1:
        raise UserError(f"only one class, {next(iter(options.classes))!r}: at least two are required")


# Questions with choices.


def _choices(line: _Line) -> list[_Pair]:
    context, question = _text(line, "context"), _optional_text(line, "question")
    choices = _texts(line, "choices")
    if len(choices) < 2:
        raise UserError(f"{line.where}: 'choices' has {len(choices)} entries: must have two or more")
    correct = choices[_answer_index(line, choices)]
    if _NONE_OF_THE_ABOVE.fullmatch(correct):
        raise _SkippedLineError("the correct choice is like “None of the above”")
    concrete = [choice for choice in choices if not _NONE_OF_THE_ABOVE.fullmatch(choice)]
    incorrect = _unique([correct, *concrete])[1:]
    if not incorrect:
        raise _SkippedLineError("no incorrect choice differs from the correct one")
    declarative = _flag(line, "declarative", all(map(is_sentence, (correct, *incorrect))))
    premise = context if declarative or question is None else f"{context} {question}"
    facts = {"form": "declarative" if declarative else "phrase"}
    return [
        _Pair(premise, correct, ENTAILED, facts),
        *(_Pair(premise, choice, NOT_ENTAILED, facts) for choice in _drawn(incorrect, line)),
    ]


def _answer_index(line: _Line, choices: Sequence[str]) -> int:
    answer = _field(line, "answer")
    if isinstance(answer, int) and not isinstance(answer, bool):
        if 0 <= answer < len(choices):
            return answer
        raise UserError(
            f"{line.where}: 'answer' is {_shortened(answer)}, but there are {len(choices)} choices: must be from 0 to "
            f"{len(choices) - 1}"
        )
    text = _text(line, "answer")
    for index, choice in enumerate(choices):
        if _normalized(choice) == _normalized(text):
            return index
    raise UserError(
        f"{line.where}: the answer {_shortened(text)} is not among the choices: use one of them, or its index"
    )


# Questions and answers as statements.


def _concatenation(line: _Line) -> list[_Pair]:
    context, question, answer = (_text(line, name) for name in ("context", "question", "answer"))
    incorrect = _texts(line, "wrong") if line.row.get("wrong") is not None else []
    if any(_normalized(other) == _normalized(answer) for other in incorrect):
        raise UserError(f"{line.where}: 'wrong' contains the answer {_shortened(answer)} itself: remove it")
    first, *others = statements(question, [answer, *incorrect])
    distinct = _unique([first.text, *(other.text for other in others)])[1:]
    if incorrect and not distinct:
        raise _SkippedLineError("the incorrect answers give the same statement as the correct one")
    facts = {"statement": first.rule}
    return [
        _Pair(context, first.text, ENTAILED, facts),
        *(_Pair(context, text, NOT_ENTAILED, facts) for text in _drawn(distinct, line)),
    ]


def _swap(line: _Line) -> list[_Pair]:
    context, question, answer = (_text(line, name) for name in ("context", "question", "answer"))
    own, others = _swappable(context, question, answer, line.options.find)
    chosen = _drawn(others, line)
    before, after = answer[: own.start], answer[own.start + len(own.text) :]
    first, *rest = statements(question, [answer, *(f"{before}{other}{after}" for other in chosen)])
    swapped = [
        _Pair(context, statement.text, NOT_ENTAILED, {"statement": statement.rule, "swapped": f"{own.text}→{other}"})
        for statement, other in zip(rest, chosen, strict=True)
        if _normalized(statement.text) != _normalized(first.text)
    ]
    if not swapped:
        raise _SkippedLineError("the swapped answer gives the same statement as the correct one")
    return [_Pair(context, first.text, ENTAILED, {"statement": first.rule}), *swapped]


def _swappable(context: str, question: str, answer: str, find: Finder) -> tuple[Entity, list[str]]:
    """Return the first entity of the answer that can be swapped, and the entities of the context to swap it with."""
    candidates = list({(entity.text, entity.type, entity.unit): entity for entity in find(context)}.values())
    question = without_alternatives(question)
    entities = _entities_of(answer, question, find)
    if not entities:
        raise _SkippedLineError("the answer contains no entity (name, number or date) that can be swapped")
    for own in entities:
        type_ = _type_of(own, candidates, question)
        if others := _others(own._replace(type=type_), candidates, (context, question, answer)):
            return own, others
    raise _SkippedLineError("the context contains no other entity of the same type")


def _entities_of(answer: str, question: str, find: Finder) -> list[Entity]:
    """Return the entities of an answer. It is read as part of a sentence, so that a capital letter marks a name."""
    opening = ", "
    counted = _COUNTED.search(question)
    text = f"{opening}{answer} {counted[1]}" if counted and value_of(answer) is not None else f"{opening}{answer}"
    shifted = [entity._replace(start=entity.start - len(opening)) for entity in find(text)]
    return [entity for entity in shifted if answer.startswith(entity.text, entity.start)]


def _type_of(own: Entity, candidates: Iterable[Entity], question: str) -> str:
    """Return the type of the answer's entity: place or person if the question asks for it, else that in the context."""
    types = [entity.type for entity in candidates if same_entity(entity.text, own.text)]
    type_ = own.type if own.type in types or not types else types[0]
    if type_ in ("person", "group", "other") and _ASKS_FOR_PLACE.search(question):
        return "place"
    return "person" if type_ == "other" and re.match(r"who", question, re.IGNORECASE) else type_


def _others(own: Entity, candidates: Sequence[Entity], texts: tuple[str, str, str]) -> list[str]:
    """Return candidates of the same type that are not in the question and do not denote the answer's entity."""
    context, question, answer = texts
    names = [own.text, answer, *(entity.text for entity in candidates if overlap(entity.text, own.text))]
    similar = [
        entity.text
        for entity in candidates
        if (entity.type, entity.unit) == (own.type, own.unit)
        and not any(overlap(entity.text, name) for name in names)
        and not _is_in_question(entity, question)
        and _fits(own, entity.text, answer, context)
    ]
    distinct = _unique(similar)[:_MAX_ENTITIES]
    longest = sorted(distinct, key=lambda text: -len(text))
    kept = [text for index, text in enumerate(longest) if not any(overlap(text, other) for other in longest[:index])]
    return [text for text in distinct if text in kept]


def _is_in_question(entity: Entity, question: str) -> bool:
    """Return whether a question contains an entity or a part of its name."""
    if entity.type not in NAMES:
        return bool(re.search(rf"(?<!\w){re.escape(entity.text)}(?!\w)", question, re.IGNORECASE))
    parts = [part for part in entity.text.split() if part[0].isupper()]
    return any(re.search(rf"(?<!\w){re.escape(part)}(?!\w)", question) for part in parts)


def _fits(own: Entity, other: str, answer: str, context: str) -> bool:
    """Return whether another entity fits the words around this one: "1 goals" and "the Rome" do not."""
    if own.type in NAMES and re.search(r"\bthe $", answer[: own.start], re.IGNORECASE):
        return bool(re.search(rf"\bthe {re.escape(other)}\b", context, re.IGNORECASE))
    article = re.search(r"\b(an?) $", answer[: own.start], re.IGNORECASE)
    vowels = [bool(re.match(r"[aeiou]|8|11\b|18\b", text, re.IGNORECASE)) for text in (own.text, other)]
    if article and vowels[0] != vowels[1]:
        return False
    counts_noun = answer[own.start + len(own.text) :].strip() != ""
    return not counts_noun or (value_of(own.text) == 1) == (value_of(other) == 1)


# Texts with classes, and pairs of texts.


def _classes(line: _Line) -> list[_Pair]:
    text = _text(line, "text")
    if line.row.get("text2") is not None:
        return [_Pair(text, _text(line, "text2"), ENTAILED if _truth(line) else NOT_ENTAILED, {})]
    classes = line.options.classes
    if not classes:
        flag = option("classes", shell="class")
        raise UserError(f"{line.where}: the classes have no statements: add one for each with {flag}")
    name = _class_name(line)
    if name not in classes:
        raise UserError(f"{line.where}: no statement for the class {_shortened(name)}: {did_you_mean(name, classes)}")
    filled = {other: _fill_about(statement, line) for other, statement in classes.items()}
    correct = filled.pop(name)
    others = _drawn(list(filled.items()), line)
    return [
        _Pair(text, correct, ENTAILED, {"class": name}),
        *(
            _Pair(text, statement, NOT_ENTAILED, {"class": name, "swapped": f"{name}→{other}"})
            for other, statement in others
        ),
    ]


def _fill_about(statement: str, line: _Line) -> str:
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
    raise UserError(f"{line.where}: 'label' of two texts must be true or false (or 1 or 0), not {_shortened(label)}")


KINDS: dict[str, Callable[[_Line], list[_Pair]]] = {
    "choices": _choices,
    "concatenation": _concatenation,
    "swap": _swap,
    "classes": _classes,
}
"""The kinds of recasting by name."""


# Fields of a line.


def _field(line: _Line, name: str) -> Any:
    if line.row.get(name) is None:
        available = ", ".join(sorted(line.row)) or "none"
        raise UserError(
            f"{line.where}: the field {name!r} is missing (available: {shown(_shortened(available, quoted=False))})"
        )
    return line.row[name]


def _text(line: _Line, name: str) -> str:
    value = _field(line, name)
    if not isinstance(value, str):
        raise UserError(f"{line.where}: {name!r} must be text, not {_shortened(value)}")
    text = text_of(line.row, name, line.where).strip()
    if not text:
        raise UserError(f"{line.where}: the field {name!r} is empty: add text")
    return text


def _optional_text(line: _Line, name: str) -> str | None:
    return None if line.row.get(name) in (None, "") else _text(line, name)


def _texts(line: _Line, name: str) -> list[str]:
    values = _field(line, name)
    if not isinstance(values, list):
        raise UserError(f"{line.where}: {name!r} must be a list of texts, not {_shortened(values)}")
    fields = {f"{name}[{index}]": value for index, value in enumerate(values)}
    return [" ".join(_text(line._replace(row=fields), field_name).split()) for field_name in fields]


def _flag(line: _Line, name: str, default: bool) -> bool:
    value = line.row.get(name)
    if value is not None and not isinstance(value, bool):
        raise UserError(f"{line.where}: {name!r} must be true or false, not {_shortened(value)}")
    return default if value is None else value


def _shortened(value: Any, *, quoted: bool = True) -> str:
    text = repr(value) if quoted else str(value)
    return text if len(text) <= 80 else f"{text[:77]}…"


def _normalized(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(".!?")


def _unique(texts: Iterable[str]) -> list[str]:
    """Return texts without duplicates, ignoring case, spacing and final punctuation."""
    unique: dict[str, str] = {}
    for text in texts:
        unique.setdefault(_normalized(text), text)
    return list(unique.values())


def _drawn(items: Sequence[_T], line: _Line) -> list[_T]:
    """Return as many random items as the options allow, in their original order."""
    number = len(items) if line.options.negatives is None else line.options.negatives
    indices = line.rng.permutation(len(items))[:number]
    return [items[index] for index in sorted(indices)]
