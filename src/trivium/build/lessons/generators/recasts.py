"""Pairs whose label is known, with their hypothesis denied: what was entailed is contradicted, and the reverse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from trivium.build.lessons.clauses import SUBJECT, Clause, read_clause, written
from trivium.build.lessons.generation import Request, generator
from trivium.build.lessons.kinds import cue_sets
from trivium.build.lessons.scenes import Draft
from trivium.build.phenomena.words import pick, shuffled

if TYPE_CHECKING:
    import numpy as np

_DENIED: Final = {"entailment": "contradiction", "contradiction": "entailment", "neutral": "neutral"}


@generator("recasts", kinds=("negation",), about="known pairs whose hypothesis is denied", weight=3.0)
def recasts(request: Request, rng: np.random.Generator) -> Iterator[Draft]:
    """Yield known pairs whose hypothesis is a plain clause about the same subject, as they are and denied."""
    negation = cue_sets()["negation"]
    for example in shuffled(rng, request.known):
        hypothesis = example.hypothesis or ""
        clause = read_clause(hypothesis)
        if clause is None or example.label not in _DENIED or negation.find(example.premise):
            continue
        if not _is_mentioned(clause, example.premise):
            continue
        word = pick(rng, ("not", "not", "n't"))
        denied = written(f"{SUBJECT} {clause.denied(word)}", clause.again)
        for form, label, text in (("denied", _DENIED[example.label], denied), ("known", example.label, hypothesis)):
            yield Draft(example.premise, text, label, word, "known", f"{form} {clause.lemma}")


def _is_mentioned(clause: Clause, premise: str) -> bool:
    """Return whether a premise has the last word of the subject: a denied clause is then about the same."""
    return re.search(rf"\b{re.escape(clause.again.split()[-1])}\b", premise, re.IGNORECASE) is not None
