"""ConjNLI: natural language inference over conjunctive sentences (Saha et al., 2020)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from trivium.benchmarks.benchmark import BENCHMARKS, Benchmark, Implementation

if TYPE_CHECKING:
    from trivium.benchmarks.conjnli.settings import ConjSettings


def _load() -> Implementation[ConjSettings]:
    from trivium.benchmarks.conjnli.design import make_design
    from trivium.benchmarks.conjnli.experiment import ConjNliExperiment
    from trivium.benchmarks.conjnli.settings import ConjSettings

    return Implementation(ConjSettings, lambda settings, store: ConjNliExperiment(make_design(settings, store)))


CONJNLI = BENCHMARKS.register("conjnli")(
    Benchmark(
        name="conjnli",
        about="inference over conjunctions, with adversarial and predicate-aware training (Saha et al., 2020)",
        folder=Path(__file__).parent,
        load=_load,
    )
)
