"""What people do with things of a kind: the verbs and items that statements on who did what are made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from trivium.build.phenomena.words import CITIES, COUNTRIES, pick


@dataclass(frozen=True)
class Relation:
    """A verb in the forms that statements need, and the things it may take.

    ``helper`` is the verb that stands for the whole in *Anna has, but Ben has not*; ``noun`` and ``nouns`` say what
    the items are, ``among`` where they are found, ``passive`` the verb said of an item.
    """

    one: str
    many: str
    not_one: str
    helper: str
    passive: str
    noun: str
    nouns: str
    among: str
    items: tuple[str, ...]

    @property
    def not_many(self) -> str:
        """The denial of several: have not visited."""
        return self.not_one.replace("has not", "have not").replace("does not", "do not")

    @property
    def helpers(self) -> str:
        """The helper of several: have."""
        return {"has": "have", "does": "do", "did": "did"}[self.helper]


def _present(verb: str, passive: str, noun: str, nouns: str, among: str, items: str) -> Relation:
    third = verb[:-1] + "ies" if verb.endswith("dy") else verb + "s"
    return Relation(
        third, verb, f"does not {verb}", "does", f"is {passive} by", noun, nouns, among, tuple(items.split(", "))
    )


def _perfect(participle: str, noun: str, nouns: str, among: str, items: tuple[str, ...]) -> Relation:
    return Relation(
        f"has {participle}",
        f"have {participle}",
        f"has not {participle}",
        "has",
        f"has been {participle} by",
        noun,
        nouns,
        among,
        items,
    )


def _past(verb: str, past: str, noun: str, nouns: str, among: str, items: str) -> Relation:
    return Relation(
        past, past, f"did not {verb}", "did", f"was {past} by", noun, nouns, among, tuple(items.split(", "))
    )


RELATIONS: tuple[Relation, ...] = (
    _perfect("visited", "city", "cities", "on the list", CITIES),
    _perfect("visited", "country", "countries", "on the list", COUNTRIES),
    _perfect(
        "tried", "sport", "sports", "in the programme",
        tuple("judo, karate, tennis, rugby, golf, cricket, fencing, archery, rowing, boxing, handball, volleyball, "
              "badminton, squash, hockey, surfing, sailing, skiing, wrestling, climbing".split(", ")),
    ),
    _perfect(
        "tasted", "dish", "dishes", "on the menu",
        tuple("the lentil soup, the paella, the lasagne, the goulash, the risotto, the fish pie, the onion tart, the "
              "curry, the moussaka, the ratatouille, the beef stew, the apple pie, the cheesecake, the noodle salad, "
              "the dumplings, the tomato soup".split(", ")),
    ),
    _present("speak", "spoken", "language", "languages", "on the timetable",
             "French, German, Spanish, Italian, Russian, Turkish, Arabic, Greek, Polish, Dutch, Swedish, Finnish, "
             "Hungarian, Portuguese, Chinese, Japanese, Korean, Hindi, Swahili, Welsh, Czech, Danish"),
    _present("play", "played", "instrument", "instruments", "in the music room",
             "the violin, the cello, the piano, the flute, the trumpet, the harp, the guitar, the clarinet, the oboe, "
             "the organ, the banjo, the accordion, the drums, the saxophone, the viola, the trombone"),
    _present("study", "studied", "subject", "subjects", "on the timetable",
             "physics, chemistry, biology, history, geography, law, economics, music, geology, philosophy, botany, "
             "medicine, architecture, astronomy, linguistics, sociology"),
    _past("pass", "passed", "test", "tests", "in the programme",
          "the driving test, the swimming test, the history exam, the algebra exam, the chemistry exam, the Latin "
          "exam, the grammar test, the spelling test, the fitness test, the physics exam, the geography exam, the "
          "first-aid exam"),
    _past("attend", "attended", "event", "events", "in the programme",
          "the wedding, the funeral, the concert, the lecture, the auction, the parade, the banquet, the graduation, "
          "the opening, the rehearsal, the picnic, the conference, the debate, the harvest festival"),
)  # fmt: skip
"""The relations between people and things."""


def pick_relation(rng: np.random.Generator) -> Relation:
    """One of the relations."""
    return pick(rng, RELATIONS)
