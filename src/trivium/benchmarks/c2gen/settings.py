"""What can be set about a run of C²Gen, and its presets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from trivium.build.splits.stages import Sizes
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.settings import Settings, each_once

Order = Literal["ver-nat", "nat-ver"]
Words = Literal["natural", "pseudo"]
Direction = Literal["easy-hard", "hard-easy"]
Label = Literal["entailment", "neutral", "contradiction"]


class RunSettings(Settings):
    """Which folds, orders, strategies and seeds are run. CGen always is, and without orders it is all that is.

    ``words`` are those of the sentences, or ``pseudo``: non-words for verbs and for related words (section 8.1).
    With pseudo-words no strategy is run. For the orders of ``representations`` vectors are stored too (Figure 3).
    """

    folds: Annotated[tuple[Annotated[int, Field(ge=1, le=9)], ...], Field(min_length=1)] = tuple(range(1, 10))
    orders: tuple[Order, ...] = ("ver-nat", "nat-ver")
    strategies: Annotated[tuple[str, ...], Field(min_length=1)] = (
        "finetune",
        "er-res",
        "er-buff",
        "er-mir",
        "agem",
        "kd",
    )
    seeds: Annotated[tuple[int, ...], Field(min_length=1)] = (0, 1, 2)
    words: Annotated[tuple[Words, ...], Field(min_length=1)] = ("natural",)
    representations: tuple[Order, ...] = ()

    @field_validator("folds", "orders", "strategies", "seeds", "words", "representations")
    @classmethod
    def _each_once(cls, values: tuple[object, ...]) -> tuple[object, ...]:
        return each_once(values)

    @model_validator(mode="after")
    def _shown_orders_run(self) -> RunSettings:
        if missing := [order for order in self.representations if order not in self.orders]:
            raise ValueError(f"representations of {', '.join(missing)} are asked for, but that order is not run")
        return self


class FunctionSettings(Settings):
    """A third stage of compositions, function by function (section 7.3): in which directions, and what is easy.

    ``easiest_first`` are the labels of the verbs that stand for the functions, or ``measured``: by what CGen reached in
    all nine folds, which must have been run.
    """

    directions: tuple[Direction, ...] = ()
    easiest_first: Literal["measured"] | tuple[Label, Label, Label] = ("neutral", "entailment", "contradiction")
    strategy: str = "er-res"

    @field_validator("easiest_first")
    @classmethod
    def _all_three(cls, labels: str | tuple[str, ...]) -> str | tuple[str, ...]:
        if labels != "measured" and len(set(labels)) < 3:
            raise ValueError("each of entailment, neutral and contradiction must be there once, or write measured")
        return labels


class C2GenSettings(Settings):
    """Everything about a run of C²Gen. ``source`` may be ``auto``: SICK if it is there, else the built-in grammar.

    ``note`` is what a reader of the results must know about the preset.
    """

    note: str = ""
    source: str = "sick"
    data_seed: int = 0
    data: Sizes = Sizes()
    model: ModelConfig = ModelConfig()
    train: TrainConfig = TrainConfig()
    run: RunSettings = RunSettings()
    functions: FunctionSettings = FunctionSettings()
    strategy: Mapping[str, Mapping[str, Any]] = {}
