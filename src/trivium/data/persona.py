"""Files about personas: facts, what was said, and utterances that follow from a fact or contradict it.

Facts and utterances are lines of text, or ConvAI2 dialogues. Lessons are JSON lines of Trivium's own (``fact``,
``utterance``, ``label``), or the consistency sets of Dialogue NLI (Welleck et al., 2019).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from trivium.data.example import Example
from trivium.data.jsonl import read_objects, text_of
from trivium.data.labels import NLI3
from trivium.data.locate import read_text
from trivium.errors import UserError

_CONVAI2 = re.compile(r"^(\d+) (?:(your persona|partner's persona): )?(.*)$")
# What the candidates of a Dialogue NLI set are to the persona sentence; "label" is what a person said, unlabelled.
_CANDIDATES = {"similar": "entailment", "rand": "neutral", "neg": "contradiction"}


class Dialogue(NamedTuple):
    """A persona's facts, and what it says."""

    facts: tuple[str, ...]
    said: tuple[str, ...]


def read_dialogues(path: Path) -> list[Dialogue]:
    """The dialogues of a ConvAI2 file; a file of plain lines is one whose lines are both facts and utterances."""
    lines = [line.strip() for line in read_text(path).splitlines()]
    plain = tuple(line for line in lines if line)
    if not plain:
        raise UserError(f"{path}: the file is empty")
    if not re.match(r"1 (your|partner's) persona: ", plain[0]):
        return [Dialogue(plain, plain)]
    dialogues: list[tuple[list[str], list[str]]] = []
    for number, line in enumerate(lines, 1):
        found = _CONVAI2.match(line)
        if not line:
            continue
        if found is None:
            raise UserError(f"{path}:{number}: a line of a ConvAI2 dialogue begins with its number, not {line[:30]!r}")
        if found[1] == "1":
            dialogues.append(([], []))
        if found[2] == "your persona":
            dialogues[-1][0].append(found[3])
        elif found[2] is None and "\t" in found[3]:
            dialogues[-1][1].append(found[3].split("\t")[1])
    return [Dialogue(tuple(facts), tuple(said)) for facts, said in dialogues]


class WrittenLesson(NamedTuple):
    """Utterances with a fact and a label, and the facts that are the persona's own."""

    examples: list[Example]
    facts: list[str]


def read_lesson(path: Path) -> WrittenLesson:
    """A lesson with each pair once.

    In a file of Trivium's own a pair with two labels is an error that names its lines. The published sets have such
    pairs, where a candidate of one dialogue was picked differently in another: they are left out. Their facts are those
    of many people, and so no facts of this persona.
    """
    labelled: dict[tuple[str, str], dict[str, list[int]]] = {}
    own: dict[str, None] = {}
    published = False
    for number, row in read_objects(path):
        where = f"{path}:{number}"
        published |= "candidates" in row
        for fact, utterance, label in _candidates(row, where) if "candidates" in row else [_own(row, where)]:
            labelled.setdefault((fact, utterance), {}).setdefault(label, []).append(number)
            if "candidates" not in row:
                own[fact] = None
    twice = {pair: labels for pair, labels in labelled.items() if len(labels) > 1}
    if twice and not published:
        (fact, utterance), labels = next(iter(twice.items()))
        said = " and ".join(f"{label} in line {lines[0]}" for label, lines in labels.items())
        raise UserError(f"{path}: {utterance!r} with the fact {fact!r} has two labels: {said}")
    made = [
        Example.make(f"{path.stem}-{number}", fact, utterance, next(iter(labels)))
        for number, ((fact, utterance), labels) in enumerate(labelled.items(), 1)
        if len(labels) == 1
    ]
    if not made:
        raise UserError(f"{path}: there is nothing to learn in it")
    return WrittenLesson(made, list(own))


def _own(row: Mapping[str, Any], where: str) -> tuple[str, str, str]:
    for name in ("fact", "utterance", "label"):
        if name not in row:
            raise UserError(f"{where}: the field {name!r} is missing (there is {', '.join(sorted(row)) or 'nothing'})")
    return _words(row, "fact", where), _words(row, "utterance", where), NLI3.parse(text_of(row, "label", where), where)


def _candidates(row: Mapping[str, Any], where: str) -> Iterator[tuple[str, str, str]]:
    if "relevant_persona_sentence" not in row or not isinstance(row["candidates"], dict):
        raise UserError(f"{where}: a row with candidates must have them by kind, and a relevant_persona_sentence")
    fact = _words(row, "relevant_persona_sentence", where)
    for kind, label in _CANDIDATES.items():
        candidates = row["candidates"].get(kind, [])
        if not isinstance(candidates, list):
            raise UserError(f"{where}: the candidates {kind!r} must be a list")
        for candidate in candidates:
            yield fact, _words({kind: candidate}, kind, where), label


def _words(row: Mapping[str, Any], name: str, where: str) -> str:
    words = " ".join(text_of(row, name, where).split())
    if not words:
        raise UserError(f"{where}: {name!r} is empty")
    return words
