"""SETI's inferences and its seven settings (section 3.2, equations 1 to 9).

The two sentences of a lexical pair differ only in two related words (``boy→kid``), those of a structural pair only in
voice. There are two labels: neutral pairs and contradictions are both not entailed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from trivium.build.veridicality.composition import composed_label, embed, rule_of
from trivium.build.veridicality.natural import confirmed, content_words
from trivium.build.veridicality.pseudo import related_words
from trivium.build.veridicality.verbs import THAT_VERBS, Verb
from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.language.inflection import all_lemmas
from trivium.settings import Settings

YES, NO = NLI2.names
LEXICAL, STRUCTURAL = "lexical", "structural"
_PASSIVE = re.compile(r"\bbeing (?!(?:a|an|the|in|on|at|very|so)\b)\w+", re.IGNORECASE)
_HALF_PASSIVE = re.compile(r"\b(?:is|are)(?: \w+ly)? \w+(?:ed|en)\b", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:no|not|nobody|none|never|without)\b|n't\b", re.IGNORECASE)
_VOICE_WORDS = frozenset("being by who which that".split())
_VERBS = {label: tuple(verb for verb in THAT_VERBS if verb.label == label) for label in (YES, NO)}
_SHOT_PAIRS = 12  # of each label, but at most a third of its pairs


class SystematicSizes(Settings):
    """The sizes of all parts of the data; 0 means all available examples.

    ``lexical`` and ``structural`` are numbers of pairs of each label: 754 and 300 in the paper. ``dev`` is the share of
    the training examples used as development set. ``train`` limits the training examples, spread evenly over the pairs,
    and ``test`` limits the test examples. With ``pairs = "all"``, pairs whose label later annotators changed are used
    too.
    """

    lexical: Annotated[int, Field(ge=0)] = 0
    structural: Annotated[int, Field(ge=0)] = 300
    dev: Annotated[float, Field(gt=0, lt=0.5)] = 0.2
    train: Annotated[int, Field(ge=0)] = 0
    test: Annotated[int, Field(ge=0)] = 0
    pairs: Literal["confirmed", "all"] = "confirmed"

    @model_serializer(mode="wrap")
    def _leave_out_pairs(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out ``pairs`` if it is "confirmed", so that run names are those of earlier versions."""
        values: dict[str, Any] = serialize(self)
        return {name: value for name, value in values.items() if name != "pairs" or value != "confirmed"}


@dataclass(frozen=True)
class Inferences:
    """Natural pairs by relation (lexical or structural) and label, with equally many pairs of each label.

    ``halves`` are two sets of lexical pairs, drawn from all available ones, with the same rules but no common sentence.
    """

    pairs: Mapping[tuple[str, str], tuple[Example, ...]]
    halves: tuple[tuple[Example, ...], tuple[Example, ...]]

    def of(self, *relations: str, label: str | None = None) -> list[Example]:
        """Return the pairs of the given relations (default: both) and label (default: both)."""
        labels = (YES, NO) if label is None else (label,)
        return [pair for rel in relations or (LEXICAL, STRUCTURAL) for name in labels for pair in self.pairs[rel, name]]


class Setting(NamedTuple):
    """One of the seven settings: its title in the paper, its training and its test examples.

    ``trained`` returns one or two types of training inferences, of which equally many are used. ``shared`` and
    ``new`` name the properties of a test example that occur in training and those that do not (see
    :mod:`trivium.build.splits.systematicity_invariants`). ``shots`` is whether the paper trains on a few shots of the
    tested compositions.
    """

    name: str
    title: str
    trained: Callable[[Inferences], list[list[Example]]]
    tested: Callable[[Inferences], list[Example]]
    shared: tuple[str, ...]
    new: tuple[str, ...]
    shots: bool = False


class SettingSplits(NamedTuple):
    """The splits of one setting in one configuration; shots, if any, are drawn from ``few``."""

    train: Split
    dev: Split
    test: Split
    few: Split


def choose_inferences(examples: Iterable[Example], sizes: SystematicSizes, rng: np.random.Generator) -> Inferences:
    """Return the lexical and structural pairs of a source, balanced by label.

    A pair of sentences (ignoring articles) occurs at most once in each direction; a pair with both labels is left out.
    """
    unique: dict[tuple[str, ...], Example] = {}
    ambiguous: set[tuple[str, ...]] = set()
    for example in examples:
        relation, words = relation_of(example)
        if relation is None or example.label is None or (sizes.pairs == "confirmed" and not confirmed(example)):
            continue
        label = NLI3.map_to(example.label, NLI2)
        if relation == STRUCTURAL and label == YES and not same_words(example.premise, str(example.hypothesis)):
            continue
        pair = Example.make(example.id, example.premise, example.hypothesis, label,
                            kind="natural", relation=relation, words=words)  # fmt: skip
        if unique.setdefault(text_key(pair), pair).label != label:
            ambiguous.add(text_key(pair))
    pairs: dict[tuple[str, str], list[Example]] = {
        (relation, label): [] for relation in (LEXICAL, STRUCTURAL) for label in (YES, NO)
    }
    for key, pair in unique.items():
        if key not in ambiguous:
            pairs[str(pair.fact("relation")), str(pair.label)].append(pair)
    return Inferences(_balanced_pairs(pairs, sizes, rng), _divide_lexical(pairs, sizes, rng))


def _balanced_pairs(
    pairs: Mapping[tuple[str, str], list[Example]], sizes: SystematicSizes, rng: np.random.Generator
) -> dict[tuple[str, str], tuple[Example, ...]]:
    chosen: dict[tuple[str, str], tuple[Example, ...]] = {}
    for relation, limit in ((LEXICAL, sizes.lexical), (STRUCTURAL, sizes.structural)):
        available = min(len(pairs[relation, YES]), len(pairs[relation, NO]))
        required = max(limit, 2)
        if available < required:
            hint = f"lower data.{relation}, or set it to 0 to use all" if available >= 2 else "use another source"
            raise UserError(
                f"the source has {available} {relation} pairs of each label, but {required} are required: {hint}"
            )
        for label in (YES, NO):
            chosen[relation, label] = tuple(_draw(pairs[relation, label], limit or available, rng))
    return chosen


def _divide_lexical(
    pairs: Mapping[tuple[str, str], list[Example]], sizes: SystematicSizes, rng: np.random.Generator
) -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    """Divide lexical pairs into two halves with the same rules but no common sentence, balanced by label.

    The pairs of a rule alternate between the halves as far as their sentences allow. A rule that cannot be in both
    halves is left out.
    """
    sentences: tuple[set[str], set[str]] = (set(), set())
    halves: dict[tuple[str, int], list[Example]] = {(label, side): [] for label in (YES, NO) for side in (0, 1)}
    for label in (YES, NO):
        rules: dict[str, list[Example]] = {}
        for pair in _draw(pairs[LEXICAL, label], len(pairs[LEXICAL, label]), rng):
            rules.setdefault(str(pair.fact("words")), []).append(pair)
        for same_rule in rules.values():
            for side, half in enumerate(_divide_rule(same_rule, sentences)):
                halves[label, side] += half
                sentences[side].update(text for pair in half for text in text_key(pair))
    number = min(map(len, halves.values()))
    number = min(number, sizes.lexical or number)
    trained = [pair for label in (YES, NO) for pair in _interleaved(halves[label, 0], "words")[:number]]
    known = {(pair.fact("words"), pair.label) for pair in trained}
    tested = [[p for p in halves[label, 1] if (p.fact("words"), p.label) in known][:number] for label in (YES, NO)]
    return tuple(trained), tuple(pair for group in tested for pair in group[: min(map(len, tested))])


def _divide_rule(pairs: Sequence[Example], known: tuple[set[str], set[str]]) -> tuple[list[Example], list[Example]]:
    """Divide the pairs of a rule into halves without a common sentence; both are empty if one would be.

    ``known`` are the sentences that each half already contains.
    """
    halves: tuple[list[Example], list[Example]] = ([], [])
    sentences: tuple[set[str], set[str]] = (set(), set())
    for pair in pairs:
        side = 0 if len(halves[0]) <= len(halves[1]) else 1
        texts = set(text_key(pair))
        if not texts & (known[1 - side] | sentences[1 - side]):
            halves[side].append(pair)
            sentences[side].update(texts)
    return halves if all(halves) else ([], [])


def text_key(example: Example) -> tuple[str, str]:
    """Return the content words of premise and hypothesis, which identify an example regardless of articles."""
    return " ".join(content_words(example.premise)), " ".join(content_words(str(example.hypothesis)))


def relation_of(example: Example) -> tuple[str | None, str]:
    """Return the relation of a pair (lexical, structural or None) and the words or voices in which it differs."""
    if example.hypothesis is None:
        return None, ""
    texts = (example.premise, example.hypothesis)
    voices = ["passive" if _PASSIVE.search(text) else "active" for text in texts]
    if voices[0] != voices[1]:
        active = texts[voices.index("active")]
        unclear = _HALF_PASSIVE.search(active) or any(map(_NEGATED.search, texts))
        return (None, "") if unclear else (STRUCTURAL, "→".join(voices))
    words = related_words(example)
    return (None, "") if words is None else (LEXICAL, f"{words.first}→{words.second}")


def same_words(first: str, second: str) -> bool:
    """Return whether two sentences have the same words, ignoring inflection and words that a change of voice adds."""
    forms = [[_lemmas(word) for word in content_words(text) if word not in _VOICE_WORDS] for text in (first, second)]
    return all(any(a & b for b in forms[1]) for a in forms[0]) and all(any(a & b for b in forms[0]) for a in forms[1])


def _lemmas(word: str) -> frozenset[str]:
    return frozenset([word, *(lemma for lemmas in all_lemmas(word).values() for lemma in lemmas)])


def veridical_inference(verbs: Sequence[Verb], natural: Example) -> Example:
    """Return the veridical inference (Someone VERBs that S, S), where S is the premise of a pair."""
    label = composed_label(verbs, YES)
    name = "+".join(verb.lemma for verb in verbs)
    return Example.make(f"{natural.id}+{name}/v", embed(verbs, natural.premise), natural.premise, label,
                        kind="veridical", verb=name, verb_label=label)  # fmt: skip


def composed_inference(verbs: Sequence[Verb], natural: Example) -> Example:
    """Return the inference (Someone VERBs that S, S') for a pair (S, S') and verbs, the outermost first."""
    label, verb_label = str(natural.label), composed_label(verbs, YES)
    name = "+".join(verb.lemma for verb in verbs)
    facts = dict(natural.facts) | {"kind": "composed", "verb": name, "verb_label": verb_label, "pair": natural.id}
    facts |= {"rule": str(rule_of(verb_label, label)), "depth": str(len(verbs)), "embedded": natural.premise}
    example = Example.make(
        f"{natural.id}+{name}", embed(verbs, natural.premise), natural.hypothesis, composed_label(verbs, label)
    )
    return replace(example, facts=tuple(sorted((facts | {"natural_label": label}).items())))


def _compose_all(label: str | None, pairs: Iterable[Example]) -> list[Example]:
    """Compose each pair with all verbs of a label (None: all verbs)."""
    verbs = THAT_VERBS if label is None else _VERBS[label]
    return [composed_inference((verb,), pair) for pair in pairs for verb in verbs]


def _veridicals(label: str | None, pairs: Iterable[Example]) -> list[Example]:
    """Return veridical inferences of each distinct premise with all verbs of a label (None: all verbs)."""
    verbs = THAT_VERBS if label is None else _VERBS[label]
    premises = {text_key(pair)[0]: pair for pair in pairs}
    return [veridical_inference((verb,), pair) for pair in premises.values() for verb in verbs]


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "task1-trivial", "Task 1, trivial",
        lambda i: [_veridicals(None, i.of()), i.of()],
        lambda i: _compose_all(None, i.of()),
        ("verb", "pair"), ("composition rule",),
    ),
    Setting(
        "task1-nontrivial", "Task 1, non-trivial",
        lambda i: [_veridicals(None, i.halves[0]), list(i.halves[0])],
        lambda i: _compose_all(None, i.halves[1]),
        ("verb", "lexical rule"), ("composition rule", "pair", "sentence"), shots=True,
    ),
    Setting(
        "task2-trivial", "Task 2, trivial",
        lambda i: [[*_compose_all(YES, i.of(LEXICAL)), *_compose_all(NO, i.of(STRUCTURAL))]],
        lambda i: [*_compose_all(YES, i.of(STRUCTURAL)), *_compose_all(NO, i.of(LEXICAL))],
        ("verb", "pair", "composition rule"), ("type of verb with type of pair",),
    ),
    Setting(
        "task2-nontrivial", "Task 2, non-trivial",
        lambda i: [[*_compose_all(YES, i.of(label=YES)), *_compose_all(NO, i.of(label=NO))]],
        lambda i: [*_compose_all(YES, i.of(label=NO)), *_compose_all(NO, i.of(label=YES))],
        ("verb", "pair"), ("composition rule",), shots=True,
    ),
    Setting(
        "task3-trivial", "Task 3, trivial",
        lambda i: [i.of(STRUCTURAL), _compose_all(YES, i.of(LEXICAL))],
        lambda i: _compose_all(YES, i.of(STRUCTURAL)),
        ("verb", "pair", "composition rule"), ("type of verb with type of pair",),
    ),
    Setting(
        "task3-nontrivial-ver", "Task 3, non-trivial, R_ver",
        lambda i: [_veridicals(NO, i.of(LEXICAL, label=YES)), _compose_all(YES, i.of(LEXICAL, label=YES))],
        lambda i: _compose_all(NO, i.of(LEXICAL, label=YES)),
        ("verb", "pair"), ("composition rule",),
    ),
    Setting(
        "task3-nontrivial-nat", "Task 3, non-trivial, R_nat",
        lambda i: [i.of(LEXICAL, label=NO), _compose_all(YES, i.of(LEXICAL, label=YES))],
        lambda i: _compose_all(YES, i.of(LEXICAL, label=NO)),
        ("verb", "pair"), ("composition rule",), shots=True,
    ),
)  # fmt: skip
"""The seven settings, in the paper's order."""


def build_setting(
    setting: Setting, inferences: Inferences, sizes: SystematicSizes, rng: np.random.Generator
) -> dict[str, SettingSplits]:
    """Return the splits of a setting in two configurations: compositional and in-distribution, with the same sizes.

    The in-distribution configuration divides the same examples at random. Shots come from reserved pairs, whose
    sentences are not tested.
    """
    trained, tested = balanced(setting.trained(inferences), rng), setting.tested(inferences)
    few: list[Example] = []
    if setting.shots:
        tested, few = _reserve_shots(tested, rng)
    if not tested:
        raise UserError(f"{setting.title}: too few pairs for a test set: raise data.lexical, or set it to 0 to use all")
    mixed = _draw([*trained, *tested], len(trained) + len(tested), rng)
    return {
        "compositional": _make_splits(_draw(trained, len(trained), rng), tested, few, sizes, rng),
        "in-distribution": _make_splits(mixed[: len(trained)], mixed[len(trained) :], few, sizes, rng),
    }


def balanced(groups: Sequence[list[Example]], rng: np.random.Generator) -> list[Example]:
    """Return equally many inferences of each group; larger groups are reduced evenly over their verbs (appendix B)."""
    number = min(map(len, groups))
    examples: list[Example] = []
    for group in groups:
        examples += group if len(group) == number else _balance_verbs(group, number, rng)
    return examples


def _balance_verbs(examples: Sequence[Example], number: int, rng: np.random.Generator) -> list[Example]:
    """Return about ``number`` random examples, equally many of each verb (rounded down)."""
    by_verb: dict[str, list[Example]] = {}
    for example in examples:
        by_verb.setdefault(str(example.fact("verb")), []).append(example)
    each = max(1, number // len(by_verb))
    return [example for group in by_verb.values() for example in _draw(group, each, rng)]


def _interleaved(examples: Sequence[Example], fact: str = "") -> list[Example]:
    """Order examples so that each pair, premise or value of ``fact`` occurs once before any occurs twice, and so on."""
    seen: Counter[str] = Counter()
    rounds = []
    for example in examples:
        default = example.id if example.fact("kind") == "natural" else text_key(example)[1]
        key = str(example.fact(fact) if fact else example.fact("pair") or default)
        rounds.append(seen[key])
        seen[key] += 1
    return [examples[index] for index in sorted(range(len(examples)), key=rounds.__getitem__)]


def _reserve_shots(tested: Sequence[Example], rng: np.random.Generator) -> tuple[list[Example], list[Example]]:
    """Return the test examples to keep, and compositions of a few pairs of each label that are reserved for shots.

    The kept examples share no sentence with the reserved ones.
    """
    pairs: dict[str, list[str]] = {}
    for example in tested:
        ids = pairs.setdefault(str(example.fact("natural_label")), [])
        if example.fact("pair") not in ids[-1:]:
            ids.append(str(example.fact("pair")))
    chosen: set[str] = set()
    for ids in pairs.values():
        number = min(_SHOT_PAIRS, len(ids) // 3)
        chosen.update(ids[index] for index in rng.permutation(len(ids))[:number])
    few = [example for example in tested if example.fact("pair") in chosen]
    sentences = {text for example in few for text in sentences_of(example)}
    return [example for example in tested if sentences.isdisjoint(sentences_of(example))], few


def sentences_of(example: Example) -> set[str]:
    """Return the sentences of an example without articles: the embedded clause (or the premise) and the hypothesis."""
    premise = str(example.fact("embedded") or example.premise)
    texts = [str(example.hypothesis)] if example.fact("kind") == "veridical" else [premise, str(example.hypothesis)]
    return {" ".join(content_words(text)) for text in texts}


def shortcut_probe(inferences: Inferences, number: int, rng: np.random.Generator) -> Split:
    """Return compositions by rule ②, which R_ver does not train and whose label does not follow from the verb alone."""
    examples = _compose_all(YES, inferences.of(LEXICAL, label=NO))
    return Split("rule-2", tuple(_draw(examples, number, rng)), NLI2)


def shots_of(few: Sequence[Example], number: int, rng: np.random.Generator) -> list[Example]:
    """Return random shots that cycle through the rules, so that n shots cover n rules."""
    by_rule: dict[str, list[Example]] = {}
    for example in _draw(few, len(few), rng):
        by_rule.setdefault(str(example.fact("rule")), []).append(example)
    rules = [by_rule[rule] for rule in sorted(by_rule)]
    longest = max(map(len, rules), default=0)
    return [shots[index] for index in range(longest) for shots in rules if index < len(shots)][:number]


def _make_splits(
    trained: Sequence[Example],
    tested: Sequence[Example],
    few: Sequence[Example],
    sizes: SystematicSizes,
    rng: np.random.Generator,
) -> SettingSplits:
    dev_size = max(1, round(sizes.dev * len(trained)))
    train, test = list(trained[dev_size:]), list(tested)
    if sizes.train and sizes.train < len(train):
        train = _interleaved(train)[: sizes.train]
    if sizes.test and sizes.test < len(test):
        test = _draw(test, sizes.test, rng)
    parts = {"train": train, "dev": trained[:dev_size], "test": test, "few": few}
    return SettingSplits(**{name: Split(name, tuple(examples), NLI2) for name, examples in parts.items()})


def _draw(examples: Sequence[Example], number: int, rng: np.random.Generator) -> list[Example]:
    return [examples[index] for index in rng.permutation(len(examples))[:number]]
