"""ConjNLI: natural language inference over conjunctive sentences (Saha et al., 2020)."""

from __future__ import annotations

from pathlib import Path

from trivium.benchmarks.benchmark import BENCHMARKS, Benchmark
from trivium.benchmarks.conjnli.design import make_design
from trivium.benchmarks.conjnli.experiment import ConjNliExperiment
from trivium.benchmarks.conjnli.settings import ConjSettings

CONJNLI = BENCHMARKS.register("conjnli")(
    Benchmark(
        name="conjnli",
        about="inference over conjunctions, with adversarial and predicate-aware training (Saha et al., 2020)",
        folder=Path(__file__).parent,
        settings_type=ConjSettings,
        make=lambda settings, store: ConjNliExperiment(make_design(settings, store)),
    )
)
