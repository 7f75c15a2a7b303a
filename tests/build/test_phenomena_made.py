"""Made examples of the phenomena: well-formed, balanced, no label in the hypothesis alone, and labels that are right.

The labels are checked by readers of the sentences, which know nothing of how they were made: they read the text back
and try all worlds in which the premise is true.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from trivium.build.phenomena import Pair, find_makers, make_parts
from trivium.build.phenomena.inference import _TRAITS
from trivium.build.phenomena.relations import RELATIONS
from trivium.build.phenomena.words import CITIES, COUNTRIES, MEN, NUMBERS, PEOPLE, WOMEN, indefinite
from trivium.data.example import Example
from trivium.data.phenomena import PHENOMENA

NAMES = (
    "bool cond comp cont quant negat monot hyper hypo transit lex-ent ner syn-alt spat temp coref ent-tree"
).split()
TRAIN, TEST = 2000, 500
World = dict[object, object]
Check = Callable[[dict], bool]  # type: ignore[type-arg]


@cache
def made(name: str) -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    train, test = make_parts(name, TRAIN, TEST)
    return train.examples, test.examples


def texts(pair: Pair) -> list[str]:
    return [text + "." for text in pair.premise.removesuffix(".").split(". ")] + [pair.hypothesis]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), label=st.integers(0, 2))
def test_sentences_are_well_formed(name: str, seed: int, label: int) -> None:
    labels = PHENOMENA[name].labels.names
    pair = find_makers()[name](labels[label % len(labels)], np.random.default_rng(seed))
    for text in texts(pair):
        assert re.fullmatch(r"[A-Z][\w ,'\"-]*\.", text), text
        assert "  " not in text
        assert not re.search(r"\b[Aa] [aeio]|\b[Aa]n [^aeiouhAEIOU]|\b(the|a|an) (the|a|an)\b|\b(\w+) \2\b", text), text
        assert " ," not in text
    assert pair.premise != pair.hypothesis


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_makes_the_same_pair_and_another_seed_another(name: str) -> None:
    make, label = find_makers()[name], PHENOMENA[name].labels.names[0]
    assert make(label, np.random.default_rng(3)) == make(label, np.random.default_rng(3))
    assert len({make(label, np.random.default_rng(seed)) for seed in range(50)}) > 45


@pytest.mark.parametrize("name", NAMES)
def test_labels_are_balanced_and_no_pair_comes_twice(name: str) -> None:
    examples = [example for part in made(name) for example in part]
    counts = Counter(example.label for example in examples)
    assert set(counts) == set(PHENOMENA[name].labels.names)
    assert max(counts.values()) - min(counts.values()) <= 2
    assert len({(example.premise, example.hypothesis) for example in examples}) == len(examples) == TRAIN + TEST


@pytest.mark.parametrize("name", NAMES)
def test_the_hypothesis_alone_does_not_tell_the_label(name: str) -> None:
    train, test = made(name)
    vectors = TfidfVectorizer(ngram_range=(1, 2))
    model = LogisticRegression(max_iter=300)
    model.fit(vectors.fit_transform([one.hypothesis for one in train]), [one.label for one in train])
    accuracy = model.score(vectors.transform([one.hypothesis for one in test]), [one.label for one in test])
    assert accuracy < (0.6 if len(PHENOMENA[name].labels) == 2 else 0.45)


@pytest.mark.parametrize("name", NAMES)
def test_length_and_shared_words_do_not_tell_the_label(name: str) -> None:
    def features(example: Example) -> list[float]:
        premise, hypothesis = (re.findall(r"\w+", str(text).lower()) for text in (example.premise, example.hypothesis))
        shared = sum(word in premise for word in hypothesis) / len(hypothesis)
        return [len(premise) / 10, len(hypothesis) / 10, 3 * shared, float(shared == 1), 3 * shared**2]

    train, test = made(name)
    model = LogisticRegression(max_iter=300).fit([features(one) for one in train], [one.label for one in train])
    accuracy = model.score([features(one) for one in test], [one.label for one in test])
    assert accuracy < (0.62 if len(PHENOMENA[name].labels) == 2 else 0.5)


@pytest.mark.parametrize("name", NAMES)
def test_negation_in_the_hypothesis_goes_with_every_label_alike(name: str) -> None:
    examples = [example for part in made(name) for example in part]
    negated = Counter(one.label for one in examples if re.search(r"\b(not|no|never|nor|none)\b", str(one.hypothesis)))
    if sum(negated.values()) > 100:
        share = sum(negated.values()) / len(PHENOMENA[name].labels)
        assert all(abs(count - share) < 5 * share**0.5 for count in negated.values())


def test_no_name_is_the_beginning_of_another() -> None:
    names = sorted((*PEOPLE, *CITIES, *COUNTRIES))
    assert not [(a, b) for a, b in itertools.pairwise(names) if b.startswith(a)]
    assert not set(WOMEN) & set(MEN)


@pytest.mark.parametrize(("noun", "phrase"), [("owl", "an owl"), ("unicycle", "a unicycle"), ("T-shirt", "a T-shirt")])
def test_the_article_fits_the_sound(noun: str, phrase: str) -> None:
    assert indefinite(noun) == phrase


# ---- reading back -------------------------------------------------------------------------------------------------


def verdict(worlds: Iterable[dict], premises: Sequence[Check], hypothesis: Check) -> str:  # type: ignore[type-arg]
    values = {hypothesis(world) for world in worlds if all(premise(world) for premise in premises)}
    assert values, "the premises contradict each other"
    return "neutral" if len(values) == 2 else "entailment" if values == {True} else "contradiction"


def right(example: Example, found: str) -> bool:
    if example.label in ("entailed", "not-entailed"):
        return (found == "entailment") == (example.label == "entailed")
    return found == example.label


def split(text: str | None) -> list[str]:
    return str(text).removesuffix(".").split(". ")


def lower(text: str) -> str:
    return text if text.split()[0].removesuffix("'s") in PEOPLE else text[0].lower() + text[1:]


def sample(name: str, count: int) -> tuple[Example, ...]:
    return made(name)[0][:count]


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


def test_comparatives_are_right_in_every_order_of_the_names() -> None:
    for example in sample("comp", 150):
        first, second, holds, scale = read_comparison(split(example.hypothesis)[0])
        read = [one for one in map(read_comparison, split(example.premise)) if one[3] == scale]
        names = sorted({name for one in read for name in one[:2]})
        worlds = (dict(zip(names, ranks)) for ranks in itertools.product(range(len(names)), repeat=len(names)))  # noqa: B905
        premises = [lambda w, a=a, b=b, f=f: f(w[a], w[b]) for a, b, f, _ in read]
        assert right(example, verdict(worlds, premises, lambda w, a=first, b=second, f=holds: f(w[a], w[b]))), example


AXES = {
    "to the right of": ("x", 1), "to the left of": ("x", -1), "above": ("y", 1), "below": ("y", -1),
    "in front of": ("z", 1), "behind": ("z", -1), "to the east of": ("e", 1), "to the west of": ("e", -1),
    "to the north of": ("n", 1), "to the south of": ("n", -1),
}  # fmt: skip


def entails_place(premises: list[str], hypothesis: str) -> bool:
    inside: dict[str, str] = {}
    further: set[tuple[str, str, str]] = set()

    def read(text: str) -> tuple[str, str, str]:
        match = re.fullmatch(rf"(.+) is ({'|'.join(AXES)}) (.+)", lower(text))
        assert match, text
        axis, sign = AXES[match[2]]
        return (axis, match[1], match[3]) if sign > 0 else (axis, match[3], match[1])

    for text in premises:
        if match := re.fullmatch(r"(.+) is (?:inside|in) ((?!front)\S.*)", lower(text)):
            inside[match[1]] = match[2]
        else:
            further.add(read(text))
    if match := re.fullmatch(r"(.+) is in ((?!front)\S.*)", lower(hypothesis)):
        where = inside.get(match[1])
        while where is not None and where != match[2]:
            where = inside.get(where)
        return where == match[2]
    axis, one, other = read(hypothesis)
    goal = (axis, inside.get(one, one), inside.get(other, other))
    for _ in range(6):
        further |= {(a, x, z) for a, x, y in further for b, u, z in further if a == b and y == u}
    assert not any(x == y for _, x, y in further)
    return goal in further


def test_places_follow_just_if_steps_lead_there() -> None:
    for example in sample("spat", 1500):
        found = entails_place(split(example.premise), split(example.hypothesis)[0])
        assert found == (example.label == "entailed"), example


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
    """Two moments and how they compare: start and end of an event are moments of their own, else it is one."""
    if match := re.fullmatch(r"(.+) took place at the same time as (.+)|(.+) coincided with (.+)", lower(text)):
        one, other = [group for group in match.groups() if group]
        return one, other, int.__eq__
    match = re.fullmatch(r"(.+) (before|after) (.+)", lower(text))
    assert match, text
    one = re.sub(r" (was|took place|happened)$", "", match[1])
    return one, match[3], int.__lt__ if match[2] == "before" else int.__gt__


def in_order(premises: list[str], hypothesis: str) -> str:
    read, (one, other, holds) = [read_time(text) for text in premises], read_time(hypothesis)
    names = {name for item in (*read, (one, other)) for name in item[:2]}
    events = {re.sub(r" (started|ended)$", "", name) for name in names if re.search(r" (started|ended)$", name)}
    names |= {f"{event} {point}" for event in events for point in ("started", "ended")}
    checks: list[Check] = [lambda w, a=a, b=b, f=f: f(w[a], w[b]) for a, b, f in read]
    checks += [lambda w, e=event: w[f"{e} started"] < w[f"{e} ended"] for event in events]
    worlds = (
        dict(zip(sorted(names), ranks, strict=True))
        for ranks in itertools.product(range(len(names)), repeat=len(names))
    )
    return verdict(worlds, checks, lambda w: holds(w[one], w[other]))


def test_times_follow_just_if_they_are_so_in_every_order() -> None:
    seen: Counter[str] = Counter()
    for example in sample("temp", 300):
        premises, hypothesis = split(example.premise), split(example.hypothesis)[0]
        if re.search(r"\d", hypothesis):
            kind, found = "year", in_year(premises, hypothesis)
        elif hypothesis.endswith("day"):
            kind, found = "day", on_day(premises[0], hypothesis)
        else:
            kind, found = "order", in_order(premises, hypothesis) == "entailment"
        seen[kind] += 1
        assert found == (example.label == "entailed"), example
    assert min(seen.values()) > 20
    assert len(seen) == 3


def names_in(text: str) -> list[str]:
    return re.split(r", | and ", text)


def read_count(text: str) -> Check:
    """A check of how many there are, and of which ones."""
    match = re.fullmatch(r"\w+ has (?:met|invited|written to|visited|lived in) (.+)", text)
    assert match, text
    rest = match[1]
    if number := re.fullmatch(
        r"(at least|more than|at most|fewer than|no more than|exactly|only) (\w+) (?:people|person|city|cities|country|"
        r"countries)", rest,
    ):  # fmt: skip
        count = NUMBERS.index(number[2])
        return {
            "at least": lambda w: w["count"] >= count, "more than": lambda w: w["count"] > count,
            "at most": lambda w: w["count"] <= count, "fewer than": lambda w: w["count"] < count,
            "no more than": lambda w: w["count"] <= count, "exactly": lambda w: w["count"] == count,
            "only": lambda w: w["count"] == count,
        }[number[1]]  # fmt: skip
    if number := re.fullmatch(r"between (\w+) and (\w+) \w+", rest):
        low, high = NUMBERS.index(number[1]), NUMBERS.index(number[2])
        return lambda w: low <= w["count"] <= high
    closed = re.search(r", but no (other|further) \w+$", rest)
    known, unnamed = set(), 0
    for part in names_in(re.sub(r", (but no|and perhaps) .*$", "", rest)):
        words = part.split()
        if words[0] in NUMBERS:
            unnamed += NUMBERS.index(words[0])
        else:
            known.add(part)
    least = len(known) + unnamed
    return lambda w: known <= w["names"] and (w["count"] == least if closed else w["count"] >= least)


def test_counts_are_right_for_every_number_and_choice() -> None:
    for example in sample("cont", 1000):
        premise, hypothesis = split(example.premise)[0], split(example.hypothesis)[0]
        assert premise.split()[0] == hypothesis.split()[0]
        named = set(re.findall(r"[A-Z]\w+", hypothesis)[1:])
        others = set(re.findall(r"[A-Z]\w+", premise)[1:]) - named
        worlds: list[dict] = []  # type: ignore[type-arg]
        for size in range(len(named) + 1):
            for some in itertools.combinations(sorted(named), size):
                for extra in (set(), others):
                    names = set(some) | extra
                    worlds += [{"names": names, "count": count} for count in range(len(names), 15)]
        assert right(example, verdict(worlds, [read_count(premise)], read_count(hypothesis))), example


ONE = "|".join(sorted({relation.one for relation in RELATIONS}, key=len, reverse=True))
MANY = "|".join(sorted({relation.many for relation in RELATIONS}, key=len, reverse=True))
NOT = "|".join(sorted({relation.not_one for relation in RELATIONS}, key=len, reverse=True))
V = f"(?:{ONE}|{MANY})"
P, I, L = r"([A-Z]\w+)", r"((?:the )?[\w-]+(?: [\w-]+)?)", r"(.+?)"  # noqa: E741
LISTS = re.compile(r", | and | or | nor ")
Pairs = list[tuple[str, str]]


def every(pairs: Pairs) -> Check:
    return lambda w: all(w[pair] for pair in pairs)


def some(pairs: Pairs) -> Check:
    return lambda w: any(w[pair] for pair in pairs)


def none(pairs: Pairs) -> Check:
    return lambda w: not any(w[pair] for pair in pairs)


def grid(people: str, items: str) -> Pairs:
    return [(person, item) for person in LISTS.split(people) for item in LISTS.split(items)]


def read_boolean(text: str, people: set[str], items: set[str]) -> Check:
    def found(pattern: str) -> tuple[str, ...]:
        match = re.fullmatch(pattern, text)
        return match.groups() if match else ()

    if m := found(rf"The only \w+ that {P} {V} is {I}"):
        return lambda w: all(w[m[0], item] == (item == m[1]) for item in items)
    if m := found(rf"Only {L} {V} {I}"):
        return lambda w: all(w[person, m[1]] == (person in LISTS.split(m[0])) for person in people)
    if m := found(rf"{P} {V} only {L}"):
        return lambda w: all(w[m[0], item] == (item in LISTS.split(m[1])) for item in items)
    if m := found(rf"Either {P} or {P} {V} {I}, but not both of them"):
        return lambda w: w[m[0], m[2]] != w[m[1], m[2]]
    if m := found(rf"{P} {V} either {I} or {I}, but not both"):
        return lambda w: w[m[0], m[1]] != w[m[0], m[2]]
    if m := found(rf"{P} {V} {I}, but not {I}"):
        return lambda w: w[m[0], m[1]] and not w[m[0], m[2]]
    if m := found(rf"{P} {V} {I}, but {P} (?:has|does|did) not"):
        return lambda w: w[m[0], m[1]] and not w[m[2], m[1]]
    if m := found(rf"(?:Neither|None of the three friends) {L} {V} {I}"):
        return none(grid(*m))
    if m := found(rf"{P} {V} neither {L}") or found(rf"{P} (?:{NOT}) {L}"):
        return none(grid(*m))
    if m := found(rf"At least one of {L} {V} {I}"):
        return some(grid(*m))
    if m := found(rf"{P} {V} {L} or both"):
        return some(grid(*m))
    m = found(rf"(?:Both )?{L} {V} (?:both )?{L}")
    assert m, text
    return every(grid(*m))


def all_worlds(people: Iterable[str], items: Iterable[str]) -> Iterable[dict]:  # type: ignore[type-arg]
    cells = list(itertools.product(sorted(people), sorted(items)))
    return (dict(zip(cells, values, strict=True)) for values in itertools.product((True, False), repeat=len(cells)))


def things_in(text: str) -> tuple[set[str], set[str]]:
    items = {item for relation in RELATIONS for item in relation.items}
    return (
        {name for name in re.findall(r"[A-Z]\w+", text) if name in PEOPLE},
        {item for item in items if re.search(rf"\b{item}\b", text)},
    )


def test_lists_joined_by_and_or_and_neither_are_right_by_truth_tables() -> None:
    for example in sample("bool", 400):
        people, items = things_in(f"{example.premise} {example.hypothesis}")
        premises = [read_boolean(text, people, items) for text in split(example.premise)]
        hypothesis = read_boolean(split(example.hypothesis)[0], people, items)
        assert right(example, verdict(all_worlds(people, items), premises, hypothesis)), example


def read_negation(text: str, members: set[str]) -> Check:
    def found(pattern: str) -> tuple[str, ...]:
        match = re.fullmatch(pattern, text)
        return match.groups() if match else ()

    aux, no = r"(?:has|have|does|do|did)", f"(?:{NOT}|{NOT.replace('has not', 'has never')})"
    if re.match(r"It is (not true|false) that ", text):
        inner = read_negation(re.sub(r"It is (not true|false) that ", "", text), members)
        return lambda w: not inner(w)
    if m := found(rf"Unlike {P}, {P} {no} {I}"):
        return lambda w: w[m[0], m[2]] and not w[m[1], m[2]]
    if m := found(rf"Unlike {P}, {P} {V} {I}"):
        return lambda w: w[m[1], m[2]] and not w[m[0], m[2]]
    if m := found(rf"All of them but {P} {V} {I}"):
        return lambda w: all(w[one, m[1]] == (one != m[0]) for one in members)
    if m := found(rf"All of them {V} {I}, except for {P}, who {aux} not"):
        return lambda w: all(w[one, m[0]] == (one != m[1]) for one in members)
    if m := found(rf"None of them but {P} {V} {I}") or found(rf"{P} {V} {I}, but nobody else among them {aux}"):
        return lambda w: all(w[one, m[1]] == (one == m[0]) for one in members)
    if m := found(rf"(?:Not one|None) of them {V} {I}"):
        return none([(one, m[0]) for one in members])
    if m := found(rf"Not all of them {V} {I}"):
        return lambda w: not all(w[one, m[0]] for one in members)
    if m := found(rf"{P} {no} {I}, but {P} {aux}"):
        return lambda w: w[m[2], m[1]] and not w[m[0], m[1]]
    if m := found(rf"{P} {no} {I}, and neither {aux} {P}"):
        return none([(m[0], m[1]), (m[2], m[1])])
    if m := found(rf"{P} {no} {I}"):
        return none([(m[0], m[1])])
    return read_boolean(text, members, set())


def test_negations_are_right_by_truth_tables() -> None:
    for example in sample("negat", 400):
        people, items = things_in(f"{example.premise} {example.hypothesis}")
        lines = split(example.premise)
        group = set()
        if " them " in lines[-1]:
            group = set(re.findall(r"[A-Z]\w+", lines.pop(0)))
        premises = [read_negation(text, group) for text in lines]
        hypothesis = read_negation(split(example.hypothesis)[0], group)
        assert right(example, verdict(all_worlds(people, items), premises, hypothesis)), example


def read_conditional(text: str) -> Check:
    def literal(clause: str) -> Check:
        clause = clause[:4].replace("The ", "the ") + clause[4:]
        positive = re.sub(r"\b(is|has) not\b", r"\1", clause)
        for relation in RELATIONS:
            positive = positive.replace(relation.not_one, relation.one)
        return lambda w: w[positive] == (positive == clause)

    text = text[:3].replace("If ", "if ") + text[3:]
    if m := re.fullmatch(r"if (.+?), (?:then )?(.+)", text) or re.fullmatch(r"(.+) only if (.+)", text):
        first, then = literal(m[1]), literal(m[2])
    elif m := re.fullmatch(r"(.+) if (.+)", text):
        first, then = literal(m[2]), literal(m[1])
    elif m := re.fullmatch(r"(.+) unless (.+)", text):
        excused = literal(m[2])
        first, then = (lambda w: not excused(w)), literal(m[1])
    else:
        return literal(text)
    return lambda w: then(w) or not first(w)


class _Noting(dict):  # type: ignore[type-arg]
    def __missing__(self, key: str) -> bool:
        self[key] = True
        return True


def test_conditionals_are_right_by_truth_tables() -> None:
    for example in sample("cond", 600):
        premises = [read_conditional(text) for text in split(example.premise)]
        hypothesis = read_conditional(split(example.hypothesis)[0])
        clauses = _Noting()
        for check in (*premises, hypothesis):
            for _ in range(2):
                check(clauses)
                clauses.update({clause: not value for clause, value in clauses.items()})
        keys = sorted(clauses)
        assert 2 <= len(keys) <= 4
        worlds = (dict(zip(keys, values, strict=True)) for values in itertools.product((1, 0), repeat=len(keys)))
        assert right(example, verdict(worlds, premises, hypothesis)), example


def read_scope(text: str) -> Check:
    """A statement with two quantifiers, over three people and three things."""
    text, three = lower(text), range(3)
    kinds = {"every": all, "at least one": any}
    if m := re.fullmatch(r"there is an? .+? that (every|no|at least one) (.+)", text):
        if m[1] == "at least one":
            return lambda w: any(not w[p, t] for p in three for t in three)
        return lambda w: any(all(w[p, t] == (m[1] == "every") for p in three) for t in three)
    things = "|".join({f"{one.noun} {one.among}" for one in RELATIONS})
    if m := re.fullmatch(rf"(every|no) (?:{things}) .+ by (every|any|at least one) .+", text):
        if m[1] == "no":
            return lambda w: not any(w.values())
        return lambda w: all(kinds[m[2]](w[p, t] for p in three) for t in three)
    m = re.fullmatch(rf"(every|no|at least one) .+ (every|any|no|at least one) (?:{things})", text)
    assert m, text
    if m[1] == "no":
        return lambda w: not any((all if m[2] == "every" else any)(w[p, t] for t in three) for p in three)
    inner = (lambda row: not any(row)) if m[2] == "no" else kinds[m[2]]
    return lambda w: kinds[m[1]](inner(w[p, t] for t in three) for p in three)


def read_group(text: str) -> Check:
    """A statement on a group with named members: ``w["in"]`` who belongs to it, ``w["has"]`` who did it."""
    text = lower(text) if text.split()[0] not in PEOPLE else text
    if m := re.match(rf"{P} is ", text):
        return lambda w: m[1] in w["in"]
    if m := re.fullmatch(rf"{P} (?:({NOT})|{V}) .+", text):
        return lambda w: (m[1] in w["has"]) != bool(m[2])
    if re.match(r"(every|all the|each of the) ", text):
        return lambda w: w["in"] <= w["has"]
    if re.match(r"(no|none of the) ", text):
        return lambda w: not w["in"] & w["has"]
    if re.match(r"not (every|all) ", text) or re.search(rf" ({NOT}) ", text):
        return lambda w: not w["in"] <= w["has"]
    assert re.match(r"(at least one|one or more) ", text), text
    return lambda w: bool(w["in"] & w["has"])


def test_quantifiers_are_right_in_every_small_world() -> None:
    grids = list(all_worlds("012", "012"))
    grids = [{(int(p), int(t)): value for (p, t), value in world.items()} for world in grids]
    kinds: Counter[bool] = Counter()
    for example in sample("quant", 300):
        lines, hypothesis = split(example.premise), split(example.hypothesis)[0]
        scoped = any(one.among in hypothesis for one in RELATIONS)
        kinds[scoped] += 1
        if scoped:
            found = verdict(grids, [read_scope(text) for text in lines], read_scope(hypothesis))
        else:
            named = sorted(things_in(f"{example.premise} {example.hypothesis}")[0])
            people = [*named, "x", "y"]
            worlds = [
                {"in": {"x", "y", *members}, "has": set(having)}
                for members in _subsets(named) for having in _subsets(people)
            ]  # fmt: skip
            found = verdict(worlds, [read_group(text) for text in lines], read_group(hypothesis))
        assert right(example, found), example
    assert min(kinds.values()) > 50


def _subsets(items: Sequence[str]) -> list[tuple[str, ...]]:
    return [some for size in range(len(items) + 1) for some in itertools.combinations(items, size)]


def test_conclusions_follow_just_if_the_rules_lead_there() -> None:
    trait = {text: one.one for one in _TRAITS for text in (one.one, one.many)}
    either = "|".join(map(re.escape, trait))

    def read(text: str) -> tuple[str, str]:
        rule = re.fullmatch(rf"(?:Everyone who|All people who|Anyone who|Whoever) ({either}) ({either})", text)
        fact = re.fullmatch(rf"(\w+) ({either})", text)
        match = rule or fact
        assert match, text
        return trait.get(match[1], match[1]), trait[match[2]]

    for example in sample("ent-tree", 1000):
        rules, (start, goal) = [read(text) for text in split(example.premise)], read(split(example.hypothesis)[0])
        reached = {start}
        for _ in rules:
            reached |= {then for given_, then in rules if given_ in reached}
        assert (goal in reached) == (example.label == "entailed"), example


def test_pronouns_agree_with_the_name_that_is_meant() -> None:
    seen = 0
    for example in sample("coref", 1000):
        premise, hypothesis = str(example.premise), str(example.hypothesis)
        women, men = ([name for name in re.findall(r"[A-Z]\w+", premise) if name in group] for group in (WOMEN, MEN))
        if len(women) == len(men) == 1:
            seen += 1
            meant = women[0] if " she " in premise else men[0]
            assert (hypothesis.split()[0] == meant) == (example.label == "entailed"), example
    assert seen > 100


def test_the_same_hypothesis_comes_with_both_labels_for_words_of_two_meanings() -> None:
    labels: dict[str, set[str]] = {}
    for example in (*made("hyper")[0], *made("hypo")[0]):
        if '"' in str(example.hypothesis):
            labels.setdefault(str(example.hypothesis), set()).add(str(example.label))
    assert sum(len(some) == 2 for some in labels.values()) > 30
