"""Arrangements that must satisfy rules (an order, two teams, a choice), decided by trying all arrangements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import combinations, permutations
from operator import and_
from typing import TYPE_CHECKING, Any

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.contrast import pick_from_square
from trivium.build.phenomena.truth_tables import Atoms, Statement, label_of, redundant, relation_of
from trivium.build.phenomena.words import DAYS, PEOPLE, join_items, pick, pick_some, sentence, sentences

if TYPE_CHECKING:
    import numpy as np

_ORDERED, _GROUPED, _CHOSEN = 5, 6, 3
_PREMISES = 6
_MAX_LEFT = 12  # arrangements that the rules of a premise may leave possible
_Setting = Mapping[str, Any]
_Forms = tuple[tuple[Statement, ...], ...]


@dataclass(frozen=True)
class _Puzzle:
    """Statements for rules and for hypotheses, by form, and the settings in which they can be expressed.

    The text of a statement is a code: ``at a0 p2`` says that the first of ``count`` things is in the third place. A
    setting has an introduction, the names to draw from, and a template for each form of statement (``at``).
    """

    count: int
    rules: _Forms
    claims: _Forms
    settings: tuple[_Setting, ...]


def _cells(worlds: Sequence[tuple[int, ...]]) -> tuple[Atoms, list[list[int]]]:
    """Return the truth table of each thing in each place over all arrangements, which give the place of each thing."""
    things, places = range(len(worlds[0])), range(1 + max(worlds[0]))
    cells = [[sum(1 << b for b, world in enumerate(worlds) if world[i] == k) for k in places] for i in things]
    return Atoms(tuple(table for row in cells for table in row), (1 << len(worlds)) - 1), cells


_TOPICS: tuple[str, ...] = tuple(
    "physics, botany, music, law, geology, history, logic, painting, poetry, optics, sculpture, grammar, astronomy, "
    "chemistry, architecture, medicine, pottery, cooking, sailing, statistics, economics, weaving, photography, "
    "drama".split(", ")
)
_ORDINALS: tuple[str, ...] = ("first", "second", "third", "fourth", "fifth")


def _order(
    introduction: str, names: Sequence[str], places: Sequence[str], verb: str, base: str, *orders: str
) -> _Setting:
    """Return a setting for orders, from the verb of a place (*is held on*), its negation, and those of two orders."""
    return {
        "introduction": introduction, "names": names, "places": places,
        "at": f"{{a}} {verb} {{p}}", "not_at": f"{{a}} {base} {{p}}", "either": f"{{a}} {verb} either {{p}} or {{q}}",
        "linked": f"if {{a}} {verb} {{p}}, then {{b}} {verb} {{q}}",
        "after": f"{{a}} {orders[0]} {{b}}", "next": f"{{a}} {orders[1]} {{b}}",
    }  # fmt: skip


_ORDERS: tuple[_Setting, ...] = (
    *(
        _order(
            f"five {event}s are held from Monday to Friday, one on each day, namely {{names}}",
            [f"the {topic} {event}" for topic in _TOPICS], DAYS[:_ORDERED],
            "is held on", "is not held on", "is held later in the week than", "is held on the day after",
        )
        for event in ("lecture", "workshop", "exam", "seminar")
    ),
    *(
        _order(
            f"{{names}} {verb} one after another, no two of them at the same time",
            PEOPLE, [f"{ordinal} place" for ordinal in _ORDINALS],
            f"{each} in", f"does not {verb.split()[0]} in", f"{each} after", f"{each} immediately after",
        )
        for verb, each in (("finish a race", "finishes"), ("sing at a concert", "sings"),
                           ("speak at a wedding", "speaks"), ("appear in a show", "appears"))
    ),
    _order(
        "{names} live in a house with five floors, one of them on each floor",
        PEOPLE, [f"the {ordinal} floor" for ordinal in _ORDINALS],
        "lives on", "does not live on", "lives on a higher floor than", "lives directly above",
    ),
)  # fmt: skip


@cache
def _order_puzzle() -> _Puzzle:
    """Return the puzzle of five things in five places, one in each."""
    table, cells = _cells(tuple(permutations(range(_ORDERED))))
    spots, pairs, plain = range(_ORDERED), tuple(permutations(range(_ORDERED), 2)), Statement.plain
    later = {(i, j): table.any_of(cells[i][k] & cells[j][m] for m, k in combinations(spots, 2)) for i, j in pairs}
    right_after = {(i, j): table.any_of(cells[i][k + 1] & cells[j][k] for k in spots[:-1]) for i, j in pairs}
    after = tuple(plain(f"after a{i} b{j}", later[i, j]) for i, j in pairs)
    following = tuple(plain(f"next a{i} b{j}", right_after[i, j]) for i, j in pairs)
    at = tuple(plain(f"at a{i} p{k}", cells[i][k]) for i in spots for k in spots)
    not_at = tuple(plain(f"not_at a{i} p{k}", table.negated(cells[i][k])) for i in spots for k in spots)
    either = tuple(
        plain(f"either a{i} p{k} q{m}", cells[i][k] | cells[i][m]) for i in spots for k, m in combinations(spots, 2)
    )
    linked = tuple(
        plain(f"linked a{i} p{k} b{j} q{m}", table.implies(cells[i][k], cells[j][m]))
        for i, j in pairs
        for k, m in pairs
    )
    rules = (after, after, following, following, not_at, either, linked)
    return _Puzzle(_ORDERED, rules, (after, at, not_at, following), _ORDERS)


def _sides(introduction: str, yes: str, no: str, same: str, different: str) -> _Setting:
    """Return a setting for two sides, from verb phrases for one and for two things."""
    return {
        "introduction": introduction, "names": PEOPLE, "places": (), "yes": f"{{a}} {yes}", "no": f"{{a}} {no}",
        "same": same, "different": different, "yes_yes": f"if {{a}} {yes}, then {{b}} {yes}",
        "yes_no": f"if {{a}} {yes}, then {{b}} {no}", "no_yes": f"if {{a}} {no}, then {{b}} {yes}",
    }  # fmt: skip


_TEAMS: tuple[_Setting, ...] = tuple(
    _sides(
        f"{{names}} are divided into two {groups} of three, the {first} and the {second}",
        f"is {within} the {first}", f"is {within} the {second}",
        f"{{a}} and {{b}} are {within} the same {group}", f"{{a}} and {{b}} are {within} different {groups}",
    )
    for group, groups, within, first, second in (
        ("team", "teams", "on", "red team", "blue team"), ("choir", "choirs", "in", "morning choir", "evening choir"),
        ("crew", "crews", "on", "crew of the ferry", "crew of the tugboat"),
        ("class", "classes", "in", "lower class", "upper class"),
        ("car", "cars", "in", "green car", "grey car"), ("group", "groups", "in", "first group", "second group"),
    )
)  # fmt: skip
_CHOICES: tuple[_Setting, ...] = tuple(
    _sides(
        f"exactly three of the six {people} {{names}} are {chosen}", f"is {chosen}", f"is not {chosen}",
        f"{{a}} is {chosen} if and only if {{b}} is {chosen}",
        f"either {{a}} or {{b}} is {chosen}, but not both of them",
    )
    for people, chosen in (("candidates", "hired"), ("painters", "invited"), ("students", "given a prize"),
                           ("actors", "given a part"), ("volunteers", "chosen"), ("officers", "promoted"))
)  # fmt: skip


@cache
def _side_puzzle() -> _Puzzle:
    """Return the puzzle of six people, three on each of two sides."""
    sides = range(_GROUPED)
    table, cells = _cells([tuple(int(i in some) for i in sides) for some in combinations(sides, _CHOSEN)])
    plain, pairs = Statement.plain, tuple(permutations(sides, 2))
    yes = tuple(plain(f"yes a{i}", cells[i][1]) for i in sides)
    no = tuple(plain(f"no a{i}", cells[i][0]) for i in sides)
    differ = {(i, j): cells[i][1] ^ cells[j][1] for i, j in pairs}
    same = tuple(plain(f"same a{i} b{j}", table.negated(differ[i, j])) for i, j in pairs)
    different = tuple(plain(f"different a{i} b{j}", differ[i, j]) for i, j in pairs)
    linked = tuple(
        plain(f"{name} a{i} b{j}", table.implies(cells[i][first], cells[j][second]))
        for name, first, second in (("yes_yes", 1, 1), ("yes_no", 1, 0), ("no_yes", 0, 1))
        for i, j in pairs
    )
    rules = (same, different, linked, linked, linked, (*yes, *no))
    return _Puzzle(_GROUPED, rules, (yes, no, same, different), (*_TEAMS, *_CHOICES))


def _premise(rng: np.random.Generator, puzzle: _Puzzle, rules: int) -> tuple[Statement, ...] | None:
    """Draw rules that leave some arrangements possible, but not many; None if the drawn ones do not."""
    chosen = tuple(pick(rng, pick(rng, puzzle.rules)) for _ in range(rules))
    left = reduce(and_, (rule.table for rule in chosen)).bit_count()
    return chosen if 0 < left <= _MAX_LEFT and len(set(chosen)) == rules and not redundant(chosen) else None


def _label(premise: Sequence[Statement], hypothesis: Statement) -> str | None:
    """Return the label of a hypothesis, or None if one of the rules alone decides it."""
    if any(relation_of(rule.table, hypothesis.table) != "neutral" for rule in premise):
        return None
    return "entailed" if label_of(premise, hypothesis) == "entailment" else "not-entailed"


@maker("analytic")
def analytic(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair whose hypothesis must be true in every arrangement that the rules allow, or need not be.

    ``Anna, Ben and Carl finish one after another. Anna finishes after Carl. Ben finishes immediately after Anna.``
    entails ``Ben finishes in third place.``.
    """
    puzzle = _order_puzzle() if rng.random() < 0.6 else _side_puzzle()
    setting = pick(rng, puzzle.settings)
    names, places = pick_some(rng, setting["names"], puzzle.count), setting["places"]
    rules = 3 + int(rng.random() * 2)
    found = None
    while found is None:
        candidates = [premise for _ in range(_PREMISES) if (premise := _premise(rng, puzzle, rules))]
        found = pick_from_square(label, rng, candidates, pick(rng, puzzle.claims), _label)

    def text(statement: Statement) -> str:
        form, *arguments = statement.text.split()
        fields = {each[0]: (names if each[0] in "ab" else places)[int(each[1:])] for each in arguments}
        return str(setting[form]).format(**fields)

    premise, hypothesis = found
    introduction = setting["introduction"].format(names=join_items(names))
    return Pair(sentences([introduction, *map(text, premise)]), sentence(text(hypothesis)))
