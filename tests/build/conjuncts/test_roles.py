"""Roles by rules, on trees made by hand: word/head/relation/tag, heads from 1 and 0 for the root as in CoNLL-U."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.build.conjuncts.roles import ROOT, roles_from_dependencies
from trivium.data.roles import RoleSentence, read_roles, tag_error, write_roles


def frames(tree: str) -> list[str]:
    words, heads, relations, tags = zip(*(token.split("/") for token in tree.split()), strict=True)
    found = roles_from_dependencies(words, [int(head) - 1 for head in heads], relations, tags)
    assert all(tag_error(frame.tags) is None for frame in found)
    return [" ".join(frame.tags) for frame in found]


@pytest.mark.parametrize(
    ("tree", "rows"),
    [
        (  # active, with a recipient and a time
            "She/2/nsubj/PRON gave/0/root/VERB him/2/iobj/PRON a/5/det/DET book/2/obj/NOUN in/7/case/ADP "
            "1990/2/obl/NUM ./2/punct/PUNCT",
            ["B-ARG0 B-V B-ARG2 B-ARG1 I-ARG1 B-ARGM-TMP I-ARGM-TMP O"],
        ),
        (  # passive with an agent
            "It/4/nsubj:pass/PRON was/4/aux:pass/AUX not/4/advmod/PART run/0/root/VERB by/7/case/ADP "
            "three/7/nummod/NUM men/4/obl/NOUN",
            ["B-ARG1 O B-ARGM-NEG B-V B-ARG0 I-ARG0 I-ARG0"],
        ),
        (  # the copula of Universal Dependencies
            "He/4/nsubj/PRON is/4/cop/AUX a/4/det/DET singer/0/root/NOUN and/6/cc/CCONJ dancer/4/conj/NOUN",
            ["B-ARG1 B-V B-ARG2 I-ARG2 I-ARG2 I-ARG2"],
        ),
        (  # the copula of spaCy, under negation
            "He/2/nsubj/PRON is/0/ROOT/AUX n't/2/neg/PART a/5/det/DET singer/2/attr/NOUN",
            ["B-ARG1 B-V B-ARGM-NEG B-ARG2 I-ARG2"],
        ),
        (  # two verbs share a subject; a modal
            "They/3/nsubj/PRON may/3/aux/AUX sing/0/root/VERB and/5/cc/CCONJ dance/3/conj/VERB there/5/advmod/ADV",
            ["B-ARG0 B-ARGM-MOD B-V O O O", "B-ARG0 O O O B-V B-ARGM-ADV"],
        ),
        (  # a relative clause, and its pronoun
            "a/2/det/DET man/0/root/NOUN who/4/nsubj/PRON sings/2/acl:relcl/VERB songs/4/obj/NOUN",
            ["B-ARG0 I-ARG0 B-R-ARG0 B-V B-ARG1"],
        ),
        (  # a participle behind its noun
            "a/2/det/DET song/0/root/NOUN written/2/acl/VERB by/5/case/ADP her/3/obl/PRON",
            ["B-ARG1 I-ARG1 B-V B-ARG0 I-ARG0"],
        ),
        (  # clauses and manners
            "He/2/nsubj/PRON said/0/root/VERB quietly/2/advmod/ADV that/6/mark/SCONJ "
            "she/6/nsubj/PRON left/2/ccomp/VERB",
            ["B-ARG0 B-V B-ARGM-MNR B-ARG1 I-ARG1 I-ARG1", "O O O O B-ARG0 B-V"],
        ),
        (  # places, causes and purposes
            "We/2/nsubj/PRON met/0/root/VERB in/4/case/ADP Rome/2/obl/PROPN to/6/mark/PART talk/2/advcl/VERB",
            ["B-ARG0 B-V B-ARGM-LOC I-ARGM-LOC B-ARGM-PRP I-ARGM-PRP", "O O O O O B-V"],
        ),
        ("Rome/0/root/PROPN", []),
    ],
)
def test_relations_become_roles(tree: str, rows: list[str]) -> None:
    assert frames(tree) == rows


def test_a_word_that_is_its_own_head_is_a_root() -> None:
    own = roles_from_dependencies(("He", "sings"), (1, 1), ("nsubj", "ROOT"), ("PRON", "VERB"))
    assert own == roles_from_dependencies(("He", "sings"), (1, ROOT), ("nsubj", "ROOT"), ("PRON", "VERB"))
    assert own[0].tags == ("B-ARG0", "B-V")


def test_roles_by_rules_can_be_written_and_read_again(tmp_path: Path) -> None:
    words = ("He", "sings", ".")
    made = roles_from_dependencies(words, (1, ROOT, 1), ("nsubj", "root", "punct"), ("PRON", "VERB", "PUNCT"))
    write_roles(tmp_path / "r.txt", [RoleSentence("He sings.", words, made)])
    assert [sentence.frames for sentence in read_roles(tmp_path / "r.txt").sentences] == [made]


def test_lists_of_other_lengths_and_heads_out_of_place_are_refused() -> None:
    with pytest.raises(ValueError, match="2 words, 1 heads"):
        roles_from_dependencies(("a", "b"), (0,), ("x", "y"), ("X", "Y"))
    with pytest.raises(ValueError, match="a head is none of the 1 places"):
        roles_from_dependencies(("a",), (1,), ("x",), ("X",))
    assert roles_from_dependencies((), (), (), ()) == ()


RELATIONS = "nsubj nsubj:pass obj iobj obl cop aux advmod advcl conj acl acl:relcl ccomp root punct".split()


TOKENS = st.tuples(
    st.integers(-1, 5),
    st.sampled_from(RELATIONS),
    st.sampled_from(["VERB", "AUX", "NOUN", "PUNCT"]),
    st.sampled_from(["who", "not", "by", "in", "1990", "word"]),
)


@settings(deadline=None)
@given(st.lists(TOKENS, min_size=6, max_size=6))
def test_whatever_a_parser_says_rows_are_legal(tokens: list[tuple[int, str, str, str]]) -> None:
    """Also where it goes in circles."""
    heads, relations, tags, words = zip(*tokens, strict=True)
    for frame in roles_from_dependencies(words, heads, relations, tags):
        assert tag_error(frame.tags) is None
        assert len(frame.tags) == 6
