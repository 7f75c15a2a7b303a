"""The lessons of a correction: of which kind the mistakes are, and new pairs of that kind to teach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from trivium.build.conjuncts.texts import read_texts
from trivium.data.example import Example, key_of
from trivium.data.labels import NLI2, NLI3, Labels
from trivium.data.split import Split
from trivium.data.tables import LABELLED, Data
from trivium.errors import UserError, option
from trivium.language.difference import words
from trivium.seeds import stream
from trivium.tools.correction_data import adapted, read_examples

if TYPE_CHECKING:
    from trivium.build.lessons import Kind

NUMBER = 1800
"""How many pairs are generated."""
_CHECKED = 8  # one pair in so many is held out, to choose how much of a training's change is kept
_LEAST_CONFIDENCE = 0.3  # below it, the kind is not taken as recognized
_OVERLAP = 0.6  # share of the words of a held-out correction beyond which an edited pair is too similar to it


@dataclass(frozen=True)
class Lesson:
    """Generated pairs: those that are taught, and those that are held out."""

    taught: tuple[Example, ...]
    checked: tuple[Example, ...]


@dataclass(frozen=True)
class LessonSource:
    """Makes lessons from corrections.

    Attributes:
        labels: The label scheme of the model.
        kind: The kind of the mistakes, as named by the user or recognized; None if it is unknown.
        seed: The seed of the generators.
        text: Sentences of the user, whose words are used.
        edited: Pairs that the user has edited, instead of generated ones.
        others: Further kinds that were recognized, the most confident first.
        known: Pairs with a label that can be recast.
    """

    labels: Labels
    kind: Kind | None = None
    seed: int = 0
    text: tuple[str, ...] = ()
    edited: tuple[Example, ...] | None = None
    others: tuple[Kind, ...] = ()
    known: tuple[Example, ...] = ()

    @property
    def is_possible(self) -> bool:
        """Whether there are pairs to teach: the kind is known, or the user gives them."""
        return self.kind is not None or bool(self.edited)

    def with_kind(self, corrections: Sequence[Example], answers: Sequence[str]) -> LessonSource:
        """Return the source with the kind of the corrections, unless the user has named it."""
        if self.kind is not None or self.labels not in (NLI3, NLI2):
            return self
        from trivium.build.lessons import recognize

        kinds = recognize(corrections, answers)
        if not kinds or kinds[0].confidence < _LEAST_CONFIDENCE:
            return replace(self, others=tuple(kinds))
        return replace(self, kind=kinds[0], others=tuple(kinds[1:]))

    def pairs(self, corrections: Sequence[Example], held_out: Sequence[Example] = ()) -> tuple[Example, ...]:
        """Return pairs like the corrections, none of them like those that are held out."""
        if self.edited is not None:
            return tuple(pair for pair in self.edited if not any(_is_similar(pair, other) for other in held_out))
        if self.kind is None:
            return ()
        from trivium.build.lessons import generate

        pairs = generate(
            corrections, self.kind, number=NUMBER, seed=self.seed, text=self.text or None, labels=self.labels,
            known=self.known,
        )  # fmt: skip
        taken = {key_of(example) for example in (*corrections, *held_out)}
        return tuple(replace(adapted(pair), facts=pair.facts) for pair in pairs if key_of(pair) not in taken)

    def lesson(self, corrections: Sequence[Example], held_out: Sequence[Example] = ()) -> Lesson:
        """Return the pairs for corrections, divided into those that are taught and those that are held out."""
        pairs = [adapted(pair) for pair in self.pairs(corrections, held_out)]
        order = stream(self.seed, "data", "lesson", "checked").permutation(len(pairs))
        checked = {int(index) for index in order[: len(pairs) // _CHECKED]}
        parts = [[pair for index, pair in enumerate(pairs) if (index in checked) == side] for side in (False, True)]
        return Lesson(*map(tuple, parts))


def lesson_source(
    labels: Labels, about: str | None, text: str | Path | None, pairs: Data | None, seed: int
) -> LessonSource:
    """Return the source of lessons that a user asks for. Raise if anything is wrong with it."""
    for name, value in (("about", about), ("text", text), ("pairs", pairs)):
        if value is not None and labels not in (NLI3, NLI2):
            raise UserError(f"{option(name)} is for models of NLI, but this one has {', '.join(labels.names)}")
    kind = None
    if about is not None:
        from trivium.build.lessons import find_kind

        kind = find_kind(about)
    sentences = () if text is None else tuple(line for line in read_texts(str(text), "text") if line.strip())
    if text is not None and not sentences:
        raise UserError(f"{text}: contains no sentences")
    return LessonSource(labels, kind, seed, sentences, None if pairs is None else _read_pairs(pairs, labels))


def write_pairs(pairs: Sequence[Example], labels: Labels, path: Path) -> None:
    """Write pairs as JSON Lines, to look at and to edit."""
    Split(path.stem, tuple(pairs), labels).write_jsonl(path)


def _read_pairs(data: Data, labels: Labels) -> tuple[Example, ...] | None:
    """Return the pairs that a user has edited; None if the file does not exist yet."""
    if isinstance(data, str | Path) and not Path(data).exists():
        if Path(data).suffix != ".jsonl":
            raise UserError(f"{data}: pairs are written to .jsonl files: choose this ending")
        return None
    pairs = tuple(read_examples(data, labels, "pairs", LABELLED))
    if len(pairs) < _CHECKED:
        raise UserError(f"{data}: contains {len(pairs)} pairs, but must contain at least {_CHECKED}")
    return pairs


def _is_similar(pair: Example, correction: Example) -> bool:
    """Return whether a pair shares most words of a text with a correction, as if it was made from it."""
    own = set(words(pair.premise.lower())) | set(words((pair.hypothesis or "").lower()))
    texts = (correction.premise, correction.hypothesis or "")
    theirs = [set(words(text.lower())) for text in texts if text]
    return any(len(own & each) > _OVERLAP * len(each) for each in theirs)
