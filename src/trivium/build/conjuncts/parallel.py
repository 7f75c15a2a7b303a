"""Conjuncts without a tree: what stands behind a conjunction is sought before it.

Conjuncts are alike. The words behind a conjunction say what kind the right conjunct is (a clause, something done, a
phrase with a preposition, a description, something named); the nearest words of that kind before it are the left one.
What both share is left out as :mod:`trivium.build.conjuncts.tree` says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from trivium.build.conjuncts.agreement import NOMINAL, VERBAL
from trivium.build.conjuncts.edges import is_mark, trimmed
from trivium.build.conjuncts.sentence import CONJUNCTIONS, OPENERS, Coordination, Span
from trivium.build.conjuncts.tokens import POSSESSIVES, Tokens
from trivium.build.recasting.phrases import is_form

_INSIDE: Final = frozenset("DET ADJ NUM NOUN PROPN SYM".split())
_TENSED: Final = frozenset("VBD VBZ VBP MD".split())
_SUBJECT_PRONOUNS: Final = frozenset("i you he she we they it there who this that these".split())
_OBJECT_PRONOUNS: Final = frozenset("me him us them".split())
_ENDS: Final = frozenset(". ! ? ; : … ... -- – — .. ( )".split())
_ALIKE: Final = {
    "VBP": frozenset({"VB", "VBP"}),
    "VB": frozenset({"VB", "VBP"}),
    "VBD": frozenset({"VBD", "VBZ", "VBP", "MD"}),
    "VBN": frozenset({"VBN"}),
    "VBG": frozenset({"VBG"}),
}
"""The forms of a verb that one behind a conjunction goes with."""

_FRONT: Final = frozenset("and but or so because if when that while although though since unless until".split())
_REACH: Final = 60  # words on either side of a conjunction that are looked at


def parallels(tokens: Tokens) -> tuple[Coordination, ...]:
    """The coordinations of a sentence in the order of their conjunctions."""
    places = [place for place, word in enumerate(tokens.words) if word.lower() in CONJUNCTIONS]
    found = (parallel(tokens, place) for place in places)
    return tuple(one for one in found if one is not None)


def parallel(tokens: Tokens, conjunction: int) -> Coordination | None:
    """The conjuncts around one conjunction, if something can stand on both sides of it."""
    site = _site(tokens, conjunction)
    if site is None:
        return None
    before, behind = _spans(site)
    left = trimmed(tokens.words, *before)
    right = trimmed(tokens.words, behind.first, min(behind.end, site.end))  # an unfinished phrase would go beyond
    if left.first >= left.end or right.first >= right.end or left.end > conjunction or right.first <= conjunction:
        return None
    return _complete(site, left, right)


@dataclass(frozen=True, slots=True)
class _Site:
    """A conjunction, the bounds of what is looked at, the first word behind it and the last one before it."""

    tokens: Tokens
    conjunction: int
    first: int
    end: int
    start: int
    last: int

    def tag(self, place: int) -> str:
        return self.tokens.tags[place] if self.first <= place < self.end else ""

    def fine(self, place: int) -> str:
        return self.tokens.fine_tags[place] if self.first <= place < self.end else ""

    def word(self, place: int) -> str:
        return self.tokens.words[place].lower() if self.first <= place < self.end else ""


def _site(tokens: Tokens, conjunction: int) -> _Site | None:
    first, end = _bounds(tokens, conjunction)
    start, last = conjunction + 1, conjunction - 1
    while start < end and is_mark(tokens.words[start]):
        start += 1
    while last >= first and is_mark(tokens.words[last]):
        last -= 1
    return _Site(tokens, conjunction, first, end, start, last) if start < end and last >= first else None


def _bounds(tokens: Tokens, conjunction: int) -> Span:
    """The words between the marks around a conjunction that end a sentence or open an aside."""
    first, end = conjunction, conjunction + 1
    depth = 0
    while first > max(0, conjunction - _REACH):
        word = tokens.words[first - 1]
        depth += (word == ")") - (word == "(")
        if depth < 0 or (depth == 0 and word in _ENDS and word != ")"):
            break
        first -= 1
    depth = 0
    while end < min(len(tokens), conjunction + _REACH):
        word = tokens.words[end]
        depth += (word == "(") - (word == ")")
        if depth < 0 or (depth == 0 and word in _ENDS and word != ")"):
            break
        end += 1
    return Span(first, end)


def _spans(site: _Site) -> tuple[Span, Span]:
    """The left and the right conjunct by the kind of the right one."""
    start = _after_adverbs(site, site.start)
    tag = site.tag(start)
    if _is_clause(site, start):
        return Span(_clause_start(site), site.conjunction), Span(site.start, _clause_end(site, True))
    if tag in VERBAL or (tag == "PART" and site.word(start) == "to"):
        found = _verb_start(site, start)
        if found is not None:
            return Span(found, site.conjunction), Span(site.start, _clause_end(site, False))
    if tag == "ADP":
        return _prepositional(site, start)
    if tag in ("ADJ", "ADV", "VERB") and site.tag(site.last) in ("ADJ", "ADV", "VERB"):
        return _describing(site, start)
    if tag == "SCONJ":
        return Span(_clause_start(site), site.conjunction), Span(site.start, _clause_end(site, True))
    return _nominal(site, start)


def _after_adverbs(site: _Site, place: int) -> int:
    """The first word that is no adverb; an adverb that nothing follows stays."""
    after = place
    while after < site.end and (site.tag(after) == "ADV" or site.word(after) in ("not", ",")):
        after += 1
    return after if after < site.end and not is_mark(site.word(after)) else place


def _phrase_end(site: _Site, place: int) -> int:
    """Where a phrase around a noun ends that begins here: articles, adjectives and nouns."""
    end = place
    seen = False
    while end < site.end:
        tag, word = site.tag(end), site.word(end)
        if tag == "PRON" and word not in POSSESSIVES:
            return end if seen or end > place else end + 1
        possessive = tag == "PRON" or (tag == "PART" and word in ("'s", "’s"))
        if seen and (tag == "DET" or word in POSSESSIVES):
            break
        inside = tag in _INSIDE or possessive or (tag == "PUNCT" and word == "-" and end > place)
        inside = inside or (tag in ("ADV", "VERB") and not seen and site.tag(end + 1) in ("ADJ", "NOUN", "VERB"))
        if not inside:
            break
        seen = seen or tag in ("NOUN", "PROPN", "NUM")
        end += 1
    return max(end, place + 1)


def _is_clause(site: _Site, start: int) -> bool:
    """Whether a subject and its verb stand behind the conjunction, and a clause before it."""
    word = site.word(start)
    if site.tag(start) in VERBAL | {"ADP", "PART", "SCONJ"} or _opens_subject(site):
        return False
    if word in _SUBJECT_PRONOUNS:
        verb = _after_adverbs(site, start + 1)
    elif word in _OBJECT_PRONOUNS:
        return False
    else:
        verb = _phrase_end(site, start)
        while site.tag(verb) == "ADP" and site.tag(verb + 1) in _INSIDE | {"PRON"}:
            verb = _phrase_end(site, verb + 1)
        verb = _after_adverbs(site, verb)
    if site.tag(verb) not in VERBAL or (site.tag(verb) == "VERB" and site.fine(verb) not in _TENSED):
        return False
    return any(site.tag(place) in VERBAL and site.fine(place) in _TENSED for place in range(site.first, site.last + 1))


def _opens_subject(site: _Site) -> bool:
    """Whether what is named before the conjunction has no verb yet: "if the boy and the girl come, the dog and the"."""
    if site.tag(site.last) not in NOMINAL:
        return False
    before = _noun_start(site, site.last) - 1
    if site.tag(before) == "SCONJ":
        return site.word(before) in _FRONT
    return _ends_front(site, before)


def _ends_front(site: _Site, place: int) -> bool:
    """Whether the first comma stands here, behind a phrase or a clause that is put first: "In total, the storm"."""
    front = site.tokens.words[site.first : place]
    return site.word(place) == "," and site.tag(site.first) in ("SCONJ", "ADP") and "," not in front


def _clause_start(site: _Site) -> int:
    """Where the clause before the conjunction begins: behind linking words at its front."""
    place = site.first
    while place < site.last and (site.tag(place) in ("CCONJ", "PUNCT") or site.word(place) in _FRONT):
        place += 1
    return place


def _clause_end(site: _Site, is_clause: bool) -> int:
    """Where the right conjunct ends that has a verb: before the next clause that is joined to it."""
    for place in range(site.start + 1, site.end):
        if site.tag(place) != "CCONJ" or site.word(place) not in CONJUNCTIONS:
            continue
        later = _site(site.tokens, place)
        if later is None:
            continue
        start = _after_adverbs(later, later.start)
        joins = _is_clause(later, start)
        if joins or (not is_clause and later.word(start - 1) != "to" and later.fine(start) in _TENSED):
            return place
    return site.end


def _verb_start(site: _Site, start: int) -> int | None:
    """The verb before the conjunction that goes with the one behind it: the nearest in the same form."""
    wanted = site.fine(start)
    if site.word(start) == "to":
        return next(
            (p for p in range(site.last, site.first - 1, -1) if site.word(p) == "to" and site.tag(p) == "PART"), None
        )
    places = [place for place in range(site.last, site.first - 1, -1) if site.tag(place) in VERBAL]
    alike = _ALIKE.get(wanted, _TENSED) if site.tag(start) == "VERB" else _TENSED
    same = [place for place in places if site.fine(place) in alike and (site.tag(place) == "VERB" or wanted != "VBN")]
    if not same:
        return next(iter(places), None)
    found = same[0]
    nearest = next((place for place in places if site.tag(place) == "VERB"), found)
    if wanted == "VBD" and site.fine(nearest) == "VBN" and nearest > found and is_form(site.word(start), "VBN"):
        return nearest
    return found


def _prepositional(site: _Site, start: int) -> tuple[Span, Span]:
    """Two phrases with prepositions, the same one if there is; or two prepositions before one noun."""
    if site.tag(site.last) == "ADP":
        return Span(site.last, site.conjunction), Span(site.start, start + 1)
    places = [place for place in range(site.last, site.first - 1, -1) if site.tag(place) == "ADP"]
    same = [place for place in places if site.word(place) == site.word(start)]
    found = next(iter(same or places), site.last)
    return Span(found, site.conjunction), Span(site.start, _noun_end(site, start + 1))


def _describing(site: _Site, start: int) -> tuple[Span, Span]:
    """Two descriptions: "very big and old". What follows the second one, if a noun, is described by both."""
    left = site.last
    while site.tag(left - 1) == "ADV":
        left -= 1
    end = start + 1
    while (site.tag(end) in ("ADJ", "ADV") and site.tag(end - 1) != "ADJ") or "-" in (
        site.word(end),
        site.word(end - 1),
    ):
        end += 1
    return Span(left, site.conjunction), Span(site.start, end)


def _noun_end(site: _Site, start: int) -> int:
    """Where something named ends that begins here: with its *of*."""
    end = _phrase_end(site, start)
    while site.word(end) == "of" and end + 1 < site.end:
        end = _phrase_end(site, end + 1)
    return end


def _nominal(site: _Site, start: int) -> tuple[Span, Span]:
    """Two things named. An article is shared if the second one has none."""
    end = _noun_end(site, start)
    has_article = site.tag(start) == "DET" or site.word(start) in POSSESSIVES
    left = _noun_start(site, site.last)
    if has_article and not _has_article(site, left):
        left = _higher(site, left)
    named = site.tag(start) == "PROPN" or site.tag(start) == "PRON"
    if (
        _has_article(site, left)
        and not has_article
        and left < site.last
        and (not named or site.tag(site.last) == "PROPN")
        and not (site.word(left) in ("a", "an") and site.fine(end - 1) == "NNS")
    ):
        left += 1
    return Span(left, site.conjunction), Span(site.start, end)


def _has_article(site: _Site, place: int) -> bool:
    return site.tag(place) == "DET" or site.word(place) in POSSESSIVES


def _noun_start(site: _Site, last: int) -> int:
    """Where the phrase around a noun begins that ends here."""
    place = last
    if site.tag(place) == "PRON":
        return place
    while place > site.first:
        tag, word = site.tag(place - 1), site.word(place - 1)
        if tag in ("DET",) or word in POSSESSIVES:
            return place - 1
        modifying = tag == "VERB" and site.fine(place - 1) in ("VBN", "VBG") and site.tag(place - 2) in ("DET", "ADJ")
        adverb = tag == "ADV" and site.tag(place) == "ADJ"
        if tag not in _INSIDE and word not in ("'s", "’s", "-") and not modifying and not adverb:
            break
        place -= 1
    return place


def _higher(site: _Site, left: int) -> int:
    """The noun with an article above the phrase before the conjunction: "[a home for people] and [a school]"."""
    place = left
    while site.tag(place - 1) == "ADP" and site.tag(place - 2) in NOMINAL:
        place = _noun_start(site, place - 2)
        if _has_article(site, place):
            return place
    return left


def _complete(site: _Site, left: Span, right: Span) -> Coordination:
    """The coordination with its opener and with what else is listed before it."""
    kind = site.word(site.conjunction)
    opener: int | None = None
    for place in range(left.first, max(site.first, left.first - 4) - 1, -1):
        if OPENERS.get(site.word(place)) == kind:
            opener = place
            break
    if opener == left.first:
        left = Span(left.first + 1, left.end) if left.first + 1 < left.end else left
    others: list[Span] = []
    place = left.first
    while opener is None and site.word(place - 1) == "," and site.tag(place - 2) in _INSIDE:
        first = _noun_start(site, place - 2)
        if site.tag(left.end - 1) not in _INSIDE or (_ends_front(site, place - 1) and _has_verb_behind(site, right)):
            break
        others.insert(0, Span(first, place - 1))
        place = first
    return Coordination(site.conjunction, left, right, opener, tuple(others))


def _has_verb_behind(site: _Site, right: Span) -> bool:
    """Whether the next word but for adverbs is a verb: the coordination is its subject."""
    return site.tag(_after_adverbs(site, right.end)) in VERBAL
