"""SETI: systematicity evaluation of textual inference (Fu and Frank, 2023)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trivium.benchmarks.benchmark import BENCHMARKS
from trivium.benchmarks.seti.prepared import PreparedSeti
from trivium.benchmarks.seti.protocol import prepare
from trivium.benchmarks.seti.settings import PRESETS, SetiSettings, load_settings
from trivium.benchmarks.sweep import Sweep
from trivium.engine.store import Store


class Seti:
    """The benchmark as the command line sees it."""

    about = "systematicity: from primitives and compositions to new compositions (Fu and Frank, 2023)"
    presets = PRESETS
    sweeps: Mapping[str, Sweep] = {}

    def settings(self, preset: str, overrides: Sequence[str]) -> SetiSettings:
        """The settings of a preset, with overrides."""
        return load_settings(preset, overrides)

    def prepare(self, settings: SetiSettings, store: Store | None) -> PreparedSeti:
        """Build the data of the settings and prove that nothing leaks."""
        return PreparedSeti(prepare(settings, store))


BENCHMARKS.register("seti")(Seti())
