"""Facts that are reported, alleged or possible, beside facts that are certain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from trivium.build.lessons.clauses import SUBJECT, Clause, combined, draw_clauses
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

_ABOUT_FACT, _ABOUT_OTHER = 1, 2

_REPORTED: Final = ("allegedly", "reportedly", "supposedly", "apparently", "seemingly", "ostensibly")
_REPORTS: Final = (
    "it is rumoured that", "it is said that", "it has been alleged that", "there are reports that",
    "a witness says that", "according to a newspaper,", "according to the neighbours,",
    "rumour has it that", "the accusation is that", "the police suspect that",
    "there is speculation that", "some people think that", "a colleague claims that",
    "there is a theory that", "the papers wonder whether", "an anonymous letter states that", "many believe that",
    "the prosecutor maintains that", "gossip has it that",
)  # fmt: skip
_OPEN: Final = (
    "nobody knows whether", "it is not known whether", "it remains doubtful whether", "it has not been proved that",
    "experts disagree about whether", "it is an open question whether",
)  # fmt: skip
_BELIEVED: Final = (
    "is said to", "is believed to", "is thought to", "is rumoured to", "is alleged to", "is reported to", "seems to",
    "appears to", "is supposed to", "is assumed to", "is claimed to",
)  # fmt: skip
_ACCUSED: Final = ("is accused of", "is under suspicion of", "was charged with", "denies")
_MODALS: Final = ("may", "might", "could")
_MAYBE: Final = ("possibly", "perhaps", "maybe", "probably", "conceivably")
_CHANCES: Final = (
    "it is possible that", "perhaps", "maybe", "it is likely that", "there is a chance that", "it may be that",
    "in all likelihood,",
)  # fmt: skip
_CERTAIN: Final = ("certainly", "definitely", "undoubtedly", "indeed")
_FACTS: Final = (
    "it has been confirmed that", "it is certain that", "it is a fact that", "there is no doubt that",
    "it was proved that", "as a film shows,", "the records prove that",
)  # fmt: skip
Hedged = tuple[str, str, str]
"""A cue, a clause, and the predicate of the clause, which is empty if its subject is not that of the fact."""


@scenes("hedges", about="facts that are reported, alleged or possible")
def hedges(request: Request, rng: np.random.Generator) -> Scene:
    """Return a scene in which one fact is hedged, or certain, and another one is plain."""
    fact, other = draw_clauses(rng, 2, request.clauses)
    form = rng.random()
    if form < 0.2:
        return _certain(rng, fact, other)
    if form < 0.65:
        extra = tuple(cue for cue in request.cues if cue.endswith("ly") and " " not in cue and cue not in _CERTAIN)
        return _hedged(
            rng, fact, other, _reports(rng, fact, extra), _asserted(rng, fact, _SAID_AND_UNSAID), _ATOMS.full
        )
    if form < 0.9:
        return _hedged(rng, fact, other, _chances(rng, fact), _asserted(rng, fact, _POSSIBLE_OR_NOT), _POSSIBLE)
    question = pick(rng, _OPEN)
    return _hedged(rng, fact, other, [(question, f"{question} {fact.affirmed}", "")], [], _ATOMS.full)


def _hedged(
    rng: np.random.Generator, fact: Clause, other: Clause, hedged: list[Hedged], asserted: list[Form], possible: int
) -> Scene:
    """Return a scene of a hedged fact, alone and together with another fact."""
    forms = [*_conclusions(rng, fact, other), *asserted]
    for cue, clause, predicate in hedged:
        both = combined(rng, clause, predicate, other)
        denied = combined(rng, clause, predicate, other, "not")
        forms += [
            Form(clause, _SAID, f"hedged {cue}", cue, PREMISE, about=_ABOUT_FACT),
            Form(both, _SAID & _OTHER, f"fact and hedged {cue}", cue, PREMISE),
            Form(denied, _SAID & _ATOMS.negated(_OTHER), f"fact and hedged {cue}", cue, PREMISE),
        ]
    return Scene.about(fact, forms, possible)


def _reports(rng: np.random.Generator, fact: Clause, extra: tuple[str, ...]) -> list[Hedged]:
    """Return two statements that report the fact."""
    adverb, report, believed = pick(rng, _REPORTED + extra), pick(rng, _REPORTS), pick(rng, _BELIEVED)
    predicate = fact.with_adverb(adverb)
    passive = f"{_agreeing(believed, fact)} {fact.infinitive}"
    drawn = [
        (adverb, f"{SUBJECT} {predicate}", predicate),
        (adverb, f"{adverb}, {SUBJECT} {fact.finite}", ""),
        (report, f"{report} {SUBJECT} {fact.finite}", ""),
        (report, f"{report} {SUBJECT} {fact.finite}", ""),
        (believed, f"{SUBJECT} {passive}", passive),
    ]
    if fact.time == "past":
        accused = pick(rng, _ACCUSED)
        charge = f"{_agreeing(accused, fact)} {fact.perfect.replace('had', 'having', 1)}"
        drawn.append((accused, f"{SUBJECT} {charge}", charge))
    return pick_some(rng, drawn, 2)


def _agreeing(words: str, fact: Clause) -> str:
    """Return *is said to* or *seems to* as it agrees with the subject."""
    if not fact.plural:
        return words
    first, _, rest = words.partition(" ")
    plural = {"is": "are", "was": "were", "denies": "deny"}.get(first, first.removesuffix("s"))
    return f"{plural} {rest}".rstrip()


def _chances(rng: np.random.Generator, fact: Clause) -> list[Hedged]:
    modal, adverb, chance = pick(rng, _MODALS), pick(rng, _MAYBE), pick(rng, _CHANCES)
    drawn = [
        (modal, f"{SUBJECT} {fact.with_modal(modal)}", fact.with_modal(modal)),
        (modal, f"{SUBJECT} {fact.with_modal(modal)}", fact.with_modal(modal)),
        (adverb, f"{SUBJECT} {fact.with_adverb(adverb)}", fact.with_adverb(adverb)),
        (chance, f"{chance} {SUBJECT} {fact.finite}", ""),
    ]
    return pick_some(rng, drawn, 2)


def _conclusions(rng: np.random.Generator, fact: Clause, other: Clause) -> list[Form]:
    """Return the hypotheses that each of the facts is true, and that it is not."""
    forms = []
    for clause, table, about in ((fact, _FACT, _ABOUT_FACT), (other, _OTHER, _ABOUT_OTHER)):
        denied = clause.denied(pick(rng, ("not", "not", "n't", "never")))
        forms.append(Form(clause.affirmed, table, "affirmed", side=HYPOTHESIS, about=about))
        forms.append(Form(f"{SUBJECT} {denied}", _ATOMS.negated(table), "denied", side=HYPOTHESIS, about=about))
    return forms


_SAID_AND_UNSAID = (
    ("some people say that", "it has been claimed that", "someone claims that", "there is a claim that"),
    ("nobody claims that", "nobody has ever said that", "there is no claim that"),
)
_POSSIBLE_OR_NOT = (
    ("it is conceivable that", "it cannot be ruled out that", "it is possible that"),
    ("it is impossible that", "it is out of the question that", "there is no chance that"),
)


def _asserted(rng: np.random.Generator, fact: Clause, words: tuple[tuple[str, ...], tuple[str, ...]]) -> list[Form]:
    """Return hypotheses which say that the fact is reported or possible, or that it is not."""
    said, unsaid = (f"{pick(rng, options)} {fact.affirmed}" for options in words)
    return [
        Form(said, _SAID, "said", side=HYPOTHESIS, about=_ABOUT_FACT),
        Form(unsaid, _ATOMS.negated(_SAID), "unsaid", side=HYPOTHESIS, about=_ABOUT_FACT),
    ]


def _certain(rng: np.random.Generator, fact: Clause, other: Clause) -> Scene:
    adverb, certainty = pick(rng, _CERTAIN), pick(rng, _FACTS)
    forms = [
        *_conclusions(rng, fact, other),
        Form(f"{SUBJECT} {fact.with_adverb(adverb)}", _FACT, "certain", adverb, PREMISE),
        Form(f"{certainty} {fact.affirmed}", _FACT, "certain clause", certainty, PREMISE),
    ]
    return Scene.about(fact, forms, _ATOMS.full)
