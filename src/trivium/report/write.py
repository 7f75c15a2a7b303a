"""From a prepared benchmark and a store to a report in a file."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from trivium.benchmarks.benchmark import Prepared
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.report.document import Document
from trivium.report.html import write_html
from trivium.report.markdown import to_markdown
from trivium.report.saving import write_text
from trivium.settings import to_toml


def make_document(prepared: Prepared, store: Store, preset: str, changes: Sequence[str]) -> Document:
    """Everything that a report shows."""
    options = " ".join(f"--set {shlex.quote(change)}" for change in changes)
    name = prepared.name
    command = f"trivium run {name} --preset {preset} {options}".strip()
    return Document(
        title=prepared.title,
        lead=(prepared.summary, *prepared.story(store)),
        tables=tuple(prepared.tables(store)),
        claims=tuple(prepared.claims(store)),
        charts=tuple(prepared.charts(store)),
        settings=to_toml(prepared.settings),
        commands=(command, f"trivium report {name} --preset {preset} {options}".strip()),
        environment=tuple(sorted(store.environment().items())),
    )


def write_report(prepared: Prepared, store: Store, file: Path, preset: str, changes: Sequence[str]) -> None:
    """Write an .html or .md report."""
    document = make_document(prepared, store, preset, changes)
    if file.suffix == ".html":
        write_html(document, file)
    elif file.suffix == ".md":
        write_text(file, to_markdown(document))
    else:
        raise UserError(f"{file}: a report is an .html or an .md file")
