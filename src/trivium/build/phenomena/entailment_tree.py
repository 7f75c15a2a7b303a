"""Entailment trees: two or three of several rules imply a conclusion together.

The rules are invented, so that world knowledge does not help.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.words import PEOPLE, pick, pick_some, sentence, sentences, shuffled

if TYPE_CHECKING:
    import numpy as np


_DISTRACTORS = 2


class _Trait(NamedTuple):
    """A verb phrase that may be true of people, in the singular and in the plural."""

    singular: str
    plural: str


_TRAITS: tuple[_Trait, ...] = tuple(
    _Trait(*trait.split("/"))
    for trait in (
        "belongs to the chess club/belong to the chess club", "sings in the choir/sing in the choir",
        "lives on Mill Street/live on Mill Street", "works in the harbour/work in the harbour",
        "works on the night shift/work on the night shift", "has a library card/have a library card",
        "has a key to the boathouse/have a key to the boathouse", "owns a share in the mill/own a share in the mill",
        "has a parking permit/have a parking permit", "is invited to the banquet/are invited to the banquet",
        "may use the swimming pool/may use the swimming pool", "must wear a badge/must wear a badge",
        "pays the reduced fare/pay the reduced fare", "receives the newsletter/receive the newsletter",
        "takes part in the play/take part in the play", "gets a free lunch/get a free lunch",
        "is insured against accidents/are insured against accidents",
        "has passed the safety test/have passed the safety test",
        "may vote in the town council/may vote in the town council", "is on the mailing list/are on the mailing list",
        "takes the boat to work/take the boat to work", "has a room in the old wing/have a room in the old wing",
        "must register with the office/must register with the office", "wears a blue uniform/wear a blue uniform",
        "learns Latin/learn Latin", "gets a discount at the bakery/get a discount at the bakery",
        "is a member of the union/are members of the union", "trains with the first team/train with the first team",
        "plays in the brass band/play in the brass band", "has been vaccinated/have been vaccinated",
        "may borrow the ladder/may borrow the ladder", "receives a pension/receive a pension",
        "keeps bees/keep bees", "grows vegetables behind the school/grow vegetables behind the school",
        "has to be at the gate by six/have to be at the gate by six",
        "sleeps in the east dormitory/sleep in the east dormitory",
    )
)  # fmt: skip


def _rule(rng: np.random.Generator, condition: _Trait, conclusion: _Trait) -> str:
    """Express a rule in one of several ways: ``Everyone who has a library card may use the pool``."""
    return pick(
        rng,
        (
            f"everyone who {condition.singular} {conclusion.singular}",
            f"all people who {condition.plural} {conclusion.plural}",
            f"anyone who {condition.singular} {conclusion.singular}",
            f"whoever {condition.singular} {conclusion.singular}",
        ),
    )


_Links = Sequence[tuple[_Trait, _Trait]]


def _links(rng: np.random.Generator) -> _Links:
    """Draw a path of two or three links, and two links that lead to a trait on the path, or away from one."""
    length = 2 + int(rng.random() * 2)
    traits = pick_some(rng, _TRAITS, length + 1 + _DISTRACTORS)
    path, spare = traits[: length + 1], traits[length + 1 :]
    links = list(pairwise(path))
    for trait in spare:
        links.append((trait, pick(rng, path[1:])) if rng.random() < 0.5 else (pick(rng, path[:-1]), trait))
    return shuffled(rng, links)


def _reached(links: _Links, start: _Trait) -> set[_Trait]:
    """Return the traits that the links imply for people with the trait ``start``."""
    reached = {start}
    for _ in links:
        reached |= {conclusion for condition, conclusion in links if condition in reached}
    return reached


def _goals(links: _Links, start: _Trait) -> dict[str, list[_Trait]]:
    """Return the traits that follow from ``start`` in several steps, and those that do not follow."""
    traits, reached = {trait: None for link in links for trait in link}, _reached(links, start)
    return {
        "entailed": [trait for trait in traits if trait in reached - {start} and (start, trait) not in links],
        "not-entailed": [trait for trait in traits if trait not in reached],
    }


@maker("ent-tree")
def entailment_tree(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair whose conclusion needs several rules.

    ``Everyone who keeps bees sings in the choir. Ben keeps bees.`` entails ``Ben sings in the choir.``.

    The rules and the start are drawn before the label is looked at, and allow goals of both labels.
    """
    while True:
        links = _links(rng)
        start = pick(rng, links)[0]
        goals = _goals(links, start)
        if all(goals.values()):
            break
    goal = pick(rng, goals[label])
    texts = [_rule(rng, condition, conclusion) for condition, conclusion in links]
    if rng.random() < 0.5:
        return Pair(sentences(texts), sentence(_rule(rng, start, goal)))
    who = pick(rng, PEOPLE)
    return Pair(sentences(shuffled(rng, [*texts, f"{who} {start.singular}"])), sentence(f"{who} {goal.singular}"))
