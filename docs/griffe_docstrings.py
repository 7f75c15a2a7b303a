"""Prepare docstrings for the API reference: examples as Python sessions, Sphinx roles as plain code."""

from __future__ import annotations

import re
from typing import Any

import griffe


class Docstrings(griffe.Extension):
    """Rename ``Example:`` to ``Examples:``, fence other interactive examples, and drop roles such as ``:class:``."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of a loaded object."""
        if obj.docstring is not None:
            text = re.sub(r"^Example:$", "Examples:", obj.docstring.value, flags=re.MULTILINE)
            text = re.sub(r"^>>>.*(?:\n.+)*", r"```pycon\n\g<0>\n```", text, flags=re.MULTILINE)
            obj.docstring.value = re.sub(r":[a-z]+:`~?([^`]+)`", r"`\1`", text)
