"""What makes the label of a pair doubtful: it is not built, as a rule may say more than its two sentences do.

As with :mod:`~trivium.build.conjuncts.doubts`, a pair is left out on suspicion, and counted under a name.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Final

from trivium.build.conjuncts.agreement import is_form, is_plural, verb_of
from trivium.build.conjuncts.doubts import kind_of
from trivium.build.conjuncts.labels import Labelled
from trivium.build.conjuncts.lexicon import (
    BOUNDS,
    CLAUSES,
    COLLECTIVE,
    COLOURS,
    KIN,
    MIXING,
    NAMING,
    OPPOSITES,
    PAST,
    SUMS,
    UNITS,
)
from trivium.build.conjuncts.numbers import is_number
from trivium.build.conjuncts.pairs import Pair
from trivium.build.conjuncts.reading import Edit, is_denial
from trivium.build.conjuncts.sentence import Span, Word
from trivium.build.conjuncts.tokens import POSSESSIVES

_HEDGES: Final = frozenset(
    "than over about around approximately least most almost nearly roughly circa between from minimum maximum up under "
    "below above within".split()
)
_PRESENT: Final = frozenset("is are has have can could may might will would should must do does".split())
_DUTIES: Final = frozenset("must should shall will would ought".split())
_BE: Final = frozenset("is are am be been being".split())
_REACH: Final = 8  # words from a denial to what it denies
_PLACED: Final = frozenset("born located situated based".split())
_NEGATIVE: Final = frozenset(
    "only neither deny doubt refuse fail forget lack avoid prevent hardly rarely seldom barely if unless except "
    "unlikely impossible improbable false untrue".split()
)
_SHARES: Final = frozenset({"half", "exactly"})
_CHOICE: Final = frozenset("can could may might able allow permit enable let option choose choice".split())
_COMPLEMENTS: Final = frozenset({"that", "if", "whether", "unless"})  # what they open is denied with their verb
_NEAR: Final = 3
_FAR: Final = 10
_NOR_RULES: Final = {
    "kept": ("neither/nor to not", "not to neither/nor"),
    "lost": ("neither/nor undone", "made neither/nor"),
}
_NAMES: Final = ("name", "name by or")
_RULES_OF: Final = {
    "antonym": (("opposite",), "an antonym that may be none here"),
    "number": (("number", "number by or", "neither/nor"), "a number is not read as one"),
    "name": ((*_NAMES, "neither/nor"), "a name is not read as one"),
    "calendar": ((*_NAMES, "neither/nor"), "a name is not read as one"),
}


def doubt_of_pair(pair: Pair) -> str | None:
    """Why no label of a pair could be trusted, whatever the rules say; None if one may be."""
    return next((reason for reason, holds in _OF_PAIRS if holds(pair)), None)


def doubt_of_label(pair: Pair, edit: Edit, labelled: Labelled) -> str | None:
    """Why the label that a rule gave a pair is not trusted; None if it is."""
    why = pair.change.why if pair.change else ""
    if edit.word != pair.conjunction:
        return "another conjunction is nearer to the change"
    if edit.operation != pair.operation and why != "negation":
        return "it reads as another operation"
    if pair.denial and labelled.rule not in _NOR_RULES[pair.denial]:
        return "it reads as another denial"
    rules, reason = _RULES_OF.get(why, ((), ""))
    if rules and labelled.rule not in rules:
        return reason
    if labelled.rule in _NAMES and why not in {"name", "calendar"}:
        return "a word is read as a name"
    return next((reason for reason, holds in _OF_RULE.get(labelled.rule, ()) if holds(pair, edit)), None)


def _start(pair: Pair) -> int:
    """Where the first conjunct begins, or the word that opens it."""
    first = (*pair.coordination.others, pair.coordination.left)[0].first
    return first if pair.coordination.opener is None else min(first, pair.coordination.opener)


def _before(pair: Pair, place: int, most: int) -> list[Word]:
    """At most so many words before a place, the nearest first."""
    return list(reversed(pair.sentence.words[max(0, place - most) : place]))


def _subject_verb(pair: Pair) -> Word | None:
    """The verb behind a coordination that is its subject."""
    place = verb_of(pair.sentence, pair.coordination)
    return None if place is None or place < pair.coordination.conjunction else pair.sentence.words[place]


def _is_past(pair: Pair, place: int) -> bool:
    """Whether a verb tells what happened: no participle behind *be*."""
    word = pair.sentence.words[place]
    lower, lemma = word.lower, word.lemma.lower()
    if word.tag != "VERB" or lower == lemma or not is_form(lower, lemma, "VBD"):
        return False
    helper = next((one for one in _before(pair, place, _NEAR) if one.tag not in {"ADV", "PART"}), None)
    return helper is None or helper.lower not in _BE


def _is_singular(verb: Word) -> bool:
    lower, lemma = verb.lower, verb.lemma.lower()
    return lower in {"is", "was", "has"} or (lower != lemma and is_form(lower, lemma, "VBZ"))


def _is_crossed(pair: Pair) -> bool:
    """ "Oslo and Bern are in Norway and Peru, respectively" without Oslo and Peru."""
    return pair.crossed


def _is_command(pair: Pair) -> bool:
    """The sentence begins with a bare verb."""
    words = (word for word in pair.sentence.words if word.text[0].isalnum() and word.lower != "please")
    first = next(words, None)
    return first is not None and first.tag == "VERB" and first.lower == first.lemma.lower()


def _under_denial(pair: Pair, edit: Edit) -> bool:
    """ "He did not eat A and B", "only A and B", "nobody but A and B": what holds of both may not hold of one."""
    return any(_is_denied(pair, place) for place in {_start(pair), pair.coordination.left.first})


def _is_denied(pair: Pair, place: int) -> bool:
    near = _before(pair, place, _REACH)
    if len(near) > 1 and near[0].lower == "but" and near[1].tag in {"NOUN", "PRON", "PROPN"}:
        return True
    listed = False
    for word in near:
        lower = word.lower
        if lower == "only":
            return True
        if not listed and (is_denial(lower) or not _NEGATIVE.isdisjoint({lower, word.lemma.lower()})):
            return True
        listed = listed or lower == ","  # "only A, B and C", of which A may not be found
        if lower == ";" or lower in CLAUSES - _COMPLEMENTS or (listed and word.tag in {"VERB", "AUX"}):
            return False
    return False


def _is_one_thing(pair: Pair, edit: Edit) -> bool:
    """ "Gin and tonic is", or a name that has both conjuncts in it."""
    left, right = pair.coordination.left, pair.coordination.right
    if any(name.span.first <= left.first and right.end <= name.span.end for name in pair.sentence.names):
        return True
    verb = _subject_verb(pair)
    nearest = {word.lower for word in pair.sentence.words[max(0, _start(pair) - 1) : _start(pair) + 1]}
    return verb is not None and _is_singular(verb) and nearest.isdisjoint({"each", "every"})


def _is_collective(pair: Pair, edit: Edit) -> bool:
    """ "A and B met", "mix A and B", "a red and white flag", "two hours and ten minutes"."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    if _subject_verb(pair) is not None:
        near, known = words[right.end : right.end + _FAR], COLLECTIVE
    else:
        near, known = tuple(_before(pair, _start(pair), _NEAR)), MIXING
    if any(not known.isdisjoint({word.lower, word.lemma.lower()}) for word in near):
        return True
    if {words[left.end - 1].lower, words[right.first].lower} <= COLOURS or _is_counted(pair):
        return True
    return all(words[span.end - 1].lemma.lower() in UNITS and _has_number(pair, span) for span in (left, right))


def _is_counted(pair: Pair) -> bool:
    """ "Sold 300 copies in A and B", "ten boys and girls", "half of the boys and girls": so many in both together."""
    start, words = _start(pair), pair.sentence.words
    near = words[max(0, start - _NEAR - 1) : start]
    if any(one.tag == "NUM" and is_plural(following) for one, following in pairwise(near)):
        return True
    first, second = words[start], words[pair.coordination.right.first]
    shared = {word.lower for word in near[-_NEAR:]} | {first.lower}
    if near and near[-1].tag == "NUM" and second.tag != "NUM":
        return True
    counted = first.tag == "NUM" and not _has_number(pair, pair.coordination.right) and is_plural(second)
    return counted or not _SHARES.isdisjoint(shared)


def _has_number(pair: Pair, span: Span) -> bool:
    return any(is_number(pair.sentence.words[place].text) for place in range(*span))


def _is_single(pair: Pair, edit: Edit) -> bool:
    """ "He went to A or B", "you must do A or B", "an A or a B is here", "he is doing A or B": one of the two."""
    words = pair.sentence.words
    if edit.has(_DUTIES) or any(_is_past(pair, place) for place in range(len(words))):
        return True
    verb = _subject_verb(pair)
    if (verb is not None and _is_singular(verb)) or _is_this_one(pair):
        return True
    return any(
        word.lower in _BE and following.tag == "VERB" and following.text.endswith("ing")
        for word, following in pairwise(words)
    )


def _is_this_one(pair: Pair) -> bool:
    """ "Her father is a doctor or a lawyer", "the key is in the box or the drawer": one thing is one of the two."""
    words, start = pair.sentence.words, _start(pair)
    place = next((i for i in range(max(0, start - _NEAR), start) if words[i].lower == "is"), None)
    if not place:
        return False
    subject = words[max(0, place - _NEAR) : place]
    named = any(word.tag == "PROPN" or word.lower in {"the", "this", "that", *POSSESSIVES} for word in subject)
    return named and not any(word.lower in {"known", "called", "named"} for word in words[place:start])


def _loses_bounded(pair: Pair, edit: Edit) -> bool:
    """ "Aged 12 or older" without 12."""
    return pair.side == "left"


def _joins_names(pair: Pair, edit: Edit) -> bool:
    """A conjunct is the name of a person, or both are names, or begin alike: they are no parts of one name."""
    words, parts = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    if any(name.kind == "PERSON" and name.span in parts for name in pair.sentence.names):
        return True
    if words[parts[0].first].text == words[parts[1].first].text:
        return True
    ends = {name.span.end for name in pair.sentence.names}
    return all(part.end in ends for part in parts)


def _leaves_choice(pair: Pair, edit: Edit) -> bool:
    """ "It can use either A or B", "it let them do A or B": both may be true."""
    near = _before(pair, _start(pair), _FAR)
    return any(not _CHOICE.isdisjoint({word.lower, word.lemma.lower()}) for word in near)


def _asks(pair: Pair, edit: Edit) -> bool:
    """ "He wonders whether to buy A or B": who wonders whether to buy A need not think of B."""
    return any(word.lower == "whether" for word in pair.sentence.words[: pair.coordination.conjunction])


def _in_condition(pair: Pair, edit: Edit) -> bool:
    """ "It rings when it is on A or B": what holds of one need not hold of both."""
    for word in _before(pair, _start(pair), _FAR):
        if word.text in {",", ";"}:
            return False
        if word.lower in {"if", "when", "whenever", "unless", "where", "wherever"}:
            return True
    return False


def _in_title(pair: Pair, edit: Edit) -> bool:
    """A word in quotation marks: another title denies nothing."""
    if pair.change is None:
        return False
    start = pair.sentence.words[pair.change.span.first].start
    before = pair.sentence.text[:start]
    return before.count('"') % 2 == 1 or before.count("“") > before.count("”")


def _other_either(pair: Pair, edit: Edit) -> bool:
    """*Either* opens another coordination."""
    return pair.coordination.opener is None and not edit.has({"whether"})


def _other_name(pair: Pair, edit: Edit) -> bool:
    """The name that became another is none of those that *or* stands between."""
    if pair.change is None:
        return False
    (first, end), (left, right) = pair.change.span, (pair.coordination.left, pair.coordination.right)
    return end != left.end if pair.side == "left" else first > right.first + 1


def _by_or(pair: Pair, edit: Edit) -> bool:
    """An opposite beside *or*, which leaves the other conjunct open."""
    return pair.conjunction == "or"


def _is_rough(pair: Pair, edit: Edit) -> bool:
    """More than 20, about 20, up to 20: 21 does not deny it. 1931-1941 is a part of 1930-1941."""
    if pair.change is None:
        return False
    first, end = pair.change.span
    near = [*_before(pair, first, _NEAR), *_before(pair, _start(pair), _NEAR)]
    if any(word.lower in _HEDGES for word in near) or (near[:1] and near[0].lower == "to"):
        return True
    behind = [word.lower for word in pair.sentence.words[end : end + 2]]
    return behind[:1] in (["-"], ["–"], ["to"], ["until"], ["+"], ["plus"]) or not BOUNDS.isdisjoint(behind[1:])


def _denies_number(pair: Pair, edit: Edit) -> bool:
    """ "Did not run in 2014": nothing is said of 2015."""
    return pair.change is not None and _is_denied(pair, pair.change.span.first)


def _loose_opposite(pair: Pair, edit: Edit) -> bool:
    """A verb or noun with *un* or *dis*, which mostly means something else, or a word under a denial."""
    if pair.change is None:
        return False
    old, new = pair.change.old.lower(), pair.change.new.lower()
    word, first = pair.sentence.words[pair.change.span.first], pair.change.span.first
    if word.tag != "ADJ" and frozenset({old, new}) not in OPPOSITES and (old in new or new in old):
        return True
    owner = pair.sentence.words[first - 1].lower if first else ""
    if old in KIN and owner in {*POSSESSIVES, "'s", "’s", "'", "’"}:
        return True  # who has a brother may have a sister too
    behind = {one.lower for one in pair.sentence.words[first : first + 7]}
    if {old, new} == {"lost", "won"} and "to" in behind:
        return True
    return any(is_denial(one.text) or one.lower in _NEGATIVE for one in _before(pair, first, _NEAR + 1))


def _renames_not(pair: Pair, edit: Edit) -> bool:
    """A comma before *or* that is one of a list, or stands before a phrase or a clause: it opens no other name."""
    if edit.has(NAMING):
        return False
    return bool(pair.coordination.others) or kind_of(pair.sentence, pair.coordination.right) != "noun"


def _is_not_past(pair: Pair, edit: Edit) -> bool:
    """A participle beside a verb of the present ("may be used"), or two names of one thing ("A Cup or B Cup was")."""
    if not edit.has(PAST) and edit.has(_PRESENT):
        return True
    words, found = pair.sentence.words, pair.coordination
    last = [words[span.end - 1] for span in (found.left, found.right)]
    if last[0].text == last[1].text:
        return True
    verb = _subject_verb(pair)
    return verb is not None and _is_singular(verb) and any(word.tag == "PROPN" for word in last)


def _taken_apart(pair: Pair, edit: Edit) -> bool:
    """A word such as *group* alone or a sum of something else, or conjuncts that are no things."""
    words, start, end = pair.sentence.words, _start(pair), pair.coordination.right.end
    near = {word.lower for word in (*words[max(0, start - _REACH) : start], *words[end : end + _NEAR])}
    fronted = {word.lower for word in words[:_NEAR]}  # "In total, …"
    return SUMS.isdisjoint(near | fronted) or kind_of(pair.sentence, pair.coordination.right) != "noun"


def _denied_elsewhere(pair: Pair, edit: Edit) -> bool:
    """A comma, a clause or many words stand between the word that denies and *or*, or what is behind is for both."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    tags = [{words[place].tag for place in range(*span)} for span in (left, right)]
    if pair.side == "right" and kind_of(pair.sentence, right) == "verb" and "ADP" in tags[1] - tags[0]:
        return True  # "may not sing or dance in the hall" without the hall
    before = edit.lower[: edit.conjunction]
    place = max((place for place, word in enumerate(before) if is_denial(word)), default=0)
    return not {",", "without", *CLAUSES}.isdisjoint(before[place:]) or len(before) - place > _REACH


def _other_number(pair: Pair, edit: Edit) -> bool:
    """The number that became another is none of those that *or* stands between."""
    return not all(is_number(word) for word in edit.around)


def _word_by_but(pair: Pair) -> bool:
    """A co-hyponym beside *but*: neutral or contradiction, as it comes."""
    return pair.change is not None and pair.change.why == "co-hyponym" and pair.conjunction == "but"


def _name_may_be_too(pair: Pair) -> bool:
    """Another name, where both may be true: he met Ada and Tom."""
    change = pair.change
    if change is None or change.why not in {"name", "calendar"}:
        return False
    if change.old.endswith("s") != change.new.endswith("s"):
        return True
    if pair.conjunction not in {"and", "but"}:
        return False  # beside *or* it is neutral all the same
    words = pair.sentence.words
    if words[change.span.end - 1].tag == "ADJ":
        return is_plural(words[change.span.end]) if change.span.end < len(words) else False  # "Dutch sailors died"
    if change.old.endswith("s"):
        return True
    if any(word.lower in {"has", "have"} for word in words):
        return True
    before = [word.lower for word in words[max(0, change.span.first - 3) : change.span.first]]
    return before[-1:] != ["by"] and not (before[-1:] == ["in"] and not _PLACED.isdisjoint(before))


_OF_RULES: Final[tuple[tuple[str, str, Callable[[Pair, Edit], bool]], ...]] = (
    ("and", "and stands under a denial, only or if", _under_denial),
    ("and", "the conjuncts may be one thing", _is_one_thing),
    ("and", "what is said may hold of both together alone", _is_collective),
    ("bound", "what is bounded would go", _loses_bounded),
    ("part of a name", "whether the conjuncts are one name is not clear", _joins_names),
    ("either/or", "or stands under a word that denies", _under_denial),
    ("or in the past", "or stands under a word that denies", _under_denial),
    ("or in general", "or stands under a word that denies", _under_denial),
    ("either/or", "whether asks for one of the two", _asks),
    ("either/or", "or may leave the choice", _leaves_choice),
    ("or in the past", "or may leave the choice", _leaves_choice),
    ("or in the past", "or stands in a condition", _in_condition),
    ("or in general", "or stands in a condition", _in_condition),
    ("opposite", "a word of a title", _in_title),
    ("number", "a word of a title", _in_title),
    ("or in general", "or may be about one event or duty", _is_single),
    ("either/or", "either may belong to another or", _other_either),
    ("name by or", "the name is none of those beside or", _other_name),
    ("opposite", "an opposite beside or", _by_or),
    ("taken together", "whether things are taken together is not clear", _taken_apart),
    ("other name", "whether or renames something is not clear", _renames_not),
    ("or in the past", "whether or is about what happened is not clear", _is_not_past),
    ("or denied", "whether or is denied is not clear", _denied_elsewhere),
    ("number by or", "the number is none of those beside or", _other_number),
    ("number", "the number is said to be rough", _is_rough),
    ("number", "a number under a denial", _denies_number),
    ("opposite", "the opposite may not be one here", _loose_opposite),
)
_OF_RULE: Final = {
    name: tuple((reason, holds) for rule, reason, holds in _OF_RULES if rule == name) for name, _, _ in _OF_RULES
}
_OF_PAIRS: Final[tuple[tuple[str, Callable[[Pair], bool]], ...]] = (
    ("respectively matches other conjuncts", _is_crossed),
    ("a command is not true or false", _is_command),
    ("a word beside but may be neutral or not", _word_by_but),
    ("both names may be right", _name_may_be_too),
)
