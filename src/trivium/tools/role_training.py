"""Train a tagger of semantic roles, which provides the role vectors of a predicate-aware model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from trivium.benchmarks.resolve import resolve_model
from trivium.build.conjuncts.parsers.spacy import role_sentences
from trivium.build.conjuncts.roles import roles_from_dependencies
from trivium.data.conllu import read_conllu
from trivium.data.roles import PREDICATE, RoleFile, RoleSentence, SkippedSentence, read_roles
from trivium.data.split import Split
from trivium.engine.execute import trained_tagger
from trivium.engine.runner import StepRunner
from trivium.engine.steps import PredictStep, RoleStep
from trivium.errors import UserError, option
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.tagging import ROLES, TaggedQuery, as_example
from trivium.measure.spans import Counts, best_tags, count_spans, f1, overall, sum_counts
from trivium.measure.statistics.estimate import functional
from trivium.measure.statistics.intervals import Interval, interval
from trivium.models.tagger import Tagger, TaggingQuery, tags_of
from trivium.seeds import stream

TRAINING = TrainConfig(learning_rate=2e-4, batch_size=16, epochs=5, warmup=0.1, frozen="embeddings", threads=2)
"""How a tagger is trained by default."""

_RARE = 20  # a rare word occurs in at most this many sentences
_SIMILAR = 0.5  # minimum Jaccard similarity of similar sentences


class Question(NamedTuple):
    """A predicate of a sentence, its gold tags, and the group of similar sentences that the sentence is in."""

    query: TaggingQuery
    gold: tuple[str, ...]
    group: int


class RoleData(NamedTuple):
    """The sentences of files of roles, and those that were skipped because their words and tags differ in number."""

    sentences: tuple[RoleSentence, ...]
    skipped: tuple[SkippedSentence, ...]

    @property
    def roles(self) -> tuple[str, ...]:
        """Every role that occurs, sorted."""
        frames = (frame for sentence in self.sentences for frame in sentence.frames)
        return tuple(sorted({tag[2:] for frame in frames for tag in frame.tags if tag[2:]}))


class TrainedTagger(NamedTuple):
    """The result of a training.

    Attributes:
        predicates: The number of predicates the tagger was trained on.
        held_out: The number of held-out predicates.
        f1: The span F1 on held-out predicates, in %. Spans of the predicate itself do not count.
        by_role: The counts of spans by role.
        skipped: The sentences that were skipped because their words and tags differ in number.
    """

    predicates: int
    held_out: int
    f1: Interval
    by_role: Mapping[str, Counts]
    skipped: tuple[SkippedSentence, ...] = ()


def gather_roles(files: Sequence[Path], texts: Sequence[str] = ()) -> RoleData:
    """Return the sentences of files with their roles, and of plain texts. Raise if fewer than two have a predicate.

    The roles of dependency trees (``.conllu``), and of plain texts as parsed by spaCy, are derived from dependencies.
    """
    role_files = [_read_trees(file) if _has_trees(file) else read_roles(file) for file in files]
    parsed = role_sentences(texts) if texts else ()
    sentences = (*(sentence for role_file in role_files for sentence in role_file.sentences), *parsed)
    skipped = tuple(sentence for role_file in role_files for sentence in role_file.skipped)
    if (number := sum(bool(sentence.frames) for sentence in sentences)) < 2:
        inputs = " ".join(map(str, files)) or option("sentences")
        note = (
            f" ({len(skipped)} skipped because words and tags differ in number, the first at {skipped[0].where})"
            if skipped
            else ""
        )
        raise UserError(f"{inputs}: needs at least 2 sentences with a predicate, found {number}{note}")
    return RoleData(sentences, skipped)


def _has_trees(file: Path) -> bool:
    return file.name.removesuffix(".gz").endswith(".conllu")


def _read_trees(file: Path) -> RoleFile:
    sentences = []
    for tree in read_conllu(file):
        words, heads, relations, tags = (
            [getattr(word, name) for word in tree.words] for name in ("text", "head", "relation", "tag")
        )
        sentences.append(RoleSentence(tree.text, tuple(words), roles_from_dependencies(words, heads, relations, tags)))
    return RoleFile(tuple(sentences), ())


def train_tagger(
    model: str, gathered: RoleData, train: TrainConfig, seed: int, share: float, runner: StepRunner
) -> tuple[Tagger, TrainedTagger]:
    """Train a tagger, and evaluate it on the predicates of about a ``share`` of the sentences, held out."""
    held_out, training = split_questions(gathered.sentences, share, stream(seed, "data", "held out"))
    resolved = resolve_model(ModelConfig(name=model), runner.store)
    tags = tags_of(gathered.roles)
    trained, tested = (
        _save_questions(name, questions, runner) for name, questions in (("train", training), ("held out", held_out))
    )
    step = RoleStep(resolved.model, resolved.fingerprint, tags, train, seed, trained, len(training))
    prediction = PredictStep(step, tested, len(held_out))
    about = f"{model} on {len(training):,} predicates"
    labels = dict.fromkeys((step.key, prediction.key), about)
    runner.run_steps([[prediction]], f"Training {about}", labels=labels, models=(step,))
    ends = np.cumsum([len(question.gold) for question in held_out])[:-1]
    scores = np.split(runner.store.logits(prediction.key)[ROLES], ends)
    counts = [
        count_spans(question.gold, best_tags(word_scores, tags), exclude=(PREDICATE,))
        for question, word_scores in zip(held_out, scores, strict=True)
    ]
    totals = np.array([overall(each) for each in counts], dtype=np.float64)
    groups = [question.group for question in held_out]
    score = functional(totals, lambda sums: float(f1(sums[None])[0]), groups)
    result = TrainedTagger(len(training), len(held_out), 100 * interval(score), sum_counts(counts), gathered.skipped)
    return trained_tagger(step, runner.store), result


def _save_questions(name: str, questions: Sequence[Question], runner: StepRunner) -> str:
    """Save predicates in the store as a split, and return its identity."""
    queries = (TaggedQuery(question.query, question.gold) for question in questions)
    examples = tuple(as_example(query, number) for number, query in enumerate(queries, 1))
    return runner.store.put_split(Split(name, examples))


def split_questions(
    sentences: Sequence[RoleSentence], share: float, rng: np.random.Generator
) -> tuple[list[Question], list[Question]]:
    """Return the predicates of a random share of the groups of similar sentences, held out, and those of the others."""
    usable = [sentence for sentence in sentences if sentence.frames]
    groups = group_similar([sentence.words for sentence in usable])
    names = sorted(set(groups))
    number = min(len(names) - 1, max(1, round(share * len(names))))
    if number < 1:
        raise UserError("all sentences are similar, so none can be held out: add different sentences")
    chosen = {names[index] for index in rng.permutation(len(names))[:number]}
    questions = [
        Question(TaggingQuery(sentence.words, frame.predicate), frame.tags, group)
        for sentence, group in zip(usable, groups, strict=True)
        for frame in sentence.frames
    ]
    held_out = [question for question in questions if question.group in chosen]
    return held_out, [question for question in questions if question.group not in chosen]


def group_similar(sentences: Sequence[Sequence[str]]) -> list[int]:
    """Return a group number for each sentence; sentences that share half of their words and a rare word are grouped.

    Groups prevent leaks into the held-out sentences: a hypothesis of ConjNLI may be its premise without a conjunct, and
    would give away its roles.
    """
    vocabularies = [frozenset(word.lower() for word in sentence) for sentence in sentences]
    frequency = Counter(word for words in vocabularies for word in words)
    parent = list(range(len(vocabularies)))  # union-find

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = index = parent[parent[index]]
        return index

    seen: dict[str, list[int]] = {}
    for index, words in enumerate(vocabularies):
        # Only sentences with a common rare word are compared, to avoid quadratic time. Without rare words, the whole
        # sentence is the key, so that at least equal sentences are compared.
        keys = sorted(word for word in words if frequency[word] <= _RARE) or [" ".join(sorted(words))]
        for other in {candidate for key in keys for candidate in seen.get(key, ())}:
            if len(words & vocabularies[other]) >= _SIMILAR * len(words | vocabularies[other]):
                parent[root(index)] = root(other)
        for key in keys:
            seen.setdefault(key, []).append(index)
    return [root(index) for index in range(len(vocabularies))]
