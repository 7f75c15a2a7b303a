"""What a persona's facts say about what it says."""

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
    """What the facts say about an utterance.

    ``shares`` are the probabilities of the labels, a line for each fact and, if they were asked, one for all of them
    together. ``reason`` is the line that decided; a neutral judgement has none.
    """

    utterance: str
    label: str
    reason: int | None
    shares: Floats


def judge(learner: Learner, facts: Sequence[str], utterances: Sequence[str]) -> list[Judgement]:
    """What the facts say about each utterance.

    It is contradicted if any fact contradicts it; else it follows if it follows from a fact, or from all together; else
    it is neutral. All facts together are asked for what none of them says alone, as long as the model can read them
    and the utterance at once.
    """
    if not facts:
        raise UserError("the persona has no facts yet: trivium persona add")
    together = " ".join(fact if fact.rstrip().endswith((".", "!", "?")) else f"{fact}." for fact in facts)
    fits = len(facts) > 1 and all(learner.fits(_asked(together, utterance)) for utterance in utterances)
    premises = [*facts, together] if fits else list(facts)
    asked = [_asked(premise, utterance) for utterance in utterances for premise in premises]
    logits = learner.logits(asked)["nli"].astype(np.float64)
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares = (shares / shares.sum(axis=1, keepdims=True)).reshape(len(utterances), len(premises), len(NLI3))
    return [_judgement(utterance, lines, len(facts)) for utterance, lines in zip(utterances, shares, strict=True)]


def _asked(premise: str, utterance: str) -> Example:
    return Example.make("asked", premise, utterance, None)


def _judgement(utterance: str, shares: Floats, facts: int) -> Judgement:
    winners = shares.argmax(axis=1)
    for label, lines in (("contradiction", range(facts)), ("entailment", range(len(shares)))):
        number = NLI3.index(label)
        saying = [line for line in lines if winners[line] == number]
        if saying:
            return Judgement(utterance, label, max(saying, key=lambda line: shares[line, number]), shares)
    return Judgement(utterance, "neutral", None, shares)
