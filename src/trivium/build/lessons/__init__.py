"""Lessons: find out of which kind mistakes are, and generate new pairs of that kind.

>>> from trivium.data import Example
>>> examples = [Example.make("1", "The mayor allegedly lied.", "The mayor lied.", "neutral")]
>>> recognize(examples)[0].name
'hedges'
"""

from __future__ import annotations

from trivium.build.lessons.generation import Generator, Request, generate, generator, generators, scenes
from trivium.build.lessons.kinds import Kind, find_kind, kind_names
from trivium.build.lessons.recognition import groups, recognize
from trivium.build.lessons.scenes import Draft, Form, Scene

__all__ = [
    "Draft",
    "Form",
    "Generator",
    "Kind",
    "Request",
    "Scene",
    "find_kind",
    "generate",
    "generator",
    "generators",
    "groups",
    "kind_names",
    "recognize",
    "scenes",
]
