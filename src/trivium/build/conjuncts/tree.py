"""From a dependency tree to the conjuncts around each conjunction: one convention for gold trees and for parsers.

The convention serves deletion: without ``left + conjunction``, and without ``conjunction + right``, the sentence should
stay a sentence.

- The *right* conjunct is all between the conjunction and the end of its subtree, without marks at the edges.
- The *left* conjunct ends before the conjunction. It begins with the first word before its head that it does not share
  with the right conjunct. What comes before that word is shared:

  - linking words (*because*, *to*, *in*) if the right conjunct has none of its own;
  - the subject, and what comes before it, if the right conjunct has no subject;
  - auxiliaries and copulas if the right conjunct has no tense of its own: "has [eaten] and [slept]", but "[has eaten]
    and [sleeps]";
  - adverbs before a verb, and *not* before anything, if the right conjunct has none: "did not [eat] or [sleep]", but
    *not A but B* keeps its *not*;
  - articles and possessives if the right conjunct is a noun that has none and could take them: "the [cat] and [dog]",
    but "[the mayor] and [Mary]". Adjectives, numbers and what else stands before a noun belong to the left conjunct.

- A clause with a subject is joined with all of the clause before it: "[he came and sat], but [she left]".
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from trivium.build.conjuncts.edges import trimmed
from trivium.build.conjuncts.sentence import CONJUNCTIONS, OPENERS, Coordination, Span

NOT: Final = frozenset("not n't never n’t".split())
_OUTSIDE = frozenset("punct cc discourse vocative parataxis reparandum dislocated".split())
SUBJECTS = frozenset("nsubj csubj expl".split())
_LINKS = frozenset("mark case".split())
_DETERMINERS = frozenset({"det", "poss"})
_LISTED = 20  # conjuncts on either side that are looked at: time must not grow with the square of a list
_BINDING = SUBJECTS | _LINKS | _DETERMINERS | {"aux", "cop"}
TENSED = frozenset("VBD VBZ VBP MD".split())


@dataclass(frozen=True)
class Tree:
    """A tree in Universal Dependencies: for each word its form, tags (universal and Penn), head and relation.

    A root has the head -1. Of relations only the part before the colon counts, except ``nmod:poss``, which is ``poss``
    here, and ``cc:preconj``. A conjunction may hang on either conjunct, but all conjuncts hang on the first.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    fine_tags: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    children: tuple[tuple[int, ...], ...] = field(init=False)
    first: tuple[int, ...] = field(init=False)
    end: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        children: list[list[int]] = [[] for _ in self.words]
        for word, head in enumerate(self.heads):
            if head >= 0:
                children[head].append(word)
        object.__setattr__(self, "children", tuple(map(tuple, children)))
        first, end = _extents(children, self.heads)
        object.__setattr__(self, "first", first)
        object.__setattr__(self, "end", end)

    def has(self, word: int, relations: frozenset[str]) -> bool:
        """Whether a word has a dependent of one of these relations."""
        return any(self.relations[child] in relations for child in self.children[word])

    def before(self, word: int) -> tuple[int, ...]:
        """The dependents before a word, in order."""
        return self.children[word][: bisect_left(self.children[word], word)]


def plain_relation(relation: str) -> str:
    """A relation of Universal Dependencies as :class:`Tree` wants it."""
    if relation == "nmod:poss":
        return "poss"
    return relation if relation == "cc:preconj" else relation.partition(":")[0]


def coordinations(tree: Tree) -> tuple[Coordination, ...]:
    """The coordinations of a tree in the order of their conjunctions (*and*, *or*, *but*, *nor*)."""
    found: dict[int, Coordination] = {}
    chains: dict[int, list[int]] = {}
    for word, relation in enumerate(tree.relations):
        if relation == "conj" and 0 <= tree.heads[word] < word:
            chains.setdefault(tree.heads[word], [tree.heads[word]]).append(word)
    for members in chains.values():
        for number in range(1, len(members)):
            skipped = max(0, number - _LISTED)
            made = _coordination(tree, members[skipped : number + _LISTED], number - skipped)
            if made is not None:
                found.setdefault(made.conjunction, made)
    return tuple(found[place] for place in sorted(found))


def _coordination(tree: Tree, members: Sequence[int], number: int) -> Coordination | None:
    right = members[number]
    conjunction = _conjunction(tree, members, number)
    if conjunction is None:
        return None
    beside = _beside(tree, members, number)
    starts = [_start(tree, member, right, conjunction) for member in members[: beside + 1]]
    left = trimmed(tree.words, starts[beside], conjunction)
    after = trimmed(tree.words, conjunction + 1, _right_end(tree, members, number))
    if left.first >= left.end or after.first >= after.end:
        return None
    spans = (trimmed(tree.words, starts[place], _other_end(tree, members, place)) for place in range(beside))
    others = tuple(span for span in spans if span.first < span.end)
    opener, left = _opener(tree, members[0], left, others, conjunction)
    return Coordination(conjunction, left, after, opener, others)


def _conjunction(tree: Tree, members: Sequence[int], number: int) -> int | None:
    """The last conjunction between a conjunct and the one before it."""
    right, before = members[number], members[number - 1]
    linked = {tree.heads[right], *members[: number + 1]}  # the first conjunct of a long list is not among them
    for place in range(right - 1, before, -1):
        if tree.relations[place] == "cc" and tree.heads[place] in linked:
            return place if tree.words[place].lower() in CONJUNCTIONS else None
    return None


def _beside(tree: Tree, members: Sequence[int], number: int) -> int:
    """Which conjunct is the left one: the one before, or for a clause with a subject the last that has one."""
    if not tree.has(members[number], SUBJECTS):
        return number - 1
    return next((place for place in range(number - 1, 0, -1) if tree.has(members[place], SUBJECTS)), 0)


def _right_end(tree: Tree, members: Sequence[int], number: int) -> int:
    """Where the right conjunct ends; a clause with a subject goes on to the next one that has its own."""
    right, later = members[number], members[number + 1 :]
    end = tree.end[right]
    for place, member in enumerate(later):
        if tree.has(member, SUBJECTS) or not tree.has(right, SUBJECTS):
            conjunction = _conjunction(tree, members, number + 1 + place)
            limit = tree.first[member] if conjunction is None else conjunction
            return max(right + 1, min(end, limit))
        end = max(end, tree.end[member])
    return end


def _other_end(tree: Tree, members: Sequence[int], number: int) -> int:
    """Where a conjunct before the left one ends: where the next one begins, or its conjunction."""
    conjunction = _conjunction(tree, members, number + 1)
    return tree.first[members[number + 1]] if conjunction is None else conjunction


def _start(tree: Tree, head: int, right: int, conjunction: int) -> int:
    """Where a conjunct before the conjunction begins: behind all that it shares with the right one."""
    start: int | None = None
    fixed = False
    for child in tree.before(head):
        binds = tree.relations[child] in _BINDING
        if not _is_shared(tree, head, child, right, conjunction):
            start = child if start is None else start
            fixed = fixed or binds
        elif binds and not fixed:  # what comes before a shared auxiliary cannot be the left one's alone
            start = None
    return head if start is None else min(tree.first[start], head)


def _is_shared(tree: Tree, head: int, child: int, right: int, conjunction: int) -> bool:
    relation = tree.relations[child]
    if relation in _OUTSIDE or relation == "cc:preconj":
        return True
    own = {tree.relations[other] for other in tree.before(right)}
    asked = tree.fine_tags[child].startswith("W")
    if tree.has(right, SUBJECTS):
        own_asked = any(tree.fine_tags[other].startswith("W") for other in tree.before(right))
        return (relation == "mark" and "mark" not in own) or (asked and not own_asked)
    if relation in SUBJECTS or any(tree.relations[later] in SUBJECTS and later > child for later in tree.before(head)):
        return True
    tensed = bool(own & {"aux", "cop"}) or tree.fine_tags[right] in TENSED
    if relation in ("aux", "cop"):
        return not tensed
    if relation in _LINKS:
        return relation not in own and not (tensed and relation == "case")
    if relation in _DETERMINERS:
        return not tensed and not own & (_DETERMINERS | {"nummod"}) and _takes_article(tree, child, head, right)
    if relation == "advmod" and tree.words[child].lower() in NOT:
        return tree.words[conjunction].lower() != "but" and "advmod" not in own
    return tree.tags[head] in ("VERB", "AUX") and relation not in own


def _takes_article(tree: Tree, article: int, head: int, right: int) -> bool:
    """Whether an article before the left conjunct may stand before the right one: not before a name, a pronoun, ..."""
    if tree.tags[right] == "PROPN":
        return tree.tags[head] == "PROPN"
    if tree.words[article].lower() in ("a", "an"):
        return tree.tags[right] in ("NOUN", "ADJ") and tree.fine_tags[right] != "NNS"
    return tree.tags[right] not in ("PRON", "DET", "NUM")


def _opener(tree: Tree, head: int, left: Span, others: Sequence[Span], conjunction: int) -> tuple[int | None, Span]:
    """The *both*, *either* or *neither* of a coordination, and the left conjunct without it."""
    kind = tree.words[conjunction].lower()
    if not others and OPENERS.get(tree.words[left.first].lower()) == kind and left.first + 1 < left.end:
        return left.first, Span(left.first + 1, left.end)
    first = others[0].first if others else left.first
    if first and OPENERS.get(tree.words[first - 1].lower()) == kind:
        return first - 1, left
    for child in tree.before(head):
        if child < first and tree.relations[child] == "cc:preconj" and OPENERS.get(tree.words[child].lower()) == kind:
            return child, left
    return None, left


def _extents(children: Sequence[Sequence[int]], heads: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The first word and the end of the subtree of each word."""
    first, end = list(range(len(heads))), list(range(1, len(heads) + 1))
    order = [word for word, head in enumerate(heads) if head < 0]
    for word in order:  # grows while it is read: from the roots down
        order.extend(children[word])
    for word in reversed(order):
        head = heads[word]
        if head >= 0:
            first[head] = min(first[head], first[word])
            end[head] = max(end[head], end[word])
    return tuple(first), tuple(end)
