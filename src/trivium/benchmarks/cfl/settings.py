"""The settings of CFL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, field_validator, model_serializer

from trivium.build.edits.suites import find_suites
from trivium.errors import UserError
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.settings import Settings, check_unique

Setup = Literal["few-shot", "continual", "orders"]
Loss = Literal["cross-entropy", "prototypical"]


class SuiteSettings(Settings):
    """The size of a suite.

    ``limit`` is the maximum number of training examples of the base from each source, ``test`` that of examples of each
    base test (0: all).
    ``sets`` is the number of support sets (default: the paper's), ``orders`` the number of random orders in which the
    categories are learned, and ``max_length`` the maximum number of tokens (default: the model's). ``test_length`` is
    that of predictions, if it differs. ``folder`` has the categories as the authors divided them, with the
    folders ``few_shot/SNLI/…`` and ``continual/SNLI/…``.
    """

    limit: Annotated[int, Field(ge=0)] = 0
    test: Annotated[int, Field(ge=0)] = 0
    sets: Annotated[int, Field(ge=1)] | None = None
    orders: Annotated[int, Field(ge=0)] = 0
    max_length: Annotated[int, Field(ge=8, le=8192)] | None = None
    test_length: Annotated[int, Field(ge=8, le=8192)] | None = None
    folder: str | None = None

    @model_serializer(mode="wrap")
    def _leave_out_later_fields(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out what came later if it is not set, so that run names are those of earlier versions."""
        values: dict[str, Any] = serialize(self)
        return {k: value for k, value in values.items() if value is not None or k not in ("test_length", "folder")}


class RunSettings(Settings):
    """The setups and methods to run, with ``each`` examples of a label in a support set.

    ``strategies`` train in both setups, ``others`` only in the continual one. Prototypes and nearest neighbours need no
    training and are always included; the best number in ``neighbours`` is chosen on dev examples. Strategies
    in ``followed`` are tested after each category (Table 12). With "prototypical" in ``losses`` a second base is
    trained (Tables 10 and 11). ``select`` is the epoch of a correction whose weights are taken: the last one, or the
    best one on the dev examples of the category (appendix D).
    """

    setups: Annotated[tuple[Setup, ...], Field(min_length=1)] = ("few-shot", "continual", "orders")
    strategies: Annotated[tuple[str, ...], Field(min_length=1)] = ("finetune", "scl", "mas")
    others: tuple[str, ...] = ()
    followed: tuple[str, ...] = ("finetune",)
    neighbours: Annotated[tuple[Annotated[int, Field(ge=1)], ...], Field(min_length=1)] = (1, 3, 5, 10)
    losses: Annotated[tuple[Loss, ...], Field(min_length=1)] = ("cross-entropy", "prototypical")
    each: Annotated[int, Field(ge=1)] = 5
    seed: int = 0
    select: Literal["last", "dev"] = "last"

    @model_serializer(mode="wrap")
    def _leave_out_select(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out ``select`` if it is "last", so that run names are those of earlier versions."""
        values: dict[str, Any] = serialize(self)
        return {name: value for name, value in values.items() if name != "select" or value != "last"}

    @field_validator("setups", "strategies", "others", "followed", "neighbours", "losses")
    @classmethod
    def _each_once(cls, values: tuple[object, ...]) -> tuple[object, ...]:
        return check_unique(values)

    @field_validator("losses")
    @classmethod
    def _cross_entropy(cls, values: tuple[str, ...]) -> tuple[str, ...]:
        if "cross-entropy" not in values:
            raise ValueError("must include 'cross-entropy', the loss of the base that is corrected")
        return values


class CflSettings(Settings):
    """All settings of a run of CFL: suites, training of the base (``train``), and its correction (``correct``).

    ``note`` is a limitation of the preset, to be reported with the results.
    """

    note: str = ""
    data_seed: int = 0
    suites: Annotated[Mapping[str, SuiteSettings], Field(min_length=1)] = {
        "anli": SuiteSettings(orders=10),
        "snli": SuiteSettings(),
        "imdb": SuiteSettings(),
    }
    model: ModelConfig = ModelConfig()
    train: TrainConfig = TrainConfig()
    correct: TrainConfig = TrainConfig()
    run: RunSettings = RunSettings()
    strategy: Mapping[str, Mapping[str, Any]] = {}

    @field_validator("suites")
    @classmethod
    def _known(cls, suites: Mapping[str, SuiteSettings]) -> Mapping[str, SuiteSettings]:
        for name in suites:
            try:
                find_suites()[name]
            except UserError as error:
                raise ValueError(str(error)) from None
        return suites

    def model_of(self, suite: str) -> ModelConfig:
        """Return the model of a suite, with the suite's maximum length."""
        length = self.suites[suite].max_length
        return self.model if length is None else self.model.model_copy(update={"max_length": length})
