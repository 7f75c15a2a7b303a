"""Read files about personas: dialogues, and lessons of utterances that a fact entails or contradicts.

Dialogues are ConvAI2 files or plain lines of text. Lessons are JSON Lines with the fields ``fact``, ``utterance`` and
``label``, or the consistency sets of Dialogue NLI (Welleck et al., 2019).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from trivium.data.example import Example
from trivium.data.jsonl import check_fields, read_objects, text_of
from trivium.data.labels import NLI3
from trivium.data.locate import read_text
from trivium.errors import UserError

_CONVAI2 = re.compile(r"^(\d+) (?:(your persona|partner's persona): )?(.*)$")
# The label of each group of candidates, given the persona sentence. The group "label" is left out: the utterance that a
# person wrote, whose relation to the persona sentence is not known.
_CANDIDATES = {"similar": "entailment", "rand": "neutral", "neg": "contradiction"}


class Dialogue(NamedTuple):
    """The facts of a persona, and its utterances."""

    facts: tuple[str, ...]
    utterances: tuple[str, ...]


def read_dialogues(path: Path) -> list[Dialogue]:
    """Return the dialogues of a ConvAI2 file.

    A file of plain lines is returned as one dialogue, each line of which is both a fact and an utterance.
    """
    lines = [line.strip() for line in read_text(path).splitlines()]
    texts = tuple(line for line in lines if line)
    if not texts:
        raise UserError(f"{path}: the file is empty")
    if not re.match(r"1 (your|partner's) persona: ", texts[0]):
        return [Dialogue(texts, texts)]
    dialogues: list[tuple[list[str], list[str]]] = []
    for number, line in enumerate(lines, 1):
        match = _CONVAI2.match(line)
        if not line:
            continue
        if match is None:
            raise UserError(
                f"{path}:{number}: a line of a ConvAI2 dialogue must begin with its number, not with {line[:30]!r}"
            )
        line_number, persona, text = match.groups()
        if line_number == "1":
            dialogues.append(([], []))
        if persona == "your persona":
            dialogues[-1][0].append(text)
        elif persona is None and "\t" in text:
            dialogues[-1][1].append(text.split("\t")[1])
    return [Dialogue(tuple(facts), tuple(utterances)) for facts, utterances in dialogues]


class LessonFile(NamedTuple):
    """Examples with a fact as premise and an utterance as hypothesis, and the facts that belong to the persona."""

    examples: list[Example]
    facts: list[str]


def read_lesson(path: Path) -> LessonFile:
    """Read a lesson. Each pair of fact and utterance is kept once.

    In a file with ``fact``, ``utterance`` and ``label``, a pair with two labels is an error. The published sets contain
    such pairs, because a candidate can have another label in another dialogue: these are left out. The facts of the
    published sets belong to many people, and so are not facts of the persona.
    """
    labelled: dict[tuple[str, str], dict[str, list[int]]] = {}  # the line numbers of each label of each pair
    own_facts: dict[str, None] = {}
    published = False
    for number, row in read_objects(path):
        where = f"{path}:{number}"
        published |= "candidates" in row
        for fact, utterance, label in _candidates(row, where) if "candidates" in row else [_statement(row, where)]:
            labelled.setdefault((fact, utterance), {}).setdefault(label, []).append(number)
            if "candidates" not in row:
                own_facts[fact] = None
    ambiguous = {pair: labels for pair, labels in labelled.items() if len(labels) > 1}
    if ambiguous and not published:
        (fact, utterance), labels = next(iter(ambiguous.items()))
        lines = " and ".join(f"{label} in line {numbers[0]}" for label, numbers in labels.items())
        raise UserError(f"{path}: {utterance!r} with the fact {fact!r} has two labels, {lines}: keep one")
    examples = [
        Example.make(f"{path.stem}-{number}", fact, utterance, next(iter(labels)))
        for number, ((fact, utterance), labels) in enumerate(labelled.items(), 1)
        if len(labels) == 1
    ]
    if not examples:
        raise UserError(f"{path}: contains no examples")
    return LessonFile(examples, list(own_facts))


def _statement(row: Mapping[str, Any], where: str) -> tuple[str, str, str]:
    """Return the fact, the utterance and the label of a row of Trivium's own format."""
    check_fields(row, ("fact", "utterance", "label"), where)
    fact, utterance = _text(row, "fact", where), _text(row, "utterance", where)
    return fact, utterance, NLI3.parse(text_of(row, "label", where), where)


def _candidates(row: Mapping[str, Any], where: str) -> Iterator[tuple[str, str, str]]:
    """Yield the fact, the utterance and the label of each candidate in a row of Dialogue NLI."""
    if "relevant_persona_sentence" not in row or not isinstance(row["candidates"], dict):
        raise UserError(f"{where}: 'candidates' must be an object, and needs a 'relevant_persona_sentence'")
    fact = _text(row, "relevant_persona_sentence", where)
    for group, label in _CANDIDATES.items():
        candidates = row["candidates"].get(group, [])
        if not isinstance(candidates, list):
            raise UserError(f"{where}: the candidates {group!r} must be a list")
        for candidate in candidates:
            yield fact, _text({group: candidate}, group, where), label


def _text(row: Mapping[str, Any], name: str, where: str) -> str:
    """Return the text of a field with single spaces. Raise a UserError if it is empty."""
    text = " ".join(text_of(row, name, where).split())
    if not text:
        raise UserError(f"{where}: {name!r} is empty")
    return text
