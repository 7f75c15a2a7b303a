"""The content of a report, independent of its format."""

from __future__ import annotations

from dataclasses import dataclass, replace

from trivium.measure.chart import Figure
from trivium.measure.claim import Claim
from trivium.measure.error_examples import ErrorExamples
from trivium.measure.table import Table


@dataclass(frozen=True)
class Document:
    """A report as data: the results, and everything needed to reproduce them.

    ``lead`` are the paragraphs at the top, ``settings`` is the configuration as TOML, ``commands`` reproduce the
    report, ``environment`` are the versions and the processor it was created with, ``caveats`` are its limitations,
    ``next_steps`` are sentences about what to do next, each with a command.
    """

    title: str
    lead: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    claims: tuple[Claim, ...] = ()
    charts: tuple[Figure, ...] = ()
    settings: str = ""
    commands: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    caveats: tuple[str, ...] = ()
    error_examples: tuple[ErrorExamples, ...] = ()
    next_steps: tuple[tuple[str, str], ...] = ()

    def followed_by(self, other: Document) -> Document:
        """Return this document with the content of another appended; title, settings, commands and environment stay."""
        return replace(
            self,
            lead=(*self.lead, *other.lead),
            tables=(*self.tables, *other.tables),
            claims=(*self.claims, *other.claims),
            charts=(*self.charts, *other.charts),
            caveats=(*self.caveats, *other.caveats),
            error_examples=(*self.error_examples, *other.error_examples),
        )
