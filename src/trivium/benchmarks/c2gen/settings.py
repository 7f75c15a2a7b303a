"""The settings of C²Gen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, field_validator, model_serializer, model_validator

from trivium.build.splits.harder import Harder
from trivium.build.splits.stages import Sizes
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.settings import Settings, check_unique

Order = Literal["ver-nat", "nat-ver"]
Words = Literal["natural", "pseudo"]
Direction = Literal["easy-hard", "hard-easy"]
Label = Literal["entailment", "neutral", "contradiction"]


class RunSettings(Settings):
    """The folds, orders, strategies and seeds to run. CGen is always run; without orders, it is the only setting.

    ``words`` are ``natural`` (the words of the source) or ``pseudo`` (pseudo-words for verbs and related words, section
    8.1). With pseudo-words, only fine-tuning is run. For the orders in ``representations``, vectors are stored as well
    (Figure 3). ``composers`` are run besides ``model.composer``, to compare them. ``harder`` are tests that are harder
    than the paper's, for the final models, in the words of the source.

    ``loss`` is ``all`` for the sum over the heads of compositions and of both primitives in every stage (equation 2),
    and ``stage`` for those of compositions and of the stage's own primitive, as in the authors'
    ``model_roberta_continual.py``. CGen, which has one stage, always trains all heads.
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
    composers: tuple[str, ...] = ()
    harder: tuple[Harder, ...] = ()
    loss: Literal["all", "stage"] = "all"

    @model_serializer(mode="wrap")
    def _leave_out_unused(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out defaults that came later, so that run names are those of earlier versions."""
        values: dict[str, Any] = serialize(self)
        later: dict[str, tuple[object, ...]] = {"composers": ((), []), "harder": ((), []), "loss": ("all",)}
        return {name: value for name, value in values.items() if value not in later.get(name, ())}

    @field_validator("folds", "orders", "strategies", "seeds", "words", "representations", "composers", "harder")
    @classmethod
    def _each_once(cls, values: tuple[object, ...]) -> tuple[object, ...]:
        return check_unique(values)

    @model_validator(mode="after")
    def _check_representations(self) -> RunSettings:
        if missing := [order for order in self.representations if order not in self.orders]:
            raise ValueError(f"representations has {', '.join(missing)}, which is not in orders: add it to orders")
        return self


class FunctionSettings(Settings):
    """A third stage of compositions, one composition function after the other (section 7.3).

    Without ``directions`` there is no third stage. ``easiest_first`` lists the functions from easy to hard, each named
    after the label of its verbs. With ``measured``, they are ordered by CGen's accuracy in all nine folds, which must
    have been run.
    """

    directions: tuple[Direction, ...] = ()
    easiest_first: Literal["measured"] | tuple[Label, Label, Label] = ("neutral", "entailment", "contradiction")
    strategy: str = "er-res"

    @field_validator("easiest_first")
    @classmethod
    def _all_three(cls, labels: str | tuple[str, ...]) -> str | tuple[str, ...]:
        if labels != "measured" and len(set(labels)) < 3:
            raise ValueError("must be entailment, neutral and contradiction, each once, or 'measured'")
        return labels


class C2GenSettings(Settings):
    """All settings of a run of C²Gen.

    ``source`` may be ``auto``: SICK if available, else the built-in grammar. It may also be a file (``.jsonl``) of
    compositions in the authors' layout. ``note`` is a limitation of the preset, to be reported with the results.
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
