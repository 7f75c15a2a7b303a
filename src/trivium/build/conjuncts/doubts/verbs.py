"""What makes a removal doubtful as a verb or a clause would be left alone, or lost."""

from __future__ import annotations

from typing import Final

from trivium.build.conjuncts.agreement import VERBAL, is_form
from trivium.build.conjuncts.doubts.kinds import PHRASE, RELATIVES, first_word, kind_of
from trivium.build.conjuncts.pairs import Pair
from trivium.build.conjuncts.sentence import Span
from trivium.build.conjuncts.shape import own_end

_OPENING: Final = RELATIVES | {"where"}
_IS: Final = frozenset({"is", "are", "am"})
_EARLY: Final = frozenset("first originally initially formerly previously".split())
_FOR_ONE: Final = frozenset({"is", "was", "has"})
_FOR_MANY: Final = frozenset({"are", "were", "have"})
_LIMITS: Final = frozenset({"until", "from", "since", "before", "till"})
_LATER: Final = frozenset("later then afterwards afterward eventually subsequently thereafter soon finally".split())
_NOUN_STARTS: Final = PHRASE - {"ADJ"}
_LINKS: Final = frozenset("because if when while although though unless whether whereas".split())


def bound_in_time(pair: Pair) -> bool:
    """ "Until 2002 it was A but was B", "In 1970 he met her, but later left": the time is that of A alone."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    if pair.side != "left":
        return False
    if left.first and words[left.first - 1].lower in _EARLY:
        return True  # "It first aired in March and ended in April"
    dated = any(word.tag == "NUM" for word in words[: left.first])
    return words[0].lower in _LIMITS or (dated and words[right.first].lower in _LATER)


def loose_participle(pair: Pair) -> bool:
    """ "is a song written by A and recorded by B" without its verb."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    if words[left.first].tag not in VERBAL:
        return False
    verb = next((words[place] for place in range(*right) if words[place].tag not in {"ADV", "PUNCT"}), None)
    if verb is None or verb.tag != "VERB" or not is_form(verb.lower, verb.lemma.lower(), "VBN"):
        return verb is not None and verb.tag == "VERB" and verb.text.endswith("ing") and _is_tensed(pair)
    if pair.side == "left" and words[left.first].lower in _IS and verb.text.endswith("ed") and _is_passive(pair):
        return True  # "is cut in slices and crusted with flour"
    if words[left.first].tag == "AUX" and not is_form(verb.lower, verb.lemma.lower(), "VBD"):
        return True
    loose = any(
        words[place].tag == "VERB"
        and is_form(words[place].lower, words[place].lemma.lower(), "VBN")
        and words[place - 1].tag in PHRASE
        for place in range(left.first + 1, left.end)
    )
    behind = words[right.first + 1].lower if right.first + 1 < len(words) else ""
    return loose or (behind == "by" and words[left.first].tag == "AUX" and not _is_passive(pair))


def _is_tensed(pair: Pair) -> bool:
    return not pair.sentence.words[pair.coordination.left.first].text.endswith("ing")


def _is_passive(pair: Pair) -> bool:
    words, left = pair.sentence.words, pair.coordination.left
    place = left.first + 1
    while place < left.end and words[place].tag in {"ADV", "AUX"}:
        place += 1
    return place < left.end and words[place].tag == "VERB"


def other_form(pair: Pair) -> bool:
    """One verb has the form for a singular subject, the other one has not: "has" and "cut", "sings" and "are"."""
    words = pair.sentence.words
    verbs = [words[first_word(pair.sentence, span)] for span in (pair.coordination.left, pair.coordination.right)]
    if any(verb.tag not in VERBAL for verb in verbs):
        return False
    left, right = (verb.lower in _FOR_ONE or is_form(verb.lower, verb.lemma.lower(), "VBZ") for verb in verbs)
    return left != right and any(verb.lower in _FOR_MANY or verb.lower == verb.lemma.lower() for verb in verbs)


def reaches_far(pair: Pair) -> bool:
    """ "Books sold in Rome are free if they are on paper or in English": *in Rome* is not all that up to *or*."""
    words, found = pair.sentence.words, pair.coordination
    for part, other in ((found.left, found.right), (found.right, found.left)):
        near = (words[place] for place in range(*part))
        verb = next((word for word in near if word.tag in {"AUX", "SCONJ"} or word.lower in RELATIVES), None)
        alone = all(words[place].tag not in VERBAL for place in range(*other))
        if verb is not None and verb.tag == "AUX" and alone and kind_of(pair.sentence, part) == "preposition":
            return True
    return False


def stands_alone(pair: Pair) -> bool:
    """ "They left a town where it rained, and where they froze" without its first clause."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    if pair.side != "left" or any(word.text[0].isalnum() for word in words[: left.first]):
        return False
    first = first_word(pair.sentence, right)
    opening = words[right.first : first + 1]
    bound = any(word.tag == "SCONJ" or word.lower in _OPENING for word in opening)
    verbs = sum(words[place].tag in VERBAL and words[place - 1].tag not in VERBAL for place in range(first, right.end))
    return bound and verbs < 2


def limited(pair: Pair) -> bool:
    """ "They include, but are not limited to, A": A is for both."""
    right = pair.coordination.right
    near = {word.lower for word in pair.sentence.words[right.first : right.first + 4]}
    return pair.conjunction == "but" and {"not", "limited"} <= near


def verbless(pair: Pair) -> bool:
    """ "He left because the phone and the radio were broken", cut before *the radio*."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    place = next((i for i in range(left.end - 2, left.first - 1, -1) if words[i].lower in _LINKS), None)
    if place is None or words[place + 1].tag not in _NOUN_STARTS:
        return False
    return not any(word.tag in VERBAL for word in (*words[place : left.end], *words[right.end :]))


def without_verb(pair: Pair) -> bool:
    """No verb is left outside of the conjunct that goes."""
    found = pair.coordination
    gone = Span(found.right.first, own_end(pair.sentence, found)) if pair.side == "right" else found.left
    words = pair.sentence.words
    return not any(words[place].tag in VERBAL for place in range(len(words)) if not gone.first <= place < gone.end)
