"""Labels of passages, counterfactuals, syllogisms, paraphrases and events, checked from the text."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from tests.build.phenomena.parsing import has_label, lower, relation_in, sample, split

from trivium.build.phenomena.words import NUMBERS


def figures_in(statements: Sequence[str]) -> dict[str, int]:
    """Return the figure of each name, which may be given by comparison with that of another name."""
    figures: dict[str, int] = {}
    for _ in range(2):
        for text in statements:
            if m := re.fullmatch(r"(\w+) [a-z ]+ (\d+) (more|fewer) than (\w+)", text):
                if m[4] in figures:
                    figures[m[1]] = figures[m[4]] + int(m[2]) * (1 if m[3] == "more" else -1)
            elif m := re.fullmatch(r"([A-Z]\w+) [a-z ]+? (\d+) [a-z ]+", text):
                figures[m[1]] = int(m[2])
    return figures


def is_true_of(figures: dict[str, int], text: str) -> bool:
    name, values = r"([A-Z]\w+)", sorted(figures.values())
    number = int(found[0]) if (found := re.findall(r"\d+", text)) else 0
    if m := re.search(rf"^{name} .* \d+ more .* than {name}$|difference between {name} and {name} ", text):
        left, right = (each for each in m.groups() if each)
        return figures[left] - figures[right] == number
    if m := re.search(rf"^{name} and {name} together|counted for {name} and {name}$", text):
        return sum(figures[each] for each in m.groups() if each) == number
    if re.search(r"^All of them together|for all of them$", text):
        return sum(values) == number
    if text.startswith("The gap between"):
        return values[-1] - values[0] == number
    if m := re.search(r"(None|Exactly (\w+)) of the others .* more .* than (\w+)$", text):
        count = NUMBERS.index(m[2]) if m[2] else 0
        return sum(value > figures[m[3]] for value in values) == count
    if m := re.search(r"^(\w+) .* fewer .* than (none|exactly (\w+)) of the others$", text):
        return sum(value > figures[m[1]] for value in values) == (NUMBERS.index(m[3]) if m[3] else 0)
    if m := re.search(rf"^None of the others .* as many .* as {name}$|^{name} .* the most ", text):
        return figures[m[1] or m[2]] == values[-1]
    if m := re.search(rf"^All of the others .* more .* than {name}$|^{name} .* the fewest ", text):
        return figures[m[1] or m[2]] == values[0]
    m = re.search(rf"^{name} .* the second most ", text)
    assert m, text
    return figures[m[1]] == values[-2]


def test_statements_about_figures_are_entailed_exactly_if_they_are_true() -> None:
    for example in sample("drop", 1000):
        figures = figures_in(split(example.premise)[1:])
        assert len(figures) in (3, 4), example
        assert is_true_of(figures, split(example.hypothesis)[0]) == (example.label == "entailed"), example


State = dict[str, bool]


def read_literal(text: str, infinitives: dict[str, str]) -> tuple[str, bool]:
    """Return what a literal in the present tense is about, and whether it is affirmative."""
    if m := re.fullmatch(r"(the .+?) is (not )?(.+)", text):
        return m[1], not m[2]
    subject = next(each for each in infinitives if text.startswith(each))
    return subject, " does not " not in text


def would_be(statements: Sequence[str], change: tuple[str, bool], result: str) -> bool:
    """Return whether the result is true after the change, by applying the rules in any order until nothing changes."""
    rules: dict[str, tuple[str, list[str]]] = {}
    for text in statements[:-1]:
        m = re.fullmatch(r"(the \w+) .+ if and only if (.+?)( or both)?", lower(text))
        assert m, text
        rules[m[1]] = ("or" if m[3] else "and", re.split(r" or | and ", m[2]))
    facts = lower(statements[-1]).split(", ", 1)[1]
    parts = [re.fullmatch(r"(the .+) was (not )?.+", fact) for fact in re.split(r", | and ", facts)]
    state: State = {part[1]: not part[2] for part in parts if part}
    assert state[change[0]] != change[1], "the antecedent is true"
    state[change[0]] = change[1]
    for _ in rules:
        for effect, (connective, conditions) in rules.items():
            literals = [read_literal(text, dict.fromkeys(rules, "")) for text in conditions]
            met = [state.get(subject) == holds for subject, holds in literals]
            state[effect] = any(met) if connective == "or" else all(met)
    return state[result]


def test_counterfactuals_are_entailed_exactly_if_the_changed_causes_have_the_result() -> None:
    counts: Counter[bool] = Counter()
    for example in sample("counter", 1000):
        m = re.fullmatch(r"If (the .+?) had (not )?been .+?, (the \w+) would (not )?have .+\.", str(example.hypothesis))
        assert m, example
        result = would_be(split(example.premise), (m[1], not m[2]), m[3]) != bool(m[4])
        counts[result] += 1
        assert result == (example.label == "entailed"), example
    assert min(counts.values()) > 400


def read_syllogism(text: str) -> Callable[[dict], bool]:  # type: ignore[type-arg]
    """Return a check of a statement about a world: ``w["all"]`` are the roles of each person, others by their name."""

    def term(noun: str) -> str:
        return re.sub(r"^(an?) ", "", noun).removesuffix("s")

    text = lower(text)
    patterns = (
        (r"only (?P<p>.+s) are (?P<s>.+s)", "all"), (r"there is no (?P<s>.+) who is not (?P<p>.+)", "all"),
        (r"(?:all|every) (?P<s>.+) (?:are|is) (?P<p>.+)", "all"), (r"anyone who is (?P<s>.+) is (?P<p>.+)", "all"),
        (r"nobody is both (?P<s>.+) and (?P<p>.+)", "no"), (r"there is no (?P<s>.+) who is (?P<p>.+)", "no"),
        (r"no (?P<s>.+) (?:is|are) (?P<p>.+)", "no"),
        (r"not (?:every|all) (?P<s>.+) (?:is|are) (?P<p>.+)", "not-all"),
        (r"(?:some|at least one) (?P<s>.+) (?:is|are) not (?P<p>.+)", "not-all"),
        (r"there is an? (?P<s>.+) who is not (?P<p>.+)", "not-all"),
        (r"(?:some|at least one) (?P<s>.+) (?:is|are) (?P<p>.+)", "some"),
        (r"there is an? (?P<s>.+) who is (?P<p>.+)", "some"), (r"somebody is both (?P<s>.+) and (?P<p>.+)", "some"),
    )  # fmt: skip
    for pattern, form in patterns:
        if m := re.fullmatch(pattern, text):
            s, p = term(m["s"]), term(m["p"])
            quantifier = all if form in ("all", "no") else any
            expected = form in ("all", "some")
            return lambda w: quantifier((p in roles) == expected for roles in w["all"] if s in roles)
    m = re.fullmatch(r"(\w+) is (not )?(an? .+)", text)
    assert m, text
    return lambda w: (term(m[3]) in w[m[1]]) != bool(m[2])


def test_syllogisms_are_entailed_exactly_if_they_hold_in_all_worlds_of_few_people() -> None:
    for example in sample("logi", 200):
        statements, conclusion = split(example.premise), split(example.hypothesis)[0]
        texts = [*statements, conclusion]
        checks = [read_syllogism(text) for text in texts]
        names = sorted(
            {text.split()[0] for text in texts if re.match(r"[A-Z]\w+ is (not )?an? ", text)} - {"Somebody", "Nobody"}
        )
        terms = sorted({term for text in texts for term in terms_in(text)})
        kinds = [frozenset(each) for size in range(4) for each in itertools.combinations(terms, size)]
        assert len(terms) == 3, example
        worlds = (
            {"all": [*others, *named], **dict(zip(names, named, strict=True))}
            for named in itertools.product(kinds, repeat=len(names))
            for size in range(3 if names else 4)
            for others in itertools.combinations(kinds, size)
        )
        assert has_label(example, relation_in(worlds, checks[:-1], checks[-1])), example


def terms_in(text: str) -> set[str]:
    from trivium.build.phenomena.syllogism import _ROLES

    found = {role for role in _ROLES if re.search(rf"\b{role}s?\b", text, flags=re.IGNORECASE)}
    return {role for role in found if not any(role != other and role in other for other in found)}


@pytest.mark.parametrize(
    ("phenomenon", "premise", "hypothesis", "label"),
    [
        ("sprl", r" (built|made|constructed) the", r"existed before|already there before", "not-entailed"),
        ("sprl", r" (built|made|constructed) the", r"still", "entailed"),
        ("sprl", r" by (accident|mistake)", r"on purpose|meant to", "not-entailed"),
        ("sprl", r" (frightened|amused|annoyed) ", r"because of|caused a feeling", "entailed"),
        ("sprl", r" (envied|feared|pitied) ", r"because of|caused a feeling", "not-entailed"),
        ("sprl", r" (envied|feared|pitied) ", r"had a feeling towards|feeling that", "entailed"),
        ("vbn", r" to (ashes|bits)", r"was destroyed|the end of", "entailed"),
        ("vbn", r" (sold|gave) the [\w ]+( away|\.)", r"was destroyed|the end of", "not-entailed"),
        ("vbn", r"heard the news from (\w+)", r"transferred from \1 to", "entailed"),
        ("vbn", r"(\w+) heard the news from", r"transferred from \1 to", "not-entailed"),
        ("vbc", r" (upstairs|into the barn)", r"or something moved", "entailed"),
        ("vbc", r" (looked at|measured) the", r"or something moved", "not-entailed"),
        ("vbc", r" (inherited|sold) the", r"new owner", "entailed"),
        ("vbc", r" (painted|photographed) the", r"new owner", "not-entailed"),
    ],
)
def test_verbs_imply_what_they_say_about_participants(
    phenomenon: str, premise: str, hypothesis: str, label: str
) -> None:
    labels = [
        example.label
        for example in sample(phenomenon, 2000)
        if re.search(f"{premise}.*\n.*({hypothesis})", f"{example.premise}\n{example.hypothesis}")
    ]
    assert labels
    assert set(labels) == {label}


def test_things_are_with_the_person_who_got_them() -> None:
    checked = 0
    for example in sample("vbn", 2000):
        given = re.search(r"([A-Z]\w+) (?:gave|sold|handed) the [\w ]+? to ([A-Z]\w+)", example.premise)
        taken = re.search(r"([A-Z]\w+) (?:bought|stole|took|received) the [\w ]+? from ([A-Z]\w+)", example.premise)
        before = re.search(r"^At first.* with (\w+)|^(\w+) was .* before\.$", str(example.hypothesis))
        after = re.search(r"^In the end.* with (\w+)|^(\w+) was .* afterwards\.$", str(example.hypothesis))
        claim = before or after
        if claim and (given or taken):
            old, new = given.groups() if given else taken.groups()[::-1]  # type: ignore[union-attr]
            assert ((claim[1] or claim[2]) == (old if before else new)) == (example.label == "entailed"), example
            checked += 1
    assert checked > 300


def agent_in(clause: str) -> str:
    """Return the agent of a clause about praising or giving, from its form."""
    patterns = (
        r"\bby ([A-Z]\w+)", r"^It was ([A-Z]\w+) who (?!was)", r"^The one .* was ([A-Z]\w+)", r"whom ([A-Z]\w+)",
        r"that ([A-Z]\w+) (?!was)", r"^([A-Z]\w+) (?!was)",
    )  # fmt: skip
    return next(m[1] for pattern in patterns if (m := re.search(pattern, clause)))


def test_variations_are_entailed_exactly_if_the_agent_is_the_same() -> None:
    checked = 0
    for example in sample("syn-var", 2000):
        premise, hypothesis = split(example.premise)[0], split(example.hypothesis)[0]
        if ", and " in premise or re.search(
            r"from|bought|lost|won|arrived|stood|assistant|points", premise + hypothesis
        ):
            continue
        checked += 1
        assert (agent_in(premise) == agent_in(hypothesis)) == (example.label == "entailed"), example
    assert checked > 300
