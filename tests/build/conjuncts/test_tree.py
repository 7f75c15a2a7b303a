"""The convention from trees to conjuncts: what is shared is left out, so that either conjunct can be deleted."""

from __future__ import annotations

import pytest

from trivium.build.conjuncts.brackets import bracket_coordinations, read_brackets
from trivium.build.conjuncts.edges import trimmed
from trivium.build.conjuncts.sentence import Coordination, Span
from trivium.build.conjuncts.tree import Tree, coordinations, plain_relation
from trivium.errors import UserError


def tree(text: str) -> Tree:
    """A tree written as ``form/TAG/FINE/head/relation`` for each word; heads count from 1."""
    fields = [word.split("/") for word in text.split()]
    words, tags, fine, heads, relations = zip(*fields, strict=True)
    return Tree(words, tags, fine, tuple(int(head) - 1 for head in heads), tuple(map(plain_relation, relations)))


def shown(words: tuple[str, ...], found: Coordination) -> str:
    def text(span: Span) -> str:
        return " ".join(words[span.first : span.end])

    parts = [*map(text, found.others), text(found.left), words[found.conjunction], text(found.right)]
    return " | ".join(parts)


@pytest.mark.parametrize(
    ("text", "conjuncts"),
    [
        (  # an article that both share
            "the/DET/DT/2/det cat/NOUN/NN/5/nsubj and/CCONJ/CC/4/cc dog/NOUN/NN/2/conj slept/VERB/VBD/0/root",
            ["cat | and | dog"],
        ),
        (  # a name takes no article
            "the/DET/DT/2/det mayor/NOUN/NN/5/nsubj and/CCONJ/CC/4/cc Mary/PROPN/NNP/2/conj slept/VERB/VBD/0/root",
            ["the mayor | and | Mary"],
        ),
        (  # a subject and an auxiliary that both share
            "He/PRON/PRP/3/nsubj has/AUX/VBZ/3/aux eaten/VERB/VBN/0/root and/CCONJ/CC/5/cc slept/VERB/VBN/3/conj",
            ["eaten | and | slept"],
        ),
        (  # the right conjunct has its own tense
            "He/PRON/PRP/3/nsubj was/AUX/VBD/3/aux beaten/VERB/VBN/0/root but/CCONJ/CC/5/cc laughed/VERB/VBD/3/conj",
            ["was beaten | but | laughed"],
        ),
        (  # not A but B keeps its not
            "It/PRON/PRP/4/nsubj is/AUX/VBZ/4/cop not/PART/RB/4/advmod red/ADJ/JJ/0/root but/CCONJ/CC/6/cc "
            "blue/ADJ/JJ/4/conj",
            ["not red | but | blue"],
        ),
        (
            "It/PRON/PRP/4/nsubj is/AUX/VBZ/4/cop not/PART/RB/4/advmod red/ADJ/JJ/0/root or/CCONJ/CC/6/cc "
            "blue/ADJ/JJ/4/conj",
            ["red | or | blue"],
        ),
        (  # a clause goes with the whole clause before it
            "He/PRON/PRP/2/nsubj came/VERB/VBD/0/root and/CCONJ/CC/4/cc sat/VERB/VBD/2/conj ,/PUNCT/,/8/punct "
            "but/CCONJ/CC/8/cc she/PRON/PRP/8/nsubj left/VERB/VBD/2/conj ./PUNCT/./2/punct",
            ["came | and | sat", "He came and sat | but | she left"],
        ),
        (  # a list
            "Ann/PROPN/NNP/7/nsubj ,/PUNCT/,/3/punct Bob/PROPN/NNP/1/conj ,/PUNCT/,/6/punct and/CCONJ/CC/6/cc "
            "Cid/PROPN/NNP/1/conj sang/VERB/VBD/0/root",
            ["Ann | Bob | and | Cid"],
        ),
        (  # an object that both share hangs on the first verb
            "They/PRON/PRP/2/nsubj cook/VERB/VBP/0/root and/CCONJ/CC/4/cc eat/VERB/VBP/2/conj rice/NOUN/NN/2/obj",
            ["cook | and | eat"],
        ),
        ("But/CCONJ/CC/2/cc go/VERB/VB/0/root", []),
        ("up/ADV/RB/0/root &/CCONJ/CC/3/cc down/ADV/RB/1/conj", []),
    ],
)
def test_what_both_share_is_in_neither_conjunct(text: str, conjuncts: list[str]) -> None:
    made = tree(text)
    assert [shown(made.words, one) for one in coordinations(made)] == conjuncts


def test_an_opener_is_found_and_is_no_part_of_the_left_conjunct() -> None:
    made = tree(
        "both/CCONJ/CC/2/cc:preconj Ann/PROPN/NNP/5/nsubj and/CCONJ/CC/4/cc Bob/PROPN/NNP/2/conj sang/VERB/VBD/0/root"
    )
    (found,) = coordinations(made)
    assert (found.opener, shown(made.words, found)) == (0, "Ann | and | Bob")


def test_a_list_of_thousands_takes_no_more_than_its_share() -> None:
    size = 10_001
    words = tuple("tea" if place % 2 == 0 else "and" for place in range(size))
    relations = tuple("root" if not place else "conj" if place % 2 == 0 else "cc" for place in range(size))
    heads = tuple(-1 if not place else 0 if place % 2 == 0 else place + 1 for place in range(size))
    tags = tuple("NOUN" if place % 2 == 0 else "CCONJ" for place in range(size))
    found = coordinations(Tree(words, tags, tags, heads, relations))
    assert len(found) == 5_000
    assert found[-1].left == (9_998, 9_999)
    assert found[2].others == ((0, 1), (2, 3))


def test_heads_in_a_circle_do_no_harm() -> None:
    assert coordinations(Tree(("a", "b"), ("X", "X"), ("X", "X"), (1, 0), ("dep", "conj"))) in ((), ())


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (", the red one .", "the red one"),
        ('" the red one "', '" the red one "'),
        ("the red ( old ) one ,", "the red ( old ) one"),
        ("one ( the red )", "one ( the red )"),
        (". ,", ""),
    ],
)
def test_marks_at_the_edges_go_and_pairs_stay(words: str, kept: str) -> None:
    texts = words.split()
    span = trimmed(texts, 0, len(texts))
    assert " ".join(texts[span.first : span.end]) == kept


@pytest.mark.parametrize(
    ("brackets", "conjuncts"),
    [
        ("(S (NP (NNP Ann) (CC and) (NNP Bob)) (VP (VBD left)))", ["Ann | and | Bob"]),
        ("(NP (DT the) (NN cat) (CC and) (NN dog))", ["cat | and | dog"]),
        ("(NP (NP (DT a) (NN cat)) (CC or) (NP (DT a) (JJ big) (NN dog)))", ["a cat | or | a big dog"]),
        (
            "(S (S (NP (PRP He)) (VP (VP (VBD came)) (CC and) (VP (VBD sat)))) (, ,) (CC but) (S (NP (PRP she)) "
            "(VP (VBD left))) (. .))",
            ["came | and | sat", "He came and sat | but | she left"],
        ),
        ("(NP (NP (NN tea)) (, ,) (NP (NN milk)) (, ,) (CC and) (NP (NN water)))", ["tea | milk | and | water"]),
        ("(NP (CC either) (NP (NN tea)) (CC or) (NP (NN milk)))", ["tea | or | milk"]),
        ("(S (CC And) (NP (PRP she)) (VP (VBD left)))", []),
    ],
)
def test_siblings_around_a_conjunction_are_its_conjuncts(brackets: str, conjuncts: list[str]) -> None:
    made = read_brackets(brackets)
    assert [shown(made.words, one) for one in bracket_coordinations(made)] == conjuncts


@pytest.mark.parametrize("text", ["", "(NP (NN tea)", "tea", "(NP tea) more"])
def test_brackets_that_do_not_fit_are_refused(text: str) -> None:
    with pytest.raises(UserError, match="a tree"):
        read_brackets(text)
