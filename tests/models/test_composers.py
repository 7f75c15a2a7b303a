"""Composers: what each can know of the nine cells of composition."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch.nn import functional

from trivium.build.veridicality.composition import BOOLEAN_RULES, NINE_RULES, TYPES
from trivium.data.labels import NLI2, NLI3, Labels
from trivium.learn.config import ModelConfig
from trivium.models.composer import composer_files, find_composers
from trivium.models.composition import Composition, compose, compose_best, new_composition
from trivium.plugins import load_plugins

RATE = 1e-4
CERTAIN = 12.0  # the logit of a primitive that is known


def certain(labels: list[str], scheme: Labels) -> torch.Tensor:
    return CERTAIN * functional.one_hot(torch.tensor([scheme.index(label) for label in labels]), len(scheme)).float()


def trained(name: str, held_out: int) -> Composition:
    """Train a composer on eight of the nine types, one half of which comes after the other, with given primitives."""
    composition = new_composition(name, NLI3, RATE)
    assert composition is not None
    seen = [type_ for type_ in TYPES if type_.number != held_out]
    for stage in (seen[:4], seen[4:]):
        optimizer = torch.optim.AdamW(composition.parameters(), lr=RATE, weight_decay=0.0)
        gold = torch.tensor([NLI3.index(type_.label) for type_ in stage])
        parts = [certain([getattr(type_, part) for type_ in stage], NLI3) for part in ("veridical", "natural")]
        for _ in range(150):
            optimizer.zero_grad()
            loss = functional.cross_entropy(compose(composition.table(), [parts[0]], parts[1]), gold)
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
    return composition


def cells(composition: Composition) -> dict[int, str]:
    best = composition.table().argmax(-1)
    return {t.number: NLI3.names[int(best[NLI3.index(t.veridical), NLI3.index(t.natural)])] for t in TYPES}


@pytest.mark.parametrize("held_out", range(1, 10))
def test_typed_knows_the_cell_that_was_never_trained(held_out: int) -> None:
    assert cells(trained("typed", held_out)) == {type_.number: type_.label for type_ in TYPES}


def test_typed_names_the_functions_that_it_learned() -> None:
    lines = trained("typed", 1).describe()
    assert [line.rsplit(" (", 1)[0] for line in lines] == [
        "entailment: identity", "neutral: always neutral", "contradiction: negation",
    ]  # fmt: skip


def test_a_free_table_does_not_know_the_cell_that_was_never_trained() -> None:
    table = trained("table", 9).table().detach()
    assert table[2, 2].max() < 0.5
    assert all(float(table[t // 3, t % 3].max()) > 0.9 for t in range(8))


@pytest.mark.parametrize(("labels", "rules"), [(NLI3, NINE_RULES), (NLI2, BOOLEAN_RULES)], ids=["nine", "boolean"])
def test_rules_are_those_of_the_papers(labels: Labels, rules: dict[tuple[str, str], str]) -> None:
    composition = new_composition("rules", labels, RATE)
    assert composition is not None
    assert not list(composition.parameters())
    for (veridical, natural), label in rules.items():
        answer = compose(composition.table(), [certain([veridical], labels)], certain([natural], labels))
        assert labels.names[int(answer.argmax())] == label


def test_a_chain_applies_the_innermost_verb_first() -> None:
    composition = new_composition("rules", NLI3, RATE)
    assert composition is not None
    outer, inner, natural = (certain([label], NLI3) for label in ("contradiction", "neutral", "contradiction"))
    assert compose(composition.table(), [outer, inner], natural).argmax() == NLI3.index("neutral")
    answer = compose(composition.table(), [outer, outer], natural)
    assert answer.argmax() == NLI3.index("contradiction")
    assert torch.allclose(answer.exp().sum(), torch.ones(()), atol=1e-4)


def test_the_best_derivation_is_right_if_both_primitives_are() -> None:
    composition = new_composition("rules", NLI3, RATE)
    assert composition is not None
    for type_ in TYPES:
        parts = [certain([getattr(type_, part)], NLI3) / CERTAIN / 10 for part in ("veridical", "natural")]
        assert compose_best(composition.table(), [parts[0]], parts[1]).argmax() == NLI3.index(type_.label)
    uncertain = certain(["entailment"], NLI3) / CERTAIN / 10
    assert compose(composition.table(), [uncertain], uncertain).argmax() == NLI3.index("neutral")


def test_a_plugin_registers_a_composer_and_its_file_is_part_of_the_key(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "add-a-composer.md"
    plugin = tmp_path / "my_composer.py"
    plugin.write_text(page.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0], encoding="utf-8")
    load_plugins([plugin])
    composition = new_composition("noisy-rules", NLI3, RATE)
    assert composition is not None
    assert torch.allclose(composition.table().sum(-1), torch.ones(3, 3))
    assert composer_files(["noisy-rules", "typed"]) == [plugin.resolve()]
    inputs = ModelConfig(composer="noisy-rules").inputs()
    assert (inputs["composer"], len(inputs["composer_plugin"])) == ("noisy-rules", 64)
    assert "composer_plugin" not in ModelConfig(composer="typed").inputs()


def test_the_head_composes_nothing() -> None:
    assert new_composition("head", NLI3, RATE) is None
    assert not find_composers()["head"].decomposes
