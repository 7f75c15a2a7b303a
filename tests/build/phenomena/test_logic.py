"""Labels of counts, connectives, negations, conditionals and quantifiers, checked in every small world."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from tests.build.phenomena.parsing import Check, has_label, lower, part_about, relation_in, sample, split

from trivium.build.phenomena.relations import RELATIONS
from trivium.build.phenomena.words import NUMBERS, PEOPLE


def names_in(text: str) -> list[str]:
    return re.split(r", | and ", text)


def read_count(text: str) -> Check:
    """Return a check of how many things there are, and which ones."""
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


def test_labels_of_counts_are_correct_for_every_number_and_choice() -> None:
    for example in sample("cont", 1000):
        hypothesis = split(example.hypothesis)[0]
        (premise,) = (text for text in split(example.premise) if text.split()[0] == hypothesis.split()[0])
        named = set(re.findall(r"[A-Z]\w+", hypothesis)[1:])
        others = set(re.findall(r"[A-Z]\w+", premise)[1:]) - named
        worlds: list[dict] = []  # type: ignore[type-arg]
        for size in range(len(named) + 1):
            for subset in itertools.combinations(sorted(named), size):
                for extra in (set(), others):
                    names = set(subset) | extra
                    worlds += [{"names": names, "count": count} for count in range(len(names), 15)]
        assert has_label(example, relation_in(worlds, [read_count(premise)], read_count(hypothesis))), example


ONE = "|".join(sorted({relation.singular for relation in RELATIONS}, key=len, reverse=True))
MANY = "|".join(sorted({relation.plural for relation in RELATIONS}, key=len, reverse=True))
NOT = "|".join(sorted({relation.negated for relation in RELATIONS}, key=len, reverse=True))
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
    def match_groups(pattern: str) -> tuple[str, ...]:
        match = re.fullmatch(pattern, text)
        return match.groups() if match else ()

    if m := match_groups(rf"The only \w+ that {P} {V} is {I}"):
        return lambda w: all(w[m[0], item] == (item == m[1]) for item in items)
    if m := match_groups(rf"Only {L} {V} {I}"):
        return lambda w: all(w[person, m[1]] == (person in LISTS.split(m[0])) for person in people)
    if m := match_groups(rf"{P} {V} only {L}"):
        return lambda w: all(w[m[0], item] == (item in LISTS.split(m[1])) for item in items)
    if m := match_groups(rf"Either {P} or {P} {V} {I}, but not both of them"):
        return lambda w: w[m[0], m[2]] != w[m[1], m[2]]
    if m := match_groups(rf"{P} {V} either {I} or {I}, but not both"):
        return lambda w: w[m[0], m[1]] != w[m[0], m[2]]
    if m := match_groups(rf"{P} {V} {I}, but not {I}"):
        return lambda w: w[m[0], m[1]] and not w[m[0], m[2]]
    if m := match_groups(rf"{P} {V} {I}, but {P} (?:has|does|did) not"):
        return lambda w: w[m[0], m[1]] and not w[m[2], m[1]]
    if m := match_groups(rf"(?:Neither|None of the three friends) {L} {V} {I}"):
        return none(grid(*m))
    if m := match_groups(rf"{P} {V} neither {L}") or match_groups(rf"{P} (?:{NOT}) {L}"):
        return none(grid(*m))
    if m := match_groups(rf"At least one of {L} {V} {I}"):
        return some(grid(*m))
    if m := match_groups(rf"{P} {V} {L} or both"):
        return some(grid(*m))
    m = match_groups(rf"(?:Both )?{L} {V} (?:both )?{L}")
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


def test_labels_of_boolean_lists_are_correct_by_truth_tables() -> None:
    for example in sample("bool", 400):
        statements = part_about(str(example.hypothesis), split(example.premise))
        people, items = things_in(f"{'. '.join(statements)} {example.hypothesis}")
        premises = [read_boolean(text, people, items) for text in statements]
        hypothesis = read_boolean(split(example.hypothesis)[0], people, items)
        assert has_label(example, relation_in(all_worlds(people, items), premises, hypothesis)), example


def read_negation(text: str, members: set[str]) -> Check:
    def match_groups(pattern: str) -> tuple[str, ...]:
        match = re.fullmatch(pattern, text)
        return match.groups() if match else ()

    aux, no = r"(?:has|have|does|do|did)", f"(?:{NOT}|{NOT.replace('has not', 'has never')})"
    if re.match(r"It is (not true|false) that ", text):
        inner = read_negation(re.sub(r"It is (not true|false) that ", "", text), members)
        return lambda w: not inner(w)
    if m := match_groups(rf"Unlike {P}, {P} {no} {I}"):
        return lambda w: w[m[0], m[2]] and not w[m[1], m[2]]
    if m := match_groups(rf"Unlike {P}, {P} {V} {I}"):
        return lambda w: w[m[1], m[2]] and not w[m[0], m[2]]
    if m := match_groups(rf"All of them but {P} {V} {I}"):
        return lambda w: all(w[member, m[1]] == (member != m[0]) for member in members)
    if m := match_groups(rf"All of them {V} {I}, except for {P}, who {aux} not"):
        return lambda w: all(w[member, m[0]] == (member != m[1]) for member in members)
    if m := match_groups(rf"None of them but {P} {V} {I}") or match_groups(
        rf"{P} {V} {I}, but nobody else among them {aux}"
    ):
        return lambda w: all(w[member, m[1]] == (member == m[0]) for member in members)
    if m := match_groups(rf"(?:Not one|None) of them {V} {I}"):
        return none([(member, m[0]) for member in members])
    if m := match_groups(rf"Not all of them {V} {I}"):
        return lambda w: not all(w[member, m[0]] for member in members)
    if m := match_groups(rf"{P} {no} {I}, but {P} {aux}"):
        return lambda w: w[m[2], m[1]] and not w[m[0], m[1]]
    if m := match_groups(rf"{P} {no} {I}, and neither {aux} {P}"):
        return none([(m[0], m[1]), (m[2], m[1])])
    if m := match_groups(rf"{P} {no} {I}"):
        return none([(m[0], m[1])])
    return read_boolean(text, members, set())


def test_labels_of_negations_are_correct_by_truth_tables() -> None:
    for example in sample("negat", 400):
        statements = part_about(str(example.hypothesis), split(example.premise))
        people, items = things_in(f"{'. '.join(statements)} {example.hypothesis}")
        group = set()
        if " them " in statements[-1]:
            group = set(re.findall(r"[A-Z]\w+", statements.pop(0)))
        premises = [read_negation(text, group) for text in statements]
        hypothesis = read_negation(split(example.hypothesis)[0], group)
        assert has_label(example, relation_in(all_worlds(people, items), premises, hypothesis)), example


def read_conditional(text: str) -> Check:
    def literal(clause: str) -> Check:
        clause = clause[:4].replace("The ", "the ") + clause[4:]
        positive = re.sub(r"\b(is|has) not\b", r"\1", clause)
        for relation in RELATIONS:
            positive = positive.replace(relation.negated, relation.singular)
        return lambda w: w[positive] == (positive == clause)

    text = text[:3].replace("If ", "if ") + text[3:]
    if m := re.fullmatch(r"if (.+?), (?:then )?(.+)", text) or re.fullmatch(r"(.+) only if (.+)", text):
        first, then = literal(m[1]), literal(m[2])
    elif m := re.fullmatch(r"(.+) if (.+)", text):
        first, then = literal(m[2]), literal(m[1])
    elif m := re.fullmatch(r"(.+) unless (.+)", text):
        exception = literal(m[2])
        first, then = (lambda w: not exception(w)), literal(m[1])
    else:
        return literal(text)
    return lambda w: then(w) or not first(w)


class _RecordingDict(dict):  # type: ignore[type-arg]
    """A dict that records the missing keys it is asked for, with the value True."""

    def __missing__(self, key: str) -> bool:
        self[key] = True
        return True


def test_labels_of_conditionals_are_correct_by_truth_tables() -> None:
    for example in sample("cond", 600):
        premises = [read_conditional(text) for text in split(example.premise)]
        hypothesis = read_conditional(split(example.hypothesis)[0])
        clauses = _RecordingDict()
        for check in (*premises, hypothesis):
            for _ in range(2):
                check(clauses)
                clauses.update({clause: not value for clause, value in clauses.items()})
        keys = sorted(clauses)
        assert 2 <= len(keys) <= 4
        worlds = (dict(zip(keys, values, strict=True)) for values in itertools.product((1, 0), repeat=len(keys)))
        assert has_label(example, relation_in(worlds, premises, hypothesis)), example


def read_scope(text: str) -> Check:
    """Return a check of a statement with two quantifiers, over three people and three things."""
    text, three = lower(text), range(3)
    quantifiers = {"every": all, "at least one": any}
    if m := re.fullmatch(r"there is an? .+? that (every|no|at least one) (.+)", text):
        if m[1] == "at least one":
            return lambda w: any(not w[p, t] for p in three for t in three)
        return lambda w: any(all(w[p, t] == (m[1] == "every") for p in three) for t in three)
    things = "|".join({f"{relation.noun} {relation.among}" for relation in RELATIONS})
    if m := re.fullmatch(rf"(every|no) (?:{things}) .+ by (every|any|at least one) .+", text):
        if m[1] == "no":
            return lambda w: not any(w.values())
        return lambda w: all(quantifiers[m[2]](w[p, t] for p in three) for t in three)
    m = re.fullmatch(rf"(every|no|at least one) .+ (every|any|no|at least one) (?:{things})", text)
    assert m, text
    if m[1] == "no":
        return lambda w: not any((all if m[2] == "every" else any)(w[p, t] for t in three) for p in three)
    inner = (lambda row: not any(row)) if m[2] == "no" else quantifiers[m[2]]
    return lambda w: quantifiers[m[1]](inner(w[p, t] for t in three) for p in three)


def read_group(text: str) -> Check:
    """Return a check of a statement about a group: ``w["in"]`` are its members, ``w["has"]`` have the property."""
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


def test_labels_of_quantifiers_are_correct_in_every_small_world() -> None:
    grids = list(all_worlds("012", "012"))
    grids = [{(int(p), int(t)): value for (p, t), value in world.items()} for world in grids]
    counts: Counter[bool] = Counter()
    for example in sample("quant", 300):
        hypothesis = split(example.hypothesis)[0]
        statements = part_about(hypothesis, split(example.premise))
        scoped = any(relation.among in hypothesis for relation in RELATIONS)
        counts[scoped] += 1
        if scoped:
            result = relation_in(grids, [read_scope(text) for text in statements], read_scope(hypothesis))
        else:
            named = sorted(things_in(f"{'. '.join(statements)} {example.hypothesis}")[0])
            people = [*named, "x", "y"]
            worlds = [
                {"in": {"x", "y", *members}, "has": set(having)}
                for members in _subsets(named) for having in _subsets(people)
            ]  # fmt: skip
            result = relation_in(worlds, [read_group(text) for text in statements], read_group(hypothesis))
        assert has_label(example, result), example
    assert min(counts.values()) > 50


def _subsets(items: Sequence[str]) -> list[tuple[str, ...]]:
    return [subset for size in range(len(items) + 1) for subset in itertools.combinations(items, size)]
