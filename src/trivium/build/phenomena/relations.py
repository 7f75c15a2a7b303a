"""Relations between people and things: the verbs and objects of statements about who did what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.build.phenomena.words import CITIES, COUNTRIES, pick

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Relation:
    """A verb in several forms, and its possible objects.

    The forms are *has visited* (``singular``), *have visited* (``plural``), *has not visited* (``negated``) and *has
    been visited by* (``passive``). ``auxiliary`` replaces the verb phrase in ellipsis: *Anna has visited Rome, but Ben
    has not*. ``noun`` names the category of the ``items`` (*city*), ``among`` the set they belong to (*on the list*).
    """

    singular: str
    plural: str
    negated: str
    auxiliary: str
    passive: str
    noun: str
    among: str
    items: tuple[str, ...]


def _present(verb: str, participle: str, noun: str, among: str, items: str) -> Relation:
    third_person = verb[:-1] + "ies" if verb.endswith("dy") else verb + "s"
    return Relation(
        third_person, verb, f"does not {verb}", "does", f"is {participle} by", noun, among, tuple(items.split(", "))
    )


def _perfect(participle: str, noun: str, among: str, items: tuple[str, ...]) -> Relation:
    return Relation(
        f"has {participle}",
        f"have {participle}",
        f"has not {participle}",
        "has",
        f"has been {participle} by",
        noun,
        among,
        items,
    )


def _past(verb: str, past: str, noun: str, among: str, items: str) -> Relation:
    return Relation(past, past, f"did not {verb}", "did", f"was {past} by", noun, among, tuple(items.split(", ")))


RELATIONS: tuple[Relation, ...] = (
    _perfect("visited", "city", "on the list", CITIES),
    _perfect("visited", "country", "on the list", COUNTRIES),
    _perfect(
        "tried", "sport", "in the programme",
        tuple("judo, karate, tennis, rugby, golf, cricket, fencing, archery, rowing, boxing, handball, volleyball, "
              "badminton, squash, hockey, surfing, sailing, skiing, wrestling, climbing".split(", ")),
    ),
    _perfect(
        "tasted", "dish", "on the menu",
        tuple("the lentil soup, the paella, the lasagne, the goulash, the risotto, the fish pie, the onion tart, the "
              "curry, the moussaka, the ratatouille, the beef stew, the apple pie, the cheesecake, the noodle salad, "
              "the dumplings, the tomato soup".split(", ")),
    ),
    _present("speak", "spoken", "language", "on the timetable",
             "French, German, Spanish, Italian, Russian, Turkish, Arabic, Greek, Polish, Dutch, Swedish, Finnish, "
             "Hungarian, Portuguese, Chinese, Japanese, Korean, Hindi, Swahili, Welsh, Czech, Danish"),
    _present("play", "played", "instrument", "in the music room",
             "the violin, the cello, the piano, the flute, the trumpet, the harp, the guitar, the clarinet, the oboe, "
             "the organ, the banjo, the accordion, the drums, the saxophone, the viola, the trombone"),
    _present("study", "studied", "subject", "on the timetable",
             "physics, chemistry, biology, history, geography, law, economics, music, geology, philosophy, botany, "
             "medicine, architecture, astronomy, linguistics, sociology"),
    _past("pass", "passed", "test", "in the programme",
          "the driving test, the swimming test, the history exam, the algebra exam, the chemistry exam, the Latin "
          "exam, the grammar test, the spelling test, the fitness test, the physics exam, the geography exam, the "
          "first-aid exam"),
    _past("attend", "attended", "event", "in the programme",
          "the wedding, the funeral, the concert, the lecture, the auction, the parade, the banquet, the graduation, "
          "the opening, the rehearsal, the picnic, the conference, the debate, the harvest festival"),
)  # fmt: skip


def pick_relation(rng: np.random.Generator) -> Relation:
    """Return a random relation."""
    return pick(rng, RELATIONS)
