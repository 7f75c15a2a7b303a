"""Judge utterances of a persona by its facts: whether they contradict, entail or are neutral to each utterance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from trivium.data.example import Example
from trivium.data.labels import NLI3
from trivium.errors import UserError
from trivium.learn.learner import Learner
from trivium.measure.metrics import Floats


class Judgement(NamedTuple):
    """The label of an utterance, given the facts.

    Attributes:
        reason: The row of ``probabilities`` that decided; None for a neutral judgement.
        probabilities: The probabilities of the labels: a row for each fact and, if they fit into one input, a last row
            for all facts together.
    """

    utterance: str
    label: str
    reason: int | None
    probabilities: Floats


def judge(learner: Learner, facts: Sequence[str], utterances: Sequence[str]) -> list[Judgement]:
    """Return a judgement for each utterance.

    An utterance is a contradiction if any single fact contradicts it; else an entailment if a fact, or all facts
    together, entail it; else neutral. All facts together are used as one more premise if the model can read them and
    each utterance without truncation, because together they may entail what no single fact does.
    """
    if not facts:
        raise UserError("the persona has no facts yet: add some with trivium persona add")
    together = " ".join(fact if fact.rstrip().endswith((".", "!", "?")) else f"{fact}." for fact in facts)
    fits = len(facts) > 1 and all(learner.reads_whole(_query(together, utterance)) for utterance in utterances)
    premises = [*facts, together] if fits else list(facts)
    queries = [_query(premise, utterance) for utterance in utterances for premise in premises]
    logits = learner.logits(queries)["nli"].astype(np.float64)
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares = (shares / shares.sum(axis=1, keepdims=True)).reshape(len(utterances), len(premises), len(NLI3))
    return [_judgement(utterance, rows, len(facts)) for utterance, rows in zip(utterances, shares, strict=True)]


def _query(premise: str, utterance: str) -> Example:
    return Example.make("query", premise, utterance, None)


def _judgement(utterance: str, shares: Floats, facts: int) -> Judgement:
    """Return the judgement of an utterance; the first ``facts`` rows of ``shares`` are those of single facts."""
    predicted = shares.argmax(axis=1)
    for label, rows in (("contradiction", range(facts)), ("entailment", range(len(shares)))):
        index = NLI3.index(label)
        deciding = [row for row in rows if predicted[row] == index]
        if deciding:
            return Judgement(utterance, label, max(deciding, key=lambda row: shares[row, index]), shares)
    return Judgement(utterance, "neutral", None, shares)
