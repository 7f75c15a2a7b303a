"""What makes the sentences of a pair doubtful: it is not built, as its hypothesis may be no English."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import takewhile
from typing import Final

from trivium.build.conjuncts.agreement import NOMINAL, VERBAL, head_of, is_form, is_plural
from trivium.build.conjuncts.pairs import Pair
from trivium.build.conjuncts.sentence import OPENERS, Sentence, Span, Word
from trivium.build.conjuncts.shape import own_end, own_starts
from trivium.build.conjuncts.tokens import POSSESSIVES

_PHRASE: Final = frozenset({"NOUN", "PROPN", "DET", "NUM", "PRON", "ADJ", "SYM"})  # what noun phrases are made of
_OPEN: Final = frozenset({"DET", "ADP", "AUX", "SCONJ"})  # what waits for something behind it
_STOPS: Final = frozenset({"CCONJ", "PUNCT", "ADP", "AUX"})
_MAY: Final = frozenset({("AUX", "ADP"), ("AUX", "AUX"), ("ADP", "ADP"), ("SCONJ", "ADP"), ("SCONJ", "AUX")})
_FRESH: Final = frozenset({"PROPN", "DET", "NUM", "ADJ"})  # what begins a new phrase behind a noun
_BE: Final = frozenset({"are", "were"})
_FOR_ONE: Final = frozenset({"is", "was", "has"})
_FOR_MANY: Final = frozenset({"are", "were", "have"})
_COMPARED: Final = frozenset({"more", "less", "fewer"})
_MANY: Final = frozenset({"most", "many", "few", "several"})
_BEFORE_DETERMINERS: Final = frozenset("all both either neither half such many what".split())
_ORDINAL: Final = re.compile(
    r"\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|former|latter", re.I
)
_TIMES: Final = frozenset("today yesterday tomorrow day night morning evening week month year season time".split())
_LIMITS: Final = frozenset({"until", "from", "since", "before", "till"})
_LATER: Final = frozenset("later then afterwards afterward eventually subsequently thereafter soon finally".split())
_FRONTED: Final = frozenset({"SCONJ", "ADP", "ADV", "VERB", "PART"})
_APART: Final = frozenset({",", "(", ":", "–", "—", "-"})
_LINKS: Final = frozenset("because if when while although though unless whether whereas".split())
_ONE: Final = frozenset({"one", "a", "an", "1"})
_RELATIVES: Final = frozenset({"who", "which", "that", "whose", "whom"})
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
    if tags[first] in VERBAL:
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
        if word.lower in _RELATIVES or tags[place] == "SCONJ":
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
    if _unlike_words(pair):
        return True
    if pair.side == "right":
        before, behind = found.left.end - 1, own_end(pair.sentence, found)
    else:
        before, behind = own_starts(pair.sentence, found)[0] - 1, found.right.first
    if before < 0 or behind >= len(words):
        return False
    tags = words[before].tag, words[behind].tag
    if (
        tags == ("NUM", "NUM")
        or _is_doubled(words[before], words[behind])
        or (words[before].lower in _BE and tags[1] == "PUNCT")
    ):
        return True
    if pair.side == "right" and tags[0] in {"NOUN", "PROPN", "NUM"} and tags[1] in _FRESH:
        return True
    if tags[0] in {"DET", "ADP"} and tags[1] == "VERB" and not words[behind].text.endswith(("ing", "ed", "en")):
        return True
    return tags[0] in _OPEN and tags[1] in _STOPS and tags not in _MAY


def _is_doubled(before: Word, behind: Word) -> bool:
    """A word twice, or two determiners or two comparisons in a row: "most some dogs", "more less than 25"."""
    first, second = before.lower, behind.lower
    if first == second:
        return True
    if second in _COMPARED:
        return first in _COMPARED or first == "than"
    if second in _MANY:
        return first in _COUNTS or before.tag == "DET"
    many = first in _MANY or (before.tag == "DET" and first not in _BEFORE_DETERMINERS)
    return many and behind.tag == "DET"


def _unlike_words(pair: Pair) -> bool:
    """An adjective beside a noun or a number, with no noun behind: "the fine or go to prison" was read wrongly."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    if left.end - left.first > 1 or not left.first:
        return False
    if words[left.first].tag == "ADJ" and words[left.first - 1].tag == "VERB" and words[right.first].tag == "DET":
        return True  # "left early, but the guests stayed"
    if right.end - right.first > 1:
        return False
    tags = {words[left.first].tag, words[right.first].tag}
    word = words[right.first].lower
    named = any(words[span.first].text[0].isupper() for span in (left, right)) or word in _COMPARED  # "one or more"
    followed = right.end < len(words) and words[right.end].tag in _PHRASE
    unlike = "ADJ" in tags and not tags.isdisjoint({"NOUN", "NUM"})
    return unlike and not named and not followed and words[left.first - 1].tag in {"DET", "ADP"}


def _gapped(pair: Pair) -> bool:
    """ "A in B and C in D": what follows C begins as what A has, or as what B stands behind."""
    words, found = pair.sentence.words, pair.coordination
    end = own_end(pair.sentence, found)
    if end >= len(words) or words[end].tag not in {"ADP", "SCONJ"}:
        return False
    same, before = words[end].lower, (*found.others, found.left)[0].first - 1
    if before > 0 and words[before].lower == same and words[before - 1].tag not in VERBAL:
        return True
    return pair.side == "right" and any(words[place].lower == same for place in range(*found.left))


def _headless(pair: Pair) -> bool:
    """ "a football and basketball player" without its player; "most or all of it" without *of it*."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    tags = [words[place].tag for place in range(*right)]
    if right.end - right.first < 2:
        return False
    if [words[place].tag for place in range(*left)] == ["DET", "NOUN"] and set(tags) == {"NOUN"}:
        return not is_plural(words[left.first + 1])  # "the fire and rescue service"
    if left.end - left.first > 1:
        return False
    compound = words[left.first].tag == "NOUN" and not is_plural(words[left.first]) and set(tags) <= {"NOUN", "ADJ"}
    before = words[left.first - 1].lower if left.first else ""
    if before in {"a", "an"} and words[left.first].tag in {"ADJ", "NOUN"} and tags[0] in {"ADJ", "VERB", "ADV"}:
        return tags[-1] in {"NOUN", "PROPN"}  # "a plain but useful tool" without its tool
    counted = words[left.first].lower in _COUNTS and "of" in (words[place].text for place in range(*right))
    return compound or counted


def _loose_opener(pair: Pair) -> bool:
    """ "would either throw it from A or from B": *either* would be left behind."""
    words, found = pair.sentence.words, pair.coordination
    first = (*found.others, found.left)[0].first
    if found.opener is not None:
        return found.opener + 1 < first
    return any(OPENERS.get(words[place].lower) == pair.conjunction for place in range(found.conjunction))


def _uneven_list(pair: Pair) -> bool:
    """ "by A, by B or C": the conjuncts before these are of another kind."""
    kinds = {kind_of(pair.sentence, span) for span in pair.coordination.others}
    return bool(kinds) and kinds != {kind_of(pair.sentence, pair.coordination.right)}


def _bound_in_time(pair: Pair) -> bool:
    """ "Until 2002 it was A but was B", "In 1970 he met her, but later left": the time is that of A alone."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    if pair.side != "left":
        return False
    dated = any(word.tag == "NUM" for word in words[: left.first])
    return words[0].lower in _LIMITS or (dated and words[right.first].lower in _LATER)


def _loose_participle(pair: Pair) -> bool:
    """ "is a song written by A and recorded by B" without its verb."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    if words[left.first].tag not in VERBAL:
        return False
    verb = next((words[place] for place in range(*right) if words[place].tag not in {"ADV", "PUNCT"}), None)
    if verb is None or verb.tag != "VERB" or not is_form(verb.lower, verb.lemma.lower(), "VBN"):
        return verb is not None and verb.tag == "VERB" and verb.text.endswith("ing") and _is_tensed(pair)
    if words[left.first].tag == "AUX" and not is_form(verb.lower, verb.lemma.lower(), "VBD"):
        return True
    loose = any(
        words[place].tag == "VERB" and words[place].text.endswith(("ed", "en")) and words[place - 1].tag in _PHRASE
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


def _other_form(pair: Pair) -> bool:
    """One verb has the form for a singular subject, the other one has not: "has" and "cut", "sings" and "are"."""
    words = pair.sentence.words
    verbs = [words[_first_word(pair.sentence, span)] for span in (pair.coordination.left, pair.coordination.right)]
    if any(verb.tag not in VERBAL for verb in verbs):
        return False
    left, right = (verb.lower in _FOR_ONE or is_form(verb.lower, verb.lemma.lower(), "VBZ") for verb in verbs)
    return left != right and any(verb.lower in _FOR_MANY or verb.lower == verb.lemma.lower() for verb in verbs)


def _first_word(sentence: Sentence, span: Span) -> int:
    skipped = {"ADV", "PUNCT", "PART"}
    return next((place for place in range(*span) if sentence.words[place].tag not in skipped), span.first)


def _between(pair: Pair) -> bool:
    """ "a choice between the red or blue ones": between one thing there is nothing."""
    first = (*pair.coordination.others, pair.coordination.left)[0].first
    places = (place for place in range(max(0, first - 4), first) if place != pair.coordination.opener)
    return any(pair.sentence.words[place].lower in {"between", "among", "both"} for place in places)


def _loses_article(pair: Pair) -> bool:
    """ "The specimen or holotype" without *the*, "my friend and colleague Sarah" without *my*."""
    words, found = pair.sentence.words, pair.coordination
    first, other = words[found.left.first], words[found.right.first]
    if pair.side == "right" or not _is_determiner(first) or _is_determiner(other):
        return False
    head = words[head_of(pair.sentence, found.right)]
    shared = own_starts(pair.sentence, found)[0] > found.left.first
    noun = other if head.tag == "PROPN" else head
    return not shared and noun.tag == "NOUN" and not is_plural(noun)


def _is_determiner(word: Word) -> bool:
    return word.tag == "DET" or word.lower in POSSESSIVES


def _plural_for_two(pair: Pair) -> bool:
    """ "The first and second chapters": neither is the first chapters. "In verses 20 and 21": 20 is no verses."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    if left.first and {words[left.end - 1].tag, words[right.first].tag} == {"NUM"} and is_plural(words[left.first - 1]):
        return True
    if pair.side == "left" and words[right.first].lower in _ONE and is_plural(words[head_of(pair.sentence, right)]):
        return True  # "two old and one new schools"
    start = right.first + (words[right.first].tag == "DET")
    if start >= len(words) or not all(_ORDINAL.fullmatch(words[i].text) for i in (left.end - 1, start)):
        return False
    later = takewhile(lambda word: word.tag in {"ADJ", "NOUN", "NUM", "PROPN"}, words[start + 1 :])
    behind = words[start + 1 : start + 2]
    return any(map(is_plural, later)) or any(word.tag == "VERB" and word.text.endswith("s") for word in behind)


def _phrase_before(sentence: Sentence, end: int) -> Span:
    """The noun phrase that ends here; empty if there is none, or one of time or place: "Last year", "In Rome"."""
    words, first = sentence.words, end
    if not end or words[end - 1].tag not in NOMINAL or words[end - 1].lower in _TIMES:
        return Span(end, end)
    while first and (words[first - 1].tag in _PHRASE or words[first - 1].tag == "ADP"):
        first -= 1
    opens = not first or words[first - 1].tag in _STOPS | {"SCONJ"}
    return Span(end, end) if opens and words[first].tag == "ADP" else Span(first, end)


def _cuts_list(pair: Pair) -> bool:
    """ "The dog, the cat and the bird sleep" with no list found: *the dog* is one of three, or named twice.

    "He likes tea, milk and beer" without beer would be "he likes tea, milk".

    Where a list was found, a comma between it and its verb tells that it is none.
    """
    words, found = pair.sentence.words, pair.coordination
    comma, end = found.left.first - 1, found.right.end
    if found.others:
        start, behind = found.others[0].first, words[end : end + 2]
        opens = not start or words[start - 1].tag in _STOPS | {"SCONJ"}
        return opens and len(behind) > 1 and behind[0].text == "," and behind[1].tag in VERBAL
    if comma < 1 or words[comma].text != "," or kind_of(pair.sentence, found.left) != "noun":
        return False
    first, last = _phrase_before(pair.sentence, comma)
    subject = end < len(words) and words[end].tag in VERBAL
    apposed = pair.side == "right" and words[found.left.first].tag == "DET"  # "his aunt, a cook and poet"
    if first == last or (apposed and not subject):
        return False
    fronted = words[first - 1].tag in VERBAL and words[0].tag in _FRONTED  # "When he left the house, Ann and Tom"
    return not first or not fronted


def _names_several(pair: Pair) -> bool:
    """ "The two brothers, Karl and Otto": one of them is not the two."""
    sentence, found, words = pair.sentence, pair.coordination, pair.sentence.words
    if found.others:
        several = len(found.others) == 1 and is_plural(words[head_of(sentence, found.others[0])])
        return several and all(words[head_of(sentence, part)].tag == "PROPN" for part in (found.left, found.right))
    mark, end = found.left.first - 1, found.right.end
    if mark < 1 or words[mark].text not in _APART or kind_of(sentence, found.left) != "noun":
        return False
    before = range(*_phrase_before(sentence, mark))
    closed = end >= len(words) or words[end].tag == "PUNCT"
    return closed and any(is_plural(words[place]) or words[place].tag == "NUM" for place in before)


def _reaches_far(pair: Pair) -> bool:
    """ "Books sold in Rome are free if they are on paper or in English": *in Rome* is not all that up to *or*."""
    words, parts = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    for part in parts:
        tags = (words[place] for place in range(*part))
        verb = next((word for word in tags if word.tag in {"AUX", "SCONJ"} or word.lower in _RELATIVES), None)
        if verb is not None and verb.tag == "AUX" and kind_of(pair.sentence, part) == "preposition":
            return True
    return False


def _stands_alone(pair: Pair) -> bool:
    """ "They left a town where it rained, and where they froze" without its first clause."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    if pair.side != "left" or any(word.text[0].isalnum() for word in words[: left.first]):
        return False
    first = _first_word(pair.sentence, right)
    bound = words[first].tag == "SCONJ" or words[first].lower in _RELATIVES or words[first].lower == "where"
    verbs = sum(words[place].tag in VERBAL and words[place - 1].tag not in VERBAL for place in range(first, right.end))
    return bound and verbs < 2


def _limited(pair: Pair) -> bool:
    """ "They include, but are not limited to, A": A is for both."""
    right = pair.coordination.right
    near = {word.lower for word in pair.sentence.words[right.first : right.first + 4]}
    return pair.conjunction == "but" and {"not", "limited"} <= near


def _verbless(pair: Pair) -> bool:
    """ "He left because the phone and the radio were broken", cut before *the radio*."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    place = next((i for i in range(left.end - 2, left.first - 1, -1) if words[i].lower in _LINKS), None)
    if place is None or words[place + 1].tag not in _PHRASE - {"ADJ"}:
        return False
    return not any(word.tag in VERBAL for word in (*words[place : left.end], *words[right.end :]))


def _several_are_one(pair: Pair) -> bool:
    """ "Its sequels are A and B": they are not A."""
    first = (*pair.coordination.others, pair.coordination.left)[0].first
    before = pair.sentence.words[first - 1].lower if first else ""
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
    first = pair.sentence.words[pair.coordination.right.first].lower
    return pair.side == "left" and first in _RESTATING


def _list_with_but(pair: Pair) -> bool:
    """ "A, B, but also C": no list without B."""
    return pair.conjunction == "but" and bool(pair.coordination.others)


def _without_verb(pair: Pair) -> bool:
    """No verb is left outside of the conjunct that goes."""
    found = pair.coordination
    gone = Span(found.right.first, own_end(pair.sentence, found)) if pair.side == "right" else found.left
    words = pair.sentence.words
    return not any(words[place].tag in VERBAL for place in range(len(words)) if not gone.first <= place < gone.end)


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
    ("a noun is plural for two", _plural_for_two),
    ("an apposition names all of several things", _names_several),
    ("a list or an apposition would be cut", _cuts_list),
    ("a clause would have no verb", _verbless),
    ("a phrase would reach too far", _reaches_far),
    ("a clause would stand alone", _stands_alone),
    ("but not limited to", _limited),
    ("what the conjuncts share is not clear", _shared_is_unclear),
    ("the right conjunct only restates the left one", _restated),
    ("but stands behind a list", _list_with_but),
)
