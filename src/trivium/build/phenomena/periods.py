"""What was before what: chains of events, days and years that are counted on, beginnings and ends."""

from __future__ import annotations

import numpy as np

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.orders import LESS, MORE, OPEN, SAME, Step, chain
from trivium.build.phenomena.words import DAYS, NUMBERS, PEOPLE, pick, pick_other, pick_some, sentence, sentences

_EVENTS: tuple[str, ...] = tuple(
    f"the {event}"
    for event in "wedding, funeral, lecture, concert, auction, parade, exam, fire drill, interview, dinner, rehearsal, "
    "football match, meeting, picnic, inspection, debate, press conference, eclipse, election, prize-giving, storm, "
    "boat race, tea break, thunderstorm, power cut, earthquake, art class, trial, party, vote".split(", ")
)
_LASTING: tuple[str, ...] = tuple(
    f"the {event}" for event in "lecture, concert, exam, interview, rehearsal, football match, meeting, debate, "
    "press conference, art class, boat race, film, play, workshop, guided tour, chess game, auction, parade".split(", ")
)  # fmt: skip
_DEEDS: tuple[tuple[str, str], ...] = tuple(
    (deed, rest)
    for deed, rests in {
        "visited": "the dentist, the museum, the zoo, the bank, the castle, the embassy",
        "painted": "the fence, the kitchen, the garage, the shed",
        "repaired": "the roof, the bicycle, the washing machine, the gate",
        "phoned": "the landlord, the doctor, the plumber, the school",
        "sold": "the car, the piano, the boat, the tent",
    }.items()
    for rest in rests.split(", ")
)


def _ordered(rng: np.random.Generator, step: Step) -> str:
    """``The dinner was after the lecture``, or the same the other way round."""
    left, relation, right = step
    if relation == SAME:
        return pick(rng, (f"{left} took place at the same time as {right}", f"{right} coincided with {left}"))
    if rng.random() < 0.5:
        left, right, relation = right, left, LESS if relation == MORE else MORE
    verb = pick(rng, ("took place", "was", "happened"))
    return f"{left} {verb} {'after' if relation == MORE else 'before'} {right}"


def _in_chain(label: str, rng: np.random.Generator) -> Pair:
    """``The dinner was after the lecture. The vote was before the lecture.`` entails ``The dinner was after ...``."""
    names = pick_some(rng, _EVENTS, 3 + int(rng.random() * 3))
    claim = pick(rng, (MORE, LESS))
    order = claim if label == "entailed" else OPEN if rng.random() < 0.5 else (LESS if claim == MORE else MORE)
    texts = [_ordered(rng, step) for step in chain(rng, names, order, level=0.2)]
    return Pair(sentences(texts), sentence(_ordered(rng, Step(names[0], claim, names[1]))))


def _on_days(label: str, rng: np.random.Generator) -> Pair:
    """``Anna sold the car on Monday and saw the zoo a day later.`` entails ``Anna saw the zoo on Tuesday.``."""
    who, (first, second) = pick(rng, PEOPLE), pick_some(rng, _DEEDS, 2)
    claimed, shift, later = int(rng.random() * 7), 1 + int(rng.random() * 4), rng.random() < 0.5
    day = claimed if label == "entailed" else pick_other(rng, range(7), claimed)
    known = DAYS[(day - shift if later else day + shift) % 7]
    gap = f"{NUMBERS[shift]} days"
    if shift == 1:
        then = pick(rng, ("the day after", "the next day")) if later else "the day before"
    else:
        then = pick(rng, (f"{gap} after that", f"{gap} later")) if later else f"{gap} before that"
    one, other = " ".join(first), " ".join(second)
    forms = (f"{who} {one} on {known} and {other} {then}", f"on {known}, {who} {one}, and {then}, {who} {other}")
    return Pair(sentence(pick(rng, forms)), sentence(f"{who} {other} on {DAYS[claimed]}"))


def _in_years(label: str, rng: np.random.Generator) -> Pair:
    """``Anna was born in 1950. Ben was born three years later.`` entails ``Ben was born in 1953.``."""
    (first, second, third), shift = pick_some(rng, PEOPLE, 3), [2 + int(rng.random() * 8) for _ in range(2)]
    claimed = 1930 + int(rng.random() * 70)
    event = pick(rng, ("was born", "got married", "moved to Canada", "left school", "learned to drive", "retired"))
    year = claimed if label == "entailed" else claimed + pick(rng, (-3, -2, -1, 1, 2, 3))
    sign = pick(rng, (1, -1))
    middle = year - sign * shift[0]
    steps = [f"{second} {event} {NUMBERS[shift[0]]} years {'after' if sign > 0 else 'before'} {first}"]
    if rng.random() < 0.5:
        turn = pick(rng, (1, -1))
        steps.append(f"{third} {event} in {middle - turn * shift[1]}")
        steps.append(f"{first} {event} {NUMBERS[shift[1]]} years {'after' if turn > 0 else 'before'} {third}")
    else:
        steps.append(f"{first} {event} in {middle}")
    return Pair(sentences(pick_some(rng, steps, len(steps))), sentence(f"{second} {event} in {claimed}"))


def _before(rng: np.random.Generator, first: str, mine: str, second: str, other: str) -> str:
    """That one event's beginning or end was before another's."""
    return pick(rng, (f"{first} {mine} before {second} {other}", f"{second} {other} after {first} {mine}"))


def _with_ends(label: str, rng: np.random.Generator) -> Pair:
    """``The exam ended before the film started.`` entails ``The exam started before the film ended.``."""
    events, points = pick_some(rng, _LASTING, 2), ("started", "ended")
    mine, other = pick(rng, points), pick(rng, points)
    hypothesis = _before(rng, events[0], mine, events[1], other)
    while True:
        given, turned = (pick(rng, points), pick(rng, points)), rng.random() < 0.4
        # A start is before its end: the first's moment may be put earlier, the second's may be put later.
        earlier, later = mine == "started" or given[0] == "ended", other == "ended" or given[1] == "started"
        follows = not turned and earlier and later
        names = events[::-1] if turned else events
        premise = _before(rng, names[0], given[0], names[1], given[1])
        if follows == (label == "entailed") and premise != hypothesis:
            return Pair(sentence(premise), sentence(hypothesis))


@maker("temp")
def temporal(label: str, rng: np.random.Generator) -> Pair:
    """Chains of events, days of the week, years, or beginnings and ends."""
    return pick(rng, (_in_chain, _in_chain, _on_days, _in_years, _with_ends))(label, rng)
