"""ConjNLI from settings to tables: presets, what may not leak, the epochs of IAFT, a small run that is read rightly."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from trivium.benchmarks.conjnli import CONJNLI
from trivium.benchmarks.conjnli.claims import claims, most, others_of
from trivium.benchmarks.conjnli.design import (
    BASE,
    FLIPPED,
    IAFT,
    IAFT_FRAGMENT,
    PA,
    ConjNliDesign,
    Model,
    PredictionKey,
    joined,
    make_design,
)
from trivium.benchmarks.conjnli.experiment import ConjNliExperiment
from trivium.benchmarks.conjnli.results import Measured, Results
from trivium.build.conjuncts.material import (
    CONJ,
    FRAGMENT,
    MNLI,
    Material,
    changed_conjunction,
    check_copies,
    check_material,
    check_slices,
    is_conjunctive,
    load_material,
    slices,
    without_copies,
)
from trivium.build.splits.invariants import proved
from trivium.cli.main import app
from trivium.data.example import Example
from trivium.data.sources import load_source
from trivium.data.sources.fragments import FILES
from trivium.data.split import Split
from trivium.engine.steps import TrainStep
from trivium.engine.store import Store
from trivium.errors import ConfigError, UserError
from trivium.measure.claim import Verdict
from trivium.measure.paired import share_interval

SMALL = ("data.mnli=90", "data.snli=30", "data.adversarial=30", "run.amounts=[12]", "run.more_seeds=[1]")
FLAGS = [flag for change in SMALL for flag in ("--set", change)]
RUN = ["run", "conjnli", "--preset", "smoke", *FLAGS]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("conjnli") / "store"
    result = CliRunner().invoke(app, [*RUN, "--store", str(store)])
    assert result.exit_code == 0, result.output
    for name in ("Table 6", "Table 7", "Table 8", "Table 9", "Figure 3", "Section 5.5", "Lexical overlap"):
        assert name in result.output
    return store


@pytest.fixture(scope="module")
def material() -> Material:
    settings = CONJNLI.settings("smoke")
    return load_material("builtin", settings.data.sizes(), 0)


def read(store: Path) -> tuple[ConjNliDesign, Results]:
    place = Store(store).open()
    design = make_design(CONJNLI.settings("smoke", SMALL), place)
    return design, Results(design, place)


@pytest.mark.parametrize("preset", CONJNLI.presets)
def test_every_preset_can_be_read(preset: str) -> None:
    settings = CONJNLI.settings(preset)
    assert settings.round_train.epochs == 1
    assert settings.run.rounds == 3


def test_a_second_run_does_nothing(finished: Path) -> None:
    design, results = read(finished)
    assert all(step.key in results.store for step in design.predictions.values())
    result = CliRunner().invoke(app, [*RUN, "--store", str(finished)])
    assert " 0 to do" in result.output.replace("\n", " ")


def test_a_stored_accuracy_is_that_of_the_logits(finished: Path) -> None:
    design, results = read(finished)
    names = design.material.tests[CONJ].labels.names
    for method, base in ((BASE, "snli"), (BASE, MNLI), (IAFT, MNLI), (PA, MNLI)):
        step = design.predictions[PredictionKey(Model(method, 0, "tiny", base), CONJ)]
        said = [names[place] for place in results.store.logits(step.key)["nli"].argmax(axis=1)]
        right = [one == example.label for one, example in zip(said, design.tests[CONJ], strict=True)]
        found = results.accuracy(method, base=base)
        assert found is not None
        assert found.quantity[0] == pytest.approx(np.mean(right))
        ors = [
            one for one, example in zip(right, design.tests[CONJ], strict=True) if example.fact("conjunction") == "or"
        ]
        part = results.accuracy(method, base=base, part=results.kind("or"))
        assert part is not None
        assert part.quantity[0] == pytest.approx(np.mean(ors))


def test_flips_are_read_beside_the_pairs_that_they_are_of(finished: Path) -> None:
    design, results = read(finished)
    model = Model(IAFT, 0, "tiny")
    before, after = (results.said(PredictionKey(model, test)) for test in (CONJ, FLIPPED))
    assert before is not None
    assert after is not None
    by_id = dict(zip((example.id for example in design.tests[CONJ]), before, strict=True))
    changed = [by_id[one.before.id] != said for one, said in zip(design.flipped, after, strict=True)]
    found = results.changed(IAFT)
    assert found is not None
    assert found.quantity[0] == pytest.approx(np.mean(changed))


def test_a_method_with_one_label_for_everything_is_told(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    design, results = read(finished)
    monkeypatch.setattr(Results, "said", lambda self, test: np.arange(len(self.tests[test.test])) % 3)
    assert results.only_label(BASE) is None
    monkeypatch.setattr(Results, "said", lambda self, test: np.ones(len(self.tests[test.test]), dtype=np.intp))
    assert results.only_label(BASE) == "neutral"
    story = ConjNliExperiment(design).summary(results.store)
    assert story[0].startswith("One label, neutral, for all pairs of ConjNLI: Base, AFT, IAFT")


def test_a_part_with_no_pair_has_no_accuracy(finished: Path) -> None:
    _, results = read(finished)
    assert results.accuracy(BASE) is not None
    assert results.accuracy(BASE, part=results.part("nothing", lambda traits: False)) is None


def test_every_claim_is_decided_or_says_what_it_needs(finished: Path) -> None:
    _, results = read(finished)
    found = claims(results)
    assert len(found) > 30
    assert all(one.verdict != Verdict.NOT_RUN for one in found)
    assert len({(one.group, one.text) for one in found}) == len(found)


def test_without_a_role_encoder_predicate_aware_models_are_not_run() -> None:
    settings = CONJNLI.settings("smoke", SMALL)
    without = settings.model_copy(update={"run": settings.run.model_copy(update={"roles": None})})
    prepared = ConjNliExperiment(make_design(without, None))
    assert not any(test.model.method in ("pa", "pa-iaft") for test in prepared.design.predictions)
    assert any("run.roles" in line for line in prepared.caveats)


def test_a_role_encoder_that_is_not_there_is_told_by_the_setting(finished: Path) -> None:
    with pytest.raises(UserError, match=r"run\.roles is 'no/such': there is no such folder"):
        make_design(CONJNLI.settings("smoke", (*SMALL, "run.roles=no/such")), Store(finished).open())


def test_bases_alone_can_be_run(finished: Path) -> None:
    changes = (*SMALL, "run.amounts=[]", "run.methods=[]")
    place = Store(finished).open()
    design = make_design(CONJNLI.settings("smoke", changes), place)
    assert {reading.model.method for reading in design.predictions} == {BASE}
    assert all(step.key in place for step in design.predictions.values())  # shared with the whole run
    prepared = ConjNliExperiment(design)
    assert prepared.tables(place)
    assert any(one.verdict == Verdict.NOT_RUN and one.needs for one in prepared.claims(place))


def test_each_epoch_of_iaft_joins_its_own_slice_with_all_adversarial_pairs(finished: Path) -> None:
    design, results = read(finished)
    step: TrainStep | None = design.predictions[PredictionKey(Model(IAFT, 0, "tiny"), CONJ)].training
    chain = []
    while step is not None:
        chain.append(step)
        step = step.parent
    base, *epochs = reversed(chain)
    assert base.split == design.material.bases[MNLI].identity
    assert len(epochs) == 3
    seen: list[Example] = []
    adversarial = Counter(design.material.adversarial)
    for one, part in zip(epochs, design.parts, strict=True):
        assert one.train.epochs == 1
        shown = results.store.split(one.split)
        assert Counter(shown) == adversarial + Counter(part)
        assert list(shown)[: len(part)] != list(part)  # shuffled
        assert all(is_conjunctive(example) for example in part)
        assert set(part) <= set(design.material.bases[MNLI])
        assert not set(part) & set(seen)
        seen += part


def test_a_smaller_amount_is_the_beginning_of_a_larger_and_balanced(material: Material) -> None:
    few, more = material.first(12), material.first(30)
    assert more.examples[:12] == few.examples
    assert Counter(changed_conjunction(example) for example in few) == {"and": 4, "or": 4, "but": 4}


@pytest.fixture
def fragment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twelve pairs to train on and four to test, of which one is trained too."""
    lines = [f"{n}\tAda, Tom and Joe have only visited Town {n}\tTom visited Town {n}\tENTAILMENT" for n in range(16)]
    for file, some in zip(FILES.values(), (lines[:12], [], [lines[0], *lines[12:15]]), strict=True):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("\n".join(some) + "\n")
    monkeypatch.setenv("TRIVIUM_DATA", str(tmp_path))
    return tmp_path


def test_the_fragment_takes_the_place_of_adversarial_pairs_in_iaft(fragment: Path) -> None:
    found = make_design(CONJNLI.settings("smoke", (*SMALL, "run.fragment=11")), None)
    assert found.material.fragment is not None
    assert len(found.material.fragment) == 11
    assert len(found.tests[FRAGMENT]) == 4
    assert all(one.holds for one in found.findings())
    last = found.predictions[PredictionKey(Model(IAFT_FRAGMENT, 0, "tiny"), FRAGMENT)].training
    assert last.split == joined(found.parts[2], found.material.fragment, 3, 0).identity
    assert last.parent is not None
    assert last.parent.split == joined(found.parts[1], found.material.fragment, 2, 0).identity
    with pytest.raises(UserError, match=r"12 pairs are wanted, and there are 11"):
        make_design(CONJNLI.settings("smoke", (*SMALL, "run.fragment=12")), None)


def test_a_line_of_the_fragment_with_other_fields_is_told(fragment: Path) -> None:
    (fragment / FILES["dev"]).write_text("a\tb\tENTAILMENT\n")
    with pytest.raises(UserError, match=r"challenge_dev\.tsv:1: expected 4 fields separated by tabs, found 3"):
        load_source("boolean-fragment")


def test_too_few_conjunctive_pairs_are_an_error(material: Material) -> None:
    there = material.conjunctive(MNLI)
    assert [len(part) for part in slices(there, 3, 2)] == [2, 2, 2]
    with pytest.raises(UserError, match=r"lower data\.slice"):
        slices(there, 3, len(there))


@pytest.mark.parametrize("turned", [False, True])
def test_a_tested_pair_in_the_adversarial_data_is_found(material: Material, turned: bool) -> None:
    assert all(one.holds for one in check_material(material))
    tested = material.tests[CONJ].examples[0]
    leak = replace(tested, id="leak", premise=tested.premise.upper())
    if turned:
        leak = replace(leak, premise=str(tested.hypothesis), hypothesis=tested.premise)
    leaky = replace(material, adversarial=Split("adversarial", (*material.adversarial.examples, leak)))
    with pytest.raises(UserError, match="leak"):
        proved("ConjNLI", check_material(leaky))


def test_a_pair_that_is_nearly_a_tested_one_is_left_out_and_found() -> None:
    texts = "The old cook bought bread and salt at the market.", "The old cook bought bread."
    tested = Example.make("t", *texts, "neutral")
    near = Example.make("n", "The “old cook” bought bread and salt at the market.", "The cook bought bread.", "neutral")
    far = Example.make("f", "The old cook sold pens or lamps in the street.", "The old cook sold pens.", "neutral")
    assert without_copies([near, far], [tested]) == [far]
    assert without_copies([near, far], []) == [near, far]
    leaky = Material({}, {CONJ: Split("c", (tested,))}, Split("adversarial", (near, far)))
    assert [one.id for one in check_copies(leaky).offending] == ["n"]


def test_a_tested_pair_of_mnli_among_adversarial_ones_is_found(material: Material) -> None:
    leak = replace(material.tests["MNLI"].examples[0], id="leak")
    leaky = replace(material, adversarial=Split("adversarial", (*material.adversarial.examples, leak)))
    with pytest.raises(UserError, match="leak"):
        proved("ConjNLI", check_material(leaky))


def test_parts_of_a_test_are_drawn_together(finished: Path) -> None:
    _, results = read(finished)
    whole = results.accuracy(BASE)
    yes = results.part("yes", lambda one: one.conjunction == "and")
    no = results.part("no", lambda one: one.conjunction != "and")
    parts = [results.accuracy(BASE, part=part) for part in (yes, no)]
    assert whole is not None
    assert parts[0] is not None
    assert parts[1] is not None
    # On each resample the whole lies between its parts, which it would not if each were drawn by itself.
    low, high = (edge(parts[0].quantity, parts[1].quantity) for edge in (np.minimum, np.maximum))
    assert bool(np.all((whole.quantity >= low - 1e-9) & (whole.quantity <= high + 1e-9)))


def test_a_tested_premise_in_a_base_is_found(material: Material) -> None:
    tested = material.tests["MNLI"].examples[0]
    base = Split("mnli", (*material.bases[MNLI].examples, replace(tested, id="leak", hypothesis="Something else.")))
    with pytest.raises(UserError, match="premise"):
        proved("ConjNLI", check_material(replace(material, bases={**material.bases, MNLI: base})))


def test_a_pair_in_two_slices_is_found(material: Material) -> None:
    there = material.conjunctive(MNLI)
    assert all(one.holds for one in check_slices([there[:3], there[3:6]]))
    assert not all(one.holds for one in check_slices([there[:3], there[2:6]]))


def test_an_own_file_of_adversarial_pairs_is_proved_too(material: Material, tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    material.adversarial.write(file)
    settings = CONJNLI.settings("smoke", (*SMALL, f"data.own={file}"))
    assert len(make_design(settings, None).material.adversarial) == 30
    Split("own", (*material.adversarial.examples[:12], material.tests[CONJ].examples[0])).write(file)
    with pytest.raises(UserError, match="leaks"):
        make_design(settings.model_copy(update={"run": settings.run.model_copy(update={"amounts": ()})}), None)


def test_a_base_of_ones_own_is_trained_without_what_is_tested(material: Material, tmp_path: Path) -> None:
    file = tmp_path / "mnli.jsonl"
    tested = material.tests["MNLI"].examples[0]
    own = [replace(example, id=f"own-{example.id}") for example in material.bases[MNLI]]
    Split("mnli", (*own, replace(tested, id="leak"))).write(file)
    found = make_design(CONJNLI.settings("smoke", (*SMALL, f"data.own_mnli={file}", "data.mnli=0")), None)
    assert {example.id for example in found.material.bases[MNLI]} == {example.id for example in own}
    Split("mnli", (replace(tested, label=None),)).write(file)
    with pytest.raises(UserError, match="a hypothesis and a label"):
        make_design(CONJNLI.settings("smoke", (*SMALL, f"data.own_mnli={file}")), None)


@pytest.mark.usefixtures("real_data")
def test_the_released_data_do_not_leak() -> None:
    settings = CONJNLI.settings("laptop")
    found = load_material("conjnli", settings.data.sizes(), 0)
    assert all(one.holds for one in check_material(found))
    assert Counter(changed_conjunction(example) for example in found.adversarial) == dict.fromkeys(
        ("and", "or", "but"), 466
    )
    parts = slices(found.conjunctive(MNLI), 3, 0)
    assert all(one.holds for one in check_slices(parts))
    assert len(joined(parts[0], found.adversarial, 1, 0)) == len(parts[0]) + 1398
    assert abs(len(parts[0]) - 1398) < 30  # an even mix


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ("run.bases=['snli']", "leave 'mnli' in bases"),
        ("run.methods=['aft']", "amounts are tried with IAFT"),
        ("run.methods=['aft'] run.amounts=[] run.fragment=9", "its pairs are tried with IAFT"),
        ("run.amounts=[400]", "more than data.adversarial"),
        ("run.more_seeds=[0]", "in seeds already"),
        ("model.roles=tiny", "name it as run.roles"),
        ("model.head=own", "must be 'dense' with run.roles"),
        ("run.methods=['iafft']", "iaft"),
    ],
)
def test_a_mistake_in_the_settings_is_told(change: str, error: str) -> None:
    with pytest.raises(ConfigError, match=error):
        CONJNLI.settings("smoke", (*SMALL, *change.split()))


def test_a_claim_about_few_pairs_that_all_agree_is_not_sure_of_more_than_they_tell() -> None:
    two, many = (share_interval(np.ones(number, dtype=np.bool_)) for number in (2, 30))
    found = [most("g", "t", "q", None, Measured(np.ones(101), None, limits)) for limits in (two, many)]
    assert [one.verdict for one in found] == [Verdict.UNDECIDED, Verdict.HOLDS]
    none = most(
        "g", "t", "q", None, others_of(Measured(np.zeros(101), None, share_interval(np.zeros(30, dtype=np.bool_))))
    )
    assert none.measured is not None
    assert found[1].measured is not None
    assert none.measured.low == pytest.approx(found[1].measured.low)


def test_annotations_decide_what_is_boolean(finished: Path, tmp_path: Path) -> None:
    design, results = read(finished)
    tested = design.material.tests[CONJ].examples
    file = tmp_path / "marks.tsv"
    lines = [f"{example.id}\t{'yes' if place % 2 else 'no'}" for place, example in enumerate(tested)]
    file.write_text("\n".join(["id\tboolean", *lines]) + "\n")
    marked = make_design(CONJNLI.settings("smoke", (*SMALL, f"run.annotations={file}")), results.store)
    again = Results(marked, results.store)
    assert len(again.boolean(True, annotated=True)) == len(tested) // 2
    assert any(
        table.title.endswith("as a reader annotated them") for table in ConjNliExperiment(marked).tables(results.store)
    )
    assert any("annotated" in one.group for one in claims(again))
