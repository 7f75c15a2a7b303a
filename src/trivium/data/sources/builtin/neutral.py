"""Rules for neutrality: the premise does not decide whether the hypothesis is true."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from trivium.data.sources.builtin.activities import ACTIVITIES
from trivium.data.sources.builtin.edits import (
    ATTRIBUTIVE,
    Edit,
    adds,
    changes,
    clash,
    drops,
    fitting_adjectives,
    independent_adjectives,
    may_mention_clothes,
    substitutions,
    wearing,
)
from trivium.data.sources.builtin.noun_classes import TAILS
from trivium.data.sources.builtin.pairs import NEUTRAL, Pair, Rule, denied, edited, rendered
from trivium.data.sources.builtin.scene import Scene, affirmed, passive, predicated, sentence, there_is
from trivium.data.sources.builtin.words import related

_STRONGER: dict[str, tuple[str, ...]] = {
    "some": ("two", "three", "many", "all the"),
    "several": ("four", "all the"),
    "a few": ("three", "all the"),
    "many": ("all the",),
    "most of the": ("all the",),
}


def hyponym(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A child is throwing a ball`` → ``A boy is throwing a ball``."""
    return edited(scene, NEUTRAL, "hyponym", substitutions(scene, "hyponym"))


def hyponym_drop(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A tall child is throwing a ball`` → ``A boy is throwing a ball``."""
    edits = (edit for drop in drops(scene) for edit in substitutions(drop.scene, "hyponym"))
    return edited(scene, NEUTRAL, "hyponym+drop", edits)


def modifier_add(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is throwing a ball`` → ``A tall boy is throwing a ball``."""
    return edited(scene, NEUTRAL, "modifier-add", adds(scene))


def modifier_swap(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A tall boy is throwing a ball`` → ``A happy boy is throwing a ball``.

    The new modifier may have another position: ``A boy is throwing a ball in the park``.
    """
    yield from edited(scene, NEUTRAL, "modifier-swap", changes(scene))
    for drop in drops(scene):
        for add in adds(drop.scene):
            if _independent_edits(drop, add):
                both = Edit(add.scene, add.slot, f"{drop.words}>{add.words}")
                yield from edited(scene, NEUTRAL, "modifier-swap", iter((both,)))


def _independent_edits(drop: Edit, add: Edit) -> bool:
    """Return whether the dropped modifier and the added one are independent."""
    return add.slot != drop.slot and not clash(drop.words, add.words)


def hypernym_and_modifier(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is throwing a ball`` → ``A child is throwing a ball in the park``."""
    for relation in ("synonym", "hypernym"):
        edits = (
            Edit(add.scene, add.slot, f"{wider.words}, {add.words}")
            for wider in substitutions(scene, relation)
            for add in adds(wider.scene)
        )
        yield from edited(scene, NEUTRAL, f"{relation}+add", edits)


def someone(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is throwing a ball`` → ``Someone is throwing a red ball``."""
    if not scene.subject.noun_class.people or scene.subject.determiner != "a":
        return
    for add in adds(scene):
        if add.slot.startswith(("subject", "tail")):
            continue
        yield from (
            Pair(affirmed(scene), hypothesis, NEUTRAL, relation, add.slot, f"{scene.subject.noun}>{word}, {add.words}")
            for word, relation, hypothesis in (
                ("someone", "hypernym+add", sentence("someone is", add.scene.predicate)),
                ("nobody", "modifier-add-negation", sentence("nobody is", add.scene.denied_predicate)),
            )
        )


def role_swap(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A man is chasing a dog`` → ``A dog is chasing a man``."""
    subject, thing = scene.subject, scene.object
    if thing is None or subject.tail or "" in (subject.determiner, thing.determiner):
        return
    for activity in ACTIVITIES:
        if scene.verb in activity.verbs and thing.noun in activity.subjects and subject.noun in activity.objects:
            swapped = scene._replace(subject=thing, object=subject)
            words = f"{subject.noun}>{thing.noun}"
            yield Pair(affirmed(scene), affirmed(swapped), NEUTRAL, "role-swap", "roles", words)
            return


def quantifier(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``Some boys are throwing a ball`` → ``Two boys are throwing a ball``."""
    subject, thing = scene.subject, scene.object
    edits = [
        Edit(scene._replace(subject=subject._replace(determiner=other)), "subject", f"{subject.determiner}>{other}")
        for other in _STRONGER.get(subject.determiner, ())
    ]
    if thing is not None and thing.plural and thing.noun_class.number == "count" and thing.determiner == "some":
        edits += [
            Edit(scene._replace(object=thing._replace(determiner=other)), "object", f"some>{other}")
            for other in ("two", "three")
        ]
    return edited(scene, NEUTRAL, "quantifier", iter(edits))


def proportional_hypernym(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``All the boys are throwing a ball`` → ``All the children are throwing a ball``."""
    subject = scene.subject
    if subject.determiner not in ("all the", "most of the") or subject.adjective:
        return
    for other in related("hypernym", "noun", subject.noun):
        if noun_class := scene.activity.subjects.get(other):
            wider = Edit(
                scene._replace(subject=subject.renamed(other, noun_class)), "subject", f"{subject.noun}>{other}"
            )
            yield from edited(scene, NEUTRAL, "hypernym", iter((wider,)))


def predication(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is throwing a ball`` → ``The boy throwing a ball is tall``, ``… is not tall``."""
    premise, subject = affirmed(scene), scene.subject
    predicates = [
        word
        for word in fitting_adjectives(subject.noun_class, scene)
        if word not in ATTRIBUTIVE
        and not clash(word, scene.adverb)
        and (not subject.adjective or independent_adjectives(subject.adjective, word))
    ]
    if may_mention_clothes(scene) and not subject.tail:
        predicates += [wearing(tail) for tail in TAILS]
    for predicate in predicates:
        for negation in ("", "not"):
            if hypothesis := predicated(scene, predicate, negation=negation):
                yield Pair(premise, hypothesis, NEUTRAL, "predication", "subject adjective", predicate)


def _more_specific(scene: Scene) -> Iterator[Edit]:
    return chain(substitutions(scene, "hyponym"), adds(scene))


def active_passive(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is throwing a ball`` → ``A ball is being thrown by a boy in the park``."""
    return rendered(scene, NEUTRAL, "passive", _more_specific(scene), passive)


def existential(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is throwing a ball`` → ``There is a boy throwing a red ball``."""
    return rendered(scene, NEUTRAL, "there-is", _more_specific(scene), there_is)


def hyponym_negation(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A child is throwing a ball`` → ``There is no boy throwing a ball``."""
    return denied(scene, NEUTRAL, "hyponym-negation", substitutions(scene, "hyponym"))


def modifier_add_negation(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is throwing a ball`` → ``A boy is not throwing a ball in the park``."""
    return denied(scene, NEUTRAL, "modifier-add-negation", adds(scene))


def modifier_swap_negation(scene: Scene) -> Iterator[Pair]:
    """Build pairs such as ``A boy is quickly throwing a ball`` → ``A boy is not throwing a ball in the park``."""
    edits = (
        Edit(add.scene, add.slot, f"{drop.words}>{add.words}")
        for drop in drops(scene)
        for add in adds(drop.scene)
        if _independent_edits(drop, add)
    )
    return denied(scene, NEUTRAL, "modifier-swap-negation", edits)


RULES: tuple[Rule, ...] = (
    Rule(26, hyponym),
    Rule(30, hyponym_drop),
    Rule(11, modifier_add),
    Rule(10, modifier_swap),
    Rule(7, hypernym_and_modifier),
    Rule(4, someone),
    Rule(150, role_swap),
    Rule(40, quantifier),
    Rule(60, proportional_hypernym),
    Rule(9, predication),
    Rule(5, active_passive),
    Rule(4, existential),
    Rule(40, hyponym_negation),
    Rule(28, modifier_add_negation),
    Rule(16, modifier_swap_negation),
)
"""The rules of neutrality. Negation is frequent, so that it does not predict contradiction."""
