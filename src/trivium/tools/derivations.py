"""Derivations to read: how a composer answered pairs of a diagnosis whose premise embeds a clause."""

from __future__ import annotations

from trivium.data.phenomena import PHENOMENA
from trivium.learn.composing import imitates, parts_of
from trivium.measure.error_examples import ErrorExample, ErrorExamples, ErrorGroup
from trivium.models.composer import HEAD
from trivium.tools.diagnosis import Diagnosis
from trivium.tools.inference import infer, open_learner

_SHOWN = 4  # pairs of each phenomenon


def derivations(diagnosis: Diagnosis) -> ErrorExamples | None:
    """Return a few pairs of each phenomenon that were answered from their parts, with their derivations.

    None if the model answers with its head alone. The model is loaded for the pairs that are shown.
    """
    settings = diagnosis.design.settings
    if settings.model.composer == HEAD:
        return None
    learner = open_learner(settings.model.name, settings.model.composer)
    composition = learner.network.composition
    if composition is None or imitates(learner.network):
        return None
    groups = []
    for name in (name for name in PHENOMENA if name in diagnosis.design.examples):
        outputs, examples = diagnosis.outputs(name), diagnosis.design.examples[name].validation.examples
        by_signature = composition.composer.uses_signatures
        composed = [i for i, example in enumerate(examples) if parts_of(example, learner.tasks, by_signature)]
        cases = []
        for index in composed[:: max(1, -(-len(composed) // _SHOWN))]:  # spread over the data, which may be sorted
            premise, hypothesis = examples[index].premise, str(examples[index].hypothesis)
            names = outputs.labels.names
            answer = ("label", names[outputs.gold[index]], names[outputs.predicted[index]])
            steps = infer(learner, premise, hypothesis).derivation
            cases.append(ErrorExample(premise, hypothesis, (answer,), "; ".join(steps)))
        if composed:
            groups.append(ErrorGroup(PHENOMENA[name].title, len(composed), tuple(cases)))
    caption = (
        "S is the clause that the premise embeds, H the hypothesis. The model's head answered the other pairs. Where a "
        "task has two labels, a pair is entailed if that is more likely than not."
    )
    title = f"{diagnosis.model}, pairs answered from their parts by {settings.model.composer}"
    return ErrorExamples(title, caption, tuple(groups))
