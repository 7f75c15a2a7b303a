"""Write the report of an experiment to a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from trivium.benchmarks.curves import learning_curves
from trivium.benchmarks.experiment import Experiment
from trivium.engine.store import Store
from trivium.report.document import Document
from trivium.report.html import write_html
from trivium.report.markdown import to_markdown
from trivium.saving import write_text
from trivium.settings import to_toml


def make_document(experiment: Experiment[Any, Any], store: Store, options: str) -> Document:
    """Return the report of an experiment; ``options`` are those of the command that created it."""
    keys = [step.key for run in experiment.runs() for step in run]
    return Document(
        title=experiment.title,
        lead=(experiment.description, *experiment.summary(store)),
        caveats=tuple(experiment.caveats),
        error_examples=tuple(experiment.error_examples(store)),
        tables=tuple(experiment.tables(store)),
        claims=tuple(experiment.claims(store)),
        charts=(*experiment.charts(store), *learning_curves(experiment, store)),
        settings=to_toml(experiment.settings) + _strategy_settings(experiment),
        commands=(f"trivium run {experiment.name} {options}", f"trivium report {experiment.name} {options}"),
        environment=tuple(sorted(store.environment(keys).items())),
    )


def _strategy_settings(experiment: Experiment[Any, Any]) -> str:
    """Return all settings of each strategy of a run as comments, also those with their defaults."""
    specs = {step.training.strategy.name: step.training.strategy for run in experiment.runs() for step in run}
    lines = [f"#   {name}: {', '.join(f'{k} = {v!r}' for k, v in spec.settings)}" for name, spec in specs.items()]
    return "\n".join(["", "# The settings of each strategy:", *lines, ""]) if len(specs) > 1 else ""


def write_document(document: Document, file: Path) -> None:
    """Write a document as .html or .md."""
    if file.suffix == ".html":
        write_html(document, file)
    else:
        write_text(file, to_markdown(document))
