"""From a prepared benchmark and a store to a report in a file."""

from __future__ import annotations

from pathlib import Path

from trivium.benchmarks.benchmark import Prepared
from trivium.engine.store import Store
from trivium.report.document import Document
from trivium.report.html import write_html
from trivium.report.markdown import to_markdown
from trivium.saving import write_text
from trivium.settings import to_toml


def make_document(prepared: Prepared, store: Store, options: str) -> Document:
    """Everything that a report shows; ``options`` are those of the command that it was made with."""
    keys = [step.key for run in prepared.runs() for step in run]
    return Document(
        title=prepared.title,
        lead=(prepared.summary, *prepared.story(store)),
        caveats=tuple(prepared.caveats),
        galleries=tuple(prepared.galleries(store)),
        tables=tuple(prepared.tables(store)),
        claims=tuple(prepared.claims(store)),
        charts=tuple(prepared.charts(store)),
        settings=to_toml(prepared.settings),
        commands=(f"trivium run {prepared.name} {options}", f"trivium report {prepared.name} {options}"),
        environment=tuple(sorted(store.environment(keys).items())),
    )


def write_report(prepared: Prepared, store: Store, file: Path, options: str) -> None:
    """Write an .html or .md report of a benchmark."""
    write_document(make_document(prepared, store, options), file)


def write_document(document: Document, file: Path) -> None:
    """Write a document as .html or .md."""
    if file.suffix == ".html":
        write_html(document, file)
    else:
        write_text(file, to_markdown(document))
