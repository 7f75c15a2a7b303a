"""CFL: continual few-shot learning for text classification (Pasunuru et al., 2021)."""

from __future__ import annotations

from pathlib import Path

from trivium.benchmarks.benchmark import BENCHMARKS, Benchmark
from trivium.benchmarks.cfl.design import make_design
from trivium.benchmarks.cfl.experiment import CflExperiment
from trivium.benchmarks.cfl.settings import CflSettings

CFL = BENCHMARKS.register("cfl")(
    Benchmark(
        name="cfl",
        about="repeatedly correcting a classifier from a few examples (Pasunuru et al., 2021)",
        folder=Path(__file__).parent,
        settings_type=CflSettings,
        make=lambda settings, store: CflExperiment(make_design(settings, store)),
    )
)
