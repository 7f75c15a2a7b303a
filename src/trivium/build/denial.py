"""What a fact about somebody teaches without anybody's help: that it is so, and that its denial is not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trivium.data.example import Example
from trivium.language.inflection import getAllLemmas, getInflection

_PRONOUNS = frozenset("i we you they he she it".split())
_POSSESSIVES = frozenset("my our your his her their its".split())
_AUXILIARIES = frozenset("am is are was were can will would must".split())
_OPEN = frozenset("may might could should".split())  # who may go, may also not go
_LINKS = frozenset("who whom which that whose and or but because if when while".split())
# Adverbs that a denial may be put before without saying something else ("do not really like").
_SOFT = frozenset("really currently still now truly recently absolutely actually".split())
_UNDENIABLE = re.compile(
    r"\b(?:not|never|no|nobody|nothing|cannot|neither|without|hardly|rarely|sometimes|often|usually|always|only)\b|n't\b",
    re.IGNORECASE,
)
_SHORT = (
    (r"\bi'm\b", "i am"),
    (r"\b(i|we|you|they)'ve\b", r"\1 have"),
    (r"\b(i|we|you|they|he|she|it)'ll\b", r"\1 will"),
    (r"\b(we|you|they)'re\b", r"\1 are"),
)
_SEARCHED = 6


def deny(fact: str) -> str | None:
    """The fact denied: "I have a dog" becomes "I do not have a dog". None where plain rules do not reach.

    The first verb is denied. Facts that deny something already, or that say how often, are left alone.
    """
    text = fact
    for short, long in _SHORT:
        text = re.sub(short, lambda found, long=long: _like(found.group(), found.expand(long)), text, flags=re.I)  # type: ignore[misc]
    if _UNDENIABLE.search(text):
        return None
    words = text.split()
    plain = [word.lower().strip(",.!?;") for word in words]
    place = _place_of_verb(plain) if words else None
    if place is None or plain[place] in _OPEN or (len(words) == place + 1 and plain[place] in _AUXILIARIES):
        return None
    adverbs: list[str] = []
    while words[place - 1].lower() in _SOFT:
        adverbs.insert(0, words.pop(place - 1))
        place -= 1
    verb, after = words[place], words[place + 1 :]
    if verb.lower() in _AUXILIARIES or _is_perfect(verb, after) or _is_emphatic(verb, after):
        return " ".join([*words[: place + 1], "not", *adverbs, *_any(after)])
    ending = verb[len(verb.rstrip(",.!?;")) :]
    helper, base = _helped(verb.lower().rstrip(",.!?;"))
    return " ".join([*words[:place], helper, "not", *adverbs, base + ending, *_any(after)])


def lesson_of(fact: str, others: Sequence[str], name: str) -> list[Example]:
    """Pairs that a fact alone gives: it follows from itself, contradicts its denial, and leaves other facts open.

    A fact that cannot be denied by plain rules has no contradiction.
    """
    pairs = [(fact, fact, "entailment"), *((fact, other, "neutral") for other in others if other != fact)]
    denial = deny(fact)
    if denial is not None:
        pairs += [(fact, denial, "contradiction"), (denial, fact, "contradiction"), (denial, denial, "entailment")]
    return [Example.make(f"{name}-{number}", *pair) for number, pair in enumerate(pairs, 1)]


def _place_of_verb(words: Sequence[str]) -> int | None:
    """Where the first verb stands: behind a pronoun, or an auxiliary behind something of somebody's."""
    if words[0] in _PRONOUNS:
        place = next((i for i, word in enumerate(words) if i and word not in _SOFT), None)
        if place is None or not (words[place] in _AUXILIARIES | _OPEN or "VERB" in getAllLemmas(words[place])):
            return None
        return None if words[place].endswith("ly") or "'" in words[place] else place
    if words[0] not in _POSSESSIVES:
        return None
    for place, word in enumerate(words[:_SEARCHED]):
        if word in _LINKS:
            return None
        if word in _AUXILIARIES or (place > 1 and word in ("has", "have", "had")):
            return place
    return None


def _is_perfect(verb: str, after: Sequence[str]) -> bool:
    """Whether have, has or had is an auxiliary: a participle comes next."""
    if verb.lower() not in ("have", "has", "had") or not after:
        return False
    word = after[0].lower().strip(",.!?;")
    lemmas = getAllLemmas(word, upos="VERB").get("VERB", ())
    return word in ("been", "got", "read", "run", "come", "become", "put", "cut", "hit", "let", "set", "quit") or any(
        word in getInflection(lemma, "VBN") and word != lemma for lemma in lemmas
    )


def _is_emphatic(verb: str, after: Sequence[str]) -> bool:
    """Whether do, does or did only stresses the verb that comes next."""
    if verb.lower() not in ("do", "does", "did") or not after:
        return False
    word = after[0].lower().strip(",.!?;")
    return word in getAllLemmas(word, upos="VERB").get("VERB", ())


def _helped(verb: str) -> tuple[str, str]:
    """The form of *do* that denies a verb, and the verb's own plain form."""
    base = getAllLemmas(verb, upos="VERB")["VERB"][0]
    if verb == base:
        return "do", base
    return ("does" if verb in getInflection(base, "VBZ") else "did"), base


def _any(words: Sequence[str]) -> list[str]:
    return [{"some": "any", "something": "anything", "someone": "anyone"}.get(word, word) for word in words]


def _like(old: str, new: str) -> str:
    return new[0].upper() + new[1:] if old[0].isupper() else new
