"""Facts that are reported, alleged or possible, beside facts that are certain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from trivium.build.lessons.clauses import SUBJECT, Clause, draw_clauses
from trivium.build.lessons.generation import Request, scenes
from trivium.build.lessons.scenes import HYPOTHESIS, PREMISE, Form, Scene
from trivium.build.phenomena.truth_tables import atoms
from trivium.build.phenomena.words import pick, pick_some

if TYPE_CHECKING:
    import numpy as np

_ATOMS = atoms(3)
_FACT, _OTHER, _SAID = _ATOMS.columns
# A possible fact may be true or not; a true fact is possible.
_POSSIBLE = _ATOMS.implies(_FACT, _SAID)

_REPORTED: Final = ("allegedly", "reportedly", "supposedly", "apparently")
_REPORTS: Final = (
    "it is rumoured that", "it is said that", "it has been alleged that", "there are reports that", "a witness says that",
    "according to a newspaper,", "according to the neighbours,", "rumour has it that", "the accusation is that",
)  # fmt: skip
_BELIEVED: Final = ("is said to", "is believed to", "is thought to", "is rumoured to", "is alleged to", "is reported to")
_MODALS: Final = ("may", "might", "could")
_MAYBE: Final = ("possibly", "perhaps", "maybe", "probably")
_CHANCES: Final = ("it is possible that", "perhaps", "maybe", "it is likely that", "there is a chance that")
_CERTAIN: Final = ("certainly", "definitely", "undoubtedly", "indeed")
_FACTS: Final = (
    "it has been confirmed that", "it is certain that", "it is a fact that", "there is no doubt that", "it was proved that",
)  # fmt: skip


@scenes("hedges", about="facts that are reported, alleged or possible")
def hedges(request: Request, rng: np.random.Generator) -> Scene:
    """Return a scene in which one fact is hedged, or certain, and another one is plain."""
    fact, other = draw_clauses(rng, 2, request.clauses)
    form = rng.random()
    if form < 0.25:
        return _certain(rng, fact, other)
    reported = form < 0.65
    extra = tuple(cue for cue in request.cues if cue.endswith("ly") and " " not in cue and cue not in _CERTAIN)
    hedged = _reports(rng, fact, extra) if reported else _chances(rng, fact)
    forms = [*_conclusions(rng, fact, other), *(_asserted(rng, fact, reported))]
    for cue, clause, predicate in hedged:
        forms.append(Form(clause, _SAID, f"hedged {cue}", cue, PREMISE))
        if predicate:
            both = f"{SUBJECT} {other.finite}, and {predicate}"
        else:
            both = f"{SUBJECT} {other.finite}, and {clause.replace(SUBJECT, fact.again)}"
        forms.append(Form(both, _SAID & _OTHER, f"fact and hedged {cue}", cue, PREMISE))
        denied = f"{SUBJECT} {other.denied('not')}, but {predicate or clause.replace(SUBJECT, fact.again)}"
        forms.append(Form(denied, _SAID & _ATOMS.negated(_OTHER), f"denied fact and hedged {cue}", cue, PREMISE))
    return Scene.about(fact, forms, _ATOMS.full if reported else _POSSIBLE)


def _reports(rng: np.random.Generator, fact: Clause, extra: tuple[str, ...]) -> list[tuple[str, str, str]]:
    """Return two hedged statements: the cue, the clause, and its predicate if it has the subject of the fact."""
    adverb, report, believed = pick(rng, _REPORTED + extra), pick(rng, _REPORTS), pick(rng, _BELIEVED)
    predicate = fact.with_adverb(adverb)
    passive = f"{believed.replace('is', fact.be(), 1)} {fact.infinitive}"
    drawn = [
        (adverb, f"{SUBJECT} {predicate}", predicate),
        (adverb, f"{adverb}, {SUBJECT} {fact.finite}", ""),
        (report, f"{report} {SUBJECT} {fact.finite}", ""),
        (believed, f"{SUBJECT} {passive}", passive),
    ]
    return pick_some(rng, drawn, 2)


def _chances(rng: np.random.Generator, fact: Clause) -> list[tuple[str, str, str]]:
    modal, adverb, chance = pick(rng, _MODALS), pick(rng, _MAYBE), pick(rng, _CHANCES)
    drawn = [
        (modal, f"{SUBJECT} {fact.with_modal(modal)}", fact.with_modal(modal)),
        (modal, f"{SUBJECT} {fact.with_modal(modal)}", fact.with_modal(modal)),
        (adverb, f"{SUBJECT} {fact.with_adverb(adverb)}", fact.with_adverb(adverb)),
        (chance, f"{chance} {SUBJECT} {fact.finite}", ""),
    ]
    return pick_some(rng, drawn, 2)


def _conclusions(rng: np.random.Generator, fact: Clause, other: Clause) -> list[Form]:
    negation = pick(rng, ("not", "not", "n't"))
    return [
        Form(fact.affirmed, _FACT, "affirmed", side=HYPOTHESIS),
        Form(f"{SUBJECT} {fact.denied(negation)}", _ATOMS.negated(_FACT), "denied", side=HYPOTHESIS),
        Form(other.affirmed, _OTHER, "affirmed", side=HYPOTHESIS),
        Form(f"{SUBJECT} {other.denied(negation)}", _ATOMS.negated(_OTHER), "denied", side=HYPOTHESIS),
    ]


def _asserted(rng: np.random.Generator, fact: Clause, reported: bool) -> list[Form]:
    """Return hypotheses which say that the fact is hedged, or that it is not."""
    if reported:
        said = pick(rng, ("some people say that", "it has been claimed that", "someone claims that", "there is a claim that"))
        unsaid = pick(rng, ("nobody claims that", "nobody has ever said that", "there is no claim that"))
    else:
        said = pick(rng, ("it is conceivable that", "it cannot be ruled out that", "it is possible that"))
        unsaid = pick(rng, ("it is impossible that", "it is out of the question that", "there is no chance that"))
    return [
        Form(f"{said} {fact.affirmed}", _SAID, "said", side=HYPOTHESIS),
        Form(f"{unsaid} {fact.affirmed}", _ATOMS.negated(_SAID), "unsaid", side=HYPOTHESIS),
    ]


def _certain(rng: np.random.Generator, fact: Clause, other: Clause) -> Scene:
    adverb, certainty = pick(rng, _CERTAIN), pick(rng, _FACTS)
    forms = [
        *_conclusions(rng, fact, other),
        Form(f"{SUBJECT} {fact.with_adverb(adverb)}", _FACT, "certain", adverb, PREMISE),
        Form(f"{certainty} {fact.affirmed}", _FACT, "certain clause", certainty, PREMISE),
    ]
    return Scene.about(fact, forms, _ATOMS.full)
