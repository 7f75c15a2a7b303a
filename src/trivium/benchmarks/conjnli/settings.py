"""What can be set about a run of ConjNLI, and its presets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from trivium.build.conjuncts.material import ADVERSARIAL, MNLI, SNLI, Sizes
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.settings import Settings, each_once

Base = Literal["mnli", "snli"]
Method = Literal["aft", "iaft", "pa", "pa-iaft"]
_Number = Annotated[int, Field(ge=0)]


class DataSettings(Settings):
    """How many pairs, at most (0: all): of MNLI and SNLI to train and to test, and of the adversarial data.

    ``slice`` is how many conjunctive pairs of MNLI an epoch of IAFT sees (0: an equal share of all). ``own`` is a file
    of adversarial pairs to train on instead of the released ones, ``own_mnli`` and ``own_snli`` are
    such files of bases.
    """

    mnli: _Number = 0
    snli: _Number = 0
    mnli_test: _Number = 0
    snli_test: _Number = 0
    adversarial: _Number = 15000
    slice: _Number = 15000
    own: str | None = None
    own_mnli: str | None = None
    own_snli: str | None = None

    def sizes(self) -> Sizes:
        """The sizes by data set."""
        bases, tests = {MNLI: self.mnli, SNLI: self.snli}, {MNLI: self.mnli_test, SNLI: self.snli_test}
        files = {ADVERSARIAL: self.own, MNLI: self.own_mnli, SNLI: self.own_snli}
        own = {name: Path(file) for name, file in files.items() if file is not None}
        return Sizes(bases, tests, self.adversarial, own)


class RunSettings(Settings):
    """Which models are trained. ``bases`` are of each encoder; ``encoders`` are further ones beside the model.

    ``methods`` start from the MNLI base of the model: AFT, IAFT, and the predicate-aware model alone and with IAFT,
    for which ``roles`` names a role encoder (see ``trivium train srl``). ``rounds`` is how many epochs IAFT has.
    ``amounts`` of adversarial data are tried with IAFT (Figure 3). With ``more_seeds`` only the MNLI base is trained,
    for how much it varies. ``annotations`` is a file that says which tested pairs are Boolean. ``fragment`` is how many
    pairs of the Boolean fragment (Richardson et al., 2020) IAFT is tried with instead of adversarial ones (0: not).
    """

    bases: Annotated[tuple[Base, ...], Field(min_length=1)] = ("snli", "mnli")
    encoders: tuple[str, ...] = ()
    methods: tuple[Method, ...] = ("aft", "iaft", "pa", "pa-iaft")
    rounds: Annotated[int, Field(ge=1)] = 3
    amounts: tuple[Annotated[int, Field(ge=1)], ...] = ()
    roles: str | None = None
    seeds: Annotated[tuple[int, ...], Field(min_length=1)] = (0,)
    more_seeds: tuple[int, ...] = ()
    annotations: str | None = None
    fragment: _Number = 0

    @field_validator("bases", "encoders", "methods", "amounts", "seeds", "more_seeds")
    @classmethod
    def _each_once(cls, values: tuple[object, ...]) -> tuple[object, ...]:
        return each_once(values)

    @model_validator(mode="after")
    def _fitting(self) -> RunSettings:
        if self.methods and MNLI not in self.bases:
            raise ValueError("methods start from the base on MNLI: leave 'mnli' in bases, or name no methods")
        if self.amounts and "iaft" not in self.methods:
            raise ValueError("amounts are tried with IAFT: name 'iaft' in methods, or no amounts")
        if self.fragment and "iaft" not in self.methods:
            raise ValueError("fragment: its pairs are tried with IAFT: name 'iaft' in methods, or leave fragment at 0")
        both = [seed for seed in self.more_seeds if seed in self.seeds]
        if both:
            raise ValueError(f"more_seeds: {', '.join(map(str, both))} is in seeds already")
        return self


class ConjSettings(Settings):
    """Everything about a run of ConjNLI: data, model, the training of bases, and how they are adapted.

    ``adapt`` is for AFT; each epoch of IAFT is trained with it too, for one epoch. ``note`` is what a reader of the
    results must know about the preset.
    """

    note: str = ""
    source: Literal["conjnli", "builtin"] = "conjnli"
    data_seed: int = 0
    data: DataSettings = DataSettings()
    model: ModelConfig = ModelConfig()
    train: TrainConfig = TrainConfig()
    adapt: TrainConfig = TrainConfig()
    run: RunSettings = RunSettings()

    @model_validator(mode="after")
    def _roles_of_the_run(self) -> ConjSettings:
        if self.model.roles is not None:
            raise ValueError("model.roles: only the predicate-aware models have a role encoder: name it as run.roles")
        if self.run.roles is not None and self.model.head != "dense":
            raise ValueError("model.head must be 'dense' with run.roles: the base then differs from PA by roles alone")
        return self

    @model_validator(mode="after")
    def _amounts_that_there_are(self) -> ConjSettings:
        most = self.data.adversarial
        above = [amount for amount in self.run.amounts if most and amount > most]
        if above:
            raise ValueError(f"run.amounts: {above[0]} is more than data.adversarial, which is {most}")
        return self

    @property
    def round_train(self) -> TrainConfig:
        """How an epoch of IAFT is trained."""
        return self.adapt.model_copy(update={"epochs": 1})

    @property
    def predicate_aware(self) -> ModelConfig:
        """The model with the role encoder."""
        return self.model.model_copy(update={"roles": self.run.roles})
