"""The settings of a model and of its training. Imports no torch."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, field_validator, model_serializer, model_validator

from trivium.models.composer import HEAD, find_composers
from trivium.plugins import plugin_hash
from trivium.settings import Settings

Pooling = Literal["first", "mean", "last", "end"]
Precision = Literal["fp32", "bf16", "int8"]
Device = Literal["cpu", "cuda"]


class AdapterConfig(Settings):
    """LoRA: low-rank matrices that are trained while the encoder is frozen.

    ``targets`` are the layers that get them; by default, those that are common for the model type.
    """

    rank: Annotated[int, Field(ge=1)] = 8
    alpha: Annotated[int, Field(ge=1)] = 16
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.05
    targets: tuple[str, ...] = ()


class ModelConfig(Settings):
    """Which model is used, and how it turns a pair into a vector and the vector into an answer.

    ``name`` is an embedded encoder, a folder, or a name on a hub; ``revision`` is a commit, tag or branch on that hub.

    ``pooling`` selects the vector of a pair: that of the first token, that of the last token (models that read from
    left to right), that of the decoder at the end of the input (encoder–decoders), or the mean over all tokens.

    ``head`` is ``"own"`` for a classifier that answers with its own head, ``"new"`` for an encoder that gets a new head
    like that of its family's classifiers, and ``"dense"`` for a trained layer with tanh between the vector and
    the new heads, as in RoBERTa's classifier.

    ``roles`` is the folder of a role encoder (see ``trivium train srl``), which is not trained. Its vectors of premise
    and hypothesis, each projected to ``roles_width`` values, are fused with the vector of the pair (ConjNLI's
    predicate-aware models). The fusion is the dense layer with a wider input, so compare it with ``head = "dense"``.
    ``dense_dropout`` is dropout on the input of the fusion or of the dense layer, as in the code of ConjNLI's authors
    and in RoBERTa's classifier; ``dropout`` is on its output.

    ``composer`` is how compositions such as (x VERB to S, H) are answered: by a head (``"head"``), or from the answers
    about their parts (see ``trivium list composers``).
    """

    name: str = "minilm"
    revision: str | None = None
    pooling: Pooling = "first"
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.1
    max_length: Annotated[int, Field(ge=8, le=8192)] = 128
    adapter: AdapterConfig | None = None
    head: Literal["own", "new", "dense"] | None = None
    roles: str | None = None
    roles_width: Annotated[int, Field(ge=1, le=4096)] = 40
    dense_dropout: Annotated[float, Field(ge=0, lt=1)] = 0.0
    composer: str = HEAD

    def inputs(self) -> dict[str, Any]:
        """Return the settings that a step's key depends on.

        Names and folders are left out, because a step identifies its models by their weights. So is ``roles_width``
        without ``roles``, because it changes no result.
        """
        unused = {"roles_width"} if self.roles is None else set()
        inputs = self.model_dump(exclude={"name", "revision", "roles", *unused}, exclude_none=True)
        if self.composer != HEAD:
            inputs["composer_revision"] = 2  # 2: compositions that the head answers do not displace other rows
            if (plugin := plugin_hash(find_composers()[self.composer])) is not None:
                inputs["composer_plugin"] = plugin
        return inputs

    @model_serializer(mode="wrap")
    def _leave_out_later_fields(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out defaults that came later, so that step keys and run names are those of earlier versions."""
        values: dict[str, Any] = serialize(self)
        later: dict[str, Any] = {"composer": HEAD, "dense_dropout": 0.0}
        return {name: value for name, value in values.items() if name not in later or value != later[name]}

    @model_validator(mode="after")
    def _roles_need_new_heads(self) -> ModelConfig:
        if self.roles is not None and self.head == "own":
            raise ValueError("roles need new heads: they cannot be combined with head = 'own'")
        return self

    @model_validator(mode="after")
    def _dense_dropout_needs_a_layer(self) -> ModelConfig:
        if self.dense_dropout and self.roles is None and self.head != "dense":
            raise ValueError("dense_dropout is for head = 'dense' or roles: set one of them, or dense_dropout to 0")
        return self


class TrainConfig(Settings):
    """How a stage is trained. The defaults are C²Gen's (section 5.4), except for the epochs, which it does not state.

    ``warmup`` is the share of all steps over which the learning rate rises, or ``warmup_steps`` their number; ``clip``
    is the maximum gradient norm. With ``frozen = "embeddings"`` the token embeddings are not trained, which saves a
    fifth of the time with a small encoder. With ``frozen = "lower:K"`` neither are the first K layers: their output,
    without dropout, is computed once for each row and kept for all epochs (for BERT and RoBERTa). Results depend on
    ``threads`` and ``device``, because sums in another order round differently; the device is therefore never chosen
    automatically.

    With ``patience`` above 0, a share of ``held_out`` of each stage is not trained on; training ends when the accuracy
    on it has not grown for that many epochs, ``epochs`` at the latest, and the weights of the best epoch are taken.

    ``precision`` is that of matrix products. With ``int8`` only predictions are computed in it, on a CPU: they are
    faster, and a few labels change. Training is then in fp32.

    ``processes`` is the number of processes, each with its own ``threads`` or its own GPU, that share the work of every
    batch. Results depend on it too.

    ``optimizer`` is ``"new"`` for a new optimizer in each stage, and ``"kept"`` for one throughout, whose moments go on
    from stage to stage, as in the code of C²Gen's authors.
    """

    learning_rate: Annotated[float, Field(gt=0, lt=1)] = 1e-5
    batch_size: Annotated[int, Field(ge=1)] = 8
    epochs: Annotated[int, Field(ge=1)] = 3
    warmup: Annotated[float, Field(ge=0, le=1)] = 0.0
    frozen: str = "nothing"
    clip: Annotated[float, Field(gt=0)] = 1.0
    precision: Precision = "fp32"
    device: Device = "cpu"
    threads: Annotated[int, Field(ge=1)] = 1
    processes: Annotated[int, Field(ge=1)] = 1
    patience: Annotated[int, Field(ge=0)] = 0
    held_out: Annotated[float, Field(gt=0, le=0.5)] = 0.1
    optimizer: Literal["new", "kept"] = "new"
    warmup_steps: Annotated[int, Field(ge=0)] = 0

    @field_validator("frozen")
    @classmethod
    def _frozen_is_known(cls, value: str) -> str:
        if not re.fullmatch("nothing|embeddings|lower:[1-9][0-9]*", value):
            raise ValueError("must be 'nothing', 'embeddings' or 'lower:K', with K the number of layers")
        return value

    @property
    def frozen_layers(self) -> int:
        """The number of layers that are not trained.

        >>> TrainConfig(frozen="lower:4").frozen_layers
        4
        """
        return int(self.frozen.removeprefix("lower:")) if self.frozen.startswith("lower:") else 0

    @model_validator(mode="after")
    def _warms_up_once(self) -> TrainConfig:
        if self.warmup and self.warmup_steps:
            raise ValueError("warmup and warmup_steps are two ways to say the same: set one of them to 0")
        return self

    @model_validator(mode="after")
    def _int8_needs_a_cpu(self) -> TrainConfig:
        if self.precision == "int8" and self.device != "cpu":
            raise ValueError(f"precision int8 is for the cpu: use precision fp32 or bf16 with device {self.device}")
        return self

    @model_serializer(mode="wrap")
    def _leave_out_later_fields(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out defaults that came later, so that step keys and run names are those of earlier versions."""
        values: dict[str, Any] = serialize(self)
        later: dict[str, Any] = {"processes": 1, "patience": 0, "optimizer": "new", "warmup_steps": 0}
        if not self.patience:
            later["held_out"] = self.held_out
        return {name: value for name, value in values.items() if name not in later or value != later[name]}
