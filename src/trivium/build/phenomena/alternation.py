"""Syntactic alternations: two frames of a verb that assign the same roles to its arguments, or different ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.words import PEOPLE, indefinite, pick, pick_some, sentence, shuffled

if TYPE_CHECKING:
    import numpy as np

_GIVING = {
    "gave": "book, ticket, ring, bicycle, watch", "sent": "letter, parcel, postcard, book, present",
    "showed": "photograph, map, letter, painting, ticket", "lent": "book, bicycle, tent, coat, ladder",
    "sold": "car, guitar, boat, camera, carpet", "handed": "letter, ticket, glass of water, map, key",
    "offered": "sandwich, job, seat, cup of tea, ticket", "threw": "ball, towel, blanket, rope, key",
    "mailed": "letter, contract, postcard, present, ticket", "passed": "note, plate, map, bowl of soup, towel",
}  # fmt: skip
_MAKING = {
    "baked": "cake, pie, loaf of bread", "bought": "hat, present, bicycle, sandwich", "built": "shed, bench, kennel",
    "knitted": "scarf, sweater", "cooked": "stew, curry", "ordered": "pizza, coffee, taxi",
    "saved": "seat, slice of pie",
}  # fmt: skip
_LOCATIVE = {
    "loaded": ("onto", "hay, coal, bricks, melons, sand", "the truck, the cart, the barge, the wagon, the trailer"),
    "sprayed": ("onto", "paint, water, varnish, perfume", "the wall, the fence, the gate, the car, the door"),
    "smeared": ("on", "butter, honey, jam, mustard", "the toast, the plate, the tray, the pancakes"),
    "sprinkled": ("on", "salt, sugar, cinnamon, parsley", "the soup, the cake, the salad, the rice"),
    "packed": ("into", "books, toys, tools, clothes", "the suitcase, the crate, the trunk, the box, the basket"),
    "stuffed": ("into", "straw, rags, feathers, leaves", "the sack, the pillow, the mattress, the scarecrow"),
    "planted": ("in", "tulips, beans, roses, carrots", "the garden, the field, the yard, the bed by the wall"),
}  # fmt: skip
_TRANSITIVE: tuple[str, ...] = tuple(
    "praised followed criticized greeted thanked helped chased rescued interrupted recognized photographed "
    "invited admired visited questioned hired warned insulted pushed accompanied".split()
)
_CAUSATIVE: tuple[str, ...] = ("woke {} up", "calmed {} down", "cheered {} up", "warmed {} up", "cooled {} off",
                              "sobered {} up", "quieted {} down", "dried {} off")  # fmt: skip
_COLLISIONS = {
    "broke": "the lamp, the ladder, the bottle, the vase, the oar, the plank, the racket",
    "cracked": "the bowl, the tile, the stone jar, the mug, the marble slab, the plate",
    "sank": "the ferry, the yacht, the trawler, the tanker, the warship, the barge",
    "shattered": "the bottle, the glass globe, the mirror, the china cup, the crystal bowl",
}  # fmt: skip
_OPTIONAL_OBJECT: tuple[str, ...] = tuple(
    "phoned helped interrupted followed called taught painted drew led pushed kicked obeyed".split()
)
_TIMES: tuple[str, ...] = ("", "", " today", " last night", " on Monday", " on Friday", " before lunch", " in May")
_Frames = Callable[["np.random.Generator", str, Sequence[str]], tuple[str, str]]
"""Draws two clauses, of which the first entails the second, from a time adverbial and two people."""


def _dative(rng: np.random.Generator, when: str, people: Sequence[str]) -> tuple[str, str]:
    """Return a dative alternation: ``Anna gave Ben a book``, ``Anna gave a book to Ben``."""
    verbs, preposition = (_GIVING, "to") if rng.random() < 0.6 else (_MAKING, "for")
    verb = pick(rng, list(verbs))
    thing, (giver, recipient) = indefinite(pick(rng, verbs[verb].split(", "))), people[:2]
    forms = (f"{giver} {verb} {recipient} {thing}{when}", f"{giver} {verb} {thing} {preposition} {recipient}{when}")
    first, second = forms if preposition == "for" or rng.random() < 0.5 else forms[::-1]
    return first, second


def _passive(rng: np.random.Generator, when: str, people: Sequence[str]) -> tuple[str, str]:
    """Return two of active, passive and clefts: ``Anna praised Ben``, ``Ben was praised by Anna``."""
    verb, (agent, other) = pick(rng, _TRANSITIVE), people[:2]
    forms = (
        f"{agent} {verb} {other}{when}", f"{other} was {verb} by {agent}{when}",
        f"it was {agent} who {verb} {other}{when}", f"the one whom {agent} {verb}{when} was {other}",
        f"it was {other} who was {verb} by {agent}{when}",
    )  # fmt: skip
    first, second = pick_some(rng, forms, 2)
    return first, second


def _causative(rng: np.random.Generator, when: str, people: Sequence[str]) -> tuple[str, str]:
    """Return a causative and its intransitive: ``Anna woke Ben up``, ``Ben woke up``."""
    verb, (agent, other) = pick(rng, _CAUSATIVE), people[:2]
    return f"{agent} {verb.format(other)}{when}", f"{other} {verb.replace('{} ', '')}{when}"


def _object_drop(rng: np.random.Generator, when: str, people: Sequence[str]) -> tuple[str, str]:
    """Return a clause with and without its object: ``Anna phoned Ben``, ``Anna phoned``."""
    verb, (agent, other) = pick(rng, _OPTIONAL_OBJECT), people[:2]
    return f"{agent} {verb} {other}{when}", f"{agent} {verb}{when}"


def _two_frames(label: str, rng: np.random.Generator, frames: _Frames) -> Pair:
    """Draw a pair in two frames; unless it is entailed, the people of the premise are swapped."""
    people, when = pick_some(rng, PEOPLE, 2), pick(rng, _TIMES)
    premise, hypothesis = frames(rng, when, people)
    if label != "entailed":
        a, b = people
        premise = premise.replace(a, "\0").replace(b, a).replace("\0", b)
    return Pair(sentence(premise), sentence(hypothesis))


def _collision(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair with a transitive and an intransitive use of a verb.

    ``The ferry sank the yacht.`` entails ``The yacht sank.`` and not ``The ferry sank.``.
    """
    verb = pick(rng, list(_COLLISIONS))
    first, second = pick_some(rng, _COLLISIONS[verb].split(", "), 2)
    who, when = pick(rng, PEOPLE), pick(rng, _TIMES)
    agent, other = (first, second) if label == "entailed" else (second, first)
    forms = (f"{who} saw how {agent} {verb} {other}{when}", f"{agent} {verb} {other}{when}, as {who} noticed")
    return Pair(sentence(pick(rng, forms)), sentence(f"{second} {verb}{when}"))


def _locative(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair with a locative alternation.

    ``Anna loaded the truck with hay, and Ben loaded ...`` entails ``Anna loaded hay onto the truck.``.
    """
    verb = pick(rng, list(_LOCATIVE))
    preposition, stuff, places = _LOCATIVE[verb]
    (what, other), (where, elsewhere) = pick_some(rng, stuff.split(", "), 2), pick_some(rng, places.split(", "), 2)
    who, friend = pick_some(rng, PEOPLE, 2)
    events = [(who, where, what), (friend, elsewhere, other)]
    if label != "entailed":
        form = rng.random()
        events = [(who, elsewhere, what), (friend, where, other)]
        if form < 0.33:
            events = [(who, where, other), (friend, elsewhere, what)]
        elif form < 0.66:
            events = [(friend, where, what), (who, elsewhere, other)]
    premise = ", and ".join(f"{agent} {verb} {place} with {thing}" for agent, place, thing in shuffled(rng, events))
    return Pair(sentence(premise), sentence(f"{who} {verb} {what} {preposition} {where}"))


@maker("syn-alt")
def alternation(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair with a dative, passive, cleft, causative, object-drop or locative alternation."""
    form = rng.random()
    if form < 0.2:
        return _locative(label, rng)
    if form < 0.3:
        return _collision(label, rng)
    return _two_frames(label, rng, pick(rng, (_dative, _dative, _passive, _passive, _causative, _object_drop)))
