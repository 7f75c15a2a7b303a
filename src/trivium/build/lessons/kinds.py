"""Kinds of mistakes and the cues by which they are recognized, from ``words/kinds.toml``."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from trivium.data.phenomena import PHENOMENA
from trivium.errors import unknown_name
from trivium.language.signatures import WORDS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_NUMBER = r"(?:\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|a dozen)"
NUMBER = re.compile(rf"\b{_NUMBER}\b", re.IGNORECASE)
_WILDCARDS = {"#year": r"(?:1[0-9]|20)\d\d", "#": _NUMBER, "*": r"[\w'-]*"}


@dataclass(frozen=True)
class Kind:
    """A kind of mistakes.

    Attributes:
        name: ``negation``, ``hedges``, ``quantifiers``, …, or the name of a phenomenon.
        confidence: The estimated share of the corrections that are of this kind, from 0 to 1.
        phenomenon: The phenomenon of CURRICULUM that is nearest to it; None if none is near.
        cues: The words that decided, the most frequent first.
        about: What it is about, in a few words.
    """

    name: str
    confidence: float = 1.0
    phenomenon: str | None = None
    cues: tuple[str, ...] = ()
    about: str = ""

    @property
    def sentence(self) -> str:
        """What the mistakes are about, as a sentence for users."""
        cues = f" (cues: {', '.join(self.cues)})" if self.cues else ""
        return f"These mistakes are about {self.about}{cues}."


ADDED: dict[str, Kind] = {}
"""Kinds that only a generator knows, by name. They cannot be recognized, only named."""


@dataclass(frozen=True)
class CueSet:
    """The cues of a kind, how usual they are in pairs of other kinds, and the confusions typical of it.

    ``usual`` are two shares of ordinary pairs: those whose premise and hypothesis differ in the cues, and those in
    which both have the same ones.
    """

    kind: Kind
    phenomena: tuple[str, ...]
    pattern: re.Pattern[str]
    usual: tuple[float, float]
    mistakes: frozenset[str]

    def find(self, text: str) -> tuple[str, ...]:
        """Return the cues in a text, in lower case, in their order."""
        return tuple(match.group().lower() for match in self.pattern.finditer(text) if match.lastgroup is None)


@cache
def cue_sets() -> Mapping[str, CueSet]:
    """Return the cues of each kind that can be recognized, by its name."""
    tables = tomllib.loads((WORDS / "kinds.toml").read_text(encoding="utf-8"))
    return {
        name: CueSet(
            Kind(name, phenomenon=next(iter(table["phenomena"]), None), about=table["about"]),
            tuple(table["phenomena"]),
            _pattern(_listed(table["cues"]), _listed(table.get("not_cues", ""))),
            (table["usual"][0], table["usual"][1]),
            frozenset(table["mistakes"]),
        )
        for name, table in tables.items()
    }


def kind_names() -> Iterator[str]:
    """Yield the names of all kinds: those that can be recognized, the phenomena, and those that plugins add."""
    yield from cue_sets()
    yield from PHENOMENA
    yield from ADDED


def find_kind(name: str) -> Kind:
    """Return a kind by its name, which may be that of a phenomenon. Raise a UserError if there is none.

    >>> find_kind("comparatives").phenomenon
    'comp'
    """
    if name in cue_sets():
        return cue_sets()[name].kind
    if name in PHENOMENA:
        return Kind(name, phenomenon=name, about=PHENOMENA[name].about)
    if name in ADDED:
        return ADDED[name]
    raise unknown_name("kind of mistakes", name, kind_names())


def phenomena_of(kind: Kind) -> tuple[str, ...]:
    """Return the names of all phenomena that test a kind."""
    return cue_sets()[kind.name].phenomena if kind.name in cue_sets() else tuple(filter(None, [kind.phenomenon]))


def _listed(text: str) -> list[str]:
    return [cue for cue in " ".join(text.split()).split(", ") if cue]


def _pattern(cues: list[str], not_cues: list[str]) -> re.Pattern[str]:
    """Return a pattern of the cues, in which what only looks like a cue is found as a named group."""

    def any_of(options: list[str]) -> str:
        return "|".join(map(_cue, sorted(options, key=lambda cue: (-cue.count(" "), -len(cue)))))

    excluded = f"(?P<excluded>{any_of(not_cues)})|" if not_cues else ""
    return re.compile(f"{excluded}{any_of(cues)}", re.IGNORECASE)


def _cue(cue: str) -> str:
    if cue == "n't":
        return r"n['’]t\b"
    parts = re.split(r"(#year|#|\*)", cue)
    return rf"\b{''.join(_WILDCARDS.get(part) or re.escape(part) for part in parts)}(?!\w)"
