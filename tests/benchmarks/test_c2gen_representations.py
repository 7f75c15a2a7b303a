"""C²Gen's vectors of the first primitive: Figure 3 and the density of their classes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from trivium.benchmarks.c2gen import C2GEN
from trivium.benchmarks.c2gen.claims import claims
from trivium.benchmarks.c2gen.design import make_design
from trivium.benchmarks.c2gen.representations import figure_3, table_of_clusters
from trivium.benchmarks.c2gen.results import Results
from trivium.engine.store import Store
from trivium.measure.claim import Verdict


def test_vectors_are_predicted_only_for_figure_3_and_change_no_other_step(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    shown = make_design(C2GEN.settings("smoke", ('run.representations=["nat-ver"]',)), store)
    plain = make_design(C2GEN.settings("smoke"), store)
    vectors = {key: step for key, step in shown.predictions.items() if key.test == "vectors"}
    assert {(key.setting, key.strategy, key.stage) for key in vectors} == {
        ("nat-ver", "finetune", 1), ("nat-ver", "finetune", 2), ("nat-ver", "er-res", 2),
    }  # fmt: skip
    rest = {key: step for key, step in shown.predictions.items() if key not in vectors}
    assert rest == plain.predictions
    assert not {step.key for step in vectors.values()} & {step.key for step in rest.values()}


def test_density_is_measured_on_the_stored_vectors_of_the_first_primitive(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    options = ('run.representations=["nat-ver"]', "run.seeds=[0, 1, 2]", "run.folds=[1, 2, 3]")
    design = make_design(C2GEN.settings("smoke", options), store)
    labels = {
        number: [row.label for e in splits.primitive for row in e.rows() if row.task == "natural"]
        for number, splits in design.folds.items()
    }
    names, rng = ("entailment", "neutral", "contradiction"), np.random.default_rng(0)
    noise = {("finetune", 1): 0.1, ("finetune", 2): 2.0, ("er-res", 2): 0.4}
    for key, step in design.predictions.items():
        if key.test == "vectors":
            centres = np.eye(3)[[names.index(str(label)) for label in labels[key.fold]]]
            vectors = centres + noise[key.strategy, key.stage] * rng.normal(size=centres.shape)
            with store.writing(step.key, {}) as folder:
                save_file({"natural": vectors.astype(np.float32)}, folder / "vectors.safetensors")
    results = Results(design, store)
    silhouettes = [row.cells[0].measured.value for row in table_of_clusters(results).rows if row.cells[0].measured]
    assert len(silhouettes) == 3
    assert silhouettes[0] > silhouettes[2] > silhouettes[1]
    verdicts = {c.text: c.verdict for c in claims(results) if c.group == "7.1 Representations"}
    assert verdicts["nat → ver: classes are looser after S2 without a strategy"] is Verdict.HOLDS
    assert verdicts["nat → ver: classes are denser with ER-Res"] is Verdict.HOLDS
    assert verdicts["ver → nat: classes are denser with ER-Res"] is Verdict.NOT_RUN
    (scatter,) = figure_3(results)
    assert len(scatter.dots) == 3 * len(labels[1])
    assert {dot.series for dot in scatter.dots} == set(labels[1])
