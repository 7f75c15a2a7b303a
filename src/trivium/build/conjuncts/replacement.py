"""Replacing a word of a conjunct: by an antonym or a co-hyponym, the next number, month or day, or another name.

A *not* may go too: the opposite of what the conjunct said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Final

from trivium.build.conjuncts.agreement import head_of, is_form, is_plural, verb_form
from trivium.build.conjuncts.lexicon import BELIEFS, COMPARED, MONTHS, UNITS, WEEKDAYS
from trivium.build.conjuncts.numbers import next_number
from trivium.build.conjuncts.pairs import Change
from trivium.build.conjuncts.sentence import Sentence, Span, Word
from trivium.build.conjuncts.wordnet import WordNet, wordnet
from trivium.language.inflection import inflect
from trivium.seeds import stream_seed

_CYCLES: Final = (MONTHS, WEEKDAYS)
_NEXT: Final = {word: cycle[(place + 1) % len(cycle)] for cycle in _CYCLES for place, word in enumerate(cycle)}
_MONTHS: Final = frozenset(MONTHS)
_FREE: Final = frozenset("is are was were am be been has have had could would should may might must".split())
_WITH_NOT: Final = frozenset("until till yet any anything anyone anymore either ever rather instead".split())
_CONTENT: Final = ("ADJ", "ADV", "VERB", "NOUN")
_LAST_DAY: Final = 28  # the next number of a later day may be none of the month
_MOST: Final = 2  # so many numbers and names of a conjunct are replaced, each for itself
_KINDS: Final = frozenset({"PERSON", "PLACE", "GROUP"})  # what else has a name is of too many kinds
_LONGEST_NAME: Final = 5
_YEAR_DIGITS: Final = 4
_TRIES: Final = 20
_HYPHENS: Final = frozenset({"-", "–", "/"})

NamePool = Mapping[tuple[str, int, bool, bool], tuple[str, ...]]
"""Names by their kind, how many words they have, whether they end in an adjective and whether they are of a belief.

They are in alphabetical order.
"""


def collect_names(sentences: Iterable[Sentence]) -> NamePool:
    """The names of sentences, to replace others by: without articles and 's, in no quotes or brackets, not too long."""
    pool: dict[tuple[str, int, bool, bool], set[str]] = {}
    for sentence in sentences:
        for name in sentence.names:
            span = _bare_name(sentence, name.span)
            text = sentence.of(span)
            if name.kind in _KINDS and _is_usable(text) and span.end - span.first <= _LONGEST_NAME:
                pool.setdefault(_pool_key(sentence, name.kind, span), set()).add(text)
    return MappingProxyType({key: tuple(sorted(texts)) for key, texts in pool.items()})


@dataclass(frozen=True)
class WordReplacer:
    """Changes of a conjunct, each by itself: an antonym, a co-hyponym, what is next, other names, a lost *not*.

    What is chosen hangs on the seed, the text and the place alone, not on the order of the sentences. WordNet is read
    when the first word is looked up.
    """

    names: NamePool = field(default_factory=dict)
    seed: int = 0

    def __call__(self, sentence: Sentence) -> Callable[[Span], Iterator[Change]]:
        """What gives the changes that may be made in a conjunct of the sentence."""
        taken = {word.lower for word in sentence.words}
        named = {place for name in sentence.names for place in range(*name.span)}
        content = [place for place, word in enumerate(sentence.words) if place not in named and _has_content(word)]
        return partial(self._changes, sentence, taken, content)

    def _changes(self, sentence: Sentence, taken: Set[str], content: Sequence[int], conjunct: Span) -> Iterator[Change]:
        yield from _numbers(sentence, conjunct, taken)
        yield from self._names(sentence, conjunct)
        yield from _negations(sentence, conjunct)
        yield from _calendar(sentence, conjunct, taken)
        places = [place for place in content if conjunct.first <= place < conjunct.end]
        for why in ("antonym", "co-hyponym"):
            yield from self._words(sentence, conjunct, places, why, taken)

    def _draw(self, count: int, *names: str | int) -> int:
        return stream_seed(self.seed, "conjuncts", *names) % count

    def _words(
        self, sentence: Sentence, conjunct: Span, places: Sequence[int], why: str, taken: Set[str]
    ) -> Iterator[Change]:
        found = [(place, new) for place in places for new in [self._other(sentence, place, why, taken)] if new]
        if not found:
            return
        head = head_of(sentence, conjunct)
        chosen = next((item for item in found if why == "co-hyponym" and item[0] == head), None)
        place, new = chosen or found[self._draw(len(found), sentence.text, conjunct.first, why)]
        yield _change(sentence, Span(place, place + 1), new, why)

    def _other(self, sentence: Sentence, place: int, why: str, taken: Set[str]) -> str | None:
        """Another word for the one in a place, in its form."""
        word, dictionary = sentence.words[place], wordnet()
        lemma = _lemma(word)
        words = _opposites(dictionary, sentence, place) if why == "antonym" else _kinds(dictionary, lemma, word.tag)
        usable = [new for new in words if new not in taken]
        if not usable or _is_hyphened(sentence, place):
            return None
        drawn = 0 if why == "antonym" else self._draw(len(usable), sentence.text, place, lemma)
        if _breaks_compound(dictionary, sentence, place, usable[drawn]):
            return None
        form = _form(sentence, place)
        new = inflected(usable[drawn], form) if form else None
        return None if new is None or new in taken else _as_written(word.text, new)

    def _names(self, sentence: Sentence, conjunct: Span) -> Iterator[Change]:
        inside = [
            name for name in sentence.names if conjunct.first <= name.span.first and name.span.end <= conjunct.end
        ]
        for name in inside[:_MOST]:
            span = _bare_name(sentence, name.span)
            old = sentence.of(span)
            pool = self.names.get(_pool_key(sentence, name.kind, span), ())
            for step in range(min(_TRIES, len(pool)) if _is_usable(old) else 0):
                new = pool[self._draw(len(pool), sentence.text, span.first, step)]
                if new not in sentence.text and old not in new:
                    yield _change(sentence, span, new, "name")
                    break


def _has_content(word: Word) -> bool:
    """Whether another word may stand for a word: a noun, verb, adjective or adverb, and no month or day."""
    return word.tag in _CONTENT and word.text.isalpha() and word.text not in _NEXT


def inflected(lemma: str, form: str) -> str | None:
    """A word in a form (NN, NNS, VB, VBZ, VBD, VBN, VBG, JJ, JJR, JJS, RB); None where it has none."""
    if form in {"NN", "VB", "JJ", "RB"}:
        return lemma
    if form.startswith("VB"):
        return verb_form(lemma, form)
    return _inflection(lemma, form)


@lru_cache(maxsize=50_000)
def _inflection(lemma: str, form: str) -> str | None:
    forms = inflect(lemma, form, inflect_oov=False)
    return str(forms[0]) if forms else None


def _is_hyphened(sentence: Sentence, place: int) -> bool:
    """Whether a word is a part of another: a half-moon is no quarter-moon."""
    word, near = sentence.words[place], sentence.words[max(0, place - 1) : place + 2]
    return any(one.text in _HYPHENS and word.start in (one.end, one.start - len(word.text)) for one in near)


def _breaks_compound(dictionary: WordNet, sentence: Sentence, place: int, new: str) -> bool:
    """Whether the dictionary has a word and its neighbour as one, and not the new one: there is no low school."""
    lemmas = [word.lemma.lower() for word in sentence.words[max(0, place - 1) : place + 2]]
    old, first = sentence.words[place].lemma.lower(), min(place, 1)
    both = [(f"{one}_{old}", f"{one}_{new}") for one in lemmas[:first]]
    both += [(f"{old}_{one}", f"{new}_{one}") for one in lemmas[first + 1 :]]
    return any(dictionary.knows(before) and not dictionary.knows(after) for before, after in both)


def _kinds(dictionary: WordNet, lemma: str, tag: str) -> tuple[str, ...]:
    return dictionary.siblings(lemma, tag) if tag in {"NOUN", "ADJ"} else ()


def _opposites(dictionary: WordNet, sentence: Sentence, place: int) -> tuple[str, ...]:
    """The antonyms of a word in its sense here: none of *long* in "12 km long", and *young* alone of "an old man"."""
    words, word = sentence.words, sentence.words[place]
    lemma = _lemma(word)
    found = dictionary.antonyms(lemma, word.tag)
    if not found or word.lower in COMPARED:
        return ()  # "for less information", "less than 20 kg": no English, or no opposite
    if word.tag == "NOUN" and place + 1 < len(words) and words[place + 1].tag == "NOUN":
        return ()  # "a back problem"
    before = next((one for one in reversed(words[:place]) if one.text not in {"-", "–"}), None)
    if before is not None and before.lemma.lower() in UNITS:
        return ()
    if lemma not in {"old", "new"}:
        return found
    noun = next((one for one in words[place + 1 :] if one.tag != "ADJ"), None)
    lives = dictionary.lives(noun.lemma.lower()) if noun is not None and noun.tag == "NOUN" else None
    wanted = {("old", True): "young", ("old", False): "new", ("new", False): "old"}
    return tuple(new for new in found if lives is not None and new == wanted.get((lemma, lives)))


def _lemma(word: Word) -> str:
    lemma = word.lemma.lower()
    return "more" if word.lower == "more" else lemma


def _form(sentence: Sentence, place: int) -> str | None:
    """The form of a word, or None where it cannot be told: *hit* may be now or then."""
    word = sentence.words[place]
    lower, lemma = word.lower, _lemma(word)
    if word.tag == "NOUN":
        return "NNS" if is_plural(word) else "NN"
    if word.tag == "ADJ":
        return next((form for form in ("JJR", "JJS") if lower != lemma and lower == _inflection(lemma, form)), "JJ")
    if word.tag == "ADV":
        return "RB"
    if lower == lemma:
        return None if is_form(lower, lemma, "VBD") else "VB"
    for form in ("VBZ", "VBG"):
        if is_form(lower, lemma, form):
            return form
    before = place - 1
    while before >= 0 and sentence.words[before].tag in {"ADV", "PART"}:
        before -= 1
    helped = before >= 0 and sentence.words[before].tag == "AUX"
    past = is_form(lower, lemma, "VBD") and not helped and not _before_by(sentence, place)
    return "VBD" if past else "VBN"


def _before_by(sentence: Sentence, place: int) -> bool:
    return place + 1 < len(sentence.words) and sentence.words[place + 1].lower == "by"


def _numbers(sentence: Sentence, conjunct: Span, taken: Set[str]) -> Iterator[Change]:
    found = 0
    for place in range(*conjunct):
        new = next_number(sentence.words[place].text)
        if new is None or new.lower() in taken or not _may_count(sentence, place):
            continue
        yield _change(sentence, Span(place, place + 1), new, "number")
        found += 1
        if found == _MOST:
            return


def _negations(sentence: Sentence, conjunct: Span) -> Iterator[Change]:
    """A *not* taken away behind an auxiliary that needs no other form then: "was not elected", but not "did not go".

    Words such as *until* need it: "was not known until May".
    """
    if any(sentence.words[place].lower in _WITH_NOT for place in range(conjunct.first, len(sentence.words))):
        return
    for place in range(conjunct.first + 1, conjunct.end):
        before = sentence.words[place - 1]
        if sentence.words[place].lower in {"not", "n't", "n’t"} and before.lower in _FREE:
            yield _change(sentence, Span(place, place + 1), "", "negation")
            return


def _calendar(sentence: Sentence, conjunct: Span, taken: Set[str]) -> Iterator[Change]:
    """The next month or weekday, unless the month may not have that day."""
    for place in range(*conjunct):
        word = sentence.words[place]
        new = _NEXT.get(word.text, "") if word.tag in {"PROPN", "NOUN"} else ""
        late = word.text in _MONTHS and any(_value(text) > _LAST_DAY for text in _near(sentence, place))
        if new and new.lower() not in taken and not late:
            yield _change(sentence, Span(place, place + 1), new, "calendar")
            return


def _near(sentence: Sentence, place: int) -> set[str]:
    """The words that stand at most two places away."""
    return {sentence.words[i].text for i in range(max(0, place - 2), min(place + 3, len(sentence.words))) if i != place}


def _value(text: str) -> int:
    """The number that the digits of a short word give; 0 if it has none, or is as long as a year."""
    digits = "".join(character for character in text if character in "0123456789")
    return int(digits) if digits and len(digits) < _YEAR_DIGITS else 0


def _may_count(sentence: Sentence, place: int) -> bool:
    """Whether the next number may stand here: no 32 August, no 101 %, and *second* is a number and no time."""
    word = sentence.words[place]
    near = _near(sentence, place)
    if word.tag in {"NOUN", "VERB", "ADV"} and word.text.isalpha():
        return False
    if place + 1 < len(sentence.words) and sentence.words[place + 1].tag == "NUM" and word.text.isalpha():
        return False  # "the first two"
    value = _value(word.text)
    return not (near & _MONTHS and value >= _LAST_DAY) and not (near & {"%", "percent"} and value >= 100)


def _bare_name(sentence: Sentence, span: Span) -> Span:
    first, end = span
    if end - first > 1 and sentence.words[first].lower in {"the", "a", "an"}:
        first += 1
    if end - first > 1 and sentence.words[end - 1].text in {"'s", "’s", "'", "’"}:
        end -= 1
    return Span(first, end)


def _pool_key(sentence: Sentence, kind: str, span: Span) -> tuple[str, int, bool, bool]:
    """ "Danish" is a group's name as "Red Cross" is, but stands in other places; *Catholic* says something else."""
    text, last = sentence.of(span), sentence.words[span.end - 1]
    return kind, len(text.split()), last.tag == "ADJ", last.text in BELIEFS


def _is_usable(text: str) -> bool:
    letters = text.replace(" ", "").replace("-", "").replace(".", "").replace("'", "")
    return text[:1].isupper() and letters.isalpha() and "  " not in text


def _change(sentence: Sentence, span: Span, new: str, why: str) -> Change:
    return Change(span, sentence.of(span), new, why)


def _as_written(old: str, new: str) -> str:
    if len(old) > 1 and old.isupper():
        return new.upper()
    return new[0].upper() + new[1:] if old[0].isupper() else new
