"""Gold coordinations: what the trees of a CoNLL-U file say is coordinated."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from trivium.build.conjuncts.sentence import Sentence, Word
from trivium.build.conjuncts.tree import Tree, coordinations, plain_relation
from trivium.data.conllu import DependencyTree, read_conllu


def gold_sentences(path: Path) -> Iterator[Sentence]:
    """The sentences of a ``.conllu`` file with the coordinations of their trees."""
    return map(gold_sentence, read_conllu(path))


def gold_sentence(found: DependencyTree) -> Sentence:
    """A sentence with the coordinations of its tree."""
    words = tuple(Word(word.text, word.start, word.end, word.tag, word.lemma) for word in found.words)
    tree = Tree(
        words=tuple(word.text for word in found.words),
        tags=tuple(word.tag for word in found.words),
        fine_tags=tuple(word.fine_tag for word in found.words),
        heads=tuple(word.head for word in found.words),
        relations=tuple(plain_relation(word.relation) for word in found.words),
    )
    return Sentence(found.text, words, coordinations(tree))
