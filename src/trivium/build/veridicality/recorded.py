"""Natural pairs from compositions that a file has: their sentences are taken as they are, not composed anew."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from trivium.build.veridicality.clauses import Clause
from trivium.build.veridicality.composition import NINE_RULES
from trivium.build.veridicality.natural import NaturalPair, relation_of
from trivium.build.veridicality.verbs import INFINITIVE_VERBS, Verb
from trivium.data.example import Example
from trivium.errors import UserError


@dataclass(frozen=True)
class RecordedClause(Clause):
    """A clause and the sentences that embed it, by the lemma of their verb."""

    sentences: Mapping[str, str] = field(default_factory=dict, hash=False)

    def under(self, verb: Verb) -> str:
        """Return the recorded sentence for a verb, or a composed one if there is none."""
        return self.sentences.get(verb.lemma) or super().under(verb)


def recorded_pairs(compositions: Iterable[Example]) -> list[NaturalPair]:
    """Return the natural pairs of compositions that occur with each of the 21 verbs, in order.

    Raise a UserError for a sentence without one of the verbs, or a label that does not follow from Table 2.
    """
    sentences: dict[str, dict[str, str]] = {}
    pairs: dict[str, tuple[Example, Clause]] = {}
    for composed in compositions:
        veridical, natural = composed.parts
        verb, clause = _read(composed)
        _check_labels(composed, verb)
        if (known := pairs.setdefault(natural.id, (natural, clause))[0]) != natural:
            raise UserError(f"{composed.id}: {natural.premise!r} and {natural.hypothesis!r} have two labels: "
                            f"{known.label} and {natural.label}")  # fmt: skip
        sentences.setdefault(natural.id, {})[verb.lemma] = veridical.premise
    complete = [id_ for id_, by_verb in sentences.items() if len(by_verb) == len(INFINITIVE_VERBS)]
    if not complete:
        most = max((len(by_verb) for by_verb in sentences.values()), default=0)
        raise UserError(
            f"no natural pair occurs with all {len(INFINITIVE_VERBS)} verbs (the most is {most}): give the whole data "
            "set, not a part of it"
        )
    return [NaturalPair(_with_relation(pairs[id_][0]), _recorded(pairs[id_][1], sentences[id_])) for id_ in complete]


def _recorded(clause: Clause, sentences: Mapping[str, str]) -> RecordedClause:
    return RecordedClause(clause.subject, clause.plural, clause.adverb, clause.lemma, clause.rest, sentences)


def _with_relation(natural: Example) -> Example:
    return replace(natural, facts=(("relation", relation_of(natural.premise, str(natural.hypothesis)) or "other"),))


def _read(composed: Example) -> tuple[Verb, Clause]:
    """Return the verb of a composition, and the clause that it embeds."""
    match = _pattern().fullmatch(composed.premise)
    if match is None:
        verbs = ", ".join(verb.lemma for verb in INFINITIVE_VERBS)
        raise UserError(f"{composed.id}: {composed.premise!r} has no 'VERB to' with one of the verbs {verbs}")
    verb = next(verb for verb in INFINITIVE_VERBS if match["verb"] in (verb.lemma, verb.inflected(plural=False)))
    lemma, space, rest = match["infinitive"].partition(" ")
    return verb, Clause(match["subject"], match["verb"] == verb.lemma, "", lemma, space + rest)


@cache
def _pattern() -> re.Pattern[str]:
    forms = "|".join(form for verb in INFINITIVE_VERBS for form in (verb.inflected(plural=False), verb.lemma))
    return re.compile(rf"(?P<subject>.+?) (?P<verb>{forms}) to (?P<infinitive>.+)")


def _check_labels(composed: Example, verb: Verb) -> None:
    veridical, natural = composed.parts
    if veridical.label != verb.label:
        raise UserError(f"{composed.id}: {verb.lemma!r} is {verb.signature}, but its veridical label is another one")
    expected = NINE_RULES[str(veridical.label), str(natural.label)]
    if composed.label != expected:
        raise UserError(f"{composed.id}: the label is {composed.label}, but {expected} follows from its primitives")
