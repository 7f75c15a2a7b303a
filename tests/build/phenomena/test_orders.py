"""Labels of comparatives, spatial and temporal relations, checked in every possible order."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable

from tests.build.phenomena.parsing import Check, has_label, lower, relation_in, sample, split

from trivium.build.phenomena.words import NUMBERS

COMPARISONS = {
    "taller": ("tall", 1), "shorter": ("tall/long", -1), "older": ("old", 1), "younger": ("old", -1),
    "newer": ("old", -1), "heavier": ("heavy", 1), "lighter": ("heavy", -1), "faster": ("fast", 1),
    "slower": ("fast", -1), "richer": ("rich", 1), "poorer": ("rich", -1), "stronger": ("strong", 1),
    "weaker": ("strong", -1), "busier": ("busy", 1), "wider": ("wide", 1), "narrower": ("wide", -1),
    "larger": ("large", 1), "smaller": ("large", -1), "cheaper": ("expensive", -1), "longer": ("long", 1),
    "cleaner": ("clean", 1), "dirtier": ("clean", -1),
}  # fmt: skip


def read_comparison(text: str) -> tuple[str, str, Callable[[int, int], bool], str]:
    text = lower(text)
    if match := re.fullmatch(r"(.+) and (.+) are equally (\w+)", text):
        return match[1], match[2], int.__eq__, match[3]
    if match := re.fullmatch(r"(.+) is exactly as (\w+) as (.+)", text):
        return match[1], match[3], int.__eq__, match[2]
    if match := re.fullmatch(r"(.+) is not as (\w+) as (.+)", text):
        return match[1], match[3], int.__lt__, match[2]
    match = re.fullmatch(r"(.+?) is (not )?(more |less )?(\w+) than (.+)", text)
    assert match, text
    if match[3]:
        scale, sign = match[4], 1 if match[3] == "more " else -1
    else:
        scale, sign = COMPARISONS[match[4]]
        scale = scale if "/" not in scale else "long" if match[1].startswith("the ") else "tall"
    if match[2]:
        return match[1], match[5], int.__le__ if sign > 0 else int.__ge__, scale
    return match[1], match[5], int.__gt__ if sign > 0 else int.__lt__, scale


def test_labels_of_comparatives_are_correct_in_every_order() -> None:
    for example in sample("comp", 150):
        first, second, holds, scale = read_comparison(split(example.hypothesis)[0])
        comparisons = [each for each in map(read_comparison, split(example.premise)) if each[3] == scale]
        names = sorted({name for each in comparisons for name in each[:2]})
        worlds = (dict(zip(names, ranks)) for ranks in itertools.product(range(len(names)), repeat=len(names)))  # noqa: B905
        premises = [lambda w, a=a, b=b, f=f: f(w[a], w[b]) for a, b, f, _ in comparisons]
        assert has_label(example, relation_in(worlds, premises, lambda w, a=first, b=second, f=holds: f(w[a], w[b]))), (
            example
        )


AXES = {
    "to the right of": ("x", 1), "to the left of": ("x", -1), "above": ("y", 1), "below": ("y", -1),
    "in front of": ("z", 1), "behind": ("z", -1), "to the east of": ("e", 1), "to the west of": ("e", -1),
    "to the north of": ("n", 1), "to the south of": ("n", -1),
}  # fmt: skip


def entails_location(premises: list[str], hypothesis: str) -> bool:
    inside: dict[str, str] = {}
    relations: set[tuple[str, str, str]] = set()

    def read(text: str) -> tuple[str, str, str]:
        match = re.fullmatch(rf"(.+) is ({'|'.join(AXES)}) (.+)", lower(text))
        assert match, text
        axis, sign = AXES[match[2]]
        return (axis, match[1], match[3]) if sign > 0 else (axis, match[3], match[1])

    for text in premises:
        if match := re.fullmatch(r"(.+) is (?:inside|in) ((?!front)\S.*)", lower(text)):
            inside[match[1]] = match[2]
        else:
            relations.add(read(text))
    if match := re.fullmatch(r"(.+) is in ((?!front)\S.*)", lower(hypothesis)):
        where = inside.get(match[1])
        while where is not None and where != match[2]:
            where = inside.get(where)
        return where == match[2]
    axis, left, right = read(hypothesis)
    goal = (axis, inside.get(left, left), inside.get(right, right))
    for _ in range(6):
        relations |= {(a, x, z) for a, x, y in relations for b, u, z in relations if a == b and y == u}
    assert not any(x == y for _, x, y in relations)
    return goal in relations


def test_locations_are_entailed_exactly_if_they_follow_from_the_premises() -> None:
    for example in sample("spat", 1500):
        entailed = entails_location(split(example.premise), split(example.hypothesis)[0])
        assert entailed == (example.label == "entailed"), example


DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def on_day(premise: str, hypothesis: str) -> bool:
    known = DAYS.index(re.findall(r"\b(\w+day)\b", premise)[0])
    if re.search(r"the day before\b", premise):
        shift = -1
    elif re.search(r"the day after|the next day", premise):
        shift = 1
    else:
        match = re.search(r"(\w+) days (later|after that|before that)", premise)
        assert match, premise
        shift = NUMBERS.index(match[1]) * (-1 if match[2] == "before that" else 1)
    return hypothesis.endswith(f" on {DAYS[(known + shift) % 7]}")


def in_year(premises: list[str], hypothesis: str) -> bool:
    years = {m[1]: int(m[2]) for text in premises if (m := re.fullmatch(r"(\w+) .* in (\d+)", text))}
    gaps = [m for text in premises if (m := re.fullmatch(r"(\w+) .* (\w+) years (before|after) (\w+)", text))]
    for _ in gaps:
        for m in gaps:
            if m[4] in years:
                years[m[1]] = years[m[4]] + NUMBERS.index(m[2]) * (1 if m[3] == "after" else -1)
    match = re.fullmatch(r"(\w+) .* in (\d+)", hypothesis)
    assert match
    return years[match[1]] == int(match[2])


def read_time(text: str) -> tuple[str, str, Callable[[int, int], bool]]:
    """Return two points in time and their relation. The start and the end of an event are separate points."""
    if match := re.fullmatch(r"(.+) took place at the same time as (.+)|(.+) coincided with (.+)", lower(text)):
        first, second = [group for group in match.groups() if group]
        return first, second, int.__eq__
    match = re.fullmatch(r"(.+) (before|after) (.+)", lower(text))
    assert match, text
    first = re.sub(r" (was|took place|happened)$", "", match[1])
    return first, match[3], int.__lt__ if match[2] == "before" else int.__gt__


def in_order(premises: list[str], hypothesis: str) -> str:
    orders, (first, second, holds) = [read_time(text) for text in premises], read_time(hypothesis)
    names = {name for item in (*orders, (first, second)) for name in item[:2]}
    events = {re.sub(r" (started|ended)$", "", name) for name in names if re.search(r" (started|ended)$", name)}
    names |= {f"{event} {point}" for event in events for point in ("started", "ended")}
    checks: list[Check] = [lambda w, a=a, b=b, f=f: f(w[a], w[b]) for a, b, f in orders]
    checks += [lambda w, e=event: w[f"{e} started"] < w[f"{e} ended"] for event in events]
    worlds = (
        dict(zip(sorted(names), ranks, strict=True))
        for ranks in itertools.product(range(len(names)), repeat=len(names))
    )
    return relation_in(worlds, checks, lambda w: holds(w[first], w[second]))


def test_temporal_relations_are_entailed_exactly_if_they_hold_in_every_order() -> None:
    counts: Counter[str] = Counter()
    for example in sample("temp", 300):
        premises, hypothesis = split(example.premise), split(example.hypothesis)[0]
        if re.search(r"\d", hypothesis):
            form, entailed = "year", in_year(premises, hypothesis)
        elif hypothesis.endswith("day"):
            form, entailed = "day", on_day(premises[0], hypothesis)
        else:
            form, entailed = "order", in_order(premises, hypothesis) == "entailment"
        counts[form] += 1
        assert entailed == (example.label == "entailed"), example
    assert min(counts.values()) > 20
    assert len(counts) == 3
