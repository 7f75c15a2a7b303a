"""What makes the label of a removal or an addition doubtful: a conjunction that may mean something else here."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from trivium.build.conjuncts.agreement import is_plural
from trivium.build.conjuncts.doubts.context import (
    BE,
    FAR,
    NEAR,
    REACH,
    is_denied,
    is_past,
    is_singular,
    subject_verb,
    words_before,
)
from trivium.build.conjuncts.doubts.kinds import TIMES, kind_of
from trivium.build.conjuncts.lexicon import CHOICE, CLAUSES, COLLECTIVE, COLOURS, MIXING, NAMING, PAST, SUMS, UNITS
from trivium.build.conjuncts.numbers import is_number
from trivium.build.conjuncts.pairs import Pair
from trivium.build.conjuncts.reading import Edit, is_denial
from trivium.build.conjuncts.sentence import Name, Span
from trivium.build.conjuncts.tokens import POSSESSIVES
from trivium.build.conjuncts.wordnet import wordnet

_PRESENT: Final = frozenset("is are has have can could may might will would should must do does".split())
_DUTIES: Final = frozenset("must should shall will would ought".split())
_AIMS: Final = frozenset("want hope plan wish intend expect decide aim try think believe say claim seem".split())
_SHARES: Final = frozenset({"half", "exactly"})
_DISTRIBUTING: Final = frozenset("all most every each both many".split())
_DEFINITE: Final = frozenset({"the", "this", "that", *POSSESSIVES})
_APART: Final = frozenset({",", "without", *CLAUSES})
_ENTITIES: Final = frozenset({"PLACE", "GROUP"})
_CLAUSE: Final = 15  # words behind a subject in which something may be said of it
_ONLY: Final = frozenset({("the", "only"), ("the", "sole")})
_PARTS: Final = frozenset("all some most part half".split())


def is_crossed(pair: Pair) -> bool:
    """ "Oslo and Bern are in Norway and Peru, respectively" without Oslo and Peru."""
    return pair.crossed


def is_command(pair: Pair) -> bool:
    """The sentence begins with a bare verb."""
    words = (word for word in pair.sentence.words if word.text[0].isalnum() and word.lower != "please")
    first = next(words, None)
    return first is not None and first.tag == "VERB" and first.lower == first.lemma.lower()


def under_denial(pair: Pair, edit: Edit) -> bool:
    """ "He did not eat A and B", "only A and B", "nobody but A and B": what holds of both may not hold of one."""
    words, found = pair.sentence.words, pair.coordination
    if any(words[part.first].lower in {"only", "few", "little"} for part in (found.left, found.right)):
        return True
    return any(is_denied(pair, place) for place in {pair.coordination.start, found.left.first})


def is_fixed(pair: Pair) -> bool:
    """ "Track and field", "Ministry of Art and Music": one of the two words alone is another thing."""
    left, right = pair.coordination.left, pair.coordination.right
    if left.end - left.first == right.end - right.first == 1 and _is_phrase(pair):
        return True
    return any(name.kind in _ENTITIES for name in _names_of_both(pair))


def _names_of_both(pair: Pair) -> list[Name]:
    """The names that have both conjuncts in them."""
    left, right = pair.coordination.left, pair.coordination.right
    return [name for name in pair.sentence.names if name.span.first <= left.first and right.end <= name.span.end]


def is_one_thing(pair: Pair, edit: Edit) -> bool:
    """ "The aim and hope is", or a name that has both conjuncts in it."""
    if _names_of_both(pair):
        return True
    verb = subject_verb(pair)
    start = pair.coordination.start
    nearest = {word.lower for word in pair.sentence.words[max(0, start - 1) : start + 1]}
    return verb is not None and is_singular(verb) and nearest.isdisjoint({"each", "every"})


def _is_phrase(pair: Pair) -> bool:
    """Whether the dictionary has both words with their conjunction."""
    words, found = pair.sentence.words, pair.coordination
    left, right = (words[place].lower for place in (found.left.first, found.right.first))
    return wordnet().knows(f"{left}_{pair.conjunction}_{right}")


def is_collective(pair: Pair, edit: Edit) -> bool:
    """ "A and B met", "are the only ones", "mix A and B", "a red and white flag", "two hours and ten minutes"."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    if subject_verb(pair) is not None:
        near, known = words[right.end : right.end + _CLAUSE], COLLECTIVE
        if any((one.lower, following.lower) in _ONLY for one, following in pairwise(near)):
            return True
    else:
        near, known = tuple(words_before(pair, pair.coordination.start, NEAR)), MIXING
    if any(not known.isdisjoint({word.lower, word.lemma.lower()}) for word in near):
        return True
    if {words[left.end - 1].lower, words[right.first].lower} <= COLOURS or _is_counted(pair):
        return True
    return all(words[span.end - 1].lemma.lower() in UNITS and _has_number(pair, span) for span in (left, right))


def _is_counted(pair: Pair) -> bool:
    """ "Sold 300 copies in A and B", "ten boys and girls", "half of the boys and girls": so many in both together."""
    start, words = pair.coordination.start, pair.sentence.words
    near = words[max(0, start - NEAR - 1) : start]
    if any(one.tag == "NUM" and is_plural(following) for one, following in pairwise(near)):
        return True
    first, second = words[start], words[pair.coordination.right.first]
    shared = {word.lower for word in near[-NEAR:]} | {first.lower}
    if near and near[-1].tag == "NUM" and second.tag != "NUM":
        return True
    counted = first.tag == "NUM" and not _has_number(pair, pair.coordination.right) and is_plural(second)
    return counted or not _SHARES.isdisjoint(shared)


def _has_number(pair: Pair, span: Span) -> bool:
    return any(is_number(pair.sentence.words[place].text) for place in range(*span))


def is_single(pair: Pair, edit: Edit) -> bool:
    """ "He went to A or B", "you must do A or B", "he wants to do A or B", "an A or a B is here": one of the two.

    So it is of "with or without", of "all or part", and of "most are A or B".
    """
    words = pair.sentence.words
    sides = words[pair.coordination.left.end - 1].lower, words[pair.coordination.right.first].lower
    if sides == ("with", "without") or sides[0] in _PARTS or _is_distributed(pair):
        return True
    near = words_before(pair, pair.coordination.start, FAR)
    if any(word.lemma.lower() in _AIMS for word in near):
        return True
    if edit.has(_DUTIES) or any(is_past(pair, place) for place in range(len(words))):
        return True
    verb = subject_verb(pair)
    if (verb is not None and is_singular(verb)) or _is_this_one(pair):
        return True
    return any(
        word.lower in BE and following.tag == "VERB" and following.text.endswith("ing")
        for word, following in pairwise(words)
    )


def _is_distributed(pair: Pair) -> bool:
    """ "Most of them are A or B": some are A, and others B."""
    place = pair.coordination.start
    following = pair.sentence.words[place]
    for word in words_before(pair, place, FAR):
        if word.text in {",", ";"} or word.tag in {"VERB", "SCONJ"}:
            return False
        if word.lower in _DISTRIBUTING and following.tag != "ADV" and following.lower not in TIMES:
            return True
        following = word
    return False


def _is_this_one(pair: Pair) -> bool:
    """ "Her father is a doctor or a lawyer", "the key is in the box or the drawer": one thing is one of the two."""
    words, start = pair.sentence.words, pair.coordination.start
    place = next((i for i in range(max(0, start - NEAR), start) if words[i].lower == "is"), None)
    if not place:
        return False
    subject = words[max(0, place - NEAR) : place]
    named = any(word.tag == "PROPN" or word.lower in _DEFINITE for word in subject)
    return named and not any(word.lower in {"known", "called", "named"} for word in words[place:start])


def loses_bounded(pair: Pair, edit: Edit) -> bool:
    """ "Aged 12 or older" without 12."""
    return pair.side == "left"


def joins_names(pair: Pair, edit: Edit) -> bool:
    """A conjunct is the name of a person, or both are names, or begin alike: they are no parts of one name.

    Of a film that has two, "Ice Cold or Red Hot", each is a whole one.
    """
    words, parts = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    if any(name.kind == "PERSON" and name.span in parts for name in pair.sentence.names):
        return True
    if words[parts[0].first].text == words[parts[1].first].text:
        return True
    verb = subject_verb(pair)
    if pair.conjunction == "or" and not pair.coordination.start and verb is not None and is_singular(verb):
        return True
    ends = {name.span.end for name in pair.sentence.names}
    return all(part.end in ends for part in parts)


def leaves_choice(pair: Pair, edit: Edit) -> bool:
    """ "It can use either A or B", "it let them do A or B": both may be true."""
    near = words_before(pair, pair.coordination.start, FAR)
    return any(not CHOICE.isdisjoint({word.lower, word.lemma.lower()}) for word in near)


def asks(pair: Pair, edit: Edit) -> bool:
    """ "He wonders whether to buy A or B": who wonders whether to buy A need not think of B."""
    return any(word.lower == "whether" for word in pair.sentence.words[: pair.coordination.conjunction])


def in_condition(pair: Pair, edit: Edit) -> bool:
    """ "It rings when it is on A or B": what holds of one need not hold of both."""
    for word in words_before(pair, pair.coordination.start, FAR):
        if word.text in {",", ";"}:
            return False
        if word.lower in {"if", "when", "whenever", "unless", "where", "wherever"}:
            return True
    return False


def other_either(pair: Pair, edit: Edit) -> bool:
    """*Either* opens another coordination."""
    return pair.coordination.opener is None and not edit.has({"whether"})


def renames_not(pair: Pair, edit: Edit) -> bool:
    """A comma before *or* that is one of a list, or stands before a phrase or a clause: it opens no other name.

    Nor does a plain *or*, unless something is called something before it ("known as", and not "known to").
    """
    named = pairwise((*edit.before, ""))
    if any(word in NAMING and behind != "to" for word, behind in named):
        return False
    plain = edit.around[0] not in {",", "("}  # "known to swim or dive"
    return plain or bool(pair.coordination.others) or kind_of(pair.sentence, pair.coordination.right) != "noun"


def is_not_past(pair: Pair, edit: Edit) -> bool:
    """A verb of the present ("may be used", "A or B is"), two names of one thing ("A Cup or B Cup was"), or kinds.

    "85 hot or cold days" may have been of both.
    """
    if not edit.has(PAST) and edit.has(_PRESENT):
        return True
    words, found = pair.sentence.words, pair.coordination
    last = [words[span.end - 1] for span in (found.left, found.right)]
    if last[0].text == last[1].text or (not pair.coordination.start and {word.tag for word in last} == {"PROPN"}):
        return True
    signs = (words[place].text for place in (found.left.first - 1, found.right.end) if 0 <= place < len(words))
    if not words[found.right.first].text[0].isalnum() or tuple(signs) == ("(", ")"):
        return True  # "the guild (Hansa or 'Hanse')"
    verb = subject_verb(pair)
    if verb is not None:
        present = verb.lower in _PRESENT or (is_singular(verb) and verb.lower not in PAST)
        if present or (is_singular(verb) and any(word.tag == "PROPN" for word in last)):
            return True
    behind = words[found.right.end : found.right.end + 1]
    return {word.tag for word in last} == {"ADJ"} and any(map(is_plural, behind))


def taken_apart(pair: Pair, edit: Edit) -> bool:
    """A word such as *group* alone or a sum of something else, or conjuncts that are no things."""
    words, start, end = pair.sentence.words, pair.coordination.start, pair.coordination.right.end
    near = {word.lower for word in (*words[max(0, start - REACH) : start], *words[end : end + NEAR])}
    fronted = {word.lower for word in words[:NEAR]}  # "In total, …"
    if "total" in {word.lower for word in words[end : end + NEAR]} and subject_verb(pair) is None:
        return True  # "across A and B, with a total of 50 shows"
    return SUMS.isdisjoint(near | fronted) or kind_of(pair.sentence, pair.coordination.right) != "noun"


def denied_elsewhere(pair: Pair, edit: Edit) -> bool:
    """A comma, a clause or many words stand between the word that denies and *or*, or what is behind is for both."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    tags = [{words[place].tag for place in range(*span)} for span in (left, right)]
    if pair.side == "right" and kind_of(pair.sentence, right) == "verb" and "ADP" in tags[1] - tags[0]:
        return True  # "may not sing or dance in the hall" without the hall
    before = edit.before
    place = max((place for place, word in enumerate(before) if is_denial(word)), default=0)
    return not _APART.isdisjoint(before[place:]) or len(before) - place > REACH
