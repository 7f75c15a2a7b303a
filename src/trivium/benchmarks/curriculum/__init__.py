"""CURRICULUM: 36 linguistic phenomena in natural language understanding (Chen and Gao, 2022)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from trivium.benchmarks.benchmark import BENCHMARKS, Benchmark, Implementation

if TYPE_CHECKING:
    from trivium.benchmarks.curriculum.settings import CurriculumSettings


def _load() -> Implementation[CurriculumSettings]:
    from trivium.benchmarks.curriculum.design import make_design
    from trivium.benchmarks.curriculum.experiment import CurriculumExperiment
    from trivium.benchmarks.curriculum.settings import CurriculumSettings

    return Implementation(
        CurriculumSettings, lambda settings, store: CurriculumExperiment(make_design(settings, store))
    )


CURRICULUM = BENCHMARKS.register("curriculum")(
    Benchmark(
        name="curriculum",
        about="36 linguistic phenomena: what a model captures, learns and generalizes (Chen and Gao, 2022)",
        folder=Path(__file__).parent,
        load=_load,
    )
)
