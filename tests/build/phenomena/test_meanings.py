"""Labels of conclusions, pronouns and words of two meanings: read back from the text."""

from __future__ import annotations

import re

from tests.build.phenomena.reading import sample, split

from trivium.build.phenomena.inference import _TRAITS
from trivium.build.phenomena.words import MEN, WOMEN


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
    for example in (*sample("hyper", 2000), *sample("hypo", 2000)):
        if '"' in str(example.hypothesis):
            labels.setdefault(str(example.hypothesis), set()).add(str(example.label))
    assert sum(len(some) == 2 for some in labels.values()) > 30
