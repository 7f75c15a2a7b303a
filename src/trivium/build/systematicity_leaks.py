"""What each setting of SETI promises: what the test shares with the training, and what it does not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trivium.build.composition import BOOLEAN_RULES
from trivium.build.promises import Finding, finding, proved
from trivium.build.systematicity import Setting, SettingSplits
from trivium.data.example import Example


def prove_setting(setting: Setting, splits: Mapping[str, SettingSplits]) -> list[Finding]:
    """Check every promise of a setting; an error that names the first offending examples if one is broken."""
    findings = [*check_setting(setting, splits["compositional"]), *check_divided(splits)]
    return proved(setting.title, findings)


def check_setting(setting: Setting, splits: SettingSplits) -> list[Finding]:
    """The promises of compositional generalization and what breaks them."""
    seen = [*splits.train, *splits.dev]
    asked = [*splits.test, *splits.few]
    rules = {example.fact("rule") for example in seen}
    unseen = set(map(str, setting.unseen))
    verbs = {example.fact("verb") for example in seen}
    found = [
        finding("a test example is a composition", asked, lambda e: e.fact("kind") == "composed"),
        finding("an unseen composition rule is not trained", seen, lambda e: e.fact("rule") not in unseen),
        finding("the verb of a test example is trained", asked, lambda e: e.fact("verb") in verbs),
        finding("a composed label follows by its Boolean rule", [*seen, *asked], _follows),
    ]
    if not setting.unseen:
        found.append(finding("the rule of a test example is trained", asked, lambda e: e.fact("rule") in rules))
    return [*found, *_about_pairs(setting, seen, asked)]


def _about_pairs(setting: Setting, seen: list[Example], asked: list[Example]) -> list[Finding]:
    """Whether the natural pairs of the test are trained, or only their lexical rules."""
    if setting.name != "task1-nontrivial":
        pairs = {example.fact("pair") or example.id for example in seen if example.fact("kind") != "veridical"}
        return [finding("the natural pair of a test example is trained", asked, lambda e: e.fact("pair") in pairs)]
    words = {example.fact("words") for example in seen if example.fact("kind") == "natural"}
    said = {text for example in seen for text in _sentences(example)}
    return [
        finding("the lexical rule of a test example is trained", asked, lambda e: e.fact("words") in words),
        finding("no sentence of a test example is trained", asked, lambda e: said.isdisjoint(_sentences(e))),
    ]


def check_divided(splits: Mapping[str, SettingSplits]) -> list[Finding]:
    """What both configurations promise: nothing is in two parts, and both have the same sizes."""
    found = []
    for name, parts in splits.items():
        trained = {_said(example) for example in (*parts.train, *parts.dev)}
        tested = {_said(example) for example in parts.test}
        found += [
            finding(f"no test example is trained ({name})", parts.test, lambda e, said=trained: _said(e) not in said),  # type: ignore[misc]
            finding(f"no shot is tested ({name})", parts.few, lambda e, said=tested: _said(e) not in said),  # type: ignore[misc]
        ]
    one, other = splits["compositional"], splits["in-distribution"]
    unequal = [b for a, b in zip(one, other, strict=True) if len(a) != len(b)]
    found.append(Finding("both configurations have the same sizes", 4, tuple(part.examples[0] for part in unequal)))
    return found


def _follows(example: Example) -> bool:
    if example.fact("kind") != "composed":
        return True
    rule = list(BOOLEAN_RULES)[int(str(example.fact("rule"))) - 1]
    return example.label == BOOLEAN_RULES[rule] and example.fact("verb_label") == rule[0]


def _sentences(example: Example) -> Iterable[str]:
    """The plain sentences that an example is about: what its verb embeds, and its hypothesis."""
    embedded = example.fact("embedded")
    premise = [] if example.fact("kind") == "veridical" else [embedded or example.premise]
    return [*premise, str(example.hypothesis)]


def _said(example: Example) -> tuple[str, str | None]:
    return example.premise, example.hypothesis
