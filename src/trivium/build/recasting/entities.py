"""Find the entities of a text and their types (names, numbers, dates, amounts) by rules.

Recasting accepts any :data:`Finder`, such as a trained tagger, instead of :func:`find_entities`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from trivium.build.recasting.phrases import DETERMINERS, PRONOUNS, bare, classes, is_plural

NAMES = ("person", "place", "organization", "group", "other")
"""The types of names; *other* is the type of plural common nouns without a cue in their context."""


class Entity(NamedTuple):
    """A span of a text with its start, its type, and for a number its unit (``yard``), if any."""

    text: str
    start: int
    type: str
    unit: str = ""


Finder = Callable[[str], Sequence[Entity]]

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?)"
)
_DAY = r"(?:[0-3]?\d(?:st|nd|rd|th)?)"
_YEAR = r"(?:1\d{3}|20\d{2})"
_DIGITS = r"\d+(?:,\d{3})*(?:\.\d+)?"
_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_WORD = rf"(?:(?:{'|'.join(_TENS)})(?:-(?:{'|'.join(_SMALL[1:10])}))?|{'|'.join(reversed(_SMALL))}|dozen)"
_SCALE = rf"(?:\s(?:{'|'.join(_SCALES)}))"
_NUMBER = rf"(?:{_DIGITS}|{_WORD}){_SCALE}?"
_ORDINAL = r"(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)"
_UNITS = (
    "yard mile kilometre kilometer metre meter foot feet inch centimetre centimeter km kg gram pound ton tonne litre "
    "liter gallon acre hectare degree second minute hour day week month year decade century"
).split()
# Tried in this order at each position: longer and more specific patterns first.
_PATTERNS = {
    "money": rf"[$€£¥]\s?{_NUMBER}|\b{_NUMBER}\s(?:dollars?|euros?|pounds sterling|cents?|francs?|yen)\b",
    "percentage": rf"\b{_NUMBER}\s?(?:%|per\s?cent\b)",
    "date": rf"\b(?:{_MONTH}\s{_DAY},?\s{_YEAR}|{_DAY}\s{_MONTH},?\s{_YEAR}|\d{{4}}-\d\d-\d\d|\d\d?/\d\d?/\d{{2,4}})\b",
    "month of a year": rf"\b{_MONTH},?\s(?:of\s)?{_YEAR}\b",
    "day of the year": rf"\b(?:{_MONTH}\s{_DAY}|{_DAY}\s{_MONTH})\b",
    "time": r"\b[0-2]?\d:[0-5]\d(?:\s?[ap]\.?m\b\.?)?|\b[01]?\d\s?[ap]\.?m\b|\b\w+ o'clock\b",
    "weekday": r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b",
    "month": rf"\b(?!May\b){_MONTH}(?!\w)|(?<=\b[Ii]n )May\b|(?<=\bof )May\b|(?<=\b[Ss]ince )May\b",
    "years": rf"\b{_YEAR}\s?[-–]\s?\d{{2,4}}\b",
    "score": r"\b\d{1,3}[-–]\d{1,3}\b",
    "decade": r"\b(?:1\d|20)\d0s\b",
    "century": r"\b\d+(?:st|nd|rd|th) century\b",
    "ordinal": rf"\b{_ORDINAL}\b",
    "year": rf"(?<![.,\d])\b{_YEAR}\b(?![.,]\d)(?!-|\s(?:{'|'.join(_UNITS)})s?\b)",
    "number": rf"(?<![\w.,$€£-]){_NUMBER}(?!\w|[.,]\d)",
}
_QUANTITY = re.compile("|".join(f"(?P<k{index}>{pattern})" for index, pattern in enumerate(_PATTERNS.values())), re.I)
_TYPES = tuple(_PATTERNS)
_UNIT = re.compile(rf"[ -]({'|'.join(_UNITS)})(?:s|es)?\b", re.IGNORECASE)
# "No one", "the one" and "one of them" are not numbers.
_NOT_A_NUMBER = re.compile(r"\b(?:no|the|this|that|which|any|every|some|another|each) $", re.IGNORECASE)

_UPPER = "".join(letter for letter in map(chr, range(0x530)) if letter.isupper())  # Latin, Greek and Cyrillic
_CAPITAL = (
    r"(?:(?:[A-Z]\.\s?){1,4}(?=[A-Z][a-z])(?!(?:The|An?|In|On|At|It|He|She|They|We|But|And|This|That|His|Her)\b)[\w'’-]*\w"
    rf"|[{_UPPER}](?:[\w'’-]*\w)?)"
)
_NAME = re.compile(
    rf"(?<!\w)(?:(?:von|van der|de la|bin) )?{_CAPITAL}"
    rf"(?:(?: | (?:of the|of|de|da|van|von|der|al|bin) |\. (?<=\b[DSM]r\. )){_CAPITAL}){{0,7}}"
)
_SENTENCE_START = re.compile(r"(?:^|[.!?:;][\"'”’)]*\s+|\n\s*)[\"'“‘(]*$")
_TITLES = frozenset(
    "mr mrs ms miss dr prof professor president king queen captain sir lady lord judge senator coach mayor pope prince "
    "princess general colonel minister chancellor kicker quarterback doctor detective inspector aunt uncle".split()
)
_PLACES = frozenset(
    "bay city county river lake mountain mountains mount street island islands park valley square road bridge avenue "
    "village town hill hills harbour harbor forest beach desert ocean sea coast province district republic".split()
)
_ORGANIZATIONS = frozenset(
    "university company corp corporation inc ltd party army club museum bank institute association council church "
    "school college ministry committee court parliament congress senate union federation league hospital group agency "
    "society department office orchestra commission foundation airlines".split()
)
_PLACE_BEFORE = frozenset("in near across outside throughout around toward towards into".split())
_MOTION = frozenset(
    "moved went travelled traveled came flew returned back drove sailed move go fly trip train fled withdrew escaped "
    "emigrated retreated marched travel flight journey".split()
)
_COUNTRIES = frozenset(
    "africa america argentina asia australia austria belgium brazil britain bulgaria canada chile china colombia "
    "croatia cuba denmark egypt england ethiopia europe finland france germany ghana greece hungary iceland india "
    "indonesia iran iraq ireland israel italy japan kenya korea lebanon libya mexico morocco nepal netherlands nigeria "
    "norway pakistan peru poland portugal romania russia scotland serbia somalia spain sudan sweden switzerland syria "
    "thailand tunisia turkey uganda ukraine vietnam wales yemen".split()
)
_NOT_NAMES = frozenset(
    "i i'm i've i'll i'd mr mrs ms dr yes no ok however but and or if when while after before since as at in on for "
    "from with by to of although though then there here also because during until who what which where why how".split()
)
_BEFORE_NAMES = DETERMINERS | PRONOUNS | _NOT_NAMES | _TITLES
_MAYBE_PLACE = "maybe a place"
_NATIONAL = re.compile(
    r"\w+(?:ese|ish)|French|German|Italian|Russian|American|Canadian|Indian|Mexican|Dutch|Greek|Brazilian|Austrian|"
    r"African|Asian|European|Egyptian|Belgian|Norwegian|Australian|Swiss|Roman|Christian|Muslim|Jewish|Catholic"
)


def find_entities(text: str) -> list[Entity]:
    """Return the entities of a text in order: money, percentages, dates, times, numbers, and names with their type.

    A capitalized word at the beginning of a sentence is a name only if it is not in the dictionary, is followed by
    another capitalized word, or is capitalized elsewhere too.
    """
    quantities = [_quantity(text, match) for match in _QUANTITY.finditer(text)]
    entities = [entity for entity in quantities if entity is not None]
    quantity_spans = [(entity.start, entity.start + len(entity.text)) for entity in entities]
    return sorted([*entities, *_names(text, quantity_spans)], key=lambda entity: entity.start)


def value_of(text: str) -> float | None:
    """Return the value of a number in digits or words ("twenty-five", "3,000", "2.5 million"), or None."""
    words = text.lower().replace(",", "").replace("-", " ").split()
    total = 0.0
    for index, word in enumerate(words):
        if word in _SCALES:
            total = (total or 1) * _SCALES[word]
        elif re.fullmatch(r"\d+(?:\.\d+)?", word) and index == 0:
            total = float(word)
        elif word in _SMALL or word in _TENS or word == "dozen":
            total += {**{w: i for i, w in enumerate(_SMALL)}, **{w: 10 * i for i, w in enumerate(_TENS, 2)}}.get(
                word, 12
            )
        else:
            return None
    return total if words else None


def same_entity(first: str, second: str) -> bool:
    """Return whether two texts are equal, ignoring case, spacing, articles, punctuation and the notation of numbers."""
    values = value_of(first), value_of(second)
    return _normalized(first) == _normalized(second) or (values[0] is not None and values[0] == values[1])


def overlap(first: str, second: str) -> bool:
    """Return whether two texts are the same, or one has a subset of the other's words (*Williams*, *Mike Williams*)."""
    words, others = set(_normalized(first).split()), set(_normalized(second).split())
    return same_entity(first, second) or words <= others or others <= words


def _normalized(text: str) -> str:
    text = re.sub(r"\s?(?:%|\bper cent\b)", " percent", text)
    text = re.sub(r"\$\s?([\d.,]+)", r"\1 dollars", text).replace(":00", "")
    words = (re.sub(r"'s?$", "", re.sub(r"[^\w'%$€£.]", "", bare(word)).rstrip(".")) for word in text.split())
    return " ".join(word for word in words if word and word not in ("the", "a", "an"))


def _quantity(text: str, match: re.Match[str]) -> Entity | None:
    """Return a matched quantity with its type and unit; None for words such as *may* and *no one*."""
    type_ = _TYPES[int(str(match.lastgroup)[1:])]
    matched, start = match.group(), match.start()
    if type_ != "number":
        # Months are always capitalized; "may" and "march" are verbs.
        verb_may = type_.startswith(("month", "day")) and matched[0].islower() and not matched[0].isdigit()
        return None if verb_may else Entity(matched, start, type_)
    if bare(matched) in ("one", "second") and (
        _NOT_A_NUMBER.search(text[max(0, start - 9) : start])
        or re.match(r" (?:of|another|by|day)\b", text[match.end() : match.end() + 9])
    ):
        return None
    unit = _UNIT.match(text, match.end())
    return Entity(matched, start, "number", unit[1].lower().replace("feet", "foot") if unit else "")


def _names(text: str, quantity_spans: Iterable[tuple[int, int]]) -> list[Entity]:
    """Return the names of a text that do not overlap with its quantities."""
    occupied = sorted(quantity_spans)
    pieces = (piece for match in _NAME.finditer(text) for piece in _pieces(text, *match.span()))
    spans = [span for piece in pieces if (span := _trimmed(text, *piece)) and not _overlaps(span, occupied)]
    certain = {word for start, end in spans if not _starts_sentence(text, start) for word in text[start:end].split()}
    spans = [(start, end) for start, end in spans if _is_name(text, start, end, certain)]
    cues: dict[str, Counter[str]] = defaultdict(Counter)
    for start, end in spans:
        cues[text[start:end]][_cue(text, start, end)] += 1
    parts = {part for name in cues if " " in name for part in name.split()}
    types = {name: _type(name, counts, name in parts) for name, counts in cues.items()}
    return [Entity(text[start:end], start, types[text[start:end]]) for start, end in spans]


def _overlaps(span: tuple[int, int], occupied: Sequence[tuple[int, int]]) -> bool:
    index = bisect_left(occupied, (span[1],))
    return index > 0 and occupied[index - 1][1] > span[0]


def _starts_sentence(text: str, start: int) -> bool:
    return bool(_SENTENCE_START.search(text[max(0, start - 12) : start]))


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Split a name at "'s", and at "of" unless a common noun precedes it (*University of Lund*)."""
    piece_start = start
    for link in re.compile(r"['’]s | of (?:the )?").finditer(text, start, end):
        before = text[piece_start : link.start()].rpartition(" ")[2]
        if link[0].startswith(" ") and classes(bare(before)):
            continue
        yield piece_start, link.start()
        piece_start = link.end()
    yield piece_start, end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the span of a name without leading articles, pronouns or titles and without a possessive ending."""
    end = start + len(re.sub(r"['’]s$|['’]$", "", text[start:end]))
    while start < end:
        first, _, rest = text[start:end].partition(" ")
        is_role = len(first) in (2, 3) and first.isalpha() and first.isupper() and " " in rest
        if not is_role and (bare(first) not in _BEFORE_NAMES or (bare(first) in _TITLES and not rest)):
            break
        start += len(first) + bool(rest)
    name = text[start:end]
    if len(name) < 2 or bare(name) in _NOT_NAMES | _TITLES or _NATIONAL.fullmatch(name):
        return None
    numbered = classes(bare(name)) and re.match(r" \d", text[end : end + 2])  # "Week 7", "Room 12"
    return None if numbered else (start, end)


def _is_name(text: str, start: int, end: int, certain: set[str]) -> bool:
    words = text[start:end].split()
    if not _starts_sentence(text, start) or words[0] in certain:
        return True
    return len(words) > 1 or not classes(bare(words[0]))


def _cue(text: str, start: int, end: int) -> str:
    """Return the type that the words of a name and its neighbours indicate, or an empty string."""
    earlier, before = (["", "", *map(bare, text[max(0, start - 30) : start].split())])[-2:]
    words = [bare(word) for word in text[start:end].split()]
    if _ORGANIZATIONS & set(words):
        return "organization"
    if _PLACES & {words[0], words[-1]} or _COUNTRIES & set(words):
        return "place"
    if before in _TITLES:
        return "person"
    if before == "the":
        return "group"
    if before in _PLACE_BEFORE or (before == "to" and earlier in _MOTION):
        return "place"
    if before in ("of", "at", "from") and len(words) == 1:
        return _MAYBE_PLACE
    return "organization" if len(words) == 1 and len(words[0]) > 1 and text[start:end].isupper() else ""


def _type(name: str, cues: Counter[str], is_part: bool) -> str:
    """Return the type with most cues. Without cues, a name is a person, or *other* if it is a plural (*Divisions*)."""
    counts = Counter({cue: count for cue, count in cues.items() if cue in NAMES})
    if counts:
        return counts.most_common(1)[0][0]
    if 2 * cues[_MAYBE_PLACE] > sum(cues.values()):
        return "place"
    return "other" if is_plural(bare(name)) and not is_part else "person"
