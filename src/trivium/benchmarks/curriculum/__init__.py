"""CURRICULUM: 36 linguistic phenomena in natural language understanding (Chen and Gao, 2022)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trivium.benchmarks.benchmark import BENCHMARKS
from trivium.benchmarks.curriculum.prepared import PreparedCurriculum
from trivium.benchmarks.curriculum.protocol import prepare
from trivium.benchmarks.curriculum.settings import PRESETS, CurriculumSettings, load_settings
from trivium.benchmarks.sweep import Sweep
from trivium.engine.store import Store


class Curriculum:
    """The benchmark as the command line sees it."""

    about = "36 linguistic phenomena: what a model captures, learns and generalizes (Chen and Gao, 2022)"
    presets = PRESETS
    sweeps: Mapping[str, Sweep] = {}

    def settings(self, preset: str, overrides: Sequence[str]) -> CurriculumSettings:
        """The settings of a preset, with overrides."""
        return load_settings(preset, overrides)

    def prepare(self, settings: CurriculumSettings, store: Store | None) -> PreparedCurriculum:
        """Choose the examples of the settings and prove that nothing leaks."""
        return PreparedCurriculum(prepare(settings, store))


BENCHMARKS.register("curriculum")(Curriculum())
