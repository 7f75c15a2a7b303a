"""Infer one pair from its parts, and show the derivation: *denied that S* contradicts S; S entails H; so …"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch

from trivium.data.example import Example
from trivium.data.labels import Labels
from trivium.errors import UserError
from trivium.language.embedding import Layer, decompose, with_polarity
from trivium.learn.composing import Plan, compose_plan, make_plan, with_signatures, without_composer
from trivium.learn.config import TrainConfig
from trivium.learn.learner import Learner
from trivium.models.classifiers import HEAD, load_classifier
from trivium.models.composition import classifier_composition, compose_best

_RELATIONS = {
    "entailment": "entails", "entailed": "entails", "neutral": "leaves open", "not-entailed": "does not entail",
    "contradiction": "contradicts",
}  # fmt: skip


@dataclass(frozen=True)
class Inference:
    """The label of a pair, and how it was derived.

    Attributes:
        layers: The layers of the premise, outermost first; none if it embeds no clause.
        relations: What each layer's sentence implies about its clause, by label.
        natural: The label of the innermost clause and the hypothesis; None if the head answered the pair as it is.
        probability: The probability of the label: of its most likely derivation, or of the head.
    """

    premise: str
    hypothesis: str
    label: str
    probability: float
    layers: tuple[Layer, ...] = ()
    relations: tuple[str, ...] = ()
    natural: str | None = None

    @property
    def composed(self) -> bool:
        """Whether the label was derived from the parts of the pair."""
        return self.natural is not None

    @property
    def derivation(self) -> list[str]:
        """The steps of the derivation, in sentences."""
        if not self.composed:
            return ["no embedded clause was found: the model's head answered the pair as it is", f"so: {self.label}"]
        names = ["S"] if len(self.layers) == 1 else [f"S{number}" for number in range(1, len(self.layers) + 1)]
        above = [f"{name} being false, " for name in ("", *names)]
        steps = [
            f"{above[index] * layer.denied}*{layer.context} {name}* {_RELATIONS[relation]} {name} ({layer.clause})"
            for index, (layer, relation, name) in enumerate(zip(self.layers, self.relations, names, strict=True))
        ]
        return [*steps, f"{names[-1]} {_RELATIONS[str(self.natural)]} H", f"so: {self.label}"]

    def __str__(self) -> str:
        return "; ".join(self.derivation)


def infer(model: str | Path | Learner, premise: str, hypothesis: str, composer: str = "signed") -> Inference:
    """Return the label of a pair with its derivation.

    ``model`` is a classifier (a folder, or a name on a hub), or a Learner. A premise that embeds a clause, such as
    *The minister denied that S*, is answered from its parts by the composer. ``signed`` looks up what known verbs imply
    and asks the model only about the rest; ``typed`` asks the model about verbs too, and composes by what it learned
    with the model, if the model's folder has that. A Learner answers with its own composer, if it has one.

    >>> from trivium.tools.inference import infer
    >>> from trivium.models.classifiers import new_classifier
    >>> new_classifier("tiny", seed=0).save(folder / "model")
    >>> result = infer(folder / "model", "Anna knows that a man is singing.", "A man is singing loudly.")
    >>> result.composed, result.derivation[-1] == f"so: {result.label}"
    (True, True)
    """
    learner = model if isinstance(model, Learner) else open_learner(model, composer)
    if learner.tasks != (HEAD,):
        raise UserError(f"infer needs a model with one head, {HEAD!r}, but this one has {', '.join(learner.tasks)}")
    composition, labels = learner.network.composition, learner.labels
    by_signature = composition is not None and composition.composer.uses_signatures
    plan = make_plan([Example.make("pair", premise, hypothesis, None)], learner.tasks, by_signature)
    if composition is None or isinstance(plan.answers[0], int):
        values = learner.logits([Example.make("pair", premise, hypothesis, None)])[HEAD][0]
        shares = torch.from_numpy(values).softmax(0)
        return Inference(premise, hypothesis, labels.names[int(shares.argmax())], float(shares.max()))
    with without_composer(learner.network):
        logits = torch.from_numpy(learner.logits(plan.rows)[HEAD])
    with torch.no_grad():
        scores = compose_plan(composition, compose_best, plan, logits)[0]
    if by_signature:
        logits = with_signatures(plan, logits, labels)
    best = int(scores.argmax())
    relations, natural = _labels(plan, logits, labels)
    layers = decompose(premise, hypothesis)
    if by_signature:
        layers = with_polarity(layers)
        relations = tuple(
            labels.names[-1] if below.denied else relation
            for relation, below in zip(relations, [*layers[1:], layers[0]], strict=True)
        )
    probability = float(scores.exp()[best] / scores.exp().sum())
    return Inference(premise, hypothesis, labels.names[best], probability, layers, relations, natural)


def open_learner(model: str | Path, composer: str) -> Learner:
    """Load a classifier that answers pairs whose premise embeds a clause with a composer."""
    classifier, train = load_classifier(str(model)), TrainConfig()
    rate = train.learning_rate
    classifier.composition = classifier_composition(composer, classifier.labels, rate, Path(model))
    return Learner.from_classifier(classifier, train, seed=0, max_length=512)


def _labels(plan: Plan, logits: torch.Tensor, labels: Labels) -> tuple[tuple[str, ...], str]:
    """Return the labels of the veridical rows of the only answer of a plan, and that of its natural row."""
    parts = plan.answers[0]
    assert not isinstance(parts, int)
    names = [labels.names[int(index)] for index in logits.argmax(1)]
    return tuple(names[index] for index in parts.veridical), names[parts.natural]
