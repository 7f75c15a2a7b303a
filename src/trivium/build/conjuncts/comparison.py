"""How often the rules give the labels that others gave, by rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from trivium.build.conjuncts.labels import label_edit
from trivium.build.conjuncts.reading import read_edit
from trivium.data.example import Example


@dataclass(frozen=True, slots=True)
class RuleScore:
    """A rule, the label that it gives, of how many pairs it decides, and how many of these have that label."""

    operation: str
    rule: str
    label: str
    pairs: int
    agreed: int

    @property
    def percentage(self) -> float:
        """The percentage that agrees; 0 if the rule decides nothing."""
        return 100 * self.agreed / self.pairs if self.pairs else 0.0


NO_RULE = ("none", "no word was changed", "none")
"""What stands for a rule where a pair has none: its sentences differ in form alone."""


def rule_scores(examples: Iterable[Example]) -> list[RuleScore]:
    """The scores of all rules that decide at least one pair, by operation and name."""
    counts: dict[tuple[str, str, str], list[int]] = {}
    for example in examples:
        edit = read_edit(example.premise, str(example.hypothesis))
        labelled = None if edit is None else label_edit(edit)
        key = NO_RULE if edit is None or labelled is None else (edit.operation, labelled.rule, labelled.label)
        count = counts.setdefault(key, [0, 0])
        count[0] += 1
        count[1] += key[2] == example.label
    return [RuleScore(*key, *count) for key, count in sorted(counts.items())]


def total(scores: Iterable[RuleScore]) -> RuleScore:
    """All rules taken together."""
    known = list(scores)
    return RuleScore("all", "all", "", sum(one.pairs for one in known), sum(one.agreed for one in known))
