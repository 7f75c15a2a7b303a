"""The order of events, when something happened, and for how long it held."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from trivium.build.lessons.clauses import SUBJECT, Clause, draw_clauses, entries
from trivium.build.lessons.generation import Request, scenes
from trivium.build.lessons.scenes import HYPOTHESIS, PREMISE, Form, Scene, table_of
from trivium.build.phenomena.truth_tables import atoms
from trivium.build.phenomena.words import DAYS, pick, pick_some

if TYPE_CHECKING:
    import numpy as np

_MONTHS: Final = tuple("January February March April May June July August September October November December".split())
_ROLES: Final = (
    "the mayor of the town", "a member of the board", "the owner of the bakery", "the captain of the team", "a teacher",
    "the head of the choir", "a tenant of the house", "the editor of the magazine", "a smoker",
)  # fmt: skip
_STATES = atoms(3)
_YEARS = range(40)
# A world is the first and the last year of a state, and whether someone liked it.
_SPANS = [(start, end, liked) for start in _YEARS for end in range(start + 1, 40) for liked in (False, True)]
_LIKED = table_of(_SPANS, lambda span: span[2])


@scenes("temporal", about="the order, time and duration of events")
def temporal(request: Request, rng: np.random.Generator) -> Scene:
    """Return a scene about the order of two events, the time of one, the duration of a state, or a change."""
    form = rng.random()
    if form < 0.4:
        return _order(rng, *draw_clauses(rng, 3, [clause for clause in request.clauses if clause.time == "past"]))
    if form < 0.65:
        return _date(rng, *draw_clauses(rng, 2, [clause for clause in request.clauses if clause.time == "past"]))
    return _duration(rng) if form < 0.8 else _change(rng)


# A world is the times of three events; no two are at the same time.
_TIMES = [(a, b, c) for a in range(3) for b in range(3) for c in range(3) if len({a, b, c}) == 3]


def _order(rng: np.random.Generator, first: Clause, second: Clause, third: Clause) -> Scene:
    earlier, later = table_of(_TIMES, lambda t: t[0] < t[1]), table_of(_TIMES, lambda t: t[1] < t[0])
    forms = []
    for a, b, table in ((first, second, earlier), (second, first, later)):
        forms += [
            Form(f"{SUBJECT} {a.finite} before {b.gerund}", table, "before", "before"),
            Form(f"before {b.gerund}, {SUBJECT} {a.finite}", table, "before first", "before"),
            Form(f"{SUBJECT} {b.finite} after {a.gerund}", table, "after", "after"),
            Form(f"after {a.gerund}, {SUBJECT} {b.finite}", table, "after first", "after"),
            Form(f"{SUBJECT} first {a.finite} and then {b.finite}", table, "then", "then"),
            Form(f"{SUBJECT} {a.finite}, and later {b.finite}", table, "later", "later", PREMISE),
            Form(
                f"by the time {SUBJECT} {b.finite}, {a.again} {a.perfect}", table, "by the time", "by the time", PREMISE
            ),
        ]
    if "progressive" in first.time:
        return _duration(rng)
    chain = table_of(_TIMES, lambda t: t[0] < t[1] < t[2])
    forms += [
        Form(
            f"{SUBJECT} {first.finite}, then {second.finite}, and finally {third.finite}",
            chain,
            "chain",
            "then",
            PREMISE,
        ),
        Form(
            f"{SUBJECT} {first.finite} before {third.gerund}",
            table_of(_TIMES, lambda t: t[0] < t[2]),
            "before",
            "before",
            HYPOTHESIS,
        ),
        Form(
            f"{SUBJECT} {third.finite} before {second.gerund}",
            table_of(_TIMES, lambda t: t[2] < t[1]),
            "before",
            "before",
            HYPOTHESIS,
        ),
    ]
    return Scene.about(first, forms, (1 << len(_TIMES)) - 1)


def _date(rng: np.random.Generator, fact: Clause, other: Clause) -> Scene:
    """Return a scene about the year, month or day of an event, and about an unrelated event."""
    if "progressive" in fact.time:
        return _change(rng)
    unit = pick(rng, ("year", "month", "day"))
    names = [str(1980 + year) for year in _YEARS] if unit == "year" else list(_MONTHS if unit == "month" else DAYS)
    worlds = [(time, flag) for time in range(len(names)) for flag in (False, True)]
    full = (1 << len(worlds)) - 1
    preposition, week = ("on", " of that week") if unit == "day" else ("in", " of that year" if unit == "month" else "")
    forms = [Form(other.affirmed, table_of(worlds, lambda world: world[1]), "other", side=HYPOTHESIS)]
    for time in sorted(pick_some(rng, range(1, len(names) - 1), 3)):
        at, before, after = (
            table_of(worlds, lambda world, low=low, high=high: low <= world[0] <= high)  # type: ignore[misc]
            for low, high in ((time, time), (0, time - 1), (time + 1, len(names)))
        )
        when = names[time] + week
        forms += [
            Form(f"{SUBJECT} {fact.finite} {preposition} {when}", at, f"in {unit}", f"in {unit}"),
            Form(f"{SUBJECT} {fact.finite} before {when}", before, f"before {unit}", "before"),
            Form(f"{SUBJECT} {fact.finite} after {when}", after, f"after {unit}", "after"),
            Form(
                f"{SUBJECT} did not {fact.bare} until {when}",
                full ^ before,
                f"until {unit}",
                "until",
                PREMISE,
                strong=at,
            ),
        ]
    return Scene.about(fact, forms, full)


def _duration(rng: np.random.Generator) -> Scene:
    """Return a scene about the years from which and until which someone held a role."""
    subject, role = pick(rng, entries("subjects", "person")), pick(rng, _ROLES)
    start, end = sorted(pick_some(rng, range(2, 36), 2))
    inside, outside = int(rng.integers(start, end + 1)), pick(rng, (start - 2, end + 3))
    forms = [
        Form(
            f"{SUBJECT} was {role} from {1980 + start} to {1980 + end}",
            table_of(_SPANS, lambda s: s[:2] == (start, end)),
            "from to",
            "from to",
            PREMISE,
        ),
        Form(
            f"{SUBJECT} became {role} in {1980 + start} and stopped in {1980 + end}",
            table_of(_SPANS, lambda s: s[:2] == (start, end)),
            "became",
            "became",
            PREMISE,
        ),
        Form(
            f"{SUBJECT} has been {role} since {1980 + start}",
            table_of(_SPANS, lambda s: s[0] == start and s[1] == 39),
            "since",
            "since",
            PREMISE,
        ),
        Form(
            f"{SUBJECT} was {role} until {1980 + end}",
            table_of(_SPANS, lambda s: s[1] == end),
            "until",
            "until",
            PREMISE,
        ),
    ]
    liked = Form(f"{SUBJECT} liked being {role}", _LIKED, "liked", side=HYPOTHESIS)
    for year in (inside, outside):
        held = table_of(_SPANS, lambda s, year=year: s[0] <= year <= s[1])  # type: ignore[misc]
        full = (1 << len(_SPANS)) - 1
        forms.append(Form(f"{SUBJECT} was {role} in {1980 + year}", held, "held", side=HYPOTHESIS))
        forms.append(Form(f"{SUBJECT} was not {role} in {1980 + year}", full ^ held, "not held", side=HYPOTHESIS))
    return Scene([*forms, liked], (1 << len(_SPANS)) - 1, subject, subject)


def _change(rng: np.random.Generator) -> Scene:
    """Return a scene about whether something held before, and holds now."""
    subject, role = pick(rng, entries("subjects", "person")), pick(rng, _ROLES)
    before, now, _ = _STATES.columns
    no = _STATES.negated
    forms = [
        Form(f"{SUBJECT} is no longer {role}", before & no(now), "no longer", "no longer"),
        Form(f"{SUBJECT} is still {role}", before & now, "still", "still"),
        Form(f"{SUBJECT} is not {role} any more", before & no(now), "any more", "any more"),
        Form(f"{SUBJECT} is not yet {role}", no(before) & no(now), "not yet", "yet", PREMISE),
        Form(f"{SUBJECT} has just become {role}", no(before) & now, "become", "become", PREMISE),
        Form(f"{SUBJECT} used to be {role}", before, "used to", "used to", PREMISE, strong=before & no(now)),
        Form(f"{SUBJECT} was {role} in the past", before, "past", side=HYPOTHESIS),
        Form(f"{SUBJECT} has never been {role}", no(before) & no(now), "never", side=HYPOTHESIS),
        Form(f"{SUBJECT} is {role}", now, "now", side=HYPOTHESIS),
        Form(f"{SUBJECT} is not {role}", no(now), "not now", side=HYPOTHESIS),
        Form(f"{SUBJECT} liked being {role}", _STATES.columns[2], "liked", side=HYPOTHESIS),
    ]
    return Scene(forms, _STATES.full, subject, subject)
