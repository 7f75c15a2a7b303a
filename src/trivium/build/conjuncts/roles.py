"""Semantic roles by rules from the dependencies of a parser, where there is no file of roles to train a tagger on.

Rough next to PropBank's: a subject is ARG0 unless passive or of a copula, an object ARG1, a recipient ARG2, and what
else depends on the verb is ARGM-… by the words that it begins with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from trivium.build.conjuncts.lexicon import MONTHS, WEEKDAYS
from trivium.data.roles import OUTSIDE, PREDICATE, Frame

ROOT: Final = -1
"""The head of the word that has none; a word that is its own head is a root too."""

_SUBJECTS = frozenset("nsubj csubj nsubj:outer csubj:outer nsubj:xsubj".split())
_PASSIVE_SUBJECTS = frozenset("nsubj:pass nsubjpass csubj:pass csubjpass".split())
_OBJECTS = frozenset("obj dobj".split())
_CLAUSES = frozenset("ccomp xcomp".split())
_RECIPIENTS = frozenset("iobj dative".split())
_COMPLEMENTS = frozenset("attr acomp oprd".split())
_AGENTS = frozenset("agent obl:agent".split())
_ADJUNCTS = frozenset("obl prep obl:npmod obl:unmarked".split())
_TIMES = frozenset("obl:tmod npadvmod".split())
_AUXILIARIES = frozenset("aux aux:pass auxpass".split())
_RELATIVES = frozenset("acl:relcl relcl".split())
_PARTICIPLES = frozenset("acl".split())
_PRONOUNS = frozenset("who whom which that whose".split())
_NEGATIONS = frozenset("not n't n’t never no".split())
_MODALS = frozenset("can ca could will wo 'll ’ll would 'd ’d may might must shall should".split())
_WHEN = frozenset(
    "now then often usually later always once ever recently currently today yesterday tomorrow still already soon "
    "historically originally formerly previously sometimes again yet when while after before until since during".split()
)
_PERIODS = frozenset(name.lower() for name in (*MONTHS, *WEEKDAYS)) | frozenset(
    "day week month year century decade season night morning evening time".split()
)
_SAID = frozenset("also however therefore thus moreover instead but and or".split())
_WHY = frozenset("because due".split())
_WHERE = frozenset("in at on near within throughout across between among under over behind around outside".split())
_WHITHER = frozenset("into onto towards toward from through to".split())
_HOW = frozenset("with by without as".split())


@dataclass(frozen=True)
class _Tree:
    words: Sequence[str]
    heads: Sequence[int]
    relations: Sequence[str]
    tags: Sequence[str]

    @cached_property
    def _children(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self.words]
        for child, head in enumerate(self.heads):
            if head not in (ROOT, child):
                found[head].append(child)
        return found

    def children(self, place: int) -> list[int]:
        return self._children[place]

    def child(self, place: int, relations: frozenset[str]) -> int | None:
        return next((child for child in self.children(place) if self.relations[child] in relations), None)

    def below(self, place: int, but: Callable[[int], bool] = lambda child: False) -> set[int]:
        """A word and all that depend on it, leaving out those (with their own) that ``but`` is true of."""
        found, waiting = {place}, [place]
        while waiting:
            for child in self.children(waiting.pop()):
                if child not in found and not but(child):
                    found.add(child)
                    waiting.append(child)
        return found

    def first_word(self, place: int) -> str:
        return self.words[min(self.below(place))].lower()


def roles_from_dependencies(
    words: Sequence[str], heads: Sequence[int], relations: Sequence[str], tags: Sequence[str]
) -> tuple[Frame, ...]:
    """The frames of a sentence, in the order of their predicates: verbs, and copulas.

    ``heads`` are places from 0, :data:`ROOT` for the root; ``relations`` are those of Universal Dependencies or of
    spaCy's English models; ``tags`` are universal parts of speech.
    """
    if not len(words) == len(heads) == len(relations) == len(tags):
        raise ValueError(f"{len(words)} words, {len(heads)} heads, {len(relations)} relations and {len(tags)} tags")
    if any(not ROOT <= head < len(words) for head in heads):
        raise ValueError(f"a head is none of the {len(words)} places, nor {ROOT} for the root")
    tree = _Tree(words, heads, relations, tags)
    return tuple(_frame(tree, place) for place in range(len(words)) if _is_predicate(tree, place))


def _is_predicate(tree: _Tree, place: int) -> bool:
    relation, tag = tree.relations[place], tree.tags[place]
    if relation == "cop":
        return True
    return (tag == "VERB" and relation not in _AUXILIARIES) or (tag == "AUX" and relation not in _AUXILIARIES)


def _frame(tree: _Tree, predicate: int) -> Frame:
    tags = [OUTSIDE] * len(tree.words)
    tags[predicate] = f"B-{PREDICATE}"
    found = _of_copula(tree, predicate) if tree.relations[predicate] == "cop" else _of_verb(tree, predicate)
    for role, anchor, inside in found:
        _mark(tree, tags, role, anchor, inside)
    return Frame(tuple(tags))


def _mark(tree: _Tree, tags: list[str], role: str, anchor: int, inside: set[int]) -> None:
    """Tag the stretch of free words around the anchor, without punctuation at its ends."""
    if tags[anchor] != OUTSIDE:
        return
    first = end = anchor
    while first > 0 and first - 1 in inside and tags[first - 1] == OUTSIDE:
        first -= 1
    while end + 1 < len(tags) and end + 1 in inside and tags[end + 1] == OUTSIDE:
        end += 1
    while first < anchor and tree.tags[first] == "PUNCT":
        first += 1
    while end > anchor and tree.tags[end] == "PUNCT":
        end -= 1
    tags[first : end + 1] = [f"B-{role}", *[f"I-{role}"] * (end - first)]


def _of_copula(tree: _Tree, copula: int) -> Iterator[tuple[str, int, set[int]]]:
    """Of Universal Dependencies' copula, which depends on what is said of the subject."""
    head = tree.heads[copula]
    if head in (ROOT, copula):
        return
    if (subject := tree.child(head, _SUBJECTS | _PASSIVE_SUBJECTS)) is not None:
        yield "ARG1", subject, tree.below(subject)
    outside = _SUBJECTS | _PASSIVE_SUBJECTS | _AUXILIARIES | {"cop", "punct", "mark", "cc", "advcl", "parataxis"}

    def apart(child: int) -> bool:
        clause = tree.relations[child] == "conj" and tree.child(child, _SUBJECTS) is not None
        return tree.heads[child] == head and (tree.relations[child] in outside or clause or _modifies(tree, child))

    yield "ARG2", head, tree.below(head, apart)
    for child in tree.children(head):
        if _modifies(tree, child) or tree.relations[child] in _AUXILIARIES | {"advcl"}:
            yield from _modifier(tree, child)


def _modifies(tree: _Tree, child: int) -> bool:
    return tree.relations[child] in ("advmod", "neg") and tree.words[child].lower() in _NEGATIONS | _WHEN | _SAID


def _of_verb(tree: _Tree, verb: int) -> Iterator[tuple[str, int, set[int]]]:
    passive = _is_passive(tree, verb)
    yield from _subject(tree, verb, passive)
    has_object = tree.child(verb, _OBJECTS) is not None
    for child in tree.children(verb):
        relation = tree.relations[child]
        if relation in _OBJECTS:
            yield _named("ARG1", tree, child)
        elif relation in _CLAUSES:
            yield _named("ARG2" if has_object or passive else "ARG1", tree, child)
        elif relation in _RECIPIENTS | _COMPLEMENTS:
            yield _named("ARG2", tree, child)
        elif relation in _AGENTS or (passive and relation in _ADJUNCTS and tree.first_word(child) == "by"):
            yield _named("ARG0", tree, child)
        else:
            yield from _modifier(tree, child)


def _subject(tree: _Tree, verb: int, passive: bool) -> Iterator[tuple[str, int, set[int]]]:
    """The subject, which a verb may share with the one that it is joined to, or take from the noun that it modifies."""
    role = "ARG1" if passive or tree.tags[verb] == "AUX" else "ARG0"
    every = _SUBJECTS | _PASSIVE_SUBJECTS
    subject, at, seen = tree.child(verb, every), verb, {verb}
    while subject is None and tree.relations[at] == "conj" and tree.heads[at] not in (ROOT, *seen):
        at = tree.heads[at]
        seen.add(at)
        subject = tree.child(at, every)
    if subject is not None:
        yield _named(role, tree, subject)
    noun = tree.heads[verb]
    if noun in (ROOT, verb) or tree.relations[verb] not in _RELATIVES | _PARTICIPLES:
        return
    if tree.relations[verb] in _PARTICIPLES and subject is None:
        role = "ARG0" if tree.words[verb].lower().endswith("ing") else "ARG1"
        yield role, noun, tree.below(noun, lambda child: child == verb)
    elif subject is not None and tree.words[subject].lower() in _PRONOUNS:
        yield role, noun, tree.below(noun, lambda child: child == verb)


def _is_passive(tree: _Tree, verb: int) -> bool:
    passive = _PASSIVE_SUBJECTS | {"aux:pass", "auxpass"}
    relation = tree.relations[verb]
    past = relation in _PARTICIPLES and not tree.words[verb].lower().endswith("ing")
    return past or any(tree.relations[child] in passive for child in tree.children(verb))


def _named(role: str, tree: _Tree, child: int) -> tuple[str, int, set[int]]:
    relative = tree.words[child].lower() in _PRONOUNS and role in ("ARG0", "ARG1", "ARG2")
    inside = tree.below(child)
    return (f"R-{role}" if relative and len(inside) == 1 else role), child, inside


def _modifier(tree: _Tree, child: int) -> Iterator[tuple[str, int, set[int]]]:
    relation, word = tree.relations[child], tree.words[child].lower()
    if relation == "neg" or (relation in ("advmod", "det") and word in _NEGATIONS):
        yield "ARGM-NEG", child, {child}
    elif relation in _AUXILIARIES:
        if word in _MODALS:
            yield "ARGM-MOD", child, {child}
    elif relation in _TIMES:
        yield "ARGM-TMP", child, tree.below(child)
    elif relation == "advmod":
        yield _adverb(word), child, tree.below(child)
    elif relation == "advcl" or relation in _ADJUNCTS:
        yield _adjunct(tree, child), child, tree.below(child)


def _adverb(word: str) -> str:
    if word in _WHEN:
        return "ARGM-TMP"
    if word in _SAID:
        return "ARGM-DIS"
    return "ARGM-MNR" if word.endswith("ly") else "ARGM-ADV"


def _adjunct(tree: _Tree, child: int) -> str:
    first = tree.first_word(child)
    inside = [tree.words[place].lower() for place in tree.below(child)]
    clause = tree.relations[child] == "advcl"
    if first in _WHEN or (not clause and any(_is_time(word) for word in inside)):
        return "ARGM-TMP"
    if first in _WHY:
        return "ARGM-CAU"
    if clause:
        return "ARGM-PRP" if first == "to" else "ARGM-ADV"
    for words, role in ((_WHERE, "ARGM-LOC"), (_WHITHER, "ARGM-DIR"), (_HOW, "ARGM-MNR")):
        if first in words:
            return role
    return "ARGM-ADV"


def _is_time(word: str) -> bool:
    year = len(word) == 4 and word.isdigit() and "1000" <= word < "2100"
    return year or word.removesuffix("s") in _PERIODS
