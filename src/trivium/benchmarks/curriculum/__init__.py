"""CURRICULUM: 36 linguistic phenomena in natural language understanding (Chen and Gao, 2022)."""

from __future__ import annotations

from pathlib import Path

from trivium.benchmarks.benchmark import BENCHMARKS, Benchmark
from trivium.benchmarks.curriculum.design import make_design
from trivium.benchmarks.curriculum.experiment import CurriculumExperiment
from trivium.benchmarks.curriculum.settings import CurriculumSettings
from trivium.engine.store import Store


def _make(settings: CurriculumSettings, store: Store | None) -> CurriculumExperiment:
    return CurriculumExperiment(make_design(settings, store))


CURRICULUM = BENCHMARKS.register("curriculum")(
    Benchmark(
        name="curriculum",
        about="36 linguistic phenomena: what a model captures, learns and generalizes (Chen and Gao, 2022)",
        folder=Path(__file__).parent,
        settings_type=CurriculumSettings,
        make=_make,
    )
)
