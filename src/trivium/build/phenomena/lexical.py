"""What words mean: replaced by a related word, what kind of thing they name, and what kinds of it there are."""

from __future__ import annotations

import numpy as np

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.kinds import HOMONYMS, Kind, class_of, cousin, is_wide, pick_kind, plural, rival, stranger
from trivium.build.phenomena.lexicon import ADJECTIVES, ADVERBS, VERBS, Entry
from trivium.build.phenomena.words import DAYS, PEOPLE, WOMEN, indefinite, pick, pick_other, pick_some, sentence

ENTAILED = "entailed"
_TIMES: tuple[str, ...] = (
    "yesterday", "last week", "this morning", "before lunch", "after the storm", "in the evening",
    *(f"on {day}" for day in DAYS),
)  # fmt: skip


_RIVALS: dict[tuple[str, str], tuple[str, ...]] = {
    (entry.word, company): tuple(
        word
        for other in part
        if other is not entry and company in other.company
        for word in (*other.implied_by, other.word)
        if word not in entry.implied_by
    )
    for part in (VERBS, ADJECTIVES, ADVERBS)
    for entry in part
    for company in entry.company
}


def _contrasts(rng: np.random.Generator, entry: Entry, company: str) -> tuple[str, ...]:
    """Words in the same company that do not imply the entry's: mostly those that imply other entries' words.

    So the premise alone does not tell the label: *sprinted* implies *ran* and does not imply *walked*.
    """
    rivals = _RIVALS[entry.word, company]
    return rivals if rivals and rng.random() < 0.75 else entry.not_implied_by


@maker("lex-ent")
def lexical_entailment(label: str, rng: np.random.Generator) -> Pair:
    """``Anna strolled along the river.`` entails ``Anna walked along the river.``."""
    who, when, kind = pick(rng, PEOPLE), pick(rng, _TIMES), rng.random()
    entry = pick(rng, VERBS if kind < 0.6 else ADJECTIVES if kind < 0.9 else ADVERBS)
    company, form = pick(rng, entry.company), rng.random()
    word = pick(rng, entry.implied_by if label == ENTAILED else _contrasts(rng, entry, company))
    if kind < 0.6:
        end = f" {when}" if form < 0.6 else ""
        texts = [f"{who} {one} {company}{end}" for one in (word, entry.word)]
    elif kind < 0.9:
        frame = pick(
            rng, ("{who} spoke of {a} {when}", "{who} told us about {a} {when}", "{who} heard about {a} {when}")
        )
        texts = [frame.format(who=who, a=indefinite(f"{one} {company}"), when=when) for one in (word, entry.word)]
    else:
        texts = [f"{who} {one} {company}" for one in (word, entry.word)]
    return Pair(sentence(texts[0]), sentence(texts[1]))


_WITH_SPECIAL = tuple(one for one in HOMONYMS if all(one.special))


def _of_word(label: str, rng: np.random.Generator, special: bool) -> Pair:
    """``Anna hit the ball with a bat.`` does not entail ``The word "bat" names an animal here.``."""
    homonym, meaning = pick(rng, _WITH_SPECIAL if special else HOMONYMS), int(rng.random() < 0.5)
    shown = meaning if label == ENTAILED else 1 - meaning
    premise = pick(rng, homonym.scenes[shown]).format(x=pick(rng, WOMEN))
    word = f'"{homonym.word}"'
    if special:
        hypothesis = f"{indefinite(pick(rng, homonym.special[meaning]))} is a special kind of what {word} names here"
    else:
        hypothesis = f"the word {word} names {indefinite(homonym.kinds[meaning])} here"
    return Pair(sentence(premise), sentence(hypothesis))


@maker("hyper")
def hypernymy(label: str, rng: np.random.Generator) -> Pair:
    """``Anna drew a parrot.`` entails ``What Anna drew is a kind of bird.``."""
    if rng.random() < 0.15:
        return _of_word(label, rng, special=False)
    kind = pick_kind(rng)
    (who, friend), verb, when = pick_some(rng, PEOPLE, 2), pick(rng, kind.verbs), pick(rng, _TIMES)
    goal = kind.above if is_wide(verb) and kind.above != "person" and rng.random() < 0.3 else kind.noun
    fitting = pick(rng, (*kind.below, kind.noun) if goal == kind.above else kind.below)
    other = rival(rng, kind, verb, goal)
    foreign = pick(rng, (*other.below, kind.above if goal == kind.noun else other.noun))
    if label != ENTAILED:
        fitting, foreign = foreign, fitting
    premise = f"{who} {verb} {indefinite(fitting)}"
    if rng.random() < 0.5:
        parts = [premise, f"{friend} {verb} {indefinite(foreign)}"]
        premise = ", and ".join(pick_some(rng, parts, 2))
    else:
        premise = f"{premise} {when}"
    if kind.above == "person":
        hypothesis = f"the person {who} {verb} is {indefinite(kind.noun)}"
    else:
        what = f"a kind of {class_of(goal)}"
        hypothesis = pick(
            rng, (f"what {who} {verb} is {what}", f"it was {what} that {who} {verb}", f"{who} {verb} {what}")
        )
    return Pair(sentence(premise), sentence(hypothesis))


_WISHES: tuple[str, ...] = (
    "is looking for", "is hoping for", "needs", "wants", "is waiting for", "has asked for", "would like", "will accept",
)  # fmt: skip
_BODIES: tuple[str, ...] = (
    "the museum", "the lecture", "the calendar", "the book", "the website", "the exhibition", "the newspaper",
    "the course", "the law", "the campaign",
)  # fmt: skip
_DEALINGS: tuple[str, ...] = ("is about", "is devoted to", "deals with", "is concerned with")


def _special(rng: np.random.Generator, label: str, kind: Kind) -> tuple[str, str]:
    """A noun, and one of which it is a special kind or, for the other label, is not."""
    goal = kind.noun if kind.above != "person" and rng.random() < 0.25 else pick(rng, kind.below)
    if label == ENTAILED:
        above = kind.above if goal == kind.noun or rng.random() < 0.25 else kind.noun
        return goal, kind.noun if above == "person" else above
    if goal != kind.noun and rng.random() < 0.5:
        return goal, pick_other(rng, kind.below, goal)
    return goal, pick(rng, (cousin(rng, kind), stranger(rng, kind))).noun


@maker("hypo")
def hyponymy(label: str, rng: np.random.Generator) -> Pair:
    """``Anna needs a bird, and any bird will do.`` entails ``A parrot is a kind of thing that Anna needs.``."""
    if rng.random() < 0.15:
        return _of_word(label, rng, special=True)
    kind = pick_kind(rng)
    goal, given = _special(rng, label, kind)
    what = "person" if kind.above == "person" else "thing"
    if rng.random() < 0.5:
        who, wish = pick(rng, PEOPLE), pick(rng, _WISHES)
        premise = f"{who} {wish} {indefinite(given)}, and any {given} will do"
        hypothesis = f"{indefinite(goal)} would be the kind of {what} that {who} {wish}"
    else:
        body, deals = pick(rng, _BODIES), pick(rng, _DEALINGS)
        things = plural(given) if class_of(given) == given else class_of(given)
        premise = f"{body} {deals} {things} of every kind"
        hypothesis = f"{plural(goal)} are one kind of {what} that {body} {deals}"
    return Pair(sentence(premise), sentence(hypothesis))
