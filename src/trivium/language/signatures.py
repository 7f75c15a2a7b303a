"""Signatures of clause-embedding verbs: what a verb implies about its clause, affirmed and negated.

A signature such as ``+/-`` has two signs. The first is that of the affirmed verb, the second that of the negated one:
``+`` implies the clause, ``-`` implies that it is false, and ``o`` implies neither. *Managed to* is ``+/-``, *knew
that* ``+/+``. The signatures are in ``words/signatures.toml``, by frame and lemma.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

WORDS: Final = Path(__file__).parent / "words"
FRAMES: Final = ("that", "to", "object-to", "for-to", "passive-that", "passive-to")
"""The frames of a verb: *knew that S*, *tried to S*, *asked x to S*, *begged for x to S*, *was told that S*,
*was asked to S*."""


@cache
def signatures() -> Mapping[str, Mapping[str, str]]:
    """Return the signature of each known verb, by frame and lemma.

    >>> signatures()["to"]["manage"], signatures()["that"]["know"]
    ('+/-', '+/+')
    """
    tables = tomllib.loads((WORDS / "signatures.toml").read_text(encoding="utf-8"))
    return {frame: tables.get(frame, {}) for frame in FRAMES}


def signature_of(lemma: str, frame: str) -> str | None:
    """Return the signature of a verb in a frame, or None if it is unknown.

    >>> signature_of("forget", "to"), signature_of("forget", "that"), signature_of("blick", "to")
    ('-/+', '+/+', None)
    """
    return signatures()[frame].get(lemma)


def sign_of(lemma: str, frame: str, negated: bool) -> str | None:
    """Return ``+``, ``-`` or ``o`` for an affirmed or negated verb, or None if the verb is unknown.

    >>> sign_of("manage", "to", negated=True)
    '-'
    """
    signature = signature_of(lemma, frame)
    return None if signature is None else signature.split("/")[negated]
