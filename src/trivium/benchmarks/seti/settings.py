"""The settings of SETI."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, field_validator, model_serializer, model_validator

from trivium.build.splits.systematicity import SETTINGS, SystematicSizes
from trivium.errors import did_you_mean
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.settings import Settings, check_unique

Configuration = Literal["compositional", "in-distribution"]
_NAMES = tuple(setting.name for setting in SETTINGS)


class RunSettings(Settings):
    """The settings, configurations and seeds to run.

    ``shots`` are the numbers of few-shot examples (section 5.2), for the settings in which the paper uses them; each
    seed draws its own. The model is trained on them for ``shot_epochs`` epochs. ``depths`` are numbers of verbs in a
    chain, each tested on about ``depth_test`` examples with the in-distribution model of ``task2-trivial``, which was
    trained on all rules with one verb. ``composers`` are run besides ``model.composer``, to compare them.

    ``models`` are run besides ``model.name``, for Figure 1 with several models; ``name:pooling`` gives one its own
    pooling, such as ``gpt2-large:last``. With ``shot_data = "mixed"`` a model is trained on its training data and the
    shots together, instead of on the shots afterwards.
    """

    settings: Annotated[tuple[str, ...], Field(min_length=1)] = _NAMES
    configurations: Annotated[tuple[Configuration, ...], Field(min_length=1)] = ("compositional", "in-distribution")
    seeds: Annotated[tuple[int, ...], Field(min_length=1)] = (0, 1, 2, 3, 4)
    shots: tuple[Annotated[int, Field(ge=1)], ...] = (1, 2, 3, 4, 8, 16, 32, 64, 128)
    shot_epochs: Annotated[int, Field(ge=1)] = 3
    depths: tuple[Annotated[int, Field(ge=1, le=6)], ...] = ()
    depth_test: Annotated[int, Field(ge=2)] = 400
    composers: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    shot_data: Literal["alone", "mixed"] = "alone"

    @model_serializer(mode="wrap")
    def _leave_out_later_fields(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out defaults that came later, so that run names are those of earlier versions."""
        values: dict[str, Any] = serialize(self)
        later: dict[str, tuple[object, ...]] = {"composers": ((), []), "models": ((), []), "shot_data": ("alone",)}
        return {name: value for name, value in values.items() if value not in later.get(name, ())}

    @field_validator("settings", "configurations", "seeds", "shots", "depths", "composers", "models")
    @classmethod
    def _each_once(cls, values: tuple[object, ...]) -> tuple[object, ...]:
        return check_unique(values)

    @model_validator(mode="after")
    def _check_depths(self) -> RunSettings:
        if self.depths and not ("task2-trivial" in self.settings and "in-distribution" in self.configurations):
            raise ValueError(
                "depths needs task2-trivial in settings and in-distribution in configurations: add both, or clear it"
            )
        return self

    @field_validator("settings")
    @classmethod
    def _known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if name not in _NAMES:
                raise ValueError(f"unknown SETI setting {name!r}: {did_you_mean(name, _NAMES)}")
        return names


class SetiSettings(Settings):
    """All settings of a run of SETI.

    ``source`` may be ``auto``: SICK if available, else the built-in grammar. ``note`` is a limitation of the preset, to
    be reported with the results.
    """

    note: str = ""
    source: str = "sick"
    data_seed: int = 0
    data: SystematicSizes = SystematicSizes()
    model: ModelConfig = ModelConfig()
    train: TrainConfig = TrainConfig(batch_size=16)
    run: RunSettings = RunSettings()
