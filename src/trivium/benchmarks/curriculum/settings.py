"""What can be set about a run of CURRICULUM, and its presets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from trivium.build.phenomena.selection import PhenomenonSizes
from trivium.data.phenomena import phenomena_of
from trivium.data.sources.anli import ROUNDS
from trivium.errors import UserError, did_you_mean
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.settings import Settings, each_once

Test = Literal["zero-shot", "difficulty", "inoculation", "hypothesis-only", "generalization", "sequential"]
TESTS: tuple[Test, ...] = (
    "zero-shot", "difficulty", "inoculation", "hypothesis-only", "generalization", "sequential",
)  # fmt: skip
Size = Annotated[int, Field(ge=1)]
_LING = ("semantic", "ester", "drop", "temp")
_SELECTIONS = {"ling": _LING, "ling+": (*_LING, "lex-ent", "syn-var")}


class BaseSettings(Settings):
    """What the NLI model is trained on before it is diagnosed: sources, and at most so many pairs of each (0: all).

    Pairs of a source's test part are left out. With ``model.head = "own"`` the model is a classifier, and is diagnosed
    as it is.
    """

    data: tuple[str, ...] = ("snli", "mnli", "anli", "sick-semeval")
    limit: Annotated[int, Field(ge=0)] = 0

    @field_validator("data")
    @classmethod
    def _each_once(cls, values: tuple[str, ...]) -> tuple[str, ...]:
        return each_once(values)


class RunSettings(Settings):
    """Which phenomena (names or categories; none named is all), tests and seeds are run.

    ``sizes`` are the numbers of examples of each label for inoculation; hypotheses alone are trained on as many as the
    largest of them, as far as there are. ``at`` is where a phenomenon is divided into simple and hard.
    """

    phenomena: tuple[str, ...] = ()
    tests: Annotated[tuple[Test, ...], Field(min_length=1)] = TESTS
    sizes: Annotated[tuple[Size, ...], Field(min_length=1)] = (10, 50, 100, 250, 500, 1000)
    at: Literal["median", "middle"] = "median"
    seeds: Annotated[tuple[int, ...], Field(min_length=1)] = (0, 1, 2)

    @field_validator("phenomena", "tests", "sizes", "seeds")
    @classmethod
    def _each_once(cls, values: tuple[object, ...]) -> tuple[object, ...]:
        return each_once(values)

    @field_validator("phenomena")
    @classmethod
    def _known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return _known_phenomena(names)


class SequentialSettings(Settings):
    """Section 6: an intermediate stage, then few examples of each ANLI round.

    ``selections`` are the phenomena (or categories) of each strategy's intermediate stage, ``sources`` those strategies
    whose intermediate stage is a data set, with ``each`` examples of each label of a phenomenon and ``most`` pairs of
    a data set. The strategy ``direct`` has no intermediate stage. ``sizes`` are examples of each label of a round.
    """

    rounds: Annotated[tuple[str, ...], Field(min_length=1)] = ROUNDS
    sizes: Annotated[tuple[Size, ...], Field(min_length=1)] = (50, 100, 250)
    sources: tuple[str, ...] = ("mnli", "snli")
    selections: Mapping[str, Annotated[tuple[str, ...], Field(min_length=1)]] = _SELECTIONS
    each: Size = 1000
    most: Size = 20_000

    @field_validator("rounds")
    @classmethod
    def _rounds(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if name not in ROUNDS:
                raise ValueError(f"there is no round {name!r}: {did_you_mean(name, ROUNDS)}")
        return each_once(names)

    @field_validator("selections")
    @classmethod
    def _selections(cls, chosen: Mapping[str, tuple[str, ...]]) -> Mapping[str, tuple[str, ...]]:
        for names in chosen.values():
            _known_phenomena(names)
        return chosen

    @model_validator(mode="after")
    def _names_apart(self) -> SequentialSettings:
        each_once(("direct", *self.sources, *self.selections))
        return self


class CurriculumSettings(Settings):
    """Everything about a run of CURRICULUM.

    ``source`` is ``curriculum`` (what the authors released), ``builtin`` (made by Trivium's grammars), or ``auto``: of
    each phenomenon the released examples if they are there, else made ones. ``train`` is for the model itself and for
    intermediate stages, ``inoculate`` for what is trained after it. ``note`` is what a reader of the results must know
    about the preset.
    """

    note: str = ""
    source: Literal["curriculum", "builtin", "auto"] = "curriculum"
    data_seed: int = 0
    data: PhenomenonSizes = PhenomenonSizes()
    base: BaseSettings = BaseSettings()
    model: ModelConfig = ModelConfig()
    train: TrainConfig = TrainConfig(epochs=2)
    inoculate: TrainConfig = TrainConfig(epochs=2)
    run: RunSettings = RunSettings()
    sequential: SequentialSettings = SequentialSettings()


def _known_phenomena(names: tuple[str, ...]) -> tuple[str, ...]:
    try:
        phenomena_of(names)
    except UserError as error:
        raise ValueError(str(error)) from None
    return names
