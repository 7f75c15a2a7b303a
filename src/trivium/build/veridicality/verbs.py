"""Clause-embedding verbs and their signatures: what they imply about the truth of the clause.

The 21 verbs with infinitive complements are those of C²Gen's Table 3 (after Ross and Pavlick, 2019), the 30 with
that-complements those of SETI's Table 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from string import Formatter

from trivium.errors import UserError
from trivium.language.inflection import inflect

SIGNATURES = {
    "positive": "entailment", "neutral": "neutral", "negative": "contradiction",
    "veridical": "entailed", "non-veridical": "not-entailed",
}  # fmt: skip
"""The label of the pair (x VERB to S, S) by the signature of the verb: positive entails S, negative contradicts it.

Verbs with that-complements have two labels: a veridical verb entails S, a non-veridical one does not.
"""


@dataclass(frozen=True)
class Verb:
    """A verb, its signature, and its sentence frame.

    The fields of a frame are ``{x}``, the subject at the beginning of a sentence; ``{mid}``, the subject inside a
    sentence; ``{verb}``, the inflected verb; and ``{s}``, the clause as a bare infinitive phrase.
    """

    lemma: str
    signature: str
    frame: str = "{x} {verb} to {s}"

    @cached_property
    def label(self) -> str:
        """The label of the veridical inference from the embedding sentence to the embedded one."""
        return SIGNATURES[self.signature]

    @cached_property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """The facts of a veridical inference, sorted by name."""
        return ("signature", self.signature), ("verb", self.lemma)

    @cached_property
    def patterns(self) -> tuple[str, str]:
        """The frame for a singular and for a plural subject, with ``%s`` for each of :attr:`fields`."""
        marks = dict.fromkeys(self.fields, "%s")
        frame = self.frame.replace("%", "%%")
        singular, plural = (frame.format(**{"verb": self.inflected(plural), **marks}) for plural in (False, True))
        return singular, plural

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The fields of the frame in their order, without the verb."""
        return tuple(name for _, name, _, _ in Formatter().parse(self.frame) if name and name != "verb")

    def inflected(self, plural: bool) -> str:
        """Return the present-tense form: singular ``tries``, plural ``try``."""
        return self.lemma if plural else third_person(self.lemma)


@cache
def third_person(lemma: str) -> str:
    """Return the third person singular of the present tense: ``try`` → ``tries``."""
    forms = inflect(lemma, tag="VBZ")
    if not forms:
        raise UserError(f"verb {lemma!r}: its third person singular is unknown: check the spelling")
    return str(forms[0])


# The bare frame "x VERB to S" is not English, or does not mean what the signature says, for three of the verbs when
# x is a person: "A man uses to play" is ungrammatical, "A man remains to play" means that he stays in order to play,
# and "A man serves to play" lacks the purpose that "serve" requires. Each has its own infinitive frame,
# in which its signature holds.
_FRAMES = {
    "use": "{x} {verb} the chance to {s}",
    "serve": "A cue serves to make {mid} {s}",
    "remain": "It remains for {mid} to {s}",
}
_TABLE_3 = {
    "positive": ("manage", "begin", "serve", "start", "dare", "use", "get", "come"),
    "neutral": ("hope", "wish", "expect", "try", "plan", "want", "intend", "appear"),
    "negative": ("forget", "fail", "refuse", "decline", "remain"),
}
INFINITIVE_VERBS: tuple[Verb, ...] = tuple(
    Verb(lemma, signature, _FRAMES.get(lemma, "{x} {verb} to {s}"))
    for signature, lemmas in _TABLE_3.items()
    for lemma in lemmas
)
"""The 21 verbs of C²Gen's Table 3."""

_TABLE_6 = {
    "veridical": "realize acknowledge remember note find notice learn see reveal discover understand know admit "
    "recognize observe",
    "non-veridical": "feel claim doubt hope predict imply suspect wish think believe hear expect estimate assume argue",
}
THAT_VERBS: tuple[Verb, ...] = tuple(
    Verb(lemma, signature, "{x} {verb} that {s}") for signature, lemmas in _TABLE_6.items() for lemma in lemmas.split()
)
"""The 30 verbs of SETI's Table 6."""
