"""Deny facts about a person by rules, and derive NLI pairs from facts and their denials."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trivium.data.example import Example
from trivium.language.inflection import all_lemmas, inflect

_PRONOUNS = frozenset("i we you they he she it".split())
_POSSESSIVES = frozenset("my our your his her their its".split())
_AUXILIARIES = frozenset("am is are was were can will would must".split())
_WEAK_MODALS = frozenset("may might could should".split())  # "may go" does not exclude "may not go"
_LINKS = frozenset("who whom which that whose and or but because if when while".split())
# Adverbs that can follow "not" without changing the meaning of the denial ("do not really like").
_ADVERBS = frozenset("really currently still now truly recently absolutely actually".split())
_UNDENIABLE = re.compile(
    r"\b(?:not|never|no|nobody|nothing|cannot|neither|without|hardly|rarely|sometimes|often|usually|always|only)\b|n't\b",
    re.IGNORECASE,
)
_CONTRACTIONS = (
    (r"\bi'm\b", "i am"),
    (r"\b(i|we|you|they)'ve\b", r"\1 have"),
    (r"\b(i|we|you|they|he|she|it)'ll\b", r"\1 will"),
    (r"\b(we|you|they)'re\b", r"\1 are"),
)
_MAX_WORDS = 6


def deny(fact: str) -> str | None:
    """Return the denial of a fact ("I have a dog" becomes "I do not have a dog"), or None if no rule applies.

    The first verb is negated. Facts that contain a negation or an adverb of frequency have no denial.
    """
    text = fact
    for short, full in _CONTRACTIONS:
        text = re.sub(short, lambda match, full=full: _match_case(match.group(), match.expand(full)), text, flags=re.I)  # type: ignore[misc]
    if _UNDENIABLE.search(text):
        return None
    words = text.split()
    lower = [word.lower().strip(",.!?;") for word in words]
    index = _verb_index(lower) if words else None
    if index is None or lower[index] in _WEAK_MODALS or (len(words) == index + 1 and lower[index] in _AUXILIARIES):
        return None
    adverbs: list[str] = []
    while words[index - 1].lower() in _ADVERBS:
        adverbs.insert(0, words.pop(index - 1))
        index -= 1
    verb, after = words[index], words[index + 1 :]
    if verb.lower() in _AUXILIARIES or _is_perfect(verb, after) or _is_emphatic(verb, after):
        return " ".join([*words[: index + 1], "not", *adverbs, *_with_any(after)])
    ending = verb[len(verb.rstrip(",.!?;")) :]
    helper, base = _do_support(verb.lower().rstrip(",.!?;"))
    return " ".join([*words[:index], helper, "not", *adverbs, base + ending, *_with_any(after)])


def pairs_from_fact(fact: str, others: Sequence[str], name: str) -> list[Example]:
    """Return pairs derived from a fact: it entails itself, contradicts its denial, and is neutral to other facts.

    A fact without a denial (see :func:`deny`) gives no contradiction.
    """
    pairs = [(fact, fact, "entailment"), *((fact, other, "neutral") for other in others if other != fact)]
    denial = deny(fact)
    if denial is not None:
        pairs += [(fact, denial, "contradiction"), (denial, fact, "contradiction"), (denial, denial, "entailment")]
    return [Example.make(f"{name}-{number}", *pair) for number, pair in enumerate(pairs, 1)]


def _verb_index(words: Sequence[str]) -> int | None:
    """Return the index of the first verb after a pronoun, or of the first auxiliary after a possessive phrase."""
    if words[0] in _PRONOUNS:
        index = next((i for i, word in enumerate(words) if i and word not in _ADVERBS), None)
        if index is None or not (words[index] in _AUXILIARIES | _WEAK_MODALS or "VERB" in all_lemmas(words[index])):
            return None
        return None if words[index].endswith("ly") or "'" in words[index] else index
    if words[0] not in _POSSESSIVES:
        return None
    for index, word in enumerate(words[:_MAX_WORDS]):
        if word in _LINKS:
            return None
        if word in _AUXILIARIES or (index > 1 and word in ("has", "have", "had")):
            return index
    return None


def _is_perfect(verb: str, after: Sequence[str]) -> bool:
    """Return whether *have*, *has* or *had* is an auxiliary, because a participle follows."""
    if verb.lower() not in ("have", "has", "had") or not after:
        return False
    word = after[0].lower().strip(",.!?;")
    lemmas = all_lemmas(word, upos="VERB").get("VERB", ())
    return word in ("been", "got", "read", "run", "come", "become", "put", "cut", "hit", "let", "set", "quit") or any(
        word in inflect(lemma, "VBN") and word != lemma for lemma in lemmas
    )


def _is_emphatic(verb: str, after: Sequence[str]) -> bool:
    """Return whether *do*, *does* or *did* emphasizes the verb that follows."""
    if verb.lower() not in ("do", "does", "did") or not after:
        return False
    word = after[0].lower().strip(",.!?;")
    return word in all_lemmas(word, upos="VERB").get("VERB", ())


def _do_support(verb: str) -> tuple[str, str]:
    """Return the form of *do* that negates a verb, and the base form of the verb."""
    base = all_lemmas(verb, upos="VERB")["VERB"][0]
    if verb == base:
        return "do", base
    return ("does" if verb in inflect(base, "VBZ") else "did"), base


def _with_any(words: Sequence[str]) -> list[str]:
    """Replace *some* by *any*, as a negation requires."""
    return [{"some": "any", "something": "anything", "someone": "anyone"}.get(word, word) for word in words]


def _match_case(old: str, new: str) -> str:
    return new[0].upper() + new[1:] if old[0].isupper() else new
