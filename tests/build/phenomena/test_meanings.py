"""Labels of entailment trees, coreference and homonyms, checked from the text."""

from __future__ import annotations

import re

from tests.build.phenomena.parsing import sample, split

from trivium.build.phenomena.entailment_tree import _TRAITS
from trivium.build.phenomena.words import MEN, WOMEN


def test_conclusions_are_entailed_exactly_if_the_rules_imply_them() -> None:
    traits = {text: trait.singular for trait in _TRAITS for text in (trait.singular, trait.plural)}
    pattern = "|".join(map(re.escape, traits))

    def read(text: str) -> tuple[str, str]:
        rule = re.fullmatch(rf"(?:Everyone who|All people who|Anyone who|Whoever) ({pattern}) ({pattern})", text)
        fact = re.fullmatch(rf"(\w+) ({pattern})", text)
        match = rule or fact
        assert match, text
        return traits.get(match[1], match[1]), traits[match[2]]

    for example in sample("ent-tree", 1000):
        rules, (start, goal) = [read(text) for text in split(example.premise)], read(split(example.hypothesis)[0])
        reached = {start}
        for _ in rules:
            reached |= {conclusion for condition, conclusion in rules if condition in reached}
        assert (goal in reached) == (example.label == "entailed"), example


def test_pronouns_agree_with_their_antecedent() -> None:
    checked = 0
    for example in sample("coref", 1000):
        premise, hypothesis = str(example.premise), str(example.hypothesis)
        women, men = ([name for name in re.findall(r"[A-Z]\w+", premise) if name in group] for group in (WOMEN, MEN))
        if len(women) == len(men) == 1:
            checked += 1
            antecedent = women[0] if " she " in premise else men[0]
            assert (hypothesis.split()[0] == antecedent) == (example.label == "entailed"), example
    assert checked > 100


def test_hypotheses_about_homonyms_occur_with_both_labels() -> None:
    labels: dict[str, set[str]] = {}
    for example in (*sample("hyper", 2000), *sample("hypo", 2000)):
        if '"' in str(example.hypothesis):
            labels.setdefault(str(example.hypothesis), set()).add(str(example.label))
    assert sum(len(values) == 2 for values in labels.values()) > 30
