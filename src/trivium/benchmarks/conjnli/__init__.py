"""ConjNLI: natural language inference over conjunctive sentences (Saha et al., 2020)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trivium.benchmarks.benchmark import BENCHMARKS
from trivium.benchmarks.conjnli.prepared import PreparedConjNli
from trivium.benchmarks.conjnli.protocol import prepare
from trivium.benchmarks.conjnli.settings import PRESETS, ConjSettings, load_settings
from trivium.benchmarks.sweep import Sweep
from trivium.engine.store import Store


class ConjNliBenchmark:
    """The benchmark as the command line sees it."""

    about = "inference over conjunctions, and adversarial and predicate-aware training for it (Saha et al., 2020)"
    presets = PRESETS
    sweeps: Mapping[str, Sweep] = {}

    def settings(self, preset: str, overrides: Sequence[str]) -> ConjSettings:
        """The settings of a preset, with overrides."""
        return load_settings(preset, overrides)

    def prepare(self, settings: ConjSettings, store: Store | None) -> PreparedConjNli:
        """Load the data, prove that nothing leaks, and say which predictions are wanted."""
        return PreparedConjNli(prepare(settings, store))


BENCHMARKS.register("conjnli")(ConjNliBenchmark())
