"""Combine a question and its answer into a statement: "Who sang?" and "Ada" become "Ada sang"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from trivium.build.recasting.adverbials import (
    answer_how,
    answer_when,
    answer_where,
    answer_why,
    append_answer,
    insert_before_time,
)
from trivium.build.recasting.entities import value_of
from trivium.build.recasting.gaps import TIMES, fill_gap, filled
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
    capitalized,
    classes,
    clause_of,
    inflected,
    is_form,
    is_sentence,
    joined,
    mid_sentence,
    verb_index,
)
from trivium.language.inflection import lemmatize

RULE, JOINED = "rule", "joined"
"""How a statement was built: by a grammar rule, or by appending the answer to the question."""

_MAX_LENGTH = 1_000  # characters of question and answer; rules are not tried on longer ones
_QUESTION_WORDS = frozenset("who whom whose what which when where why how".split())
_ON_TIMES = frozenset("day date".split())
_SHARES = frozenset("percentage percent proportion share fraction portion".split())
_REPORTING = frozenset(
    "say think believe know claim argue announce report explain realize learn discover find hear".split()
)
_MEASURED = frozenset("long old tall high deep wide thick".split())
_LENGTH = re.compile(
    r"\b(?:yard|metre|meter|mile|kilometre|kilometer|inche|centimetre|centimeter)s?$|\b(?:feet|km|cm)$"
)
_DEGREES = frozenset("far big large heavy fast strong hot cold".split())
_ALTERNATIVES = re.compile(r",\s*[^,?]+(?:,[^,?]+)*,?\s+or\s+[^,?]+\??$|:\s*[^:?]+ or [^:?]+\??$")
_LEAD = re.compile(
    rf"^(?P<lead>[^?]{{3,200}}?),\s+(?P<question>(?:\w+\s)?(?:{'|'.join(sorted(_QUESTION_WORDS))})\b.*)$", re.I | re.S
)


class Statement(NamedTuple):
    """A statement, and how it was built: :data:`RULE` or :data:`JOINED`."""

    text: str
    rule: str


def statement(question: str, answer: str) -> Statement:
    """Return the statement of a question and its answer; if no rule applies, the question followed by the answer."""
    return statements(question, (answer,))[0]


def statements(question: str, answers: Iterable[str]) -> list[Statement]:
    """Return a statement for each answer.

    If no rule applies to one of them, each is appended to the question, so that the form does not reveal the correct
    answer.
    """
    cleaned = [joined(answer) for answer in answers]
    question = joined(question)
    by_rule = [_apply_rule(question, re.sub(r"(?<=\w{2})\.$", "", answer)) for answer in cleaned]
    if all(by_rule):
        return [Statement(capitalized(str(text)), RULE) for text in by_rule]
    return [Statement(joined(question, answer), JOINED) for answer in cleaned]


def without_alternatives(question: str) -> str:
    """Remove the offered answers: "Which came first, the flood or the fire?" becomes "Which came first?"."""
    return _ALTERNATIVES.sub("?", question)


def _apply_rule(question: str, answer: str) -> str | None:
    """Return the statement built by the rule for the first word of the question, or None if no rule applies."""
    if not answer or len(question) + len(answer) > _MAX_LENGTH:
        return None
    if re.search(r"[a-z]{2}[.!?]\s", answer) or re.search(r"[a-z]{2}[.!?]\s", question):
        return None
    expanded = re.sub(
        r"^(who|what|when|where|how|why)['’]s ", r"\1 is ", without_alternatives(question), flags=re.IGNORECASE
    )
    words = expanded.rstrip("?!. ").split()
    if len(words) < 2:
        return None
    first = bare(words[0])
    if first in _RULES:
        return _RULES[first](words, answer)
    if first in AUXILIARIES:
        return _yes_or_no(words, answer)
    if first in PREPOSITIONS and bare(words[1]) in _QUESTION_WORDS:
        return _with_preposition(first, words[1:], answer)
    lead = _LEAD.match(question)
    rest = _apply_rule(lead["question"], answer) if lead else None
    return f"{lead['lead']}, {mid_sentence(rest)}" if lead and rest else None


# Who, whose, what, which: the answer is the subject or fills the gap of the question.


def _noun_end(words: Sequence[str]) -> int | None:
    """Return the index of the verb after the noun phrase of "which NOUN …" or "how many NOUN …", or None."""
    helper = next((index for index, word in enumerate(words) if index and bare(word) in AUXILIARIES), None)
    verb = verb_index(words[:helper], "VBD", "VBZ", "VB")
    if helper is None or verb is None:
        return helper if verb is None else verb
    is_clear = not is_form(bare(words[verb]), "VB", "VBZ") and bare(words[helper]) not in DO
    return verb if is_clear else helper


def _who(words: Sequence[str], answer: str) -> str | None:
    after = words[2:] if bare(words[1]) == "else" else words[1:]
    if is_sentence(answer) or not after:
        return None
    if bare(after[0]) in BE and len(after) > 1:
        is_name = all(word[0].isupper() for word in after[1:]) or [bare(w) for w in after[1:]] in (["he"], ["she"])
        if is_name:
            return joined(*after[1:], after[0], mid_sentence(answer))
        if bare(after[-1]) not in PREPOSITIONS and not _progressive(after):
            return joined(answer, *after)
    return filled(after, answer)


def _progressive(after: Sequence[str]) -> bool:
    """Return whether the words are a form of *be*, a subject and an -ing form: "is the man eating"."""
    index = verb_index(after[1:], "VBG") if begins_noun_phrase(after[1:]) else None
    return index is not None and not any(bare(word) in PREPOSITIONS for word in after[1 : index + 1])


def _whose(words: Sequence[str], answer: str) -> str | None:
    end = _noun_end(words[1:])
    if end is None or is_sentence(answer):
        return None
    owner = answer if re.search(r"['’]s?$", answer) else f"{answer}'" if answer.endswith("s") else f"{answer}'s"
    return filled(words[1 + end :], joined(owner, *words[1 : 1 + end]))


def _what(words: Sequence[str], answer: str) -> str | None:
    after, first = words[1:], bare(words[1])
    has_auxiliary = any(bare(word) in AUXILIARIES for word in words[2:])
    if first not in AUXILIARIES and (first == "of" or has_auxiliary or not is_form(first, "VBD", "VBZ")):
        return None if is_sentence(answer) else _what_noun(after, answer)
    if first not in AUXILIARIES:
        return None if is_sentence(answer) and first != "happened" else _happened(after, answer)
    clause = clause_of(after)
    if clause is not None and (clause.plain == "do" or (clause.rest and bare(clause.rest[0]) == "doing")):
        return _what_done(clause, bare(after[0]), answer)
    if clause is not None and [bare(word) for word in clause.rest[-2:]] == ["to", "do"]:
        fits = is_form(bare(answer.split()[0]), "VB") and not is_sentence(answer)
        return joined(clause.subject, clause.verb, *clause.rest[:-1], mid_sentence(answer)) if fits else None
    if is_sentence(answer):
        reported = clause is not None and clause.plain in _REPORTING and not clause.rest
        return fill_gap(clause, answer) if clause is not None and reported else None
    if first in BE and begins_noun_phrase(after[1:]) and bare(after[1]) != "there":
        plain = [bare(word) for word in after]
        if "like" in plain[2:]:
            like = plain.index("like", 2)
            return joined(*after[1:like], after[0], mid_sentence(answer), *after[like + 1 :])
        if plain[1:3] == ["it", "that"]:
            return None
        stranded = bare(after[-1]) in PREPOSITIONS | {"called", "named"}
        if not stranded and not _progressive(after):
            return joined(*after[1:], after[0], mid_sentence(answer))
    return filled(after, answer)


def _happened(after: Sequence[str], answer: str) -> str | None:
    """State the answer to "What happened after the war?": a sentence, or the name of an event."""
    if not is_sentence(answer):
        return filled(after, answer)
    following = [bare(word) for word in after[1:2]]
    return joined(answer, *after[1:]) if not following or following[0] in PREPOSITIONS - {"to"} else None


def _what_done(clause: Clause, helper: str, answer: str) -> str | None:
    """State the answer to "What did the man do?": a sentence, or a verb phrase without its subject."""
    if is_sentence(answer):
        first, _, rest = answer.partition(" ")
        sentence = joined(clause.subject, rest) if bare(first) in ("he", "she", "it", "they") else answer
        return sentence if len(clause.rest) <= 1 else None
    verb, _, rest = answer.partition(" ")
    if clause.plain == "be":
        return joined(clause.subject, clause.verb, answer, *clause.rest[1:]) if is_form(bare(verb), "VBG") else None
    if helper in MODALS and is_form(bare(verb), "VB"):
        return joined(clause.subject, clause.verb.removesuffix("do"), mid_sentence(answer), *clause.rest)
    if helper not in DO or clause.verb.endswith(" do"):
        return None
    if is_form(bare(verb), "VB"):
        return joined(clause.subject, inflected(mid_sentence(verb).lower(), helper), rest, *clause.rest)
    return joined(clause.subject, answer, *clause.rest) if is_form(bare(verb), "VBD") and helper == "did" else None


def _which(words: Sequence[str], answer: str) -> str | None:
    if is_sentence(answer):
        return None
    if bare(words[1]) in AUXILIARIES:
        return filled(words[1:], answer)
    return _what_noun(words[1:], answer)


def _what_noun(words: Sequence[str], answer: str) -> str | None:
    """State the answer to "what/which NOUN …": it replaces the noun, or is added as a time if the noun is a time."""
    end = _noun_end(words)
    if end is None:
        return None
    noun, after = [bare(word) for word in words[:end]], words[end:]
    clause = clause_of(after) if bare(after[0]) in DO or begins_noun_phrase(after[1:]) else None
    if noun[-1] in TIMES and clause is not None and (clause.rest or clause.plain != "be"):
        return answer_when(clause, answer, "on" if noun[-1] in _ON_TIMES else "in")
    if noun[0] == "of" and bare(after[0]) in BE:
        return joined(answer, *after)
    if noun[0] in _SHARES and "of" in noun:
        return filled(after, joined(answer, *words[1:end]))
    return filled(after, answer)


# How many, how much, how long.


def _how(words: Sequence[str], answer: str) -> str | None:
    adverb, after = bare(words[1]), list(words[2:])
    if is_sentence(answer):
        return None
    if adverb in ("many", "much"):
        return _how_many(after, answer, adverb)
    if adverb == "long":
        return _how_long(after, answer)
    if adverb in _MEASURED | _DEGREES | {"often", "soon", "late", "early", "quickly"}:
        clause = clause_of(after)
        if clause is None:
            return None
        measured = adverb in _MEASURED and clause.plain == "be" and " " in answer and not answer.endswith(adverb)
        if adverb in ("often", "soon", "late", "early", "quickly"):
            return insert_before_time(clause, answer)
        return fill_gap(clause, joined(answer, adverb if measured else ""))
    clause = clause_of(words[1:])
    return None if clause is None else answer_how(clause, answer)


def _how_many(after: Sequence[str], answer: str, quantifier: str) -> str | None:
    if not after or bare(after[0]) in AUXILIARIES:
        return filled(after, answer)
    skipped = int(bare(after[0]) == "of")
    end = _noun_end(after[skipped:])
    if end is None:
        return None
    noun, verb = list(after[: skipped + end]), list(after[skipped + end :])
    if quantifier == "many" and value_of(answer) == 1 and "of" not in noun:
        noun, verb = _singular(noun, verb)
    return filled(verb, _counted(answer, noun, quantifier))


def _counted(answer: str, noun: Sequence[str], quantifier: str) -> str:
    """Return the answer with the noun that it counts ("3 goals", "two litres of milk"), unless it contains the noun."""
    last, counted = bare(answer.split()[-1]), bare(noun[-1])
    of = [bare(word) for word in noun].index("of") if "of" in noun else len(noun)
    if last.rstrip("s") in (counted.rstrip("s"), bare(noun[max(of - 1, 0)]).rstrip("s")):
        return joined(answer, *noun[of:])
    compared = bare(noun[0]) in ("of", "more", "less") or (
        bare(noun[0]).endswith("er") and "ADJ" in classes(bare(noun[0]))
    )
    if quantifier == "many" or compared:
        return joined(answer, *noun)
    if counted in ("money", "time", "distance") or re.search(r"[$€£%]", answer):
        return answer if counted in ("money", "time", "distance") else joined(answer, "of", *noun)
    return joined(answer, "of", *noun) if " " in answer else joined(answer, *noun)


def _singular(noun: list[str], verb: list[str]) -> tuple[list[str], list[str]]:
    """Return noun and verb in the singular: "goals were" becomes "goal was"."""
    lemma = ("person",) if bare(noun[-1]) == "people" else lemmatize(bare(noun[-1]), upos="NOUN")
    singular = [*noun[:-1], lemma[0] if lemma else noun[-1]]
    if bare(verb[0]) in DO or (bare(verb[0]) in AUXILIARIES and begins_noun_phrase(verb[1:]) and verb[1] != "there"):
        return singular, verb
    agreeing = {"were": "was", "are": "is", "have": "has"}.get(bare(verb[0]))
    if agreeing is None and bare(verb[0]) not in AUXILIARIES and is_form(bare(verb[0]), "VB"):
        agreeing = inflected(verb[0], "does") if not is_form(bare(verb[0]), "VBD") else None
    return singular, [agreeing or verb[0], *verb[1:]]


def _how_long(after: Sequence[str], answer: str) -> str | None:
    clause = clause_of(after)
    if clause is None:
        return None
    answer = re.sub(r"^(\w+)-(yard|metre|meter|mile|inch|hour|minute|day|year)$", r"\1 \2s", answer)
    if clause.plain in ("take", "last"):
        return fill_gap(clause, answer)
    measured = not clause.rest or (_LENGTH.search(answer) and bare(clause.rest[0]) in PREPOSITIONS)
    if clause.plain == "be" and measured:
        long = "" if answer.endswith("long") else "long"
        return joined(clause.subject, *clause.rest, clause.verb, mid_sentence(answer), long)
    first = bare(answer.split()[0])
    return insert_before_time(clause, answer if first in PREPOSITIONS | {"all"} else f"for {mid_sentence(answer)}")


# When, where, why: the answer goes to the end.


def _adverbial(rule: Callable[[Clause, str], str | None]) -> Callable[[Sequence[str], str], str | None]:
    def apply(words: Sequence[str], answer: str) -> str | None:
        clause = clause_of(words[1:])
        return None if clause is None else rule(clause, answer)

    return apply


def _with_preposition(preposition: str, words: Sequence[str], answer: str) -> str | None:
    """State the answer to "in which year …" or "by how many goals …": the preposition precedes the answer."""
    if is_sentence(answer):
        return None
    question_word = bare(words[0])
    start = 2 if question_word == "how" else 1
    auxiliaries = [i for i, word in enumerate(words) if i >= start and bare(word) in AUXILIARIES]
    clause = clause_of(words[auxiliaries[0] :]) if auxiliaries else None
    if clause is None:
        return None
    noun = words[start : auxiliaries[0]]
    content = answer.partition(" ")[2] if bare(answer.split()[0]) == preposition else answer
    filler = _counted(content, noun, bare(words[1])) if question_word == "how" and noun and content else content
    return append_answer(clause, f"{preposition} {mid_sentence(filler)}") if content else None


def _yes_or_no(words: Sequence[str], answer: str) -> str | None:
    reply = bare(answer)
    clause, helper = clause_of(words), bare(words[0])
    if clause is None or reply not in ("yes", "no", "true", "false") or helper.endswith("n't"):
        return None
    if helper in BE and not clause.rest:
        clause = _with_predicate(clause)
        if clause is None:
            return None
    if reply in ("yes", "true"):
        return joined(clause.subject, clause.verb, *clause.rest)
    if helper in DO:
        return joined(clause.subject, helper, "not", clause.plain, *clause.rest)
    negated = "cannot" if helper == "can" else f"{helper} not"
    return joined(clause.subject, re.sub(rf"^{helper}", negated, clause.verb), *clause.rest)


def _with_predicate(clause: Clause) -> Clause | None:
    """Split a subject after *be* into subject and predicate: "the car | red", "the dog | a poodle".

    The predicate begins with the last article, or is the last word. Return None if that leaves no subject.
    """
    words = clause.subject.split()
    index = next((i for i in range(len(words) - 1, 1, -1) if bare(words[i]) in ("a", "an", "the")), len(words) - 1)
    if index < 1 or bare(words[index - 1]) in DETERMINERS:
        return None
    return clause._replace(subject=joined(*words[:index]), rest=tuple(words[index:]))


_RULES: dict[str, Callable[[Sequence[str], str], str | None]] = {
    "who": _who,
    "whom": _who,
    "whose": _whose,
    "what": _what,
    "which": _which,
    "how": _how,
    "when": _adverbial(answer_when),
    "where": _adverbial(answer_where),
    "why": _adverbial(answer_why),
}
