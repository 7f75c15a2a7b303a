"""What makes the sentences of a pair doubtful: it is not built, as its hypothesis may be no English.

Parsers err, and a sentence with a wrong cut teaches a wrong lesson. There are more sentences than pairs are needed, so
that a pair is left out on suspicion. Each suspicion has a name, under which what is left out is counted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from trivium.build.conjuncts.agreement import head_of, is_form, is_plural
from trivium.build.conjuncts.pairs import Pair
from trivium.build.conjuncts.sentence import OPENERS, Sentence, Span
from trivium.build.conjuncts.shape import own_end, own_starts

_NOMINAL: Final = frozenset({"NOUN", "PROPN", "DET", "NUM", "PRON", "ADJ", "SYM"})
_VERBAL: Final = frozenset({"VERB", "AUX"})
_OPEN: Final = frozenset({"DET", "ADP", "AUX", "SCONJ"})  # what waits for something behind it
_STOPS: Final = frozenset({"CCONJ", "PUNCT", "ADP", "AUX"})
_MAY: Final = frozenset({("AUX", "ADP"), ("AUX", "AUX"), ("ADP", "ADP"), ("SCONJ", "ADP"), ("SCONJ", "AUX")})
_FRESH: Final = frozenset({"PROPN", "DET", "NUM", "ADJ"})  # what begins a new phrase behind a noun
_BE: Final = frozenset({"are", "were"})
_COUNTS: Final = frozenset("most some many all one few none several each half".split())
_RESTATING: Final = frozenset("simply more rather sometimes even perhaps merely just also at not possibly".split())


def doubt_of_form(pair: Pair) -> str | None:
    """Why the sentences of a pair are not trusted; None if they are."""
    if pair.operation == "replace":
        return None  # one word for another of its form
    return next((reason for reason, holds in _OF_REMOVALS if holds(pair)), None)


def kind_of(sentence: Sentence, span: Span) -> str:
    """What a conjunct is, by its first words: a clause, a verb phrase, a prepositional phrase, a noun or an adverb."""
    tags = [sentence.words[place].tag for place in range(*span)]
    first = next((place for place, tag in enumerate(tags) if tag not in {"ADV", "PUNCT", "PART"}), None)
    if first is None:
        return "adverb"
    if tags[first] == "ADP":
        return "preposition"
    if tags[first] in _VERBAL:
        return "verb"
    if tags[first] == "SCONJ" or _has_own_verb(sentence, span, tags, first):
        return "clause"
    return "noun"


def _has_own_verb(sentence: Sentence, span: Span, tags: list[str], first: int) -> bool:
    """Whether a verb follows the noun that a conjunct begins with, and not a relative pronoun."""
    for place in range(first, len(tags)):
        if tags[place] == "AUX":
            return True
        word = sentence.words[span.first + place]
        if word.text.lower() in {"who", "which", "that", "whose", "whom"} or tags[place] == "SCONJ":
            return False
        if tags[place] == "VERB":
            return not word.text.endswith(("ing", "ed", "en"))
    return False


def _unlike(pair: Pair) -> bool:
    """The conjuncts are of two kinds."""
    left, right = (kind_of(pair.sentence, span) for span in (pair.coordination.left, pair.coordination.right))
    return left != right


def _clash(pair: Pair) -> bool:
    """Behind the cut stands what cannot follow what is before it."""
    words, found = pair.sentence.words, pair.coordination
    if pair.side == "right":
        before, behind = found.left.end - 1, own_end(pair.sentence, found)
    else:
        before, behind = own_starts(pair.sentence, found)[0] - 1, found.right.first
    if before < 0 or behind >= len(words):
        return False
    tags = words[before].tag, words[behind].tag
    if tags == ("NUM", "NUM") or (words[before].text.lower() in _BE and tags[1] == "PUNCT"):
        return True
    if pair.side == "right" and tags[0] in {"NOUN", "PROPN", "NUM"} and tags[1] in _FRESH:
        return True
    if tags[0] in {"DET", "ADP"} and tags[1] == "VERB" and not words[behind].text.endswith(("ing", "ed", "en")):
        return True
    return tags[0] in _OPEN and tags[1] in _STOPS and tags not in _MAY


def _gapped(pair: Pair) -> bool:
    """ "A in B and C in D": what follows C begins as what A has."""
    words, found = pair.sentence.words, pair.coordination
    end = own_end(pair.sentence, found)
    if pair.side == "left" or end >= len(words) or words[end].tag not in {"ADP", "SCONJ"}:
        return False
    return any(words[place].text.lower() == words[end].text.lower() for place in range(*found.left))


def _headless(pair: Pair) -> bool:
    """ "a football and basketball player" without its player; "most or all of it" without *of it*."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    if left.end - left.first > 1 or right.end - right.first < 2:
        return False
    tags = [words[place].tag for place in range(*right)]
    compound = words[left.first].tag == "NOUN" and not is_plural(words[left.first]) and set(tags) <= {"NOUN", "ADJ"}
    counted = words[left.first].text.lower() in _COUNTS and "of" in (words[place].text for place in range(*right))
    return compound or counted


def _loose_opener(pair: Pair) -> bool:
    """ "would either throw it from A or from B": *either* would be left behind."""
    words, found = pair.sentence.words, pair.coordination
    first = (*found.others, found.left)[0].first
    if found.opener is not None:
        return found.opener + 1 < first
    return any(OPENERS.get(words[place].text.lower()) == pair.conjunction for place in range(found.conjunction))


def _uneven_list(pair: Pair) -> bool:
    """ "by A, by B or C": the conjuncts before these are of another kind."""
    kinds = {kind_of(pair.sentence, span) for span in pair.coordination.others}
    return bool(kinds) and kinds != {kind_of(pair.sentence, pair.coordination.right)}


def _bound_in_time(pair: Pair) -> bool:
    """ "Until 2002 it was A but was B": the time is that of A alone."""
    first = pair.sentence.words[0].text.lower()
    return pair.side == "left" and first in {"until", "from", "since", "before", "till"}


def _loose_participle(pair: Pair) -> bool:
    """ "is a song written by A and recorded by B" without its verb."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    if words[left.first].tag not in _VERBAL:
        return False
    verb = next((words[place] for place in range(*right) if words[place].tag not in {"ADV", "PUNCT"}), None)
    if verb is None or verb.tag != "VERB" or not is_form(verb.text.lower(), verb.lemma.lower(), "VBN"):
        return verb is not None and verb.tag == "VERB" and verb.text.endswith("ing") and _is_tensed(pair)
    if words[left.first].tag == "AUX" and not is_form(verb.text.lower(), verb.lemma.lower(), "VBD"):
        return True
    loose = any(
        words[place].tag == "VERB" and words[place].text.endswith(("ed", "en")) and words[place - 1].tag in _NOMINAL
        for place in range(left.first + 1, left.end)
    )
    behind = words[right.first + 1].text.lower() if right.first + 1 < len(words) else ""
    return loose or (behind == "by" and words[left.first].tag == "AUX" and not _is_passive(pair))


def _is_tensed(pair: Pair) -> bool:
    return not pair.sentence.words[pair.coordination.left.first].text.endswith("ing")


def _is_passive(pair: Pair) -> bool:
    words, left = pair.sentence.words, pair.coordination.left
    place = left.first + 1
    while place < left.end and words[place].tag in {"ADV", "AUX"}:
        place += 1
    return place < left.end and words[place].tag == "VERB"


def _other_form(pair: Pair) -> bool:
    """One verb has the ending of a singular subject, the other one has none: "has" and "cut"."""
    words = pair.sentence.words
    verbs = [words[_first_word(pair.sentence, span)] for span in (pair.coordination.left, pair.coordination.right)]
    if any(verb.tag not in _VERBAL for verb in verbs):
        return False
    left, right = (is_form(verb.text.lower(), verb.lemma.lower(), "VBZ") for verb in verbs)
    return left != right and any(verb.text.lower() == verb.lemma.lower() for verb in verbs)


def _first_word(sentence: Sentence, span: Span) -> int:
    skipped = {"ADV", "PUNCT", "PART"}
    return next((place for place in range(*span) if sentence.words[place].tag not in skipped), span.first)


def _between(pair: Pair) -> bool:
    """ "a choice between the red or blue ones": between one thing there is nothing."""
    first = (*pair.coordination.others, pair.coordination.left)[0].first
    places = (place for place in range(max(0, first - 4), first) if place != pair.coordination.opener)
    return any(pair.sentence.words[place].text.lower() in {"between", "among", "both"} for place in places)


def _loses_article(pair: Pair) -> bool:
    """ "The specimen or holotype" without *the*."""
    words, found = pair.sentence.words, pair.coordination
    if pair.side == "right" or words[found.left.first].tag != "DET" or words[found.right.first].tag == "DET":
        return False
    head = words[head_of(pair.sentence, found.right)]
    shared = own_starts(pair.sentence, found)[0] > found.left.first
    return not shared and head.tag == "NOUN" and not is_plural(head)


def _several_are_one(pair: Pair) -> bool:
    """ "Its sequels are A and B": they are not A."""
    first = (*pair.coordination.others, pair.coordination.left)[0].first
    before = pair.sentence.words[first - 1].text.lower() if first else ""
    if pair.conjunction != "and" or before not in _BE or pair.coordination.others:
        return False
    kept = pair.coordination.left if pair.side == "right" else pair.coordination.right
    head = pair.sentence.words[head_of(pair.sentence, kept)]
    return head.tag in {"NOUN", "PROPN"} and not is_plural(head)


def _shared_is_unclear(pair: Pair) -> bool:
    """ "old men and women": who is old?"""
    return pair.side == "left" and len(own_starts(pair.sentence, pair.coordination)) > 1


def _restated(pair: Pair) -> bool:
    """ "A, or more precisely B" without A."""
    first = pair.sentence.words[pair.coordination.right.first].text.lower()
    return pair.side == "left" and first in _RESTATING


def _list_with_but(pair: Pair) -> bool:
    """ "A, B, but also C": no list without B."""
    return pair.conjunction == "but" and bool(pair.coordination.others)


def _without_verb(pair: Pair) -> bool:
    """No verb is left outside of the conjunct that goes."""
    found = pair.coordination
    gone = Span(found.right.first, own_end(pair.sentence, found)) if pair.side == "right" else found.left
    words = pair.sentence.words
    return not any(words[place].tag in _VERBAL for place in range(len(words)) if not gone.first <= place < gone.end)


_Check = Callable[[Pair], bool]
_OF_REMOVALS: Final[tuple[tuple[str, _Check], ...]] = (
    ("the conjuncts are of two kinds", _unlike),
    ("what is before and behind the cut does not fit", _clash),
    ("a phrase would be left behind", _gapped),
    ("a noun would lose its head", _headless),
    ("both, either or neither would be left behind", _loose_opener),
    ("a list of two kinds", _uneven_list),
    ("a time may be that of one conjunct alone", _bound_in_time),
    ("a participle would lose its verb", _loose_participle),
    ("the verbs do not agree", _other_form),
    ("something would be between one thing", _between),
    ("a noun would lose its article", _loses_article),
    ("no verb would be left", _without_verb),
    ("several things would be one", _several_are_one),
    ("what the conjuncts share is not clear", _shared_is_unclear),
    ("the right conjunct only restates the left one", _restated),
    ("but stands behind a list", _list_with_but),
)
