"""Relational knowledge: which relation a text states between two people, companies, places or works."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.contrast import pick_match
from trivium.build.phenomena.entities import invented_name
from trivium.build.phenomena.words import CITIES, PEOPLE, pick, pick_some, sentence, shuffled

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class _Relation:
    """A relation between ``{x}`` and ``{y}``: clauses that state it in a text, and clauses for hypotheses."""

    stated: tuple[str, ...]
    claimed: tuple[str, ...]


def _relations(text: str) -> tuple[_Relation, ...]:
    """Read one relation a line: what a text says of it, and, after a bar, what hypotheses say."""
    rows = ([tuple(part.strip().split("; ")) for part in line.split("|")] for line in text.strip().splitlines())
    return tuple(_Relation(stated, claimed) for stated, claimed in rows)


_PERSON_COMPANY = _relations("""
{x} set up {y} in a garage; in 1989, {x} started {y} with a loan | {x} is the founder of {y}; {y} was founded by {x}
{x} has been an accountant at {y} for years; {y} pays {x} a monthly salary | {x} is employed by {y}; {x} works for {y}
{x} ordered a sofa from {y}; {y} delivered a carpet to {x} | {x} is a customer of {y}; {x} bought something from {y}
{x} took {y} to court over a patent; a claim of {x} against {y} was heard | {x} sued {y}; {y} was sued by {x}
the whole of {y} belongs to {x}; {x} holds all shares of {y} | {x} is the owner of {y}; {y} is owned by {x}
{x} wrote an article on {y} for a magazine; an essay of {x} describes the rise of {y} | {x} has written about {y}
""")
_PERSON_CITY = _relations("""
{x} came into the world in {y}; the mother of {x} gave birth in {y} | {x} was born in {y}; {y} is where {x} was born
{x} has a flat in the centre of {y}; {x} is at home in the suburbs of {y} | {x} lives in {y}; {y} is where {x} lives
{x} is buried in {y}; the grave of {x} is in {y} | {x} was laid to rest in {y}; the tomb of {x} is in {y}
{x} took a degree at the university of {y}; the college of {y} gave {x} a diploma | {x} studied in {y}
{x} painted the old roofs of {y}; a watercolour by {x} shows a street of {y} | {x} has made a picture of {y}
""")
_PERSON_WORK = _relations("""
{x} wrote every word of {y}; {y} came from the pen of {x} | {x} is the author of {y}; the author of {y} is {x}
the pictures in {y} were drawn by {x}; {x} did the drawings for {y} | {x} illustrated {y}; {y} was illustrated by {x}
{x} put {y} into French; the Spanish version of {y} was made by {x} | {x} translated {y}; {y} was translated by {x}
{x} tore {y} to pieces in a magazine; the critic {x} found {y} dull | {x} reviewed {y}; {y} was reviewed by {x}
{x} brought out {y} with a small press; {x} printed and sold {y} | {x} published {y}; {y} was published by {x}
{x} inherited the manuscript of {y}; {x} keeps the only copy of {y} in a safe | {x} is in possession of {y}
""")
_BETWEEN_PEOPLE = _relations("""
{y} is the first-born of {x}; {y} is the only child that {x} has | {x} is a parent of {y}; {y} is descended from {x}
{x} gives {y} piano lessons; {y} has learned algebra from {x} | {x} is the teacher of {y}; {y} is a pupil of {x}
{x} leads the team in which {y} works; {y} reports to {x} at work | {x} is the boss of {y}; {y} is a subordinate of {x}
{x} lets a room to {y}; {y} pays {x} the rent each month | {x} is the landlord of {y}; {y} is a tenant of {x}
{x} treated {y} for a fever; {y} went to see {x} with a cough | {x} is the doctor of {y}; {y} is a patient of {x}
{x} defended {y} in court; {y} was represented by {x} at the trial | {x} is the lawyer of {y}; {y} is a client of {x}
""")
_BETWEEN_COMPANIES = _relations("""
{x} took over {y} for ten million dollars; {y} was swallowed by {x} | {x} acquired {y}; {y} became part of {x}
{x} delivers engines to {y}; {y} gets all its paper from {x} | {x} supplies {y}; {y} is supplied by {x}
{x} lent {y} two million dollars; {y} borrowed money from {x} | {x} is a creditor of {y}; {y} is in debt to {x}
{x} took {y} to court over a name; a claim of {x} against {y} was heard | {x} sued {y}; {y} was sued by {x}
{x} lets an office to {y}; {y} pays {x} a rent for its warehouse | {x} is the landlord of {y}; {y} is a tenant of {x}
""")
_ADJECTIVES: tuple[str, ...] = tuple("Silver Hidden Last Quiet Burning Second Frozen Golden Broken Distant".split())
_NOUNS: tuple[str, ...] = tuple("Harbour Garden Letter Winter Orchard Island Mirror Voyage Bridge Lantern".split())
_GRANDPARENT = ("{x} is a grandparent of {z}", "{z} is a grandchild of {x}")
_KIN: tuple[tuple[tuple[str, str], tuple[str, ...]], ...] = (
    (("{x} is a parent of {y}", "{y} is a parent of {z}"), _GRANDPARENT),
    (("{y} is a child of {x}", "{z} is a child of {y}"), _GRANDPARENT),
    (("{z} is a child of {y}", "{x} is a parent of {y}"), _GRANDPARENT),
    (("{x} is a brother or a sister of {y}", "{y} is a parent of {z}"), ("{x} is an uncle or an aunt of {z}",)),
    (("{y} is a brother or a sister of {x}", "{z} is a child of {y}"), ("{z} is a nephew or a niece of {x}",)),
)
"""Two statements about three relatives, and what follows from them together."""
_SOURCES: tuple[str, ...] = ("", "", ", as the newspaper wrote", ", as the records show", ", as the neighbours know")
_Templates = tuple[str, str]
"""A premise and a hypothesis with ``{x}``, ``{y}`` and ``{z}``."""


def _work(rng: np.random.Generator) -> str:
    return f'"The {pick(rng, _ADJECTIVES)} {pick(rng, _NOUNS)}"'


def _company(rng: np.random.Generator) -> str:
    return f"{invented_name(rng)} {pick(rng, ('Limited', 'and Sons', 'Industries', 'Bank', 'Motors', 'Foods'))}"


def _group(rng: np.random.Generator) -> tuple[tuple[_Relation, ...], list[str]]:
    """Draw relations of one type, and two or three names: of what {x}, {y} and, if it is like {x}, {z} stand for."""
    people, form = pick_some(rng, PEOPLE, 3), rng.random()
    if form < 0.4:
        return _BETWEEN_PEOPLE, people
    if form < 0.55:
        companies = dict.fromkeys(_company(rng) for _ in range(6))
        return _BETWEEN_COMPANIES, list(companies)[:3]
    relations, name = pick(
        rng, ((_PERSON_COMPANY, _company(rng)), (_PERSON_CITY, pick(rng, CITIES)), (_PERSON_WORK, _work(rng)))
    )
    return relations, [people[0], name, people[1]]


def _stated(rng: np.random.Generator, relations: Sequence[_Relation], names: Sequence[str]) -> list[tuple[str, str]]:
    """Draw two pairs of a text and what it entails. Neither text entails the hypothesis of the other pair.

    The pairs have different relations between the same names, or the same relations with two names exchanged.
    """
    first, second = pick_some(rng, relations, 2)
    stated, claimed = pick(rng, first.stated), pick(rng, first.claimed)
    x, y, z = names
    form = rng.random()
    if form < 0.35:
        pairs = [(stated, claimed), (pick(rng, second.stated), pick(rng, second.claimed))]
        return [(text.format(x=x, y=y), claim.format(x=x, y=y)) for text, claim in pairs]
    if form < 0.65 and relations in (_BETWEEN_PEOPLE, _BETWEEN_COMPANIES):
        return [(stated.format(x=a, y=b), claimed.format(x=a, y=b)) for a, b in ((x, y), (y, x))]
    parts = shuffled(rng, (stated, pick(rng, second.stated).replace("{x}", "{z}")))
    text = ", and ".join(parts)
    return [(text.format(x=a, y=y, z=b), claimed.format(x=a, y=y)) for a, b in ((x, z), (z, x))]


def _kin(rng: np.random.Generator) -> list[tuple[str, str]]:
    """Draw two pairs about three relatives, of which the first and the third are exchanged in the second pair."""
    statements, conclusions = pick(rng, _KIN)
    (x, y, z), text = pick_some(rng, PEOPLE, 3), ", and ".join(shuffled(rng, statements))
    claim = pick(rng, conclusions)
    return [(text.format(x=a, y=y, z=b), claim.format(x=a, z=b)) for a, b in ((x, z), (z, x))]


@maker("kg-rel")
def relational_knowledge(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about the relation between two entities of a text.

    ``Anna gives Ben piano lessons.`` entails ``Anna is the teacher of Ben.``.
    """
    first, second = _kin(rng) if rng.random() < 0.2 else _stated(rng, *_group(rng))
    premise, hypothesis = pick_match(label, rng, first, second)
    return Pair(sentence(f"{premise}{pick(rng, _SOURCES)}"), sentence(hypothesis))
