"""Coreference: the antecedent of a pronoun, decided by gender, by number or by the meaning of the sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.words import MEN, WOMEN, pick, pick_some, sentence

if TYPE_CHECKING:
    import numpy as np

_EVENTS: tuple[str, ...] = (
    "{a} met {b} at the station", "{a} waited for {b} in the hall", "{a} had lunch with {b}", "{a} phoned {b}",
    "{a} sat next to {b} on the bus", "{a} saw {b} at the concert", "{a} wrote {b} a long letter",
    "{a} played chess with {b}", "{a} walked home with {b}", "{a} danced with {b}", "{a} worked with {b} for a year",
    "{a} argued with {b} about money", "{a} ran into {b} at the market", "{a} talked to {b} for an hour",
)  # fmt: skip
_CLAUSES: tuple[tuple[str, str], ...] = tuple(
    (connective, clause)
    for connective, clauses in {
        "before": "left for the airport, lost the keys, fell ill, missed the train, moved abroad, sold the car",
        "after": "left the army, returned from Spain, won the lottery, finished school, bought the house",
        "while": "was on holiday, was ill, lived in Berlin, was looking for a flat, was training for the race",
        "because": "needed advice, was bored, wanted company, was new in town, had nothing better to do",
        "although": "was unwell, was in a hurry, disliked the weather, was very tired, had a lot of work",
    }.items()
    for clause in clauses.split(", ")
)
_BY_MEANING: tuple[tuple[str, str, str], ...] = (
    ("thanked", "because {p} had helped with the move", "second"),
    ("thanked", "because {p} was grateful for the present", "first"),
    ("apologized to", "because {p} had been rude", "first"),
    ("congratulated", "because {p} had won the race", "second"),
    ("envied", "because {p} had a much larger house", "second"),
    ("comforted", "because {p} had lost a relative", "second"),
    ("punished", "because {p} had broken the rules", "second"),
    ("fired", "because {p} had stolen from the till", "second"),
    ("hired", "because {p} had excellent references", "second"),
    ("sued", "because {p} had damaged the fence", "second"),
    ("asked for help", "because {p} could not lift the box alone", "first"),
    ("begged for a loan", "because {p} had run out of money", "first"),
    ("followed the advice of", "because {p} had little experience", "first"),
    ("visited in hospital", "after {p} had had an operation", "second"),
    ("bandaged", "after {p} had cut a finger", "second"),
    ("borrowed a pen from", "because {p} had left all pens at home", "first"),
    ("borrowed money from", "because {p} had spent everything", "first"),
    ("copied the homework of", "because {p} had been too lazy to work", "first"),
    ("confessed to", "that {p} had told a lie", "first"),
    ("hid from", "because {p} did not want to be seen", "first"),
    ("pleaded with", "because {p} did not want to lose the house", "first"),
    ("taught to drive", "until {p} passed the test", "second"),
    ("blamed", "because {p} had caused the accident", "second"),
    ("admired", "because {p} sang so beautifully", "second"),
    ("forgave", "although {p} had told lies", "second"),
    ("obeyed", "because {p} was afraid of being punished", "first"),
    ("rescued", "when {p} fell into the river", "second"),
    ("woke", "because {p} was snoring loudly", "second"),
    ("invited to the party", "because {p} wanted to have many guests", "first"),
    ("paid", "after {p} had repaired the roof", "second"),
    ("searched for", "after {p} had disappeared", "second"),
    ("lost to", "because {p} had hardly trained", "first"),
)  # fmt: skip
"""A verb, a clause with a pronoun, and whether the pronoun refers to the subject (first) or the object (second)."""

_GROUPS: tuple[str, ...] = (
    "the neighbours", "the tourists", "the twins", "the students", "the nurses", "the sailors", "the cousins",
    "the musicians", "the plumbers", "the children", "the reporters", "the farmers",
)  # fmt: skip


def _with_object(subject: str, verb: str, other: str) -> str:
    """Return a clause with the object inserted: ``Anna thanked Ben``, ``Anna asked Ben for help``."""
    if verb.split()[-1] in ("to", "of", "from", "for", "with") or " " not in verb:
        return f"{subject} {verb} {other}"
    first, rest = verb.split(" ", 1)
    return f"{subject} {first} {other} {rest}"


def _by_gender(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair whose pronoun is resolved by gender.

    ``Anna met Ben because he was bored.`` entails ``Ben was bored.``.
    """
    woman, man = pick(rng, WOMEN), pick(rng, MEN)
    claimed, other = (woman, man) if rng.random() < 0.5 else (man, woman)
    antecedent = claimed if label == "entailed" else other
    first, second = pick_some(rng, (woman, man), 2)
    connective, clause = pick(rng, _CLAUSES)
    premise = (
        f"{pick(rng, _EVENTS).format(a=first, b=second)} {connective} {'she' if antecedent == woman else 'he'} {clause}"
    )
    return Pair(sentence(premise), sentence(f"{claimed} {clause}"))


def _by_number(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair whose pronoun is resolved by number.

    ``Anna met the twins because they were bored.`` entails ``The twins were bored.``.
    """
    woman = rng.random() < 0.5
    person, group = pick(rng, WOMEN if woman else MEN), pick(rng, _GROUPS)
    claimed = pick(rng, (person, group))
    plural = (claimed == group) == (label == "entailed")
    connective, clause = pick(rng, _CLAUSES)
    pronoun = "they" if plural else "she" if woman else "he"
    first, second = pick_some(rng, (person, group), 2)
    premise = f"{pick(rng, _EVENTS).format(a=first, b=second)} {connective} {pronoun} {_with_agreement(clause, plural)}"
    return Pair(sentence(premise), sentence(f"{claimed} {_with_agreement(clause, claimed == group)}"))


def _with_agreement(clause: str, plural: bool) -> str:
    """Return the clause with its verb in the number of the subject."""
    return f"were{clause.removeprefix('was')}" if plural and clause.startswith("was ") else clause


def _by_meaning(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair whose pronoun is resolved by the meaning of the sentence.

    ``Anna thanked Clara because she had helped.`` entails ``Clara had helped.``.
    """
    women = rng.random() < 0.5
    claimed, other = pick_some(rng, WOMEN if women else MEN, 2)
    verb, clause, antecedent = pick(rng, _BY_MEANING)
    first, second = (claimed, other) if (antecedent == "first") == (label == "entailed") else (other, claimed)
    predicate = clause.split("{p} ", 1)[1]
    premise = _with_object(first, verb, second) + " " + clause.format(p="she" if women else "he")
    return Pair(sentence(premise), sentence(f"{claimed} {predicate}"))


@maker("coref")
def coreference(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair whose hypothesis replaces the pronoun with a name: of its antecedent, or of the other person."""
    return pick(rng, (_by_gender, _by_meaning, _by_meaning, _by_number))(label, rng)
