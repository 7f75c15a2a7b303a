"""C²Gen: continual learning of compositional generalization in NLI (Fu and Frank, 2024)."""

from __future__ import annotations

from collections.abc import Sequence

from trivium.benchmarks.benchmark import BENCHMARKS
from trivium.benchmarks.c2gen.function_order import measured_order
from trivium.benchmarks.c2gen.prepared import PreparedC2Gen
from trivium.benchmarks.c2gen.protocol import prepare
from trivium.benchmarks.c2gen.settings import PRESETS, C2GenSettings, load_settings
from trivium.benchmarks.c2gen.sweeps import SWEEPS
from trivium.engine.store import Store


class C2Gen:
    """The benchmark as the command line sees it."""

    about = "continual learning of compositional generalization (Fu and Frank, 2024)"
    presets = PRESETS
    sweeps = SWEEPS

    def settings(self, preset: str, overrides: Sequence[str]) -> C2GenSettings:
        """The settings of a preset, with overrides."""
        return load_settings(preset, overrides)

    def prepare(self, settings: C2GenSettings, store: Store | None) -> PreparedC2Gen:
        """Build the data of the settings' folds and prove that nothing leaks."""
        return PreparedC2Gen(prepare(measured_order(settings, store), store))


BENCHMARKS.register("c2gen")(C2Gen())
