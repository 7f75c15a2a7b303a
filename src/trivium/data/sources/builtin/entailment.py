"""Rules for entailment: the hypothesis follows from the premise."""

from __future__ import annotations

from collections.abc import Iterator

from trivium.data.sources.builtin.edits import Edit, drops, statements, substitutions
from trivium.data.sources.builtin.pairs import ENTAILMENT, Pair, Rule, edited, rendered
from trivium.data.sources.builtin.scene import (
    NUMBERS,
    Phrase,
    Scene,
    affirmed,
    agentless,
    denials,
    passive,
    predicated,
    sentence,
    there_is,
)

_WEAKER: dict[str, tuple[str, ...]] = {
    **dict.fromkeys((*NUMBERS, "several", "many", "a few"), ("some",)),
    "all the": ("some", "some of the", "the"),
    "both": ("two", "the"),
    "most of the": ("some", "some of the"),
}


def synonym(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is tossing a ball`` → ``A boy is throwing a ball``."""
    return edited(scene, ENTAILMENT, "synonym", substitutions(scene, "synonym"))


def hypernym(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is throwing a ball`` → ``A child is throwing a ball``."""
    return edited(scene, ENTAILMENT, "hypernym", substitutions(scene, "hypernym"))


def someone(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is throwing a ball`` → ``Someone is throwing a ball``."""
    subject = scene.subject
    if subject.noun_class.people and subject.determiner == "a":
        hypothesis = sentence("someone is", scene.predicate)
        yield Pair(affirmed(scene), hypothesis, ENTAILMENT, "hypernym", "subject", f"{subject.noun}>someone")


def modifier_drop(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A tall boy is throwing a ball`` → ``A boy is throwing a ball``."""
    return edited(scene, ENTAILMENT, "modifier-drop", drops(scene))


def two_steps(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A tall boy is tossing a ball`` → ``A boy is throwing a ball``."""
    for drop in drops(scene):
        for relation in ("synonym", "hypernym"):
            for edit in substitutions(drop.scene, relation):
                yield from edited(scene, ENTAILMENT, f"{relation}+drop", iter((edit,)))


def active_passive(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is throwing a ball`` → ``A ball is being thrown (by a boy)``."""
    same = Edit(scene, "voice", "active>passive")
    yield from rendered(scene, ENTAILMENT, "passive", iter((same,)), passive)
    yield from rendered(scene, ENTAILMENT, "passive", substitutions(scene, "synonym"), passive)
    yield from rendered(scene, ENTAILMENT, "passive", iter((same._replace(slot="agent"),)), agentless)


def existential(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is throwing a ball`` → ``There is a boy throwing a ball``."""
    same = Edit(scene, "form", "there is")
    yield from rendered(scene, ENTAILMENT, "there-is", iter((same,)), there_is)
    for relation in ("synonym", "hypernym"):
        yield from rendered(scene, ENTAILMENT, "there-is", substitutions(scene, relation), there_is)


def quantifier(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``Two boys are throwing a ball`` → ``Some boys are throwing a ball``."""
    subject, thing = scene.subject, scene.object
    edits = [
        Edit(scene._replace(subject=subject._replace(determiner=weaker)), "subject", f"{subject.determiner}>{weaker}")
        for weaker in _weaker(subject)
    ]
    if thing is not None and thing.determiner in NUMBERS:
        fewer = scene._replace(object=thing._replace(determiner="some"))
        edits.append(Edit(fewer, "object", f"{thing.determiner}>some"))
    return edited(scene, ENTAILMENT, "quantifier", iter(edits))


def _weaker(subject: Phrase) -> tuple[str, ...]:
    if subject.determiner == "the" and not subject.plural:
        return ("a",)
    return _WEAKER.get(subject.determiner, ())


def predication(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A tall boy is throwing a ball`` → ``The boy throwing a ball is tall``, ``… not short``."""
    for predicate, words, holds in statements(scene):
        if hypothesis := predicated(scene, predicate, negation="" if holds else "not"):
            yield Pair(affirmed(scene), hypothesis, ENTAILMENT, "predication", "subject adjective", words)


def exclusion(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is opening a door`` → ``A boy is not closing a door``."""
    premise = affirmed(scene)
    for relation in ("antonym", "cohyponym"):
        for edit in substitutions(scene, relation):
            if edit.slot not in ("verb", "adverb", "adjunct"):
                continue
            for denial in denials(edit.scene):
                if denial.words == "not":
                    yield Pair(premise, denial.text, ENTAILMENT, f"{relation}-negation", edit.slot, edit.words)


RULES: tuple[Rule, ...] = (
    Rule(16, synonym),
    Rule(13, hypernym),
    Rule(3, someone),
    Rule(12, modifier_drop),
    Rule(10, two_steps),
    Rule(9, active_passive),
    Rule(7, existential),
    Rule(10, quantifier),
    Rule(26, predication),
    Rule(46, exclusion),
)
"""The rules of entailment. Rules that seldom apply have more weight."""
