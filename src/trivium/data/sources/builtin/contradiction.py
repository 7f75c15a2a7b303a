"""Rules for contradiction: the hypothesis cannot be true of the same scene as the premise."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from trivium.data.sources.builtin.edits import Edit, drops, statements, substitutions
from trivium.data.sources.builtin.pairs import CONTRADICTION, Pair, Rule, denied, edited, rendered
from trivium.data.sources.builtin.scene import (
    NUMBERS,
    Scene,
    affirmed,
    denials,
    passive,
    predicated,
    sentence,
    there_is,
)


def negation(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is throwing a ball`` → ``A boy is not …``, ``There is no boy throwing a ball``."""
    for denial in denials(scene):
        if denial.exact and denial.words in ("not", "no") and scene.subject.determiner != "some":
            yield Pair(affirmed(scene), denial.text, CONTRADICTION, "negation", "polarity", denial.words, True)


def passive_negation(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is throwing a ball`` → ``A ball is not being thrown by a boy``."""
    if scene.subject.determiner not in ("a", "the", *NUMBERS):
        return
    if hypothesis := passive(scene, negation="not"):
        yield Pair(affirmed(scene), hypothesis, CONTRADICTION, "passive-negation", "polarity", "not", True)


def quantifier(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``Two boys are throwing a ball`` → ``No boys are throwing a ball``."""
    determiner = scene.subject.determiner
    if determiner in ("a", "the"):
        return
    for denial in denials(scene):
        if denial.words != "not":
            words = f"{determiner}>no" if denial.words == "no" else denial.words
            yield Pair(affirmed(scene), denial.text, CONTRADICTION, "quantifier", "subject", words, denial.exact)


def _exclusive_edits(scene: Scene, relation: str) -> Iterator[Edit]:
    """Yield edits whose scene excludes the original one, because both are about the same people and things."""
    specific = ("a", "the", *NUMBERS)
    if scene.subject.determiner not in (*specific, "all the", "both"):
        return
    for edit in substitutions(scene, relation):
        thing = scene.object
        if edit.slot == "object adjective" and (thing is None or thing.plural or thing.determiner not in specific):
            continue
        if edit.slot == "subject adjective" and scene.subject.determiner not in specific:
            continue
        yield edit


def antonym(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is opening a door`` → ``A boy is closing a door``."""
    return edited(scene, CONTRADICTION, "antonym", _exclusive_edits(scene, "antonym"))


def cohyponym(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is sitting on a bench`` → ``A boy is standing on a bench``."""
    return edited(scene, CONTRADICTION, "cohyponym", _exclusive_edits(scene, "cohyponym"))


def antonym_drop(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A tall boy is opening a door`` → ``A boy is closing a door``."""
    edits = (edit for drop in drops(scene) for edit in _exclusive_edits(drop.scene, "antonym"))
    return edited(scene, CONTRADICTION, "antonym+drop", edits)


def active_passive(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is opening a door`` → ``A door is being closed by a boy``."""
    return rendered(scene, CONTRADICTION, "passive", _exclusive_edits(scene, "antonym"), passive)


def existential(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is opening a door`` → ``There is a boy closing a door``."""
    edits = chain(_exclusive_edits(scene, "antonym"), _exclusive_edits(scene, "cohyponym"))
    return rendered(scene, CONTRADICTION, "there-is", (edit for edit in edits if "subject" not in edit.slot), there_is)


def hypernym_negation(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is slicing an onion`` → ``A boy is not slicing a vegetable``, ``Nobody is …``."""
    yield from denied(scene, CONTRADICTION, "hypernym-negation", substitutions(scene, "hypernym"))
    subject = scene.subject
    if subject.noun_class.people and subject.determiner in ("a", *NUMBERS):
        hypothesis = sentence("nobody is", scene.denied_predicate)
        words = f"{subject.noun}>nobody"
        yield Pair(affirmed(scene), hypothesis, CONTRADICTION, "hypernym-negation", "subject", words)


def modifier_drop_negation(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is throwing a ball in the park`` → ``A boy is not throwing a ball``."""
    return denied(scene, CONTRADICTION, "modifier-drop-negation", drops(scene))


def predication(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A tall boy is throwing a ball`` → ``The boy throwing a ball is short``, ``… not tall``."""
    for predicate, words, holds in statements(scene):
        if hypothesis := predicated(scene, predicate, negation="not" if holds else ""):
            yield Pair(affirmed(scene), hypothesis, CONTRADICTION, "predication", "subject adjective", words)


RULES: tuple[Rule, ...] = (
    Rule(130, negation),
    Rule(20, passive_negation),
    Rule(8, quantifier),
    Rule(36, antonym),
    Rule(60, cohyponym),
    Rule(20, antonym_drop),
    Rule(10, active_passive),
    Rule(10, existential),
    Rule(1.5, hypernym_negation),
    Rule(1.5, modifier_drop_negation),
    Rule(24, predication),
)
"""The rules of contradiction. About two thirds of their hypotheses are exact complements of the premise."""
