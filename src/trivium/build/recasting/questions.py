"""Turning a question and its answer into one statement: "Who sang?" and "Ada" say that Ada sang."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from trivium.build.recasting.adverbials import before_time, ended, way_said, when_said, where_said, why_said
from trivium.build.recasting.entities import value_of
from trivium.build.recasting.gaps import TIMES, filled, placed
from trivium.build.recasting.phrases import (
    AUXILIARIES,
    BE,
    DETERMINERS,
    DO,
    MODALS,
    PREPOSITIONS,
    Clause,
    bare,
    begins_noun_phrase,
    capitalised,
    classes,
    clause_of,
    inflected,
    inside,
    is_form,
    is_sentence,
    joined,
    verb_place,
)
from trivium.language.inflection import getLemma

RULE, JOINED = "rule", "joined"
"""How a statement came about: by a rule of grammar, or as the question with the answer behind it."""

_READ = 1_000  # what is longer, in characters, is no plain question with a plain answer
_ASKING = frozenset("who whom whose what which when where why how".split())
_ON_TIMES = frozenset("day date".split())
_SHARES = frozenset("percentage percent proportion share fraction portion".split())
_SAYING = frozenset(
    "say think believe know claim argue announce report explain realize learn discover find hear".split()
)
_MEASURED = frozenset("long old tall high deep wide thick".split())
_LENGTH = re.compile(
    r"\b(?:yard|metre|meter|mile|kilometre|kilometer|inche|centimetre|centimeter)s?$|\b(?:feet|km|cm)$"
)
_FREE = frozenset("far big large heavy fast strong hot cold".split())
_ALTERNATIVES = re.compile(r",\s*[^,?]+(?:,[^,?]+)*,?\s+or\s+[^,?]+\??$|:\s*[^:?]+ or [^:?]+\??$")
_LEAD = re.compile(
    rf"^(?P<lead>[^?]{{3,200}}?),\s+(?P<asked>(?:\w+\s)?(?:{'|'.join(sorted(_ASKING))})\b.*)$", re.I | re.S
)


class Statement(NamedTuple):
    """A statement, and how it was made: :data:`RULE` or :data:`JOINED`."""

    text: str
    rule: str


def statement(question: str, answer: str) -> Statement:
    """The statement that a question and its answer make; where no rule fits, the two one after the other."""
    return statements(question, (answer,))[0]


def statements(question: str, answers: Iterable[str]) -> list[Statement]:
    """A statement for each answer. If no rule fits one of them all are joined: the form must not tell the right one."""
    given = [joined(answer) for answer in answers]
    asked = joined(question)
    stated = [_stated(asked, re.sub(r"(?<=\w{2})\.$", "", answer)) for answer in given]
    if all(stated):
        return [Statement(capitalised(str(text)), RULE) for text in stated]
    return [Statement(joined(asked, answer), JOINED) for answer in given]


def without_alternatives(question: str) -> str:
    """A question without the answers that it offers: "Which came first, the flood or the fire?" asks which did."""
    return _ALTERNATIVES.sub("?", question)


def _stated(question: str, answer: str) -> str | None:
    if not answer or len(question) + len(answer) > _READ:
        return None
    if re.search(r"[a-z]{2}[.!?]\s", answer) or re.search(r"[a-z]{2}[.!?]\s", question):
        return None
    asked = re.sub(
        r"^(who|what|when|where|how|why)['’]s ", r"\1 is ", without_alternatives(question), flags=re.IGNORECASE
    )
    words = asked.rstrip("?!. ").split()
    if len(words) < 2:
        return None
    first = bare(words[0])
    if first in _OPENINGS:
        return _OPENINGS[first](words, answer)
    if first in AUXILIARIES:
        return _yes_or_no(words, answer)
    if first in PREPOSITIONS and bare(words[1]) in _ASKING:
        return _with_preposition(first, words[1:], answer)
    lead = _LEAD.match(question)
    rest = _stated(lead["asked"], answer) if lead else None
    return f"{lead['lead']}, {inside(rest)}" if lead and rest else None


# Who, what, which, how many: the answer is the subject, or fills the gap that the question leaves.


def _noun_end(words: Sequence[str]) -> int | None:
    """Where the verb begins behind "which NOUN" or "how many NOUN", whose nouns these words begin with."""
    helper = next((place for place, word in enumerate(words) if place and bare(word) in AUXILIARIES), None)
    verb = verb_place(words[:helper], "VBD", "VBZ", "VB")
    if helper is None or verb is None:
        return helper if verb is None else verb
    clearly = not is_form(bare(words[verb]), "VB", "VBZ") and bare(words[helper]) not in DO
    return verb if clearly else helper


def _who(words: Sequence[str], answer: str) -> str | None:
    after = words[2:] if bare(words[1]) == "else" else words[1:]
    if is_sentence(answer) or not after:
        return None
    if bare(after[0]) in BE and len(after) > 1:
        named = all(word[0].isupper() for word in after[1:]) or [bare(w) for w in after[1:]] in (["he"], ["she"])
        if named:
            return joined(*after[1:], after[0], inside(answer))
        if bare(after[-1]) not in PREPOSITIONS and not _progressive(after):
            return joined(answer, *after)
    return filled(after, answer)


def _progressive(after: Sequence[str]) -> bool:
    """Whether a form of *be*, a subject and an -ing form stand here: "is the man eating"."""
    place = verb_place(after[1:], "VBG") if begins_noun_phrase(after[1:]) else None
    return place is not None and not any(bare(word) in PREPOSITIONS for word in after[1 : place + 1])


def _whose(words: Sequence[str], answer: str) -> str | None:
    end = _noun_end(words[1:])
    if end is None or is_sentence(answer):
        return None
    owner = answer if re.search(r"['’]s?$", answer) else f"{answer}'" if answer.endswith("s") else f"{answer}'s"
    return filled(words[1 + end :], joined(owner, *words[1 : 1 + end]))


def _what(words: Sequence[str], answer: str) -> str | None:
    after, first = words[1:], bare(words[1])
    helped = any(bare(word) in AUXILIARIES for word in words[2:])
    if first not in AUXILIARIES and (first == "of" or helped or not is_form(first, "VBD", "VBZ")):
        return None if is_sentence(answer) else _what_noun(after, answer)
    if first not in AUXILIARIES:
        return None if is_sentence(answer) and first != "happened" else _happened(after, answer)
    clause = clause_of(after)
    if clause is not None and (clause.plain == "do" or (clause.rest and bare(clause.rest[0]) == "doing")):
        return _what_done(clause, bare(after[0]), answer)
    if clause is not None and [bare(word) for word in clause.rest[-2:]] == ["to", "do"]:
        ready = is_form(bare(answer.split()[0]), "VB") and not is_sentence(answer)
        return joined(clause.subject, clause.verb, *clause.rest[:-1], inside(answer)) if ready else None
    if is_sentence(answer):
        says = clause is not None and clause.plain in _SAYING and not clause.rest
        return placed(clause, answer) if clause is not None and says else None
    if first in BE and begins_noun_phrase(after[1:]) and bare(after[1]) != "there":
        plain = [bare(word) for word in after]
        if "like" in plain[2:]:
            like = plain.index("like", 2)
            return joined(*after[1:like], after[0], inside(answer), *after[like + 1 :])
        if plain[1:3] == ["it", "that"]:
            return None
        stranded = bare(after[-1]) in PREPOSITIONS | {"called", "named"}
        if not stranded and not _progressive(after):
            return joined(*after[1:], after[0], inside(answer))
    return filled(after, answer)


def _happened(after: Sequence[str], answer: str) -> str | None:
    """ "What happened after the war?" is answered by a sentence, or by the name of an event."""
    if not is_sentence(answer):
        return filled(after, answer)
    behind = [bare(word) for word in after[1:2]]
    return joined(answer, *after[1:]) if not behind or behind[0] in PREPOSITIONS - {"to"} else None


def _what_done(clause: Clause, helper: str, answer: str) -> str | None:
    """ "What did the man do?" is answered by a sentence, or by a verb without its subject."""
    if is_sentence(answer):
        first, _, rest = answer.partition(" ")
        said = joined(clause.subject, rest) if bare(first) in ("he", "she", "it", "they") else answer
        return said if len(clause.rest) <= 1 else None
    verb, _, rest = answer.partition(" ")
    if clause.plain == "be":
        return joined(clause.subject, clause.verb, answer, *clause.rest[1:]) if is_form(bare(verb), "VBG") else None
    if helper in MODALS and is_form(bare(verb), "VB"):
        return joined(clause.subject, clause.verb.removesuffix("do"), inside(answer), *clause.rest)
    if helper not in DO or clause.verb.endswith(" do"):
        return None
    if is_form(bare(verb), "VB"):
        return joined(clause.subject, inflected(inside(verb).lower(), helper), rest, *clause.rest)
    return joined(clause.subject, answer, *clause.rest) if is_form(bare(verb), "VBD") and helper == "did" else None


def _which(words: Sequence[str], answer: str) -> str | None:
    if is_sentence(answer):
        return None
    if bare(words[1]) in AUXILIARIES:
        return filled(words[1:], answer)
    return _what_noun(words[1:], answer)


def _what_noun(words: Sequence[str], answer: str) -> str | None:
    """For "what/which NOUN …": the answer stands for the noun; of a year or a day it says when."""
    end = _noun_end(words)
    if end is None:
        return None
    noun, after = [bare(word) for word in words[:end]], words[end:]
    clause = clause_of(after) if bare(after[0]) in DO or begins_noun_phrase(after[1:]) else None
    if noun[-1] in TIMES and clause is not None and (clause.rest or clause.plain != "be"):
        return when_said(clause, answer, "on" if noun[-1] in _ON_TIMES else "in")
    if noun[0] == "of" and bare(after[0]) in BE:
        return joined(answer, *after)
    if noun[0] in _SHARES and "of" in noun:
        return filled(after, joined(answer, *words[1:end]))
    return filled(after, answer)


# How many, how much, how long.


def _how(words: Sequence[str], answer: str) -> str | None:
    asked, after = bare(words[1]), list(words[2:])
    if is_sentence(answer):
        return None
    if asked in ("many", "much"):
        return _how_many(after, answer, asked)
    if asked == "long":
        return _how_long(after, answer)
    if asked in _MEASURED | _FREE | {"often", "soon", "late", "early", "quickly"}:
        clause = clause_of(after)
        if clause is None:
            return None
        measured = asked in _MEASURED and clause.plain == "be" and " " in answer and not answer.endswith(asked)
        if asked in ("often", "soon", "late", "early", "quickly"):
            return before_time(clause, answer)
        return placed(clause, joined(answer, asked if measured else ""))
    clause = clause_of(words[1:])
    return None if clause is None else way_said(clause, answer)


def _how_many(after: Sequence[str], answer: str, asked: str) -> str | None:
    if not after or bare(after[0]) in AUXILIARIES:
        return filled(after, answer)
    skipped = int(bare(after[0]) == "of")
    end = _noun_end(after[skipped:])
    if end is None:
        return None
    noun, verb = list(after[: skipped + end]), list(after[skipped + end :])
    if asked == "many" and value_of(answer) == 1 and "of" not in noun:
        noun, verb = _single(noun, verb)
    return filled(verb, _counted(answer, noun, asked))


def _counted(answer: str, noun: Sequence[str], asked: str) -> str:
    """The answer with what it counts: "3" and "goals", "two litres" and "milk"; once if it says so itself."""
    last, counted = bare(answer.split()[-1]), bare(noun[-1])
    of = [bare(word) for word in noun].index("of") if "of" in noun else len(noun)
    if last.rstrip("s") in (counted.rstrip("s"), bare(noun[max(of - 1, 0)]).rstrip("s")):
        return joined(answer, *noun[of:])
    compared = bare(noun[0]) in ("of", "more", "less") or (
        bare(noun[0]).endswith("er") and "ADJ" in classes(bare(noun[0]))
    )
    if asked == "many" or compared:
        return joined(answer, *noun)
    if counted in ("money", "time", "distance") or re.search(r"[$€£%]", answer):
        return answer if counted in ("money", "time", "distance") else joined(answer, "of", *noun)
    return joined(answer, "of", *noun) if " " in answer else joined(answer, *noun)


def _single(noun: list[str], verb: list[str]) -> tuple[list[str], list[str]]:
    """Noun and verb as they are with "one": goals were, goal was."""
    lemma = ("person",) if bare(noun[-1]) == "people" else getLemma(bare(noun[-1]), upos="NOUN")
    singular = [*noun[:-1], lemma[0] if lemma else noun[-1]]
    if bare(verb[0]) in DO or (bare(verb[0]) in AUXILIARIES and begins_noun_phrase(verb[1:]) and verb[1] != "there"):
        return singular, verb
    known = {"were": "was", "are": "is", "have": "has"}.get(bare(verb[0]))
    if known is None and bare(verb[0]) not in AUXILIARIES and is_form(bare(verb[0]), "VB"):
        known = inflected(verb[0], "does") if not is_form(bare(verb[0]), "VBD") else None
    return singular, [known or verb[0], *verb[1:]]


def _how_long(after: Sequence[str], answer: str) -> str | None:
    clause = clause_of(after)
    if clause is None:
        return None
    answer = re.sub(r"^(\w+)-(yard|metre|meter|mile|inch|hour|minute|day|year)$", r"\1 \2s", answer)
    if clause.plain in ("take", "last"):
        return placed(clause, answer)
    measured = not clause.rest or (_LENGTH.search(answer) and bare(clause.rest[0]) in PREPOSITIONS)
    if clause.plain == "be" and measured:
        long = "" if answer.endswith("long") else "long"
        return joined(clause.subject, *clause.rest, clause.verb, inside(answer), long)
    first = bare(answer.split()[0])
    return before_time(clause, answer if first in PREPOSITIONS | {"all"} else f"for {inside(answer)}")


# When, where, why: the answer stands at the end.


def _adverbial(said: Callable[[Clause, str], str | None]) -> Callable[[Sequence[str], str], str | None]:
    def stated(words: Sequence[str], answer: str) -> str | None:
        clause = clause_of(words[1:])
        return None if clause is None else said(clause, answer)

    return stated


def _with_preposition(preposition: str, words: Sequence[str], answer: str) -> str | None:
    """For "in which year …", "by how many goals …", "to whom …": the preposition stands before the answer."""
    if is_sentence(answer):
        return None
    asked = bare(words[0])
    start = 2 if asked == "how" else 1
    places = [i for i, word in enumerate(words) if i >= start and bare(word) in AUXILIARIES]
    clause = clause_of(words[places[0] :]) if places else None
    if clause is None:
        return None
    noun = words[start : places[0]]
    given = answer.partition(" ")[2] if bare(answer.split()[0]) == preposition else answer
    filler = _counted(given, noun, bare(words[1])) if asked == "how" and noun and given else given
    return ended(clause, f"{preposition} {inside(filler)}") if given else None


def _yes_or_no(words: Sequence[str], answer: str) -> str | None:
    said = bare(answer)
    clause, helper = clause_of(words), bare(words[0])
    if clause is None or said not in ("yes", "no", "true", "false") or helper.endswith("n't"):
        return None
    if helper in BE and not clause.rest:
        clause = _with_predicate(clause)
        if clause is None:
            return None
    if said in ("yes", "true"):
        return joined(clause.subject, clause.verb, *clause.rest)
    if helper in DO:
        return joined(clause.subject, helper, "not", clause.plain, *clause.rest)
    denied = "cannot" if helper == "can" else f"{helper} not"
    return joined(clause.subject, re.sub(rf"^{helper}", denied, clause.verb), *clause.rest)


def _with_predicate(clause: Clause) -> Clause | None:
    """A clause after *be* of which all was read as the subject: "the car | red", "the big dog | a poodle".

    What is said of it begins with the last article, or is the last word. None if that leaves no subject.
    """
    words = clause.subject.split()
    place = next((i for i in range(len(words) - 1, 1, -1) if bare(words[i]) in ("a", "an", "the")), len(words) - 1)
    if place < 1 or bare(words[place - 1]) in DETERMINERS:
        return None
    return clause._replace(subject=joined(*words[:place]), rest=tuple(words[place:]))


_OPENINGS: dict[str, Callable[[Sequence[str], str], str | None]] = {
    "who": _who,
    "whom": _who,
    "whose": _whose,
    "what": _what,
    "which": _which,
    "how": _how,
    "when": _adverbial(when_said),
    "where": _adverbial(where_said),
    "why": _adverbial(why_said),
}
