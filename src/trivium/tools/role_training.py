"""Training a tagger of semantic roles, which a predicate-aware model reads its vectors from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from trivium.build.conjuncts.parsers.spacy import role_sentences
from trivium.build.conjuncts.roles import roles_from_dependencies
from trivium.data.conllu import read_conllu
from trivium.data.roles import PREDICATE, RoleFile, RoleSentence, Unfit, read_roles
from trivium.errors import UserError
from trivium.learn.config import TrainConfig
from trivium.learn.learner import open_device, warmed
from trivium.measure.bootstrap import Bootstrap, Interval, interval
from trivium.measure.spans import Counts, added, count_spans, f1, overall
from trivium.models.tagger import Asked, Tagger
from trivium.seeds import stream, stream_seed

_RARE = 20
_ALIKE = 0.5


class Question(NamedTuple):
    """A predicate of a sentence, its gold tags, and the number of the group of sentences alike."""

    asked: Asked
    gold: tuple[str, ...]
    group: int


class Gathered(NamedTuple):
    """The sentences of some files of roles, and those that were passed over."""

    sentences: tuple[RoleSentence, ...]
    unfit: tuple[Unfit, ...]

    @property
    def roles(self) -> tuple[str, ...]:
        """Every role that occurs, sorted."""
        every = {tag[2:] for one in self.sentences for frame in one.frames for tag in frame.tags if tag[2:]}
        return tuple(sorted(every))


class TrainedTagger(NamedTuple):
    """How many predicates a tagger was trained on, and its span F1 (in %) on those held out, overall and by role.

    The predicate itself is given, so that it does not count.
    """

    predicates: int
    held_out: int
    f1: Interval
    by_role: Mapping[str, Counts]


def gather_roles(files: Sequence[Path], texts: Sequence[str] = ()) -> Gathered:
    """The sentences of files of roles or of trees, and plain ones; an error if fewer than two have a predicate.

    The roles of trees (``.conllu``), and of plain sentences, which spaCy reads, are derived from their dependencies.
    """
    read = [_of_trees(file) if _has_trees(file) else read_roles(file) for file in files]
    plain = role_sentences(texts) if texts else ()
    sentences = (*(sentence for one in read for sentence in one.sentences), *plain)
    unfit = tuple(sentence for one in read for sentence in one.unfit)
    if (number := sum(bool(sentence.frames) for sentence in sentences)) < 2:
        named = " ".join(map(str, files)) or "--sentences"
        passed = f" ({len(unfit)} do not fit their tags, the first at {unfit[0].where})" if unfit else ""
        raise UserError(f"{named}: there are {number} sentences with a predicate in it{passed}")
    return Gathered(sentences, unfit)


def _has_trees(file: Path) -> bool:
    return file.name.removesuffix(".gz").endswith(".conllu")


def _of_trees(file: Path) -> RoleFile:
    found = []
    for tree in read_conllu(file):
        words, heads, relations, tags = (
            [getattr(word, name) for word in tree.words] for name in ("text", "head", "relation", "tag")
        )
        found.append(RoleSentence(tree.text, tuple(words), roles_from_dependencies(words, heads, relations, tags)))
    return RoleFile(tuple(found), ())


def train_tagger(
    tagger: Tagger,
    sentences: Sequence[RoleSentence],
    train: TrainConfig,
    seed: int,
    share: float,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> TrainedTagger:
    """Train a tagger on all predicates but those of about a ``share`` of the sentences, by which it is measured."""
    torch.set_num_threads(train.threads)
    held_out, taught = held_apart(sentences, share, stream(seed, "data", "held out"))
    _fit(tagger, taught, train, seed, progress)
    rows = [
        count_spans(question.gold, said, apart=(PREDICATE,))
        for question, said in zip(held_out, tagger.said([each.asked for each in held_out]), strict=True)
    ]
    columns = np.array([overall(row) for row in rows], dtype=np.float64)
    sums = Bootstrap().sums(columns, "held out", [question.group for question in held_out])
    return TrainedTagger(len(taught), len(held_out), interval(100 * f1(sums)), added(rows))


def held_apart(
    sentences: Sequence[RoleSentence], share: float, rng: np.random.Generator
) -> tuple[list[Question], list[Question]]:
    """The predicates of a random share of the sentences, and those of the others; sentences alike are on one side."""
    usable = [sentence for sentence in sentences if sentence.frames]
    groups = alike([sentence.words for sentence in usable])
    names = sorted(set(groups))
    number = min(len(names) - 1, max(1, round(share * len(names))))
    if number < 1:
        raise UserError("all sentences are alike: nothing can be held out")
    chosen = {names[place] for place in rng.permutation(len(names))[:number]}
    questions = [
        Question(Asked(sentence.words, frame.predicate), frame.tags, group)
        for sentence, group in zip(usable, groups, strict=True)
        for frame in sentence.frames
    ]
    held_out = [each for each in questions if each.group in chosen]
    return held_out, [each for each in questions if each.group not in chosen]


def alike(sentences: Sequence[Sequence[str]]) -> list[int]:
    """A number for each sentence; those that share half of their words (and a rare one) have the same number.

    A hypothesis of ConjNLI is its premise with a conjunct less: its roles tell those of the premise.
    """
    words = [frozenset(word.lower() for word in sentence) for sentence in sentences]
    often = Counter(word for each in words for word in each)
    leader = list(range(len(words)))

    def lead(place: int) -> int:
        while leader[place] != place:
            leader[place] = place = leader[leader[place]]
        return place

    seen: dict[str, list[int]] = {}
    for place, mine in enumerate(words):
        # By its rare words only, so that long files take no quadratic time; equal sentences may have none.
        keys = sorted(word for word in mine if often[word] <= _RARE) or [" ".join(sorted(mine))]
        for other in {near for key in keys for near in seen.get(key, ())}:
            if len(mine & words[other]) >= _ALIKE * len(mine | words[other]):
                leader[lead(place)] = lead(other)
        for key in keys:
            seen.setdefault(key, []).append(place)
    return [lead(place) for place in range(len(words))]


def _fit(
    tagger: Tagger, questions: Sequence[Question], train: TrainConfig, seed: int, progress: Callable[[int, int], None]
) -> None:
    tagger.model.to(open_device(train.device))
    if train.frozen == "embeddings":
        tagger.model.get_input_embeddings().requires_grad_(False)
    parameters = [parameter for parameter in tagger.model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(parameters, lr=train.learning_rate, weight_decay=0.0, fused=True)
    order = stream(seed, "train", 1)
    total = train.epochs * -(-len(questions) // train.batch_size)
    batches = (
        [questions[place] for place in places[start : start + train.batch_size]]
        for places in (order.permutation(len(questions)) for _ in range(train.epochs))
        for start in range(0, len(questions), train.batch_size)
    )
    with torch.random.fork_rng():
        torch.manual_seed(stream_seed(seed, "train", 1, "dropout"))
        tagger.model.train()
        for number, batch in enumerate(batches):
            for group in optimizer.param_groups:
                group["lr"] = train.learning_rate * warmed(number, total, train.warmup)
            optimizer.zero_grad(set_to_none=True)
            loss = tagger.loss([each.asked for each in batch], [each.gold for each in batch])
            loss.backward()  # type: ignore[no-untyped-call]
            length = torch.nn.utils.clip_grad_norm_(parameters, train.clip)
            if not torch.isfinite(length):
                raise UserError(f"training diverged at step {number + 1} of {total}: lower --learning-rate")
            optimizer.step()
            progress(number + 1, total)
