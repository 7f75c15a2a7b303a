"""CURRICULUM: 36 linguistic phenomena in natural language understanding (Chen and Gao, 2022)."""

from __future__ import annotations

from pathlib import Path

from trivium.benchmarks.benchmark import BENCHMARKS, Benchmark
from trivium.benchmarks.curriculum.design import make_design
from trivium.benchmarks.curriculum.experiment import CurriculumExperiment
from trivium.benchmarks.curriculum.settings import CurriculumSettings

CURRICULUM = BENCHMARKS.register("curriculum")(
    Benchmark(
        name="curriculum",
        about="36 linguistic phenomena: what a model captures, learns and generalizes (Chen and Gao, 2022)",
        folder=Path(__file__).parent,
        settings_type=CurriculumSettings,
        make=lambda settings, store: CurriculumExperiment(make_design(settings, store)),
    )
)
