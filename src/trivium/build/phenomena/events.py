"""What verbs say about the participants of an event: proto-roles, VerbNet's predicates, and VerbCorner's questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.contrast import pick_from_square
from trivium.build.phenomena.words import PEOPLE, pick, pick_some, sentence, shuffled

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class _Event:
    """A clause with a subject ``{s}``, an object ``{o}`` and perhaps a third participant ``{b}``.

    ``true`` are the properties that it entails. ``doubtful`` are those on which people may disagree; no pair is about
    them. All others are not entailed.
    """

    clause: str
    true: frozenset[str]
    doubtful: frozenset[str]


def _events(text: str) -> tuple[_Event, ...]:
    """Read verbs and their properties. In a verb, ``~`` is the place of the object if this is not the end."""
    events = []
    for line in text.strip().splitlines():
        verbs, true, doubtful = line.split("|")
        for verb in verbs.strip().split(", "):
            clause = verb if "{s}" in verb else f"{{s}} {verb.replace('~', '{o}') if '~' in verb else f'{verb} {{o}}'}"
            events.append(_Event(clause, frozenset(true.split()), frozenset(doubtful.split())))
    return tuple(events)


_ON_THINGS = _events("""
built, constructed, made, put ~ together | created after purpose touch | moved altered went owner felt mind
burned ~ to ashes, smashed ~ to bits, chopped ~ into firewood | gone altered before | purpose touch moved went
carried ~ upstairs, dragged ~ into the barn, pushed ~ across the yard | moved went touch purpose before after | altered
brought ~ to the attic, took ~ outside, moved ~ into the hall | moved went purpose before after | altered touch
painted ~ green, polished ~ with wax, covered ~ with stickers | altered touch purpose before after | went moved
dented ~ by accident, stained ~ by mistake, scratched ~ without meaning to | altered before after | touch went moved
sold, gave ~ away, auctioned ~ off | owner purpose before after | moved touch went felt
inherited, won ~ in a lottery | owner before after | moved touch purpose went felt mind
dropped ~ by accident, let ~ fall by mistake | moved touch before | after altered went
looked at, photographed, described, measured | purpose before after | touch felt mind
overlooked, failed to notice, paid no attention to | before after | felt mind purpose
tripped over, bumped into, stumbled over | touch went before after | moved altered felt mind
noticed, found out about, discovered | mind before after | felt purpose touch
""")
_ON_PEOPLE = _events("""
amused, frightened, annoyed, surprised, disappointed, embarrassed | feels | purpose aware touch mind
admired, envied, feared, pitied, distrusted, adored | felt | purpose mind
informed ~ of the plan, warned ~ about the ice, told ~ a secret | informs aware | purpose feels felt mind
heard the news from, learned the truth from, was warned by, got the date from | learns | aware felt feels purpose mind
spied on, watched ~ from a hiding place | purpose | learns mind went felt
pushed, hugged, slapped, tickled, pinched | touch aware | feels felt purpose moved went altered mind
followed, chased, ran after | went moved purpose | aware felt feels touch mind
walked up to, approached, crossed the street to greet | went purpose | aware felt feels mind touch
phoned, wrote a letter to, sent an email to | purpose | aware informs moved felt feels mind
bumped into ~ by accident, stumbled into ~ without looking | touch went aware | moved feels felt mind
""")
_TRANSFERS = _events("""
{s} gave {o} to {b}, {s} sold {o} to {b}, {s} handed {o} to {b}, {b} received {o} from {s} | gone_to had | moved
{b} bought {o} from {s}, {b} stole {o} from {s}, {b} took {o} from {s}, {s} passed {o} on to {b} | gone_to had | moved
{b} gave {o} to {s}, {b} sold {o} to {s}, {b} handed {o} to {s}, {s} received {o} from {b} | got from_b | moved
{s} bought {o} from {b}, {s} stole {o} from {b}, {s} took {o} from {b}, {b} passed {o} on to {s} | got from_b | moved
""")
_THINGS: tuple[str, ...] = tuple(
    f"the {thing}"
    for thing in "basket, table, wooden boat, chest, stool, drum, sledge, kite, ladder, cradle, bookcase, bench, cart, "
    "picture frame, puppet, birdhouse, stepladder, tray".split(", ")
)
_SYLLABLES: tuple[str, ...] = tuple("bli cra dro fe gu ho je kli lo mi na po ru ste ti va wu yi zo sple".split())
_CODAS: tuple[str, ...] = tuple("d ft g ck mp n p rk sh t x zz".split())
_Statements = Mapping[str, Sequence[str]]
"""The statements for each property, with the participants of the event."""

_PROTO_ROLES: _Statements = {
    "purpose": ("{s} did this on purpose", "{s} meant to do it"),
    "before": ("{o} existed before this happened", "{o} was already there before the event"),
    "after": ("{o} still existed when the event was over", "{o} was still there afterwards"),
    "altered": ("{o} was changed by the event", "{o} was not the same as before"),
    "moved": ("the event changed the location of {o}", "{o} was in another place afterwards than before"),
    "went": ("{s} changed location in the event", "the event involved a movement of {s}"),
    "touch": ("there was contact between {s} and {o}", "{s} and {o} were in contact during the event"),
    "feels": ("{o} had a feeling because of {s}", "the event caused a feeling in {o}"),
    "felt": ("{s} had a feeling towards {o}", "the event is a feeling that {s} had"),
    "aware": ("{o} was aware of being involved in the event", "{o} noticed that something was happening"),
}
_PREDICATES: _Statements = {
    "created": ("{o} came into being", "{s} was the creator of {o}"),
    "gone": ("{o} was destroyed", "{s} caused the end of {o}"),
    "moved": ("{o} was in motion", "{o} moved"),
    "went": ("{s} was in motion", "{s} moved"),
    "altered": ("the condition of {o} changed", "{o} got into another state"),
    "owner": ("the owner of {o} changed", "{o} passed from one owner to another"),
    "mind": ("{o} came to the attention of {s}", "{s} became aware of {o}"),
    "touch": ("{s} touched {o}", "{s} came into contact with {o}"),
    "informs": ("information was transferred from {s} to {o}", "{s} let {o} know something"),
    "learns": ("information was transferred from {o} to {s}", "{s} got to know something from {o}"),
    "feels": ("{s} caused an emotion in {o}", "{o} experienced an emotion"),
    "felt": ("{s} experienced an emotion", "{o} was the object of an emotion of {s}"),
    "gone_to": ("in the end, {o} was with {b}", "{b} was the one who had {o} afterwards"),
    "had": ("at first, {o} was with {s}", "{s} was the one who had {o} before"),
    "got": ("in the end, {o} was with {s}", "{s} was the one who had {o} afterwards"),
    "from_b": ("at first, {o} was with {b}", "{b} was the one who had {o} before"),
}
_QUESTIONS = {
    "something new came into being": "created",
    "someone or something moved": "moved went",
    "something physically changed": "altered gone created",
    "somebody touched someone or something": "touch",
    "something got a new owner": "owner",
    "somebody came to know something": "mind informs learns",
    "someone acted on purpose": "purpose",
    "somebody had an emotion": "felt feels",
}
"""Statements about whole events, and the properties of participants from which they follow."""
_TIMES: tuple[str, ...] = (
    "",
    "",
    " yesterday",
    " on Sunday",
    " last week",
    " that evening",
    " before noon",
    " in June",
)


def _label(event: _Event, statement: Sequence[str]) -> str | None:
    """Return the label of a statement, given by its text and its properties; None if people may disagree."""
    _, *properties = statement
    if event.true.intersection(properties):
        return "entailed"
    return None if event.doubtful.intersection(properties) else "not-entailed"


def _described(rng: np.random.Generator, event: _Event) -> str:
    """Describe an event, perhaps with an introduction that does not change what is entailed."""
    frame = pick(rng, ("{clause}{when}", "{clause}{when}", "it is a fact that {clause}{when}", "we know that {clause}"))
    return frame.format(clause=event.clause, when=pick(rng, _TIMES))


def _pair(
    label: str,
    rng: np.random.Generator,
    events: Sequence[_Event],
    statements: Sequence[Sequence[str]],
    participants: Mapping[str, str],
) -> Pair:
    """Draw a square of events and statements about them, and a pair from it."""
    found = None
    while found is None:
        found = pick_from_square(label, rng, pick_some(rng, events, 4), shuffled(rng, statements), _label)
    event, (statement, *_) = found
    premise = _described(rng, event).format(**participants)
    return Pair(sentence(premise), sentence(statement.format(**participants)))


def _worded(rng: np.random.Generator, statements: _Statements) -> list[tuple[str, str]]:
    return [(pick(rng, texts), name) for name, texts in statements.items()]


@maker("sprl")
def proto_roles(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about a proto-role property of a participant: volition, awareness, existence, change.

    ``Anna built the table.`` does not entail ``The table existed before this happened.``.
    """
    person, other = pick_some(rng, PEOPLE, 2)
    on_thing = rng.random() < 0.5
    participants = {"s": person, "o": pick(rng, _THINGS) if on_thing else other}
    return _pair(label, rng, _ON_THINGS if on_thing else _ON_PEOPLE, _worded(rng, _PROTO_ROLES), participants)


@maker("vbn")
def verb_predicates(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about a predicate that a verb implies of its arguments: motion, contact, transfer, destruction.

    ``Anna bought the kite from Ben.`` entails ``At first, the kite was with Ben.``.
    """
    (person, other), thing = pick_some(rng, PEOPLE, 2), pick(rng, _THINGS)
    events = pick(rng, (_ON_THINGS, _ON_PEOPLE, _TRANSFERS))
    participants = {"s": person, "o": other if events is _ON_PEOPLE else thing, "b": other}
    return _pair(label, rng, events, _worded(rng, _PREDICATES), participants)


@maker("vbc")
def verb_questions(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about what happened in an event whose participants have invented names.

    ``Anna carried the blidop upstairs.`` entails ``Someone or something moved.``.
    """
    person, other = pick_some(rng, PEOPLE, 2)
    events, words = (_ON_THINGS if rng.random() < 0.6 else _ON_PEOPLE), pick_some(rng, _SYLLABLES, 2)
    thing = f"the {''.join(words)}{pick(rng, _CODAS)}"
    statements = [(text, *properties.split()) for text, properties in _QUESTIONS.items()]
    return _pair(label, rng, events, statements, {"s": person, "o": other if events is _ON_PEOPLE else thing})
