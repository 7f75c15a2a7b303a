"""Mending what parsers often get wrong about coordination: conjuncts that cannot go together are attached higher.

A statistical parser likes to attach low. Grammar says more: a verb with a tense goes with a verb with a tense, a clause
with a clause, a predicate with a predicate, a noun with an article with a noun with one.
"""

from __future__ import annotations

from dataclasses import replace

from trivium.build.conjuncts.agreement import BE, VERBAL
from trivium.build.conjuncts.tree import SUBJECTS, TENSED, Tree

_NOUNS = frozenset({"NOUN", "PROPN"})
_ARTICLES = frozenset({"det", "poss"})
_CONJUNCT = frozenset({"conj"})
_PREDICATE_STARTS = frozenset({"VERB", "AUX", "ADV", "PART"})
_PREDICATES = frozenset("acomp attr prep advmod oprd".split())


def mended(tree: Tree) -> Tree:
    """The tree with each conjunct on a word that it can be coordinated with, where there is one."""
    tree = _listed(tree)
    heads = list(tree.heads)
    for word, relation in enumerate(tree.relations):
        head = tree.heads[word]
        if relation == "conj" and 0 <= head < word:
            heads[word] = _partner(tree, head, word)
            if heads[word] != head:
                _move_conjunctions(tree, heads, head, word)
    return tree if tuple(heads) == tree.heads else replace(tree, heads=tuple(heads))


def _listed(tree: Tree) -> Tree:
    """The tree with lists for appositions that no comma closes: "the dog, the cat and the bird sleep"."""
    relations = list(tree.relations)
    for word, relation in enumerate(tree.relations):
        head, end = tree.heads[word], tree.end[word]
        if relation != "appos" or not 0 <= head < word or not tree.has(word, _CONJUNCT):
            continue
        opens = tree.words[tree.first[word] - 1] == "," and relations[head] in SUBJECTS
        if opens and end < len(tree.words) and tree.tags[end] in _PREDICATE_STARTS:
            relations[word] = "conj"
    return tree if tuple(relations) == tree.relations else replace(tree, relations=tuple(relations))


def _move_conjunctions(tree: Tree, heads: list[int], head: int, right: int) -> None:
    for word in tree.children[head]:
        if tree.relations[word] == "cc" and head < word < right:
            heads[word] = heads[right]


def _partner(tree: Tree, head: int, right: int) -> int:
    """The word that the right conjunct goes with."""
    if tree.has(right, SUBJECTS):
        return head if tree.has(head, SUBJECTS) else _climb_to_clause(tree, head)
    if _has_tense(tree, right):
        return head if _has_tense(tree, head) else _climb_to_tense(tree, head)
    if tree.words[head].lower() in BE and tree.tags[right] not in VERBAL:
        between = [child for child in tree.children[head] if head < child < right]
        return next((child for child in reversed(between) if tree.relations[child] in _PREDICATES), head)
    if tree.tags[head] in _NOUNS and tree.tags[right] in _NOUNS and tree.has(right, _ARTICLES):
        return head if tree.has(head, _ARTICLES) else _climb_to_article(tree, head)
    return head


def _has_tense(tree: Tree, word: int) -> bool:
    auxiliaries = [child for child in tree.children[word] if tree.relations[child] in ("aux", "cop")]
    return any(tree.fine_tags[one] in TENSED for one in (word, *auxiliaries))


def _climb_to_clause(tree: Tree, head: int) -> int:
    """The next word above that has a subject; the word itself if there is none before it."""
    return next((word for word in _above(tree, head) if tree.has(word, SUBJECTS)), head)


def _climb_to_tense(tree: Tree, head: int) -> int:
    return next((word for word in _above(tree, head) if tree.tags[word] in VERBAL and _has_tense(tree, word)), head)


def _climb_to_article(tree: Tree, head: int) -> int:
    """The next noun above, over prepositions alone, that has an article."""
    for word in _above(tree, head):
        if tree.tags[word] not in _NOUNS and tree.relations[word] != "prep":
            break
        if tree.tags[word] in _NOUNS and tree.has(word, _ARTICLES):
            return word
    return head


def _above(tree: Tree, word: int) -> list[int]:
    """The heads above a word that stand before it, the nearest first."""
    found: list[int] = []
    above = tree.heads[word]
    while 0 <= above < word and above not in found:
        found.append(above)
        word, above = above, tree.heads[above]
    return found
