"""Selection of the training and validation examples of a phenomenon."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from trivium.build.phenomena import generate_parts, load_makers
from trivium.build.splits.invariants import Invariant, check_invariant
from trivium.data.curriculum import Parts, has_released_task, read_released
from trivium.data.example import Example
from trivium.data.phenomena import Phenomenon
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.seeds import stream
from trivium.settings import Settings

if TYPE_CHECKING:
    import numpy as np

RELEASED, BUILTIN, AUTO = "curriculum", "builtin", "auto"
_BUILTIN_TRAIN, _BUILTIN_VALIDATION = 4000, 1000


class PhenomenonSizes(Settings):
    """Numbers of examples of each phenomenon.

    ``validation`` is the number of validation examples; 0 uses all of them. ``known`` and ``other`` are numbers per
    label: a model trained on the ``known`` examples measures the difficulty of the ``other`` ones. At most half of the
    training examples become ``known``.
    """

    validation: Annotated[int, Field(ge=0)] = 0
    known: Annotated[int, Field(ge=1)] = 500
    other: Annotated[int, Field(ge=2)] = 500


@dataclass(frozen=True)
class Selection:
    """The selected examples of a phenomenon. The training examples alternate between labels.

    ``available`` has the numbers of available training and validation examples. Training examples that also occur in
    the validation set (``duplicates``) and validation examples that the model was trained on before (``known_pairs``)
    are excluded and counted. ``known`` and ``others`` are the numbers of examples per label used to measure difficulty.
    """

    phenomenon: Phenomenon
    source: str
    validation: Split
    train: Split
    known: int
    others: int
    available: tuple[int, int]
    duplicates: int
    known_pairs: int

    def first(self, number: int) -> Split | None:
        """Return the first ``number`` training examples of each label; None if there are fewer."""
        required = number * len(self.train.labels)
        return (
            Split("train", self.train.examples[:required], self.train.labels) if required <= len(self.train) else None
        )

    def other(self) -> Split:
        """Return the training examples whose difficulty is measured; they follow the ``known`` ones."""
        labels = len(self.train.labels)
        start = self.known * labels
        return Split("other", self.train.examples[start : start + self.others * labels], self.train.labels)


def load_parts(source: str, name: str) -> Parts:
    """Return the examples of a phenomenon: the released ones, or generated ones if the source is ``builtin``."""
    if source == RELEASED:
        return read_released(name)
    if source != BUILTIN:
        raise UserError(f"unknown source {source!r}: must be {RELEASED!r} or {BUILTIN!r}")
    return Parts(*generate_parts(name, _BUILTIN_TRAIN, _BUILTIN_VALIDATION))


def source_of(source: str, name: str) -> str | None:
    """Return the source to use for a phenomenon; None if it has no examples.

    ``auto`` stands for the released examples if they are available, and for generated ones otherwise.
    """
    if source in (RELEASED, AUTO) and has_released_task(name):
        return RELEASED
    return BUILTIN if source in (BUILTIN, AUTO) and name in load_makers() else None


def select_examples(
    phenomenon: Phenomenon, source: str, parts: Parts, sizes: PhenomenonSizes, seed: int, before: Iterable[Example] = ()
) -> Selection:
    """Select the examples of a phenomenon.

    Validation examples do not occur among the training examples, nor in ``before``, the earlier training data.
    """
    rng = stream(seed, "data", "phenomenon", phenomenon.name)
    known_pairs = {_normalized(example) for example in before}
    labelled = [example for example in parts.validation if example.label]
    unknown = [example for example in labelled if _normalized(example) not in known_pairs]
    validation = _draw(unknown, sizes.validation or len(unknown), rng)
    validation_texts = {_text(example) for example in parts.validation}
    trainable = list({_text(e): e for e in parts.train if e.label and _text(e) not in validation_texts}.values())
    by_label = {name: [e for e in trainable if e.label == name] for name in phenomenon.labels.names}
    per_label = min(map(len, by_label.values()))
    if per_label < 2 or not validation:
        raise UserError(
            f"{phenomenon.name}: needs at least 2 training examples of each label and 1 validation example, "
            f"found {per_label} and {len(validation)}"
        )
    drawn = [_draw(examples, per_label, rng) for examples in by_label.values()]
    train = [example for group in zip(*drawn, strict=True) for example in group]
    known = min(sizes.known, per_label // 2)
    return Selection(
        phenomenon=phenomenon,
        source=source,
        validation=Split("validation", tuple(validation), phenomenon.labels),
        train=Split("train", tuple(train), phenomenon.labels),
        known=known,
        others=min(sizes.other, per_label - known),
        available=(len(parts.train), len(parts.validation)),
        duplicates=sum(_text(example) in validation_texts for example in parts.train),
        known_pairs=len(labelled) - len(unknown),
    )


def hypothesis_only(split: Split) -> Split:
    """Return the examples with empty premises."""
    return Split(split.name, tuple(replace(example, premise="") for example in split), split.labels)


def null_input(split: Split) -> Split:
    """Return the examples with empty premises and hypotheses."""
    return Split(split.name, tuple(replace(example, premise="", hypothesis="") for example in split), split.labels)


def check_selection(selection: Selection, before: Iterable[Example] = ()) -> list[Invariant]:
    """Check the invariants of the examples of a phenomenon."""
    known_pairs = {_normalized(example) for example in before}
    validation_texts = {_text(example) for example in selection.validation}
    known = {_text(example) for example in selection.first(selection.known) or ()}
    counts = selection.train.counts().values()
    unequal = selection.train.examples[:1] if len(set(counts)) > 1 else ()
    return [
        check_invariant(
            "no validation pair is trained on", selection.train, lambda e: _text(e) not in validation_texts
        ),
        check_invariant(
            "no validation pair was trained on before",
            selection.validation,
            lambda e: _normalized(e) not in known_pairs,
        ),
        check_invariant("difficulty is measured on unseen pairs", selection.other(), lambda e: _text(e) not in known),
        Invariant("labels have equally many training examples", len(selection.train), unequal),
    ]


def _text(example: Example) -> tuple[str, str | None]:
    return example.premise.lower(), example.hypothesis.lower() if example.hypothesis else None


def _normalized(example: Example) -> tuple[str, ...]:
    """Return both texts in lower case, with single spaces and without a final full stop."""
    return tuple(" ".join(str(text).lower().split()).rstrip(" .") for text in (example.premise, example.hypothesis))


def _draw(examples: Sequence[Example], number: int, rng: np.random.Generator) -> list[Example]:
    return [examples[index] for index in rng.permutation(len(examples))[:number]]


def sources_of(selections: Iterable[Selection]) -> list[str]:
    """Return the names of the sources in use, without duplicates."""
    return sorted({selection.source for selection in selections})
