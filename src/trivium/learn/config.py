"""What a user may set about a model and its training. Imports no torch."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from trivium.settings import Settings

Pooling = Literal["first", "mean", "last", "end"]
Precision = Literal["fp32", "bf16"]
Device = Literal["cpu", "cuda"]


class AdapterConfig(Settings):
    """Low-rank matrices that are trained beside a frozen encoder (LoRA); without targets, the usual layers."""

    rank: Annotated[int, Field(ge=1)] = 8
    alpha: Annotated[int, Field(ge=1)] = 16
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.05
    targets: tuple[str, ...] = ()


class ModelConfig(Settings):
    """Which encoder, and how its vector is made; ``revision`` is a commit, tag or branch of a name on a hub.

    With ``head = "own"`` the model is a classifier, which answers with its own head, in its own way; with ``"new"`` it
    becomes such a classifier, with a new head of the kind that its family has; with ``"dense"``
    there is a trained layer with tanh between the vector and the new heads, as in RoBERTa's classifier.

    The vector is that of the first token, of the last (for models that read from left to right), of the decoder at the
    end (for encoder–decoders), or the mean of all.

    With ``roles``, the folder of a role encoder (see ``trivium train srl``), the vector is fused with those that this
    one, which is not trained, gives for premise and hypothesis, each brought to ``roles_width`` values (ConjNLI's PA).
    The fusion is such a layer with a wider input: what a model without roles is compared with has ``head = "dense"``.
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

    def inputs(self) -> dict[str, Any]:
        """The settings that a result depends on; where models lie is no matter, for steps know them by their weights.

        Settings of what a model has not are left out: they change no result.
        """
        absent = {"roles_width"} if self.roles is None else set()
        return self.model_dump(exclude={"name", "revision", "roles", *absent}, exclude_none=True)

    @model_validator(mode="after")
    def _roles_need_new_heads(self) -> ModelConfig:
        if self.roles is not None and self.head == "own":
            raise ValueError("roles are fused before new heads, and a classifier with head = 'own' keeps its own")
        return self


class TrainConfig(Settings):
    """How a stage is trained. The defaults are C²Gen's (section 5.4), which does not state the number of epochs.

    ``frozen`` embeddings are not trained: with a small encoder that saves a fifth of the time. ``threads`` is part of
    a result: sums in another order round differently. So is the ``device``, which is never chosen by itself.
    """

    learning_rate: Annotated[float, Field(gt=0, lt=1)] = 1e-5
    batch_size: Annotated[int, Field(ge=1)] = 8
    epochs: Annotated[int, Field(ge=1)] = 3
    warmup: Annotated[float, Field(ge=0, le=1)] = 0.0
    frozen: Literal["nothing", "embeddings"] = "nothing"
    clip: Annotated[float, Field(gt=0)] = 1.0
    precision: Precision = "fp32"
    device: Device = "cpu"
    threads: Annotated[int, Field(ge=1)] = 1
