"""Which sentences are simple clauses, and how each verb embeds a clause."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.build.veridicality.clauses import Clause, lemma_of_participle, lower_first, parse_clause
from trivium.build.veridicality.verbs import INFINITIVE_VERBS
from trivium.data.sources import find_sources

VERBS = {verb.lemma: verb for verb in INFINITIVE_VERBS}
PARTICIPLES = {
    "running": "run", "lying": "lie", "tying": "tie", "making": "make", "carrying": "carry", "singing": "sing",
    "skiing": "ski", "staring": "stare", "stirring": "stir", "hopping": "hop", "hoping": "hope", "frolicking": "frolic",
    "freeing": "free", "travelling": "travel", "bringing": "bring", "sewing": "sew", "taping": "tape", "tapping": "tap",
    "agreeing": "agree", "begging": "beg",
}  # fmt: skip
SINGULAR = ("A man", "An old woman", "The dog", "Someone", "A group of kids", "One of the boys", "A cook in a red hat",
            "This nurse", "A pair of climbers", "A girl with long hair")  # fmt: skip
PLURAL = ("Two men", "Some children", "The dogs", "People", "A man and a woman", "Several girls in blue coats",
          "A group of kids", "Three women wearing hats", "Many birds", "The teacher and his pupils")  # fmt: skip
RESTS = ("", " a rope", " on the grass", " with a black and white ball", " in front of a red barn", " two pears")


@cache
def premises() -> tuple[str, ...]:
    """Return the sentences of the built-in source without duplicates."""
    return tuple(dict.fromkeys(example.premise for example in find_sources()["builtin"]().load()))


@cache
def builtin_clauses() -> tuple[tuple[str, Clause], ...]:
    return tuple((text, clause) for text in premises() if (clause := parse_clause(text)) is not None)


def under(sentence: str, lemma: str) -> str:
    clause = parse_clause(sentence)
    assert clause is not None, sentence
    return clause.under(VERBS[lemma])


@pytest.mark.parametrize(
    ("sentence", "lemma", "embedding"),
    [
        ("Two men are building a shed", "try", "Two men try to build a shed"),
        ("A man is building a shed", "try", "A man tries to build a shed"),
        ("A group of kids is chasing a kite", "try", "A group of kids tries to chase a kite"),
        ("A group of kids are chasing a kite", "try", "A group of kids try to chase a kite"),
        ("A man and a woman are waltzing", "try", "A man and a woman try to waltz"),
        ("One of the boys is yawning", "hope", "One of the boys hopes to yawn"),
        ("Someone is whistling", "plan", "Someone plans to whistle"),
        ("People are clapping", "wish", "People wish to clap"),
        ("The crowd is clapping", "wish", "The crowd wishes to clap"),
        ("The sheep are grazing", "refuse", "The sheep refuse to graze"),
        ("The sheep is grazing", "refuse", "The sheep refuses to graze"),
    ],
)
def test_the_verb_agrees_with_the_subject(sentence: str, lemma: str, embedding: str) -> None:
    assert under(sentence, lemma) == embedding


def test_an_adverb_is_kept_before_the_infinitive() -> None:
    assert under("The nurse is gently washing a baby", "manage") == "The nurse manages to gently wash a baby"
    assert under("The nurse is washing a baby gently", "manage") == "The nurse manages to wash a baby gently"


@pytest.mark.parametrize(
    ("lemma", "embedding"),
    [
        ("serve", "A cue serves to make two dogs run"),
        ("remain", "It remains for two dogs to run"),
        ("use", "Two dogs use the chance to run"),
        ("get", "Two dogs get to run"),
    ],
)
def test_only_a_subject_at_the_start_of_a_sentence_is_capitalized(lemma: str, embedding: str) -> None:
    assert under("Two dogs are running", lemma) == embedding


def test_a_capital_letter_inside_the_subject_is_kept() -> None:
    assert under("The American player is training", "remain") == "It remains for the American player to train"


@pytest.mark.parametrize("text", ["", "A", "A dog", "ÄB", "The American"])
def test_lower_first_changes_only_the_first_letter(text: str) -> None:
    assert lower_first(text)[1:] == text[1:]
    assert lower_first(text)[:1] == text[:1].lower()


def test_a_full_stop_and_surrounding_space_are_ignored() -> None:
    plain = parse_clause("A girl is humming a tune")
    assert plain == Clause("A girl", False, "", "hum", " a tune")
    assert parse_clause("A girl is humming a tune.") == plain
    assert parse_clause("  A girl is humming a tune. \n") == plain


def test_a_full_stop_after_a_space_leaves_no_trailing_space() -> None:
    assert under("A girl is humming a tune .", "try") == "A girl tries to hum a tune"


@pytest.mark.parametrize(
    ("why", "sentence"),
    [
        ("negation", "A woman is not knitting a scarf"),
        ("negation", "A woman isn't knitting a scarf"),
        ("negation", "No woman is knitting a scarf"),
        ("negation", "Nobody is knitting a scarf"),
        ("negation", "None of the women are knitting"),
        ("negation", "A woman is knitting no scarf"),
        ("negation", "A boy with no shoes is wading"),
        ("passive", "A scarf is being knitted by a woman"),
        ("passive", "A boy is being chased by a goose"),
        ("there", "There is a woman knitting a scarf"),
        ("there", "There are two women knitting"),
        ("relative clause", "A woman who is knitting is smiling"),
        ("relative clause", "The rider that won is smiling"),
        ("relative clause", "A boy is feeding a goose which is hissing"),
        ("relative clause", "A boy is feeding a goose that hisses"),
        ("coordinated verbs", "A boy is reading and humming"),
        ("coordinated verbs", "A boy is reading a book and loudly humming"),
        ("coordinated verbs", "A boy is either reading or humming"),
        ("coordinated verbs", "A boy is reading, humming"),
        ("second clause", "A boy is reading and a girl is humming"),
        ("second clause", "A boy is reading while a girl hums"),
        ("second clause", "A boy is reading because it rains"),
        ("inanimate", "A lorry is passing a farm"),
        ("inanimate", "A picture of a man is hanging on a wall"),
        ("inanimate", "A pair of shoes is drying"),
        ("inanimate", "A man's hat is falling"),
        ("inanimate", "A cat and a lamp are falling"),
        ("agreement", "A boy are reading"),
        ("agreement", "Two boys is reading"),
        ("agreement", "A boy and a girl is reading"),
        ("agreement", "People is reading"),
        ("other tense", "A boy reads"),
        ("other tense", "A boy was reading"),
        ("other tense", "A boy has been reading"),
        ("no verb", "A boy is tired"),
        ("no verb", "A boy is being"),
        ("no verb", "A boy is zzging a book"),
        ("no sentence", "a boy is reading"),
        ("no sentence", "is reading"),
        ("no sentence", ""),
        ("no sentence", " . "),
    ],
)
def test_a_sentence_that_is_not_a_simple_clause_is_rejected(why: str, sentence: str) -> None:
    assert parse_clause(sentence) is None, why


@pytest.mark.parametrize(
    "sentence",
    [
        "A farmer is feeding a goat and hums a tune",
        "A farmer is feeding a goat and slowly takes notes",
        "A farmer in boots feeds a goat and is humming",
        "Two farmers are feeding a goat and hum a tune",
        "A boy is reading and a girl hums",
        "A boy is reading and two girls hum",
        "A boy is reading as it rains",
        "A boy is reading and his phone rings",
        "A boy is reading and it rains",
        "A boy is reading and hummed a tune",
        "A boy is reading and can hum",
        "A boy is reading so a girl hums",
        "A boy is reading. A girl hums",
        "A boy is reading: a girl hums",
        "Is a boy reading?",
        "A boy is reading?",
    ],
)
def test_a_second_finite_verb_is_rejected(sentence: str) -> None:
    assert parse_clause(sentence) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "A lorry carrying a goat is passing",
        "A lamp and a cat are falling",
        "A cat and a lamp are falling",
        "A pot of soup and a cook are waiting",
        "A lamp above a cat is falling",
        "A pot given to a cook is falling",
        "One of the lamps is falling",
        "A red one is falling",
    ],
)
def test_an_inanimate_head_is_rejected_although_the_phrase_ends_in_an_animate_noun(sentence: str) -> None:
    assert parse_clause(sentence) is None


def test_a_few_is_plural() -> None:
    assert parse_clause("A few goats are grazing") is not None
    assert parse_clause("A few goats is grazing") is None


@pytest.mark.parametrize(
    ("sentence", "be"),
    [
        ("A black and white goat {} grazing", "is"),
        ("Two black and white goats {} grazing", "are"),
        ("A cook in a hat and an apron {} waiting", "is"),
        ("A cook in a hat and a waiter {} waiting", "are"),
        ("Two men in boots and red hats {} waiting", "are"),
        ("A cook holding a pan {} waiting", "is"),
        ("A cook wearing a hat and an apron {} waiting", "is"),
        ("A cook in a crowd of waiters {} waiting", "is"),
        ("Two cooks with a pack of dogs {} waiting", "are"),
    ],
)
def test_and_makes_a_plural_only_if_it_joins_animate_nouns(sentence: str, be: str) -> None:
    other = {"is": "are", "are": "is"}[be]
    assert parse_clause(sentence.format(be)) is not None
    assert parse_clause(sentence.format(other)) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "Two boy are reading",
        "A boys is reading",
        "The boys is reading",
        "The boy are reading",
        "These cook are waiting",
        "Two boy and a girl are reading",
    ],
)
def test_a_noun_agrees_with_the_verb(sentence: str) -> None:
    assert parse_clause(sentence) is None


@pytest.mark.parametrize("be", ["is", "are"])
@pytest.mark.parametrize("subject", ["A couple", "The crowd", "A pair of cooks", "A group of kids in hats"])
def test_a_group_noun_agrees_with_both_numbers(subject: str, be: str) -> None:
    clause = parse_clause(f"{subject} {be} waiting")
    assert clause is not None
    assert clause.plural == (be == "are")


@pytest.mark.parametrize(
    "sentence",
    ["Few boys are reading", "Neither boy is reading", "A boy is hardly reading", "A boy or a girl is reading",
     "A boy is supposedly reading", "A boy is reading and doesn't hum"],
)  # fmt: skip
def test_a_sentence_that_is_not_affirmative_is_rejected(sentence: str) -> None:
    assert parse_clause(sentence) is None


def test_an_adjectival_participle_is_not_a_verb() -> None:
    assert parse_clause("A dog is missing") is None
    assert parse_clause("A dog is missing its owner") is not None


def test_a_nationality_keeps_its_capital_letter() -> None:
    assert under("Asian women are dancing", "remain") == "It remains for Asian women to dance"
    assert under("Young women are dancing", "remain") == "It remains for young women to dance"


def test_a_pronoun_inside_a_frame_is_an_object() -> None:
    clause = parse_clause("She is singing")
    assert clause is None or clause.under(VERBS["serve"]) == "A cue serves to make her sing"


@pytest.mark.parametrize(("participle", "lemma"), PARTICIPLES.items())
def test_the_lemma_of_a_participle(participle: str, lemma: str) -> None:
    assert lemma_of_participle(participle) == lemma
    assert lemma_of_participle(participle.upper()) == lemma


@pytest.mark.parametrize("word", ["being", "zzging", "king", ""])
def test_a_word_that_is_not_a_participle_has_no_verb_lemma(word: str) -> None:
    assert lemma_of_participle(word) is None


@st.composite
def clauses(draw: st.DrawFn) -> tuple[str, Clause]:
    plural = draw(st.booleans())
    subject = draw(st.sampled_from(PLURAL if plural else SINGULAR))
    adverb = draw(st.sampled_from(["", "slowly ", "happily "]))
    participle = draw(st.sampled_from(sorted(PARTICIPLES)))
    rest = draw(st.sampled_from(RESTS))
    sentence = f"{subject} {'are' if plural else 'is'} {adverb}{participle}{rest}"
    return sentence, Clause(subject, plural, adverb, PARTICIPLES[participle], rest)


@given(built=clauses())
@settings(max_examples=200, deadline=None)
def test_parsing_a_clause_recovers_its_parts(built: tuple[str, Clause]) -> None:
    sentence, clause = built
    assert parse_clause(sentence) == clause
    assert parse_clause(sentence + ".") == clause


@given(built=clauses(), denial=st.sampled_from(["not ", "never ", "no longer "]))
@settings(max_examples=50, deadline=None)
def test_a_negated_clause_is_rejected(built: tuple[str, Clause], denial: str) -> None:
    sentence, clause = built
    be = " are " if clause.plural else " is "
    assert parse_clause(sentence.replace(be, be + denial, 1)) is None


@given(built=clauses(), other=clauses(), word=st.sampled_from([" and ", " while ", ", ", " because "]))
@settings(max_examples=50, deadline=None)
def test_two_joined_clauses_are_rejected(built: tuple[str, Clause], other: tuple[str, Clause], word: str) -> None:
    assert parse_clause(built[0] + word + lower_first(other[0])) is None


TOKENS = st.sampled_from(
    "A The man dogs of in is are not being slowly running tying a rope , . and \x00 \u2028 é".split(" ")
)


@given(tokens=st.lists(TOKENS, max_size=9))
@settings(max_examples=200, deadline=None)
def test_a_parsed_clause_contains_all_words_of_its_sentence(tokens: list[str]) -> None:
    text = " ".join(tokens)
    clause = parse_clause(text)
    if clause is not None:
        be = "are" if clause.plural else "is"
        verb = {"run": "running", "tie": "tying", "rope": "roping"}[clause.lemma]
        assert f"{clause.subject} {be} {clause.adverb}{verb}{clause.rest}" == text.strip().rstrip(".")


def test_every_premise_of_the_builtin_source_is_a_simple_clause() -> None:
    assert [text for text in premises() if parse_clause(text) is None] == []


def test_a_builtin_premise_is_its_clause_in_the_progressive() -> None:
    for text, clause in builtin_clauses():
        be = "are" if clause.plural else "is"
        lemma = clause.lemma
        spelt = {f"{lemma}ing", f"{lemma[:-1]}ing", f"{lemma}{lemma[-1]}ing", f"{lemma[:-2]}ying"}
        assert text in {f"{clause.subject} {be} {clause.adverb}{word}{clause.rest}" for word in spelt}
        assert parse_clause(text + ".") == clause


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_an_embedding_of_a_builtin_clause_is_its_subject_verb_and_infinitive(data: st.DataObject) -> None:
    text, clause = data.draw(st.sampled_from(builtin_clauses()))
    lemma = data.draw(st.sampled_from(sorted(VERBS)))
    sentence = clause.under(VERBS[lemma])
    infinitive = f"{clause.adverb}{clause.lemma}{clause.rest}"
    assert sentence.endswith(f" {infinitive}")
    rest = sentence.removesuffix(infinitive)
    subject = clause.subject if rest.startswith(clause.subject) else clause.subject[0].lower() + clause.subject[1:]
    assert rest.count(subject) == 1
    frame = rest.replace(subject, "X")
    third = {"try": "tries", "wish": "wishes"}.get(lemma, lemma + "s")
    form = lemma if clause.plural else third
    special = {
        "use": f"X {form} the chance to ",
        "serve": "A cue serves to make X ",
        "remain": "It remains for X to ",
    }
    assert frame == special.get(lemma, f"X {form} to ")
    assert "  " not in sentence
    assert sentence == sentence.strip()
    assert sentence[0].isupper()
    assert parse_clause(sentence) is None, f"{text!r} under {lemma} is no plain clause any more"
