"""Recombine compositions: embed the clause of one pair as the clause of another is embedded."""

from __future__ import annotations

from trivium.build.veridicality.clauses import parse_clause
from trivium.build.veridicality.composition import embed
from trivium.build.veridicality.verbs import INFINITIVE_VERBS, Verb
from trivium.errors import UserError
from trivium.language.embedding import Layer

_FRAMES = {verb.lemma: verb.frame for verb in INFINITIVE_VERBS}


def embed_like(layer: Layer, clause: str) -> str | None:
    """Return the clause embedded as that of the layer is, or None if the frame or the clause does not allow it.

    >>> from trivium.language.embedding import decompose
    >>> (layer,) = decompose("A man tries to sing", "A man is singing")
    >>> embed_like(layer, "Two dogs are barking")
    'Two dogs try to bark'
    """
    if layer.negated:
        return None
    try:
        if layer.frame == "that":
            return embed([Verb(layer.verb, "veridical", "{x} {verb} that {s}")], clause)
        parsed = parse_clause(clause)
        if parsed is None or layer.frame not in ("to", "object-to", "for-to"):
            return None
        if layer.frame != "to" and layer.verb not in _FRAMES:
            return None
        return parsed.under(Verb(layer.verb, "neutral", _FRAMES.get(layer.verb, "{x} {verb} to {s}")))
    except UserError:  # an unknown verb cannot be inflected
        return None
