"""Entailment trees: two or three rules imply a conclusion, unless one of them is missing or changed.

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


def _links(label: str, rng: np.random.Generator, path: Sequence[_Trait], spare: Sequence[_Trait]) -> list[list[_Trait]]:
    """Return the links of the path (one of them broken unless entailed) and perhaps a distractor."""
    links = [list(link) for link in pairwise(path)]
    distractor = [spare[0], pick(rng, path[1:])] if rng.random() < 0.5 else [pick(rng, path[:-1]), spare[0]]
    if label != "entailed":
        broken = int(rng.random() * len(links))
        before, after = links[broken]
        form = rng.random()
        if form < 0.35:
            links[broken] = [after, before]
        elif form < 0.7:
            links[broken] = [before, spare[1]]
        else:
            links[broken] = [spare[1], after]
    return [*links, distractor] if rng.random() < 0.5 else links


def _follows(links: Sequence[Sequence[_Trait]], start: _Trait, goal: _Trait) -> bool:
    """Return whether the links lead from the start to the goal."""
    reached = {start}
    for _ in links:
        reached |= {conclusion for condition, conclusion in links if condition in reached}
    return goal in reached


def _mentions(links: Sequence[Sequence[_Trait]], *traits: _Trait) -> bool:
    """Return whether the links mention all of the traits; a missing trait would give away the label."""
    return all(any(trait in link for link in links) for trait in traits)


@maker("ent-tree")
def entailment_tree(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair whose conclusion needs several rules.

    ``Everyone who keeps bees sings in the choir. Ben keeps bees.`` entails ``Ben sings in the choir.``.
    """
    length = 2 + int(rng.random() * 2)
    traits = pick_some(rng, _TRAITS, length + 3)
    path, spare = traits[: length + 1], traits[length + 1 :]
    links = _links(label, rng, path, spare)
    while not _mentions(links, path[0], path[-1]) or _follows(links, path[0], path[-1]) != (label == "entailed"):
        links = _links(label, rng, path, spare)
    texts = [_rule(rng, condition, conclusion) for condition, conclusion in links]
    if rng.random() < 0.5:
        return Pair(sentences(shuffled(rng, texts)), sentence(_rule(rng, path[0], path[-1])))
    who = pick(rng, PEOPLE)
    return Pair(sentences(shuffled(rng, [*texts, f"{who} {path[0].singular}"])), sentence(f"{who} {path[-1].singular}"))
