"""From a bracketed constituency tree to coordinations: a conjunction and the siblings around it.

``(S (NP (NNP Ann) (CC and) (NNP Bob)) (VP (VBD left)))`` coordinates *Ann* and *Bob*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from trivium.build.conjuncts.edges import is_mark, trimmed
from trivium.build.conjuncts.sentence import CONJUNCTIONS, OPENERS, Coordination, Span
from trivium.errors import UserError

_PIECE: Final = re.compile(r"\(|\)|[^\s()]+")
_WRITTEN: Final = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_ASIDE: Final = frozenset({"ADVP", "RB", "PRN", "UH", "INTJ"})


@dataclass(frozen=True, slots=True)
class Node:
    """A phrase or a word: its label, the words that it covers, and the phrases in it."""

    label: str
    span: Span
    parts: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Bracketed:
    """A tree and its words."""

    words: tuple[str, ...]
    root: Node


def read_brackets(text: str) -> Bracketed:
    """A tree from its brackets; a UserError says what does not fit."""
    words: list[str] = []
    open_nodes: list[tuple[str, int, list[Node]]] = []
    done: Node | None = None
    pieces = _PIECE.findall(text)
    place = 0
    while place < len(pieces):
        piece = pieces[place]
        if done is not None:
            raise UserError(f"a tree has something behind its last bracket: {piece!r}")
        if piece == "(":
            label = pieces[place + 1] if place + 1 < len(pieces) and pieces[place + 1] not in "()" else ""
            place += bool(label)
            open_nodes.append((label, len(words), []))
        elif not open_nodes:
            raise UserError(f"a tree begins with {piece!r}, and not with a bracket")
        elif piece == ")":
            label, first, parts = open_nodes.pop()
            node = Node(label, Span(first, len(words)), tuple(parts))
            if open_nodes:
                open_nodes[-1][2].append(node)
            else:
                done = node
        else:
            words.append(_WRITTEN.get(piece, piece))
        place += 1
    if done is None:
        raise UserError(f"a tree lacks {len(open_nodes)} closing brackets")
    return Bracketed(tuple(words), done)


def bracket_coordinations(tree: Bracketed) -> tuple[Coordination, ...]:
    """The coordinations of a constituency tree in the order of their conjunctions."""
    found = [one for node in _nodes(tree.root) for one in _of_node(tree, node)]
    return tuple(sorted(found, key=lambda one: one.conjunction))


def _nodes(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(node.parts)


def _of_node(tree: Bracketed, node: Node) -> Iterator[Coordination]:
    """A coordination for each conjunction among the parts of a phrase that has siblings on both sides."""
    kept = [part for part in node.parts if not all(map(is_mark, tree.words[part.span.first : part.span.end]))]
    places = [place for place, part in enumerate(kept) if _kind(tree, part)]
    for number, place in enumerate(places):
        after = places[number + 1] if number + 1 < len(places) else len(kept)
        before = [part for part in kept[:place] if not _kind(tree, part) and not _is_opener(tree, part)]
        if not before or place + 1 >= after:
            continue
        conjunction = kept[place].span.first
        flat = all(not part.parts for part in kept)  # (NP a cat and dog): words, not phrases, are coordinated
        last = place + 1 if not flat and kept[place + 1].label not in _ASIDE else after - 1
        right = trimmed(tree.words, conjunction + 1, kept[min(last, after - 1)].span.end)
        begin = _left_start(kept, before, place, flat)
        left = trimmed(tree.words, begin, conjunction)
        others = tuple(
            trimmed(tree.words, *part.span) for part in before if part.span.end <= begin and _is_alike(part, before[-1])
        )
        if left.first < left.end and right.first < right.end:
            yield Coordination(conjunction, left, right, _opener(tree, node, conjunction), others)


def _left_start(kept: list[Node], before: list[Node], place: int, flat: bool) -> int:
    """Where the left conjunct begins: the sibling before the conjunction; among plain words behind the article."""
    if not flat:
        return before[-1].span.first
    right = kept[place + 1].label
    shared = [part for part in before if part.label in ("DT", "PRP$") and right not in ("DT", "PRP$")]
    first = shared[-1].span.end if shared else before[0].span.first
    return min(first, before[-1].span.first)


def _is_alike(part: Node, other: Node) -> bool:
    return part.label == other.label


def _kind(tree: Bracketed, part: Node) -> str:
    """The conjunction that a part is, if it is one."""
    word = tree.words[part.span.first].lower() if part.span.end - part.span.first == 1 else ""
    return word if word in CONJUNCTIONS and part.label in ("CC", "CONJP") else ""


def _is_opener(tree: Bracketed, part: Node) -> bool:
    return part.span.end - part.span.first == 1 and tree.words[part.span.first].lower() in OPENERS


def _opener(tree: Bracketed, node: Node, conjunction: int) -> int | None:
    kind = tree.words[conjunction].lower()
    for place in (node.span.first, node.span.first - 1):
        if 0 <= place < conjunction and OPENERS.get(tree.words[place].lower()) == kind:
            return place
    return None
