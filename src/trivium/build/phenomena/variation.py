"""Syntactic variation: an event in other words (voice, dative, clefts, converses), or with two roles exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.contrast import pick_match
from trivium.build.phenomena.words import PEOPLE, indefinite, pick, pick_some, sentence, shuffled

if TYPE_CHECKING:
    import numpy as np

_VERBS: tuple[tuple[str, str], ...] = tuple(
    (past, participle or past)
    for past, _, participle in (
        verb.partition("/")
        for verb in "praised, criticized, greeted, thanked, rescued, interrupted, recognized, photographed, invited, "
        "visited, questioned, hired, warned, insulted, saw/seen, chose/chosen, beat/beaten, forgave/forgiven, "
        "overtook/overtaken, bit/bitten, drew/drawn, tracked down, called up, left behind".split(", ")
    )
)
_GIVING = {
    "gave/given": "book, ticket, ring, watch", "sent/sent": "letter, parcel, card", "lent/lent": "tent, coat, ladder",
    "showed/shown": "photograph, map, painting", "sold/sold": "car, guitar, boat", "handed/handed": "key, letter, map",
    "offered/offered": "job, seat, sandwich", "threw/thrown": "ball, towel, rope", "mailed/mailed": "contract, card",
    "awarded/awarded": "prize, medal", "promised/promised": "reward, puppy", "taught/taught": "song, trick",
}  # fmt: skip
_CONVERSES: tuple[tuple[str, str, str], ...] = (
    ("{a} sold {b} {x}", "{b} bought {x} from {a}", "car, guitar, boat, carpet, camera"),
    ("{a} lent {b} {x}", "{b} borrowed {x} from {a}", "tent, coat, ladder, bicycle, book"),
    ("{a} gave {b} {x}", "{b} received {x} from {a}", "ring, watch, present, medal, ticket"),
    ("{a} taught {b} {x}", "{b} learned {x} from {a}", "song, trick, dance, card game"),
    ("{a} won the match against {b}", "{b} lost the match to {a}", ""),
    ("{a} arrived before {b}", "{b} arrived after {a}", ""),
    ("{a} stood in front of {b}", "{b} stood behind {a}", ""),
    ("{a} worked as an assistant of {b}", "{b} had {a} as an assistant", ""),
    ("{a} scored more points than {b}", "{b} scored fewer points than {a}", ""),
)
_TIMES: tuple[str, ...] = (
    "",
    "",
    " yesterday",
    " last night",
    " on Monday",
    " before lunch",
    " in May",
    " at the fair",
)


def _voice(rng: np.random.Generator) -> Sequence[str]:
    """Return active, passive and clefts: ``Anna praised Ben``, ``It was Ben who was praised by Anna``."""
    past, participle = pick(rng, _VERBS)
    head, _, particle = past.partition(" ")
    active = f"{head} {{b}} {particle}".rstrip()
    return (
        f"{{a}} {active}{{w}}", f"{{b}} was {participle} by {{a}}{{w}}", f"it was {{a}} who {active}{{w}}",
        f"it was {{b}} whom {{a}} {past}{{w}}", f"the one by whom {{b}} was {participle}{{w}} was {{a}}",
        f"it was by {{a}} that {{b}} was {participle}{{w}}", f"it was {{b}} who was {participle} by {{a}}{{w}}",
        f"the one who {active}{{w}} was {{a}}",
    )  # fmt: skip


def _dative(rng: np.random.Generator) -> Sequence[str]:
    """Return both datives, their passives and clefts: ``Anna gave Ben a book``, ``Ben was given a book by Anna``."""
    verb = pick(rng, list(_GIVING))
    (past, participle), x = verb.split("/"), indefinite(pick(rng, _GIVING[verb].split(", ")))
    return (
        f"{{a}} {past} {{b}} {x}{{w}}", f"{{a}} {past} {x} to {{b}}{{w}}", f"{{b}} was {participle} {x} by {{a}}{{w}}",
        f"{x} was {participle} to {{b}} by {{a}}{{w}}", f"it was {{a}} who {past} {{b}} {x}{{w}}",
        f"it was {{b}} to whom {{a}} {past} {x}{{w}}", f"it was {x} that {{a}} {past} to {{b}}{{w}}",
        f"it was to {{b}} that {{a}} {past} {x}{{w}}", f"the one who {past} {x} to {{b}}{{w}} was {{a}}",
    )  # fmt: skip


def _converse(rng: np.random.Generator) -> Sequence[str]:
    """Return two verbs that express one relation from both ends: ``Anna sold Ben a car``, ``Ben bought a car ...``."""
    *forms, things = pick(rng, _CONVERSES)
    thing = indefinite(pick(rng, things.split(", "))) if things else ""
    return [f"{form.replace('{x}', thing)}{{w}}" for form in forms]


@maker("syn-var")
def variation(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair in two forms, which describe the same event or one in which two people have exchanged their roles.

    ``Anna gave Ben a book.`` entails ``It was Ben who was given a book by Anna.``.
    """
    (a, b, *others), when = pick_some(rng, PEOPLE, 4), pick(rng, _TIMES)
    forms = pick_some(rng, pick(rng, (_voice, _voice, _dative, _dative, _converse))(rng), 2)
    event, exchanged = ([form.format(a=x, b=y, w=when) for form in forms] for x, y in ((a, b), (b, a)))
    premise, hypothesis = pick_match(label, rng, (event[0], event[1]), (exchanged[0], exchanged[1]))
    if rng.random() < 0.5:
        other = pick(rng, _voice(rng)).format(a=others[0], b=others[1], w=when)
        premise = ", and ".join(shuffled(rng, (premise, other)))
    return Pair(sentence(premise), sentence(hypothesis))
