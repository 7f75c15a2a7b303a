"""CFL: continual few-shot learning for text classification (Pasunuru et al., 2021)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trivium.benchmarks.benchmark import BENCHMARKS
from trivium.benchmarks.cfl.prepared import PreparedCfl
from trivium.benchmarks.cfl.protocol import prepare
from trivium.benchmarks.cfl.settings import PRESETS, CflSettings, load_settings
from trivium.benchmarks.sweep import Sweep
from trivium.engine.store import Store


class Cfl:
    """The benchmark as the command line sees it."""

    about = "correcting a classifier from a few examples, again and again (Pasunuru et al., 2021)"
    presets = PRESETS
    sweeps: Mapping[str, Sweep] = {}

    def settings(self, preset: str, overrides: Sequence[str]) -> CflSettings:
        """The settings of a preset, with overrides."""
        return load_settings(preset, overrides)

    def prepare(self, settings: CflSettings, store: Store | None) -> PreparedCfl:
        """Load the suites, and plan as far as it is known what the bases get wrong."""
        return PreparedCfl(prepare(settings, store))


BENCHMARKS.register("cfl")(Cfl())
