"""The settings of ConjNLI."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from trivium.build.conjuncts.material import ADVERSARIAL, MNLI, SNLI, Sizes
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.settings import Settings, check_unique

Base = Literal["mnli", "snli"]
Method = Literal["aft", "iaft", "pa", "pa-iaft"]
_Number = Annotated[int, Field(ge=0)]


class DataSettings(Settings):
    """Maximum number of pairs (0: all) of MNLI and SNLI for training and for testing, and of adversarial pairs.

    ``slice`` is the number of conjunctive MNLI pairs in an epoch of IAFT (0: an equal share of all). ``own`` is a file
    of adversarial pairs that replaces the released ones; ``own_mnli`` and ``own_snli`` are files that replace the
    training data of the bases. ``mismatched`` is the release's file of MNLI's mismatched dev part
    (``multinli_1.0_dev_mismatched.jsonl``), which becomes a test of its own; no public repository has it complete.
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
    mismatched: str | None = None

    def sizes(self) -> Sizes:
        """Return the sizes by data set."""
        bases, tests = {MNLI: self.mnli, SNLI: self.snli}, {MNLI: self.mnli_test, SNLI: self.snli_test}
        files = {ADVERSARIAL: self.own, MNLI: self.own_mnli, SNLI: self.own_snli}
        own = {name: Path(file) for name, file in files.items() if file is not None}
        return Sizes(bases, tests, self.adversarial, own, None if self.mismatched is None else Path(self.mismatched))


class RunSettings(Settings):
    """The bases, encoders, methods and seeds to run.

    ``bases`` are trained with the model and with each of the further ``encoders``. ``methods`` start from the model's
    MNLI base: AFT, IAFT, and the predicate-aware model without and with IAFT, which needs a role encoder, ``roles``
    (see ``trivium train srl``). ``rounds`` is the number of epochs of IAFT. ``amounts`` are numbers of adversarial
    pairs to try with IAFT (Figure 3). With ``more_seeds`` only the MNLI base is trained, to measure its instability.
    ``annotations`` is a file that states which tested pairs are Boolean. ``fragment`` is the number of pairs of the
    Boolean fragment (Richardson et al., 2020) that replace the adversarial pairs in another run of IAFT (0: no such
    run).
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
        return check_unique(values)

    @model_validator(mode="after")
    def _check_methods(self) -> RunSettings:
        if self.methods and MNLI not in self.bases:
            raise ValueError("methods start from the MNLI base: add 'mnli' to bases, or remove all methods")
        if self.amounts and "iaft" not in self.methods:
            raise ValueError("amounts need IAFT: add 'iaft' to methods, or remove all amounts")
        if self.fragment and "iaft" not in self.methods:
            raise ValueError("fragment needs IAFT: add 'iaft' to methods, or set fragment to 0")
        repeated = [seed for seed in self.more_seeds if seed in self.seeds]
        if repeated:
            raise ValueError(f"more_seeds has {', '.join(map(str, repeated))}, which seeds has too: remove it")
        return self


class ConjSettings(Settings):
    """All settings of a run of ConjNLI: data, model, and training of bases (``train``) and methods (``adapt``).

    ``adapt`` is the training of AFT and, with one epoch, of each epoch of IAFT. ``note`` is a limitation of the preset,
    to be reported with the results.
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
    def _check_roles(self) -> ConjSettings:
        if self.model.roles is not None:
            raise ValueError("model.roles is not allowed: set run.roles, which only predicate-aware models use")
        if self.run.roles is not None and self.model.head != "dense":
            raise ValueError("model.head must be 'dense' with run.roles, so that base and PA differ only in the roles")
        return self

    @model_validator(mode="after")
    def _check_amounts(self) -> ConjSettings:
        limit = self.data.adversarial
        above = [amount for amount in self.run.amounts if limit and amount > limit]
        if above:
            raise ValueError(f"run.amounts has {above[0]}, more than data.adversarial ({limit}): lower it")
        return self

    @property
    def round_train(self) -> TrainConfig:
        """The training of an epoch of IAFT."""
        return self.adapt.model_copy(update={"epochs": 1})

    @property
    def predicate_aware(self) -> ModelConfig:
        """The model with the role encoder."""
        return self.model.model_copy(update={"roles": self.run.roles})
