"""C²Gen: continual learning of compositional generalization in NLI (Fu and Frank, 2024)."""

from __future__ import annotations

from pathlib import Path

from trivium.benchmarks.benchmark import BENCHMARKS, Benchmark
from trivium.benchmarks.c2gen.design import make_design
from trivium.benchmarks.c2gen.experiment import C2GenExperiment
from trivium.benchmarks.c2gen.function_order import measured_order
from trivium.benchmarks.c2gen.settings import C2GenSettings
from trivium.benchmarks.c2gen.sweeps import SWEEPS

C2GEN = BENCHMARKS.register("c2gen")(
    Benchmark(
        name="c2gen",
        about="continual learning of compositional generalization (Fu and Frank, 2024)",
        folder=Path(__file__).parent,
        settings_type=C2GenSettings,
        make=lambda settings, store: C2GenExperiment(make_design(measured_order(settings, store), store)),
        sweeps=SWEEPS,
    )
)
