"""SETI: systematicity evaluation of textual inference (Fu and Frank, 2023)."""

from __future__ import annotations

from pathlib import Path

from trivium.benchmarks.benchmark import BENCHMARKS, Benchmark
from trivium.benchmarks.seti.design import make_design
from trivium.benchmarks.seti.experiment import SetiExperiment
from trivium.benchmarks.seti.settings import SetiSettings

SETI = BENCHMARKS.register("seti")(
    Benchmark(
        name="seti",
        about="systematicity: from primitives and compositions to new compositions (Fu and Frank, 2023)",
        folder=Path(__file__).parent,
        settings_type=SetiSettings,
        make=lambda settings, store: SetiExperiment(make_design(settings, store)),
    )
)
