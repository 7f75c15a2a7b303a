"""Find the clause that a sentence embeds: S in *x tried to S*, *x was told that S*, *x hopes that y managed to S*.

The reader knows the frames of verbs from ``words/signatures.toml``. A word that no dictionary has, such as a
pseudo-word, is taken for a verb if it stands where the frame requires one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from trivium.language.finite import Group, Words, finite_clause, read_group, words_of
from trivium.language.inflection import inflect, lemmatize
from trivium.language.signatures import sign_of, signatures

MAX_DEPTH: Final = 3
_REACH = 12  # words between a verb and the "to" or "that" of its clause
_BE = re.compile(r"\b(?:am|is|are|was|were)\b|'(?:s|re|m)\b|\w+ing\b", re.IGNORECASE)
_NEXT = re.compile(r"(?:(?<=[a-z)])[.!?] (?=[A-Z])|;|, but\b).*")  # the next sentence or main clause
_ENDINGS = ("ing", "ied", "ed", "ies", "es", "s")


@dataclass(frozen=True)
class Layer:
    """A sentence, the clause S that it embeds, and the verb that embeds it.

    ``frame`` is one of :data:`trivium.language.signatures.FRAMES`, or ``adjective``; ``context`` are the words between
    the subject and the clause, such as *did not manage to*. ``denied``: the verb of the layer above implies that the
    sentence is false, so that its own verb counts as negated: *failed to notice that S* implies what *did not notice
    that S* does.
    """

    sentence: str
    clause: str
    verb: str
    frame: str
    negated: bool
    context: str
    denied: bool = False

    @property
    def sign(self) -> str | None:
        """What the verb implies about the clause, by its signature: ``+``, ``-``, ``o``, or None if it is unknown."""
        return None if self.frame == "adjective" else sign_of(self.verb, self.frame, self.negated != self.denied)


def decompose(premise: str, hypothesis: str = "", depth: int = MAX_DEPTH) -> tuple[Layer, ...]:
    """Return the layers of a sentence, the outermost first; none if it embeds no clause.

    The hypothesis tells whether an infinitive is made progressive (*is playing*) or simple (*plays*), and which verbs
    are not contexts but content, because the hypothesis has them too.

    >>> [(layer.verb, layer.clause) for layer in decompose("Someone hopes that a man manages to play a guitar")]
    [('hope', 'A man manages to play a guitar'), ('manage', 'A man is playing a guitar')]
    """
    progressive = True if _BE.search(hypothesis) else None
    content = _verbs_of(hypothesis)
    layers: list[Layer] = []
    sentence = premise
    while len(layers) < depth:
        layer = peel(sentence, progressive)
        if layer is None or (layers and layer.verb in content):
            break
        layers.append(layer)
        sentence = layer.clause
    return tuple(layers)


def with_polarity(layers: Sequence[Layer]) -> tuple[Layer, ...]:
    """Return the layers of a sentence with ``denied`` set where the verb above implies that the sentence is false.

    >>> layers = with_polarity(decompose("The clerk failed to notice that a page was missing"))
    >>> [(layer.verb, layer.denied, layer.sign) for layer in layers]
    [('fail', False, '-'), ('notice', True, '+')]
    """
    result: list[Layer] = []
    for layer in layers:
        denied = bool(result) and result[-1].sign == "-" and layer.sign is not None
        result.append(replace(layer, denied=denied))
    return tuple(result)


def peel(sentence: str, progressive: bool | None = None) -> Layer | None:
    """Return the outermost layer of a sentence, or None if it embeds no clause.

    A verb in a relative clause counts if no other verb embeds a clause.
    """
    words = words_of(sentence)
    return _first_layer(words, progressive, relative=False) or _first_layer(words, progressive, relative=True)


def _first_layer(words: Words, progressive: bool | None, relative: bool) -> Layer | None:
    for index, word in enumerate(words.lower):
        layer = None
        if word == "that" and index:
            layer = _that_clause(words, index, relative)
        elif word == "to" and index:
            layer = _infinitive(words, index, progressive, relative)
        if layer is not None:
            return layer
    return None


def _that_clause(words: Words, index: int, relative: bool) -> Layer | None:
    """Return the layer of a *that* at ``index``, unless it is a relative pronoun or a demonstrative."""
    if index + 2 >= len(words) or words.lower[index - 1] in words.relatives:
        return None
    if words.is_finite(index + 1) and not words.is_modifier(index + 1):
        return None
    for verb in range(index - 1, max(-1, index - _REACH), -1):
        found = _embedder(words, verb, "that", adjacent=verb == index - 1)
        if found is not None:
            frame, lemma, group = found
            if words.in_relative(group.start) != relative:
                return None
            negated = group.negated or words.lower[0] in ("nobody", "none", "neither")
            clause = _NEXT.sub("", words.text(index + 1))
            if group.tense == "gerund" and group.start <= 1:  # after learning that S, …
                clause = clause.partition(",")[0]
            return _layer(words, index + 1, clause, lemma, frame, negated, group)
        if words.is_boundary(verb):
            return None
    return None


def _infinitive(words: Words, index: int, progressive: bool | None, relative: bool) -> Layer | None:
    """Return the layer of a *to* at ``index`` that begins an infinitive."""
    base = words.base_verb(index + 1)
    if base is None:
        return None
    negated_clause = any(word == "not" for word in words.lower[index - 1 : base])
    for found in _infinitive_embedders(words, index):
        frame, lemma, group, subject = found
        if words.in_relative(group.start) != relative or negated_clause or _is_destination(words, base, lemma):
            continue
        verb = words.caused_verb(base) if lemma == "serve" and words.lower[base] == "make" else None
        if verb is not None:  # a cue serves to make x S
            subject, base = (base + 1, words.skip_adverbs(verb - 1) + 1), verb
        clause = finite_clause(words, subject, group, base, progressive)
        if clause is not None:
            return _layer(words, index + 1, clause, lemma, frame, group.negated, group)
    return None


def _is_destination(words: Words, index: int, verb: str) -> bool:
    """Return whether what follows the *to* of a verb is a place without a determiner: *went to bed*."""
    place, following = words.lower[index], words.lower[index + 1 : index + 2]
    is_place = place in words.bare_places or (place in words.bare_activities and verb in words.going)
    return is_place and verb in words.motion | words.going and not {*following} & (words.determiners | words.pronouns)


def _infinitive_embedders(words: Words, index: int) -> Iterator[tuple[str, str, Group, tuple[int, int]]]:
    """Yield frame, lemma and verb group of what may embed the infinitive of a *to*, with the span of its subject."""
    before = words.skip_adverbs(index - 1)
    if (found := _embedder(words, before, "to", adjacent=True)) is not None:
        yield (*found, (0, found[2].start))
    joined = False
    for start in range(index - 2, max(0, index - _REACH), -1):
        if words.lower[start] == "for":
            found = _embedder(words, start - 1, "for-to", adjacent=False)
            if found is not None:
                yield (*found, (start + 1, index))
        joined = joined or words.lower[start] == "and"  # x and y, or another clause
        if words.is_boundary(start) and words.lower[start] != "and":
            return
        if joined:
            continue
        found = _embedder(words, start, "object-to", adjacent=False)
        if found is None or not words.starts_phrase(start + 1):
            continue
        by_subject = words.lower[index - 1] in words.control_nouns
        yield (*found, (0, found[2].start) if by_subject else (start + 1, index))


def _embedder(words: Words, index: int, frame: str, adjacent: bool) -> tuple[str, str, Group] | None:
    """Return frame, lemma and verb group if the word at ``index`` embeds a clause in this frame or its passive."""
    if index < 0:
        return None
    particle = words.lower[index] if index and words.lower[index] in words.particles else ""
    if particle:
        index -= 1
    word, known = words.lower[index], signatures()
    group = read_group(words, index)
    if group is None or (group.start and words.lower[group.start - 1] == "to"):
        return None
    if group.passive:
        passive = "passive-that" if frame == "that" else "passive-to" if frame == "to" else None
        adjectives = words.adjectives_that if frame == "that" else words.adjectives_to
        if adjacent and passive and word in adjectives:
            return "adjective", word, group
        if passive is None or word == "used":  # used to S: for the purpose of S
            return None
        lemmas = [lemma for lemma in _lemmas(word, particle) if lemma in known[passive] or lemma in known[frame]]
        return (passive, lemmas[0], group) if lemmas else None
    lemmas = [
        lemma for lemma in _lemmas(word, particle) if lemma in known[frame] or _has_special_frame(words, index, lemma)
    ]
    if lemmas and words.may_be_verb(index, group):
        return frame, lemmas[0], group
    adjacent = adjacent or (frame == "object-to" and words.has_control_noun(index + 1))
    adjacent = adjacent or (frame == "for-to" and words.lower[:1] == ("it",))  # it blicks for x to S
    if adjacent and not particle and words.may_be_unknown_verb(index, group):
        return frame, _unknown_lemma(word), group
    return None


def _has_special_frame(words: Words, index: int, lemma: str) -> bool:
    """Return whether a verb embeds a clause in a frame that the lexicon lacks: *uses the chance to*, *remains for*."""
    if words.has_control_noun(index + 1):
        return lemma in ("use", "take", "get", "have", "seize")
    return lemma == "remain" and words.lower[index + 1 : index + 2] == ("for",)


def _layer(words: Words, start: int, clause: str, verb: str, frame: str, negated: bool, group: Group) -> Layer:
    context = " ".join(words.written[group.start : start])
    return Layer(words.sentence, clause[:1].upper() + clause[1:], verb, frame, negated, context)


def _verbs_of(text: str) -> frozenset[str]:
    """Return all lemmas that the words of a text can have as verbs."""
    return frozenset(lemma for word in words_of(text).lower for lemma in _lemmas(word))


@cache
def _lemmas(word: str, particle: str = "") -> tuple[str, ...]:
    if not word.isalpha():
        return ()
    lemmas = lemmatize(word, upos="VERB", lemmatize_oov=False)
    american = [f"{lemma[:-3]}ize" for lemma in lemmas if lemma.endswith("ise")]  # realise, recognise
    return tuple(f"{lemma} {particle}".strip() for lemma in (*lemmas, *american))


def _unknown_lemma(word: str) -> str:
    """Return the lemma of a verb that no dictionary has: ``blicks`` → ``blick``."""
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 2:
            forms = {form for tag in ("VBZ", "VBD", "VBG") for form in inflect(stem, tag)}
            if word in forms:
                return stem
    return word
