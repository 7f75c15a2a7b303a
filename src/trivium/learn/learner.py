"""A model, its tokenizer, optimizer and batches: it trains on a stage and predicts a split. Knows nothing of papers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn import functional

from trivium.data.example import Example
from trivium.data.labels import NLI3, Labels
from trivium.errors import UserError
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.memory import Memory
from trivium.learn.strategy import Strategy
from trivium.models.adapters import add_lora, has_adapter
from trivium.models.classifiers import Classifier
from trivium.models.encoders import Encoder, load_encoder, longest_input, poolings, reads_on
from trivium.models.network import Answering, Network
from trivium.models.roles import Dense, Fusion, load_roles
from trivium.models.tokens import Row, RowMaker
from trivium.seeds import stream, stream_seed

_PREDICT_BATCH = 64


class Answer(NamedTuple):
    """What one head says: the rows it was asked, the place of each row's example, logits and the encoder's vectors."""

    head: str
    rows: list[Example]
    places: list[int]
    logits: Tensor
    vectors: Tensor

    def by_row(self) -> Iterator[tuple[Example, Tensor]]:
        """Each row with its logits."""
        return zip(self.rows, self.logits, strict=True)


class Learner:
    """Trains and predicts. Its random choices come from streams of the seed and the stage's number.

    ``stage`` are the examples that are being trained. ``loss_history`` has the loss that the strategy returned for each
    optimizer step of the latest training, in order.
    """

    def __init__(
        self, network: Answering, rows: RowMaker, train: TrainConfig, seed: int, labels: Labels = NLI3
    ) -> None:
        self.train_config = train
        self.labels = labels
        self.learning_rate = train.learning_rate
        self.rng = stream(seed, "memory", 1)
        self.stage: Sequence[Example] = ()
        self.loss_history: NDArray[np.float32] = np.zeros(0, dtype=np.float32)
        self.device = open_device(train.device)
        self.network = network.to(self.device)
        if train.frozen == "embeddings":
            network.freeze_embeddings()
        self._rows = rows
        self._seed = seed
        self._precision = train.precision

    @classmethod
    def of_encoder(
        cls, model: ModelConfig, heads: Sequence[str], train: TrainConfig, seed: int, labels: Labels = NLI3
    ) -> Learner:
        """An encoder with new heads."""
        encoder = load_encoder(model.name, seed, model.revision)
        limit = longest_input(encoder.model)
        if limit is not None and model.max_length > limit:
            raise UserError(
                f"model.max_length is {model.max_length}, but {model.name!r} reads at most {limit} tokens: lower it"
            )
        if model.pooling not in (right := poolings(encoder.model)):
            raise UserError(
                f"model.pooling is {model.pooling!r}, but for {model.name!r} it must be {' or '.join(right)}"
            )
        if model.adapter is not None:
            chosen = model.adapter
            add_lora(encoder.model, chosen.rank, chosen.alpha, chosen.dropout, chosen.targets, seed)
        outputs = {head: len(labels) for head in heads}
        fusion = _fusion(model, encoder, train, seed)
        network = Network(encoder.model, outputs, model.pooling, model.dropout, seed, fusion)
        between = "\n" if reads_on(encoder.model) else None
        return cls(network, RowMaker(encoder.tokenizer, model.max_length, between), train, seed, labels)

    @classmethod
    def of_classifier(cls, classifier: Classifier, train: TrainConfig, seed: int, max_length: int = 128) -> Learner:
        """A classifier as it is, with its own head."""
        limit = longest_input(classifier.model)
        between = "\n" if reads_on(classifier.model) else None
        rows = RowMaker(classifier.tokenizer, min(max_length, limit or max_length), between)
        return cls(classifier, rows, train, seed, classifier.labels)

    def save(self, path: Path) -> None:
        """Write the weights; with an adapter, those of adapter and heads alone."""
        weights = {name: tensor.contiguous().cpu() for name, tensor in self._stored().items()}
        save_file(weights, path)

    def load(self, path: Path) -> None:
        """Read the weights that :meth:`save` wrote."""
        found = load_file(path)
        if set(found) != set(self._stored()):
            raise UserError(f"{path}: these are not the weights of this model")
        self.network.load_state_dict(found, strict=False)

    def _stored(self) -> dict[str, Tensor]:
        state, seen = {}, set()
        for name, tensor in self.network.state_dict().items():
            if tensor.data_ptr() not in seen:  # embeddings that encoder and decoder share are stored once
                state[name] = tensor
                seen.add(tensor.data_ptr())
        if not has_adapter(self.network):
            return state
        trained = {name for name, parameter in self.network.named_parameters() if parameter.requires_grad}
        return {name: tensor for name, tensor in state.items() if name in trained}

    def fits(self, example: Example) -> bool:
        """Whether the model reads an example whole."""
        return self._rows.fits(example)

    def answers(self, examples: Sequence[Example]) -> list[Answer]:
        """What each head says about the examples and their parts."""
        asked = [(place, row) for place, example in enumerate(examples) for row in example.rows()]
        asked = [(place, row) for place, row in asked if self.network.has_head(row.task)]
        with self._autocast():
            outputs = self.network.outputs(self._rows.rows([row for _, row in asked]))
        found = []
        for head, output in outputs.items():
            mine = [(place, row) for place, row in asked if row.task == head]
            found.append(Answer(head, [row for _, row in mine], [place for place, _ in mine], *output))
        return found

    def loss(self, examples: Sequence[Example]) -> Tensor:
        """The sum over the heads of their mean cross-entropy (C²Gen, section 4.2)."""
        return self.loss_of(self.answers(examples))

    def loss_of(self, answers: Sequence[Answer]) -> Tensor:
        """The loss of examples that the model has answered."""
        return torch.stack([self._entropies(answer, "mean") for answer in answers]).sum()

    def losses(self, examples: Sequence[Example]) -> Tensor:
        """For each example the sum of the cross-entropies of its rows; no gradient."""
        total = torch.zeros(len(examples), device=self.device)
        with torch.no_grad():
            for answer in self.answers(examples):
                each = self._entropies(answer, "none")
                total.index_add_(0, torch.tensor(answer.places, device=self.device), each)
        return total

    def backward(self, loss: Tensor) -> float:
        """Leave the gradient of ``loss`` in the parameters, and give its value."""
        loss.backward()  # type: ignore[no-untyped-call]
        return float(loss.detach())

    @contextmanager
    def exactly(self) -> Iterator[None]:
        """Within: no dropout, and full precision."""
        was_training, was_precision = self.network.training, self._precision
        self.network.eval()
        self._precision = "fp32"
        try:
            yield
        finally:
            self.network.train(was_training)
            self._precision = was_precision

    def train(
        self,
        examples: Sequence[Example],
        strategy: Strategy,
        memory: Memory,
        stage: int,
        progress: Callable[[int, int], None] = lambda done, of: None,
    ) -> Memory:
        """Train on a stage, and give what is remembered after it."""
        config = self.train_config
        self.stage = examples
        self.loss_history = np.zeros(0, dtype=np.float32)
        losses: list[float] = []
        self.rng = stream(self._seed, "memory", stage)
        order = stream(self._seed, "train", stage)
        total = config.epochs * -(-len(examples) // config.batch_size)
        with torch.random.fork_rng():
            torch.manual_seed(stream_seed(self._seed, "train", stage, "dropout"))
            state = strategy.begin_stage(self, memory)
            self.network.train()
            parameters = [parameter for parameter in self.network.parameters() if parameter.requires_grad]
            optimizer = torch.optim.AdamW(parameters, lr=config.learning_rate, weight_decay=0.0, fused=True)
            for number, batch in enumerate(self._batches(examples, order)):
                self.learning_rate = config.learning_rate * warmed(number, total, config.warmup)
                for group in optimizer.param_groups:
                    group["lr"] = self.learning_rate
                optimizer.zero_grad(set_to_none=True)
                loss = strategy.step(self, batch, state)
                losses.append(np.nan if loss is None else float(loss))  # a user's strategy may return nothing
                if all(parameter.grad is None for parameter in parameters):
                    raise UserError(
                        f"the strategy {type(strategy).__name__} left no gradient behind: its step must end with "
                        "learner.backward(loss)"
                    )
                length = torch.nn.utils.clip_grad_norm_(parameters, config.clip)
                if not torch.isfinite(length):
                    raise UserError(
                        f"training diverged at step {number + 1} of {total} (the gradient is {float(length)}): "
                        "lower the learning rate (train.learning_rate)"
                    )
                optimizer.step()
                progress(number + 1, total)
        self.loss_history = np.array(losses, dtype=np.float32)
        return strategy.end_stage(self, examples, memory)

    def logits(
        self, examples: Sequence[Example], progress: Callable[[int, int], None] = lambda done, of: None
    ) -> Mapping[str, np.ndarray]:
        """The logits of each head, one line for each example that it answers, in order."""

        def ask(rows: list[Row]) -> Tensor:
            answers = self.network.logits(rows)
            found = torch.zeros((len(rows), len(self.labels)))
            for head, values in answers.items():
                found[[place for place, row in enumerate(rows) if row.head == head]] = values.cpu()
            return found

        return self._by_head(examples, ask, progress)

    def represent(
        self, examples: Sequence[Example], progress: Callable[[int, int], None] = lambda done, of: None
    ) -> Mapping[str, np.ndarray]:
        """The encoder's vector of each example that a head answers, by head, in order."""
        return self._by_head(examples, lambda rows: self.network.vectors(rows).float().cpu(), progress)

    def _by_head(
        self, examples: Sequence[Example], ask: Callable[[list[Row]], Tensor], progress: Callable[[int, int], None]
    ) -> dict[str, np.ndarray]:
        """What the network in evaluation says about every row, rows of similar length at a time."""
        self.network.eval()
        asked = [row for example in examples for row in example.rows() if self.network.has_head(row.task)]
        rows = self._rows.rows(asked)
        order = sorted(range(len(rows)), key=lambda place: len(rows[place].ids))
        pieces = []
        for start in range(0, len(order), _PREDICT_BATCH):
            with torch.no_grad(), self._autocast():
                pieces.append(ask([rows[place] for place in order[start : start + _PREDICT_BATCH]]))
            progress(min(start + _PREDICT_BATCH, len(order)), len(order))
        found = torch.cat(pieces).numpy() if pieces else np.zeros((0, len(self.labels)), dtype=np.float32)
        back = np.empty_like(found)
        back[order] = found
        return {head: back[[row.task == head for row in asked]] for head in sorted({row.task for row in asked})}

    def _entropies(self, answer: Answer, reduction: Literal["mean", "none"]) -> Tensor:
        """The cross-entropy; a label that several outputs may mean has the sum of their probabilities."""
        places = [self.labels.places(str(row.label)) for row in answer.rows]
        if all(len(each) == 1 for each in places):
            gold = torch.tensor([place for (place,) in places], device=self.device)
            return functional.cross_entropy(answer.logits, gold, reduction=reduction)
        meant = torch.zeros(answer.logits.shape, dtype=torch.bool, device=self.device)
        for row, each in enumerate(places):
            meant[row, list(each)] = True
        whole, part = answer.logits, answer.logits.masked_fill(~meant, float("-inf"))
        found = torch.logsumexp(whole, 1) - torch.logsumexp(part, 1)
        return found.mean() if reduction == "mean" else found

    def _batches(self, examples: Sequence[Example], order: np.random.Generator) -> Iterator[list[Example]]:
        size = self.train_config.batch_size
        for _ in range(self.train_config.epochs):
            places = order.permutation(len(examples))
            for start in range(0, len(places), size):
                yield [examples[place] for place in places[start : start + size]]

    def _autocast(self) -> torch.autocast | nullcontext[None]:
        if self._precision == "fp32":
            return nullcontext()
        return torch.autocast(self.device.type, dtype=torch.bfloat16)


def _fusion(model: ModelConfig, encoder: Encoder, train: TrainConfig, seed: int) -> Fusion | Dense | None:
    width = int(encoder.model.config.hidden_size)  # type: ignore[union-attr, arg-type]
    if model.roles is None:
        return Dense(width, seed) if model.head == "dense" else None
    roles = load_roles(model.roles, model.max_length, open_device(train.device))
    return Fusion(roles, width, model.roles_width, seed)


def open_device(name: str) -> torch.device:
    """The device to compute on; an error if there is none."""
    if name == "cuda":
        if not torch.cuda.is_available():
            raise UserError("train.device is 'cuda', but torch finds no such device here: --set train.device=cpu")
        # The same inputs must give the same bytes, for which cuBLAS wants a setting of its own.
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        torch.use_deterministic_algorithms(True)
    return torch.device(name)


def warmed(step: int, total: int, share: float) -> float:
    """The learning rate's factor: rises in a line over the first ``share`` of the steps, then stays."""
    return min(1.0, (step + 1) / max(1.0, share * total))
