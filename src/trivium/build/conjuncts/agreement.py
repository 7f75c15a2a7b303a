"""Agreement: the verb of a coordinated subject follows what is left of it.

A back end gives parts of speech but no dependencies, so the verb is looked for by its neighbours: the coordination must
begin a clause, and a finite verb must come next but for adverbs and phrases with prepositions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from trivium.build.conjuncts.sentence import Coordination, Sentence, Span, Word
from trivium.build.conjuncts.surface import Draft, article_for
from trivium.language.inflection import inflect, lemmatize

NOMINAL: Final = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
VERBAL: Final = frozenset({"VERB", "AUX"})
BE: Final = frozenset("be is are was were am been being 's 're 'm ’s ’re ’m".split())
_SINGULAR_FORMS: Final = {
    "are": "is",
    "were": "was",
    "have": "has",
    "do": "does",
    "'re": "'s",
    "’re": "’s",
    "'ve": "'s",
}
_PLURAL_FORMS: Final = {"is": "are", "was": "were", "has": "have", "does": "do"}
_FOR_ONE: Final = frozenset("a an this that each every another one".split())
_SINGULAR_WORDS: Final = _FOR_ONE | frozenset("he she it him her everyone everybody someone anyone".split())
_PLURAL_WORDS: Final = frozenset(
    "these those many several few both two three four five six seven eight nine ten they we us them others people "
    "police ours theirs".split()
)
_AMOUNTS: Final = frozenset("total number majority lot variety couple range pair series minority handful".split())
_OWNERS: Final = frozenset("the his her its their our my your".split())
_ONE_OR_SEVERAL: Final = _PLURAL_WORDS | _AMOUNTS | frozenset("aircraft fish offspring staff species".split())
_LEADING: Final = _OWNERS | {"not", "'s", "’s"}
_FLOATING: Final = frozenset({"both", "each", "all"})
_RELATIVE: Final = frozenset({"who", "which", "that", "whose", "whom", "where"})
_BEHIND: Final = frozenset({"ADP", "SCONJ", "PUNCT", "CCONJ", "VERB", "AUX"})  # a phrase has its head before these
_STOPS: Final = frozenset({"CCONJ", "SCONJ", "PUNCT"})
_INSIDE: Final = frozenset({"ADP", "DET", "ADJ", "NOUN", "PROPN", "NUM", "PRON", "ADV", "PART", "SYM", "X"})
_OF_NOUNS: Final = frozenset({"DET", "ADJ", "NUM", "NOUN", "PROPN"})
_MODIFIERS: Final = _OF_NOUNS | {"ADV"}
_ASIDE: Final = 14  # an aside between commas is at most so long


def agree(draft: Draft, coordination: Coordination, kept: Sequence[Span]) -> bool:
    """Give the verb of a coordinated subject the number of the conjuncts that are kept.

    False if that is not possible: "love each other" needs both. A coordination that is no subject is left alone.
    """
    sentence = draft.sentence
    if draft.lower[coordination.right.end : coordination.right.end + 1] == ["alike"]:
        return False
    verb = verb_of(sentence, coordination)
    if verb is None:
        return not _has_relative(sentence, coordination) and _agree_modified(draft, coordination, kept)
    word = sentence.words[coordination.conjunction].lower
    if (len(kept) > 1 and word == "and") or (word != "and" and verb > kept[-1].first >= coordination.right.first):
        return True  # behind "A or B" the verb is B's already
    return _agree_verb(draft, coordination.right.end, verb, number_of(sentence, kept[-1]))


def _agree_modified(draft: Draft, coordination: Coordination, kept: Sequence[Span]) -> bool:
    """Give the verb of a noun the singular if it was plural for two modifiers: "the east and west wing are"."""
    sentence, start = draft.sentence, coordination.start
    conjunction = sentence.words[coordination.conjunction].lower
    if conjunction != "and" or len(kept) > 1 or not _begins_clause(sentence, start):
        return True
    if start > 1 and sentence.words[start - 2].tag == "ADJ":
        return True  # "jobs in primary, [second] and [third] care are": a list of them
    noun = _modified_noun(sentence, coordination)
    if noun is None or not _is_for_one(sentence.words, start, noun):
        return True
    verb = _verb_next(sentence.words, noun + 1)
    return verb is None or _agree_verb(draft, noun + 1, verb, "singular")


def _modified_noun(sentence: Sentence, coordination: Coordination) -> int | None:
    """The noun that both conjuncts modify, behind the right one or in it: *wing* of "the east and west wing"."""
    words, left, right = sentence.words, coordination.left, coordination.right
    tags = {words[place].tag for place in range(*left)}
    if not tags <= {"ADJ", "NOUN"}:
        return None
    noun, place = None, right.first if words[left.end - 1].tag == "ADJ" else right.end
    while place < len(words) and words[place].tag in {"ADJ", "NOUN"}:
        noun = place if words[place].tag == "NOUN" else noun
        place += 1
    return noun


def _is_for_one(words: Sequence[Word], start: int, noun: int) -> bool:
    """Whether a noun is surely singular: none with a plural alike (people, fish), behind no number and no *many*."""
    word, lemma = words[noun], words[noun].lemma.lower()
    alike = word.lower in _ONE_OR_SEVERAL or plurals(lemma)[:1] == (lemma,)
    before = words[_before_modifiers(words, start) + 1 : start]
    many = any(one.tag == "NUM" or one.lower in _PLURAL_WORDS for one in before)
    return not alike and not many and not is_plural(word)


def _verb_next(words: Sequence[Word], place: int) -> int | None:
    """The verb behind a subject, with at most one phrase between: "the east wing [of the house] both have"."""
    if place < len(words) and words[place].tag == "ADP" and words[place].lower != "to":
        place += 1
        while place < len(words) and (words[place].tag in _OF_NOUNS or words[place].lower in _OWNERS):
            place += 1
    while place < len(words) and (words[place].tag == "ADV" or words[place].lower in _FLOATING):
        place += 1
    return place if place < len(words) and words[place].tag in VERBAL else None


def _agree_verb(draft: Draft, end: int, verb: int, number: str) -> bool:
    """Give a verb, and those coordinated with it, the number of a subject that ends here; False if it needs two."""
    if number != "plural":
        _drop_floating(draft, end, verb)
        if _needs_two(draft.sentence, verb):
            return False
    changed = False
    for place in (verb, *_later_verbs(draft.sentence, verb)):
        changed |= _set_number(draft, place, number)
    return not changed or number == "plural" or _agree_predicate(draft, verb)


def number_of(sentence: Sentence, span: Span) -> str:
    """What number the verb has for which a phrase is the subject: singular, plural, or first (for *I*)."""
    place = head_of(sentence, span)
    word = sentence.words[place]
    lower, first = word.lower, sentence.words[span.first].lower
    if lower == "i":
        return "first"
    if lower == "you" or lower in _PLURAL_WORDS or first in _PLURAL_WORDS:
        return "plural"
    if lower in _AMOUNTS and sentence.words[place + 1 : place + 2] and sentence.words[place + 1].text == "of":
        return "plural"
    if lower in _SINGULAR_WORDS or first in _FOR_ONE:
        return "singular"
    if word.tag == "PROPN":
        return (
            "plural"
            if first == "the" and lower.endswith("s") and not lower.endswith(("ss", "us", "is"))
            else "singular"
        )
    if word.tag == "NUM":
        return "plural"
    return "plural" if is_plural(word) else "singular"


def head_of(sentence: Sentence, span: Span) -> int:
    """The place of a phrase's head: its last noun before a preposition, a relative clause or an aside."""
    head, seen = span.first, False
    for place in range(span.first, span.end):
        word = sentence.words[place]
        if word.tag in NOMINAL:
            head, seen = place, True
        elif seen and (word.tag in _BEHIND or word.lower in _RELATIVE):
            break
    return head


def is_plural(word: Word) -> bool:
    """Whether a noun is in its plural form."""
    lower = word.lower
    return word.tag == "NOUN" and lower != word.lemma.lower() and lower in plurals(word.lemma.lower())


@lru_cache(maxsize=50_000)
def plurals(lemma: str) -> tuple[str, ...]:
    """The plural forms of a noun."""
    return tuple(str(form) for form in inflect(lemma, "NNS"))


@lru_cache(maxsize=50_000)
def verb_form(lemma: str, tag: str) -> str:
    """A verb in one of its forms (VB, VBZ, VBD, VBN, VBG); the lemma where none is known."""
    forms = (lemma,) if tag == "VB" else inflect(lemma, tag)
    return str(forms[0]) if forms else lemma


@lru_cache(maxsize=50_000)
def is_form(text: str, lemma: str, tag: str) -> bool:
    """Whether a text is this form of a verb."""
    return text in inflect(lemma, tag)


def verb_of(sentence: Sentence, coordination: Coordination) -> int | None:
    """The place of the finite verb whose subject a coordination is, or None."""
    words, start = sentence.words, coordination.start
    if words[head_of(sentence, coordination.left)].tag not in NOMINAL:
        return None
    before = _verb_before(sentence, start)
    if before is not None:
        return before
    if not _begins_clause(sentence, start):
        return None
    end = coordination.right.end
    if end < len(words) and words[end].tag in {"NOUN", "PROPN"}:
        return None  # "the brass and woodwind section": what they modify is the subject
    return _verb_behind(sentence, end)


def _verb_before(sentence: Sentence, start: int) -> int | None:
    """The verb of a subject behind it: "are the cat and the dog here?", "there is only a cat and a dog"."""
    words, place = sentence.words, start - 1
    while place > 0 and words[place].tag == "ADV":
        place -= 1
    if place < 0:
        return None
    before = words[place - 1].lower if place else ","
    is_verb = words[place].tag == "AUX" or (before == "there" and words[place].lower in BE)
    return place if is_verb and before in {"there", ","} else None


def _begins_clause(sentence: Sentence, start: int) -> bool:
    """Whether a phrase that begins here, or its determiner and adjectives before it, is what a clause begins with.

    Behind a conjunction it is, unless no verb came before: "the king and his wife and son were" has one subject.
    """
    place = _before_modifiers(sentence.words, start)
    if place < 0:
        return True
    word = sentence.words[place]
    if word.tag == "CCONJ" and place:
        return any(one.tag in VERBAL for one in sentence.words[:place])
    return word.tag in _STOPS or word.lower in {"that", "which", "whom"}


def _before_modifiers(words: Sequence[Word], start: int) -> int:
    """The place of the last word before a phrase that is none of its determiners, owners and adjectives, or −1."""
    place = start - 1
    while place >= 0 and (words[place].tag in _MODIFIERS or words[place].lower in _LEADING):
        place -= 1
    return place


def _verb_behind(sentence: Sentence, end: int) -> int | None:
    words, place = sentence.words, end
    while place < len(words):
        word = words[place]
        if word.tag in VERBAL:
            return _main_verb(words, place)
        if word.text in {",", "("}:
            closing = ")" if word.text == "(" else ","
            later = (i for i in range(place + 1, min(place + _ASIDE, len(words))) if words[i].text == closing)
            found = next(later, None)
            if found is None:
                return None
            place = found
        elif word.lower in _RELATIVE or (word.tag not in _INSIDE and word.text not in {'"', "”", "'", ")"}):
            return None
        place += 1
    return None


def _main_verb(words: Sequence[Word], place: int) -> int | None:
    """The verb itself, or the finite one behind a participle: "the man and the woman living here are"."""
    verb = words[place]
    lower = verb.lower
    if verb.tag == "AUX" or lower == verb.lemma.lower() or not lower.endswith(("ing", "ed", "en", "wn")):
        return place
    for later in range(place + 1, len(words)):
        if words[later].tag == "AUX":
            return later
        if words[later].tag in _STOPS or words[later].tag == "VERB":
            break
    return None if lower.endswith("ing") else place


def _has_relative(sentence: Sentence, coordination: Coordination) -> bool:
    """Whether a subject's relative clause is about both conjuncts: "the man and the woman who live here"."""
    end = coordination.right.end
    words = sentence.words
    if end + 1 >= len(words) or words[end].lower not in {"who", "which", "that"}:
        return False
    verb = words[end + 1]
    plural = verb.lower in _SINGULAR_FORMS or (verb.tag == "VERB" and verb.lower == verb.lemma.lower())
    return plural and words[head_of(sentence, coordination.left)].tag in NOMINAL


def _drop_floating(draft: Draft, end: int, verb: int) -> None:
    """Without "both" in "the cat and the dog both sleep", "are both asleep"."""
    for place in (*range(end, verb), verb + 1):
        if place < len(draft.lower) and draft.lower[place] in _FLOATING and not _starts_phrase(draft, place):
            draft.delete(Span(place, place + 1))


def _starts_phrase(draft: Draft, place: int) -> bool:
    """Whether *both* or *all* belongs to what comes next: "are both kind and wise", "know all the songs"."""
    opener = any(coordination.opener == place for coordination in draft.sentence.coordinations)
    following = draft.sentence.words[place + 1] if place + 1 < len(draft.lower) else None
    return opener or (following is not None and following.tag in {"DET", "NOUN", "PRON", "PROPN", "NUM", "ADP"})


def _needs_two(sentence: Sentence, verb: int) -> bool:
    """Whether something behind a verb is said of two: "love each other", "have a bed each", "live together"."""
    later = (*sentence.words[verb + 1 :], Word("", 0, 0, "PUNCT", ""))
    for word, following in pairwise(later):
        lower, behind = word.lower, following.lower
        if lower == "alike" or (lower in {"each", "one"} and behind in {"other", "another"}):
            return True
        if lower == "each" and following.tag == "PUNCT":
            return True
        if lower == "together" and behind != "with" and following.tag not in _OF_NOUNS:
            return True  # but "put together a plan"
    return False


def _later_verbs(sentence: Sentence, verb: int) -> Iterator[int]:
    """The verbs coordinated with one: *has* in "is black and has a tail"."""
    for coordination in sentence.coordinations:
        parts = (*coordination.others, coordination.left, coordination.right)
        if not parts[0].first <= verb < parts[0].end or any(
            sentence.words[place].tag in VERBAL for place in range(parts[0].first, verb)
        ):
            continue
        for part in parts[1:]:
            place = part.first
            while place < part.end and sentence.words[place].tag in {"ADV", "PART"}:
                place += 1
            if place < part.end and sentence.words[place].tag in VERBAL:
                yield place


def _set_number(draft: Draft, place: int, number: str) -> bool:
    """Inflect a verb; whether it changed."""
    word, lower = draft.sentence.words[place], draft.lower[place]
    new = _inflected(word, lower, number)
    if new == lower or not draft.kept(place):
        return False
    draft.change(place, new.capitalize() if word.text[0].isupper() else new)
    return True


def _inflected(word: Word, lower: str, number: str) -> str:
    if number == "plural":
        return _PLURAL_FORMS.get(lower, verb_form(word.lemma.lower(), "VB") if _is_third(word, lower) else lower)
    if number == "first":
        return {"are": "am", "is": "am", "were": "was"}.get(lower, lower)
    if lower in _SINGULAR_FORMS:
        return _SINGULAR_FORMS[lower]
    lemma = word.lemma.lower()
    present = word.tag == "VERB" and lower == lemma and not is_form(lower, lemma, "VBD")
    return verb_form(lemma, "VBZ") if present else lower


def _is_third(word: Word, lower: str) -> bool:
    return word.tag == "VERB" and lower != word.lemma.lower() and is_form(lower, word.lemma.lower(), "VBZ")


def _agree_predicate(draft: Draft, verb: int) -> bool:
    """Put what a single subject is into the singular: "were the champions", "was the champion". False if it counts."""
    if draft.lower[verb] not in BE:
        return True
    words, place = draft.sentence.words, verb + 1
    while place < len(words) and (words[place].tag in {"ADV", "PART"} or not draft.kept(place)):
        place += 1
    first, head = place, None
    inside = {"ADJ", "NOUN", "PROPN", "DET", "NUM"}
    if place < len(words) and words[place].tag == "DET":
        inside.add("VERB")  # "the defending champions"
    while place < len(words) and (words[place].tag in inside or draft.lower[place] in _OWNERS):
        head = place if words[place].tag in {"NOUN", "PROPN"} else head
        place += 1
    if head is None or not is_plural(words[head]):
        return head is None or words[first].tag != "NOUN" or draft.lower[head + 1 : head + 2] != ["and"]  # man and wife
    if any(words[i].tag == "NUM" for i in range(first, head)):
        return False
    determiner = draft.lower[first]
    if words[first].tag == "DET" and determiner not in _OWNERS:
        return False
    draft.change(head, singular(words[head]))
    if determiner not in _OWNERS:
        draft.change(first, f"{article_for(draft.texts[first])} {draft.texts[first]}")
    return True


def singular(word: Word) -> str:
    """A noun in its singular."""
    lemma = word.lemma.lower()
    found = lemma if lemma != word.lower else str((*lemmatize(lemma, upos="NOUN"), lemma)[0])
    return found.capitalize() if word.text[0].isupper() else found
