"""Text from data, labels, models and runs is text on every page, whatever it contains and wherever it appears."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from html.parser import HTMLParser
from importlib.resources import files
from typing import Any, TypeVar

import pytest

from trivium.report.document import Document
from trivium.report.html import to_html
from trivium.report.markdown import to_markdown
from trivium.report.notebook import document_frame, table_html

HOSTILE = (
    "</title></style></svg></pre><script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "]]><svg/onload=alert(1)>",
    "{{ 7 * 7 }}{% raw %}<a href=javascript:alert(1)>x</a>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
)
T = TypeVar("T")


def poisoned(value: T, text: str) -> T:
    """Return a copy of a document or a part of it, with ``text`` at the end of every string that a user can choose."""
    result: Any = value
    if isinstance(value, str):
        result = value + text
    elif isinstance(value, tuple) and not hasattr(value, "_fields"):
        result = tuple(poisoned(part, text) for part in value)
    elif is_dataclass(value) and not isinstance(value, type | Enum):
        chosen = [field.name for field in fields(value) if field.name not in ("unit", "kind")]
        result = replace(value, **{name: poisoned(getattr(value, name), text) for name in chosen})  # type: ignore[type-var]
    return result  # type: ignore[no-any-return]


class Dangers(HTMLParser):
    """Collect what a browser would run or load."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "img", "object", "embed", "link", "base", "form"):
            self.found.append(tag)
        for name, value in attrs:
            if name.startswith("on") or (value or "").strip().lower().startswith("javascript:"):
                self.found.append(f"{tag} {name}={value}")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_and_not_run(document: Document, text: str) -> None:
    harmless = Dangers(to_html(document)).found  # the icon
    document = poisoned(document, text)
    assert Dangers(to_html(document)).found == harmless
    assert Dangers(document_frame(document)).found == []
    for table in document.tables:
        assert Dangers(table_html(table)).found == []
    code = re.compile(r"^(`{3,})\w*\n.*?\n\1$", re.DOTALL | re.MULTILINE)  # blocks in which nothing is markup
    drawings = re.compile(r"<svg.*?</svg>", re.DOTALL)
    assert Dangers(drawings.sub("", code.sub("", to_markdown(document)))).found == []


def test_the_test_would_notice(document: Document) -> None:
    for text in HOSTILE[:4]:
        assert Dangers(text).found


def test_no_template_switches_escaping_off() -> None:
    template = files("trivium.report").joinpath("template.html.j2").read_text(encoding="utf-8")
    assert not re.search(r"\|\s*safe\b|autoescape", template)
    assert "default-src 'none'" in template  # scripts would not run even so
