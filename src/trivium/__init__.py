"""Trivium finds out what an NLI model cannot reason about, teaches it, and proves that it did not forget.

Everything here is loaded when it is first used: ``import trivium as tv`` takes milliseconds.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from trivium.version import __version__

if TYPE_CHECKING:
    from trivium.api import (
        build,
        compare,
        correct,
        diagnose,
        evaluate,
        ledger,
        open_run,
        plan,
        predict,
        run,
        stress,
        sweep,
        train,
        undo,
    )
    from trivium.benchmarks.benchmark import Benchmark
    from trivium.benchmarks.experiment import Experiment
    from trivium.build.phenomena import phenomenon
    from trivium.data.example import Example
    from trivium.data.labels import NLI2, NLI3, Labels
    from trivium.data.sources import Source, load_source, source
    from trivium.data.split import Split
    from trivium.engine.plan import PlanSummary
    from trivium.engine.store import Store
    from trivium.errors import ConfigError, TriviumError, UserError
    from trivium.learn.config import ModelConfig, TrainConfig
    from trivium.learn.learner import Learner
    from trivium.learn.memory import Memory, reservoir
    from trivium.learn.strategy import NotNegative, Positive, Strategy, strategy
    from trivium.models.composer import Composer, composer
    from trivium.results.benchmarks import Build, Comparison, Run, SweepResult
    from trivium.results.ledger import Ledger
    from trivium.results.tools import CorrectionResult, DiagnosisResult, EvaluationResult, StressResult, TrainingResult
    from trivium.session import Session
    from trivium.tools.inference import Inference, infer
    from trivium.tracking import Tracker, tracker

_MODULES = {
    "api": "build compare correct diagnose evaluate ledger open_run plan predict run stress sweep train undo",
    "benchmarks.benchmark": "Benchmark",
    "benchmarks.experiment": "Experiment",
    "build.phenomena": "phenomenon",
    "data.example": "Example",
    "data.labels": "NLI2 NLI3 Labels",
    "data.sources": "Source load_source source",
    "data.split": "Split",
    "engine.plan": "PlanSummary",
    "engine.store": "Store",
    "errors": "ConfigError TriviumError UserError",
    "learn.config": "ModelConfig TrainConfig",
    "learn.learner": "Learner",
    "learn.memory": "Memory reservoir",
    "learn.strategy": "NotNegative Positive Strategy strategy",
    "models.composer": "Composer composer",
    "results.benchmarks": "Build Comparison Run SweepResult",
    "results.ledger": "Ledger",
    "results.tools": "CorrectionResult DiagnosisResult EvaluationResult StressResult TrainingResult",
    "session": "Session",
    "tools.inference": "Inference infer",
    "tracking": "Tracker tracker",
}
_HOME = {name: f"trivium.{module}" for module, names in _MODULES.items() for name in names.split()}

__all__ = [
    "NLI2",
    "NLI3",
    "Benchmark",
    "Build",
    "Comparison",
    "Composer",
    "ConfigError",
    "CorrectionResult",
    "DiagnosisResult",
    "EvaluationResult",
    "Example",
    "Experiment",
    "Inference",
    "Labels",
    "Learner",
    "Ledger",
    "Memory",
    "ModelConfig",
    "NotNegative",
    "PlanSummary",
    "Positive",
    "Run",
    "Session",
    "Source",
    "Split",
    "Store",
    "Strategy",
    "StressResult",
    "SweepResult",
    "Tracker",
    "TrainConfig",
    "TrainingResult",
    "TriviumError",
    "UserError",
    "__version__",
    "build",
    "compare",
    "composer",
    "correct",
    "diagnose",
    "evaluate",
    "infer",
    "ledger",
    "load_source",
    "open_run",
    "phenomenon",
    "plan",
    "predict",
    "reservoir",
    "run",
    "source",
    "strategy",
    "stress",
    "sweep",
    "tracker",
    "train",
    "undo",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'trivium' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
