"""The learner: a network with its tokenizer, training and prediction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from trivium.data.example import Example
from trivium.data.labels import NLI3, Labels
from trivium.errors import UserError
from trivium.learn.answers import Answer, cross_entropy
from trivium.learn.building import build_network, freeze
from trivium.learn.checkpoint import Checkpoints
from trivium.learn.checks import answered_rows, check_labelled, unanswerable
from trivium.learn.composing import imitates, row_logits, row_outputs
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.embeddings import trained_embeddings
from trivium.learn.imitation import imitation_loss
from trivium.learn.memory import Memory
from trivium.learn.optimizer import AdamW
from trivium.learn.parallel import Group, shared_loss
from trivium.learn.precision import check_precision
from trivium.learn.predicting import compute_in_windows
from trivium.learn.stopping import with_early_stopping
from trivium.learn.strategy import Strategy, choose_strategy
from trivium.learn.training import Progress, no_progress, run_steps, select_device, thread_count, warmup_factor
from trivium.learn.weights import load_weights, save_weights
from trivium.measure.evaluation import Evaluation, evaluate, scheme_of
from trivium.measure.outputs import align_outputs
from trivium.models.classifiers import Classifier, load_classifier
from trivium.models.encoders import is_causal, longest_input
from trivium.models.network import Answering, Output
from trivium.models.quantized import quantized
from trivium.models.tokens import Row, RowMaker
from trivium.seeds import stream, stream_seed

_KEPT_ROWS = 20_000  # to predict: the output of frozen layers is kept for at most so many, as they may be read again

__all__ = ["Answer", "Learner", "select_device", "warmup_factor"]


class Learner:
    """A model that is trained stage by stage and predicts labels.

    ``model`` is the name of an encoder, a folder, or a :class:`ModelConfig`. The encoder gets a new head for each of
    the ``tasks``, with one output for each of the ``labels``. A head answers the examples, and parts of examples, whose
    task is its name. All random choices derive from ``seed`` and the number of the stage.

    >>> from trivium.data.sources import load_source
    >>> from trivium.learn.learner import Learner
    >>> examples = load_source("builtin").examples[:16]
    >>> learner = Learner("tiny", tasks=("natural",))
    >>> learner.fit(examples, strategy="er-res").predict(examples[:1])[0] in learner.labels.names
    True

    The examples of the methods below continue this one; ``folder`` is a folder to write to.

    ``memory`` has the examples that the strategies remember, ``stage`` the examples of the stage in training, and
    ``loss_history`` the loss that the strategy returned for each optimizer step of the latest stage;
    ``held_out_history`` is the accuracy on held-out examples after each of its epochs, with ``train.patience``.
    ``optimizer`` is that of the stage in training, or of all stages so far; ``online`` is a memory in the making.
    ``base`` has the weights after the first stage and ``start`` those before this one, if a strategy needs them.
    """

    def __init__(
        self,
        model: str | Path | ModelConfig,
        *,
        labels: Labels = NLI3,
        tasks: Sequence[str] = ("nli",),
        train: TrainConfig | None = None,
        seed: int = 0,
    ) -> None:
        if not tasks or isinstance(tasks, str):
            raise UserError(f"tasks must be a sequence of names, such as ('nli',), not {tasks!r}")
        train = train or TrainConfig()
        config = model if isinstance(model, ModelConfig) else ModelConfig(name=str(model))
        self._set_up(*build_network(config, tasks, labels, train, seed), labels, train, seed)

    def _set_up(self, network: Answering, rows: RowMaker, labels: Labels, train: TrainConfig, seed: int) -> None:
        check_precision(train)
        self.train_config = train
        self.labels = labels
        self._start_over(seed)
        self.device = select_device(train.device)
        self.network = network.to(self.device)
        freeze(network, train)
        self.rows = rows
        self._seed = seed
        self._precision = train.precision

    def _start_over(self, seed: int) -> None:
        self.learning_rate = self.train_config.learning_rate
        self.rng = stream(seed, "memory", 1)
        self.memory = Memory()
        self.stage: Sequence[Example] = ()
        self.stages_fitted = 0
        self.loss_history: NDArray[np.float32] = np.zeros(0, dtype=np.float32)
        self.held_out_history: NDArray[np.float32] = np.zeros(0, dtype=np.float32)
        self.group = Group()
        self.optimizer: AdamW | None = None
        self.online: Any = None
        self.base: dict[str, Tensor] | None = None
        self.start: dict[str, Tensor] | None = None

    def reset(self, modes: Sequence[bool]) -> None:
        """Forget everything but the weights; ``modes`` says which modules of the network are in training mode.

        >>> learner.reset([module.training for module in learner.network.modules()])
        >>> learner.stages_fitted, len(learner.memory)
        (0, 0)
        """
        self._start_over(self._seed)
        self.network.zero_grad()
        for module, training in zip(self.network.modules(), modes, strict=True):
            module.training = training
        self.rows.limit()

    @classmethod
    def from_pretrained(
        cls, model: str | Path, *, train: TrainConfig | None = None, seed: int = 0, max_length: int = 128
    ) -> Learner:
        """Load a classifier of transformers, with its own head and labels, from a folder or by its name on a hub.

        Its task is "nli".

        >>> from trivium.models.classifiers import new_classifier
        >>> new_classifier("tiny", seed=0).save(folder / "model")
        >>> Learner.from_pretrained(folder / "model").labels.names
        ('entailment', 'neutral', 'contradiction')
        """
        return cls.from_classifier(load_classifier(str(model)), train or TrainConfig(), seed, max_length)

    @classmethod
    def from_classifier(cls, classifier: Classifier, train: TrainConfig, seed: int, max_length: int = 128) -> Learner:
        """Return a learner for a classifier that is already loaded.

        >>> from trivium.learn.config import TrainConfig
        >>> from trivium.models.classifiers import new_classifier
        >>> Learner.from_classifier(new_classifier("tiny", seed=0), TrainConfig(epochs=1), seed=0).tasks
        ('nli',)
        """
        limit = longest_input(classifier.model)
        between = "\n" if is_causal(classifier.model) else None
        rows = RowMaker(classifier.tokenizer, min(max_length, limit or max_length), between)
        learner = cls.__new__(cls)
        learner._set_up(classifier, rows, classifier.labels, train, seed)
        return learner

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that the model has heads for."""
        return self.network.tasks

    def fit(
        self,
        examples: Iterable[Example],
        strategy: str | Strategy = "finetune",
        *,
        settings: Mapping[str, Any] | None = None,
        progress: Progress | None = None,
    ) -> Learner:
        """Train on a split, or on any examples, as the next stage, and return the learner itself.

        ``strategy`` is the name of a strategy, with its ``settings``, or a Strategy. What it remembers of a stage is
        kept in ``memory`` for the next call; a stage that is trained with plain fine-tuning is not remembered.

        >>> learner = Learner("tiny", tasks=("natural",))
        >>> for stage in (examples[:8], examples[8:]):
        ...     learner = learner.fit(stage, "er-res", settings={"memory_size": 4})
        >>> learner.stages_fitted, len(learner.memory), learner.loss_history.shape
        (2, 4, (3,))
        """
        stage = tuple(examples)
        check_labelled(stage, self.tasks, self.labels)
        chosen = choose_strategy(strategy, settings)
        with thread_count(self.train_config.threads):
            self.memory = self.train(stage, chosen, self.memory, self.stages_fitted + 1, progress or no_progress)
        self.stages_fitted += 1
        return self

    def predict(self, examples: Iterable[Example]) -> list[str] | dict[str, list[str]]:
        """Return a label for each example.

        A learner with several tasks returns, for each task, the labels of the examples and parts of examples that have
        that task, in order.

        >>> len(learner.predict(examples))
        16
        """
        logits = self.logits(answered_rows(tuple(examples), self.tasks))
        labels = {task: [self.labels.names[i] for i in values.argmax(axis=1)] for task, values in logits.items()}
        return labels if len(self.tasks) > 1 else labels.get(self.tasks[0], [])

    def evaluate(self, examples: Iterable[Example]) -> Evaluation | dict[str, Evaluation]:
        """Return the evaluation on labelled examples; with several tasks, by task.

        Where examples and model have different label schemes, they are compared in the one with fewer labels.

        >>> result = learner.evaluate(examples)
        >>> result.examples, 0 <= result.accuracy <= 1
        (16, True)
        """
        rows = answered_rows(tuple(examples), self.tasks)
        check_labelled(rows, self.tasks, self.labels)
        results = {
            task: self._evaluate([row for row in rows if row.task == task], values)
            for task, values in self.logits(rows).items()
        }
        return results if len(self.tasks) > 1 else results[self.tasks[0]]

    def _evaluate(self, rows: Sequence[Example], logits: np.ndarray) -> Evaluation:
        scheme = scheme_of((str(row.label) for row in rows), self.labels)
        return evaluate(align_outputs(rows, logits, self.labels, scheme))

    def logits(self, examples: Iterable[Example], progress: Progress = no_progress) -> Mapping[str, np.ndarray]:
        """Return the logits of each head: one line for each example or part with its task, in order.

        >>> learner.logits(examples)["natural"].shape
        (16, 3)
        """
        network = quantized(self.network) if self._precision == "int8" else self.network

        def compute(rows: list[Row]) -> Tensor:
            logits = torch.zeros((len(rows), len(self.labels)))
            for head, values in network.logits(rows).items():
                logits[[index for index, row in enumerate(rows) if row.head == head]] = values.cpu()
            return logits

        return row_logits(self.network, tuple(examples), lambda rows: self._by_head(rows, compute, progress))

    def vectors(self, examples: Iterable[Example], progress: Progress = no_progress) -> Mapping[str, np.ndarray]:
        """Return the vectors that each head sees: one line for each example or part with its task, in order.

        >>> learner.vectors(examples)["natural"].shape
        (16, 128)
        """
        return self._by_head(examples, lambda rows: self.network.vectors(rows).float().cpu(), progress)

    def save_pretrained(self, folder: str | Path) -> None:
        """Write a classifier as a folder that transformers loads. An existing folder is replaced.

        >>> from trivium.models.classifiers import new_classifier
        >>> new_classifier("tiny", seed=0).save(folder / "model")
        >>> Learner.from_pretrained(folder / "model").save_pretrained(folder / "copy")
        >>> sorted(file.name for file in (folder / "copy").glob("*.safetensors"))
        ['model.safetensors']
        """
        if not isinstance(self.network, Classifier):
            raise UserError(
                "save_pretrained is for classifiers of transformers (Learner.from_pretrained), and this learner has "
                "heads of its own: write its weights with save('weights.safetensors')"
            )
        self.network.save(Path(folder))

    def save(self, path: str | Path) -> None:
        """Write the weights as safetensors; with an adapter, only those of adapter and heads.

        >>> learner.save(folder / "weights.safetensors")
        """
        save_weights(self.network, Path(path))

    def load(self, path: str | Path) -> None:
        """Read the weights that :meth:`save` wrote for a learner with the same model and tasks.

        >>> learner.save(folder / "weights.safetensors")
        >>> Learner("tiny", tasks=("natural",)).load(folder / "weights.safetensors")
        """
        load_weights(self.network, Path(path))

    def reads_whole(self, example: Example) -> bool:
        """Return whether the model reads an example whole, without truncation.

        >>> learner.reads_whole(examples[0])
        True
        """
        return self.rows.fits(example)

    def answers(self, examples: Sequence[Example]) -> list[Answer]:
        """Return what each head answers about a batch of examples and their parts, with gradients.

        >>> [(answer.head, tuple(answer.logits.shape)) for answer in learner.answers(examples[:4])]
        [('natural', (4, 3))]
        """
        rows = [(index, row) for index, example in enumerate(examples) for row in example.rows()]
        rows = [(index, row) for index, row in rows if self.network.has_head(row.task)]
        if examples and not rows:
            raise unanswerable(examples, self.tasks)
        with self._autocast():
            outputs = row_outputs(self.network, [row for _, row in rows], self._outputs)
        answers = []
        for head, output in outputs.items():
            of_head = [(index, row) for index, row in rows if row.task == head]
            answers.append(Answer(head, [row for _, row in of_head], [index for index, _ in of_head], *output))
        return answers

    def _outputs(self, rows: Sequence[Example]) -> Mapping[str, Output]:
        """Return the output of each head for the rows that name it, in order."""
        return self.network.outputs(self.rows.rows(rows))

    def loss(self, examples: Sequence[Example]) -> Tensor:
        """Return the sum over the heads of their mean cross-entropy (C²Gen, section 4.2).

        If several processes train together, each computes a part of it. Get the gradient with :meth:`backward` or
        :meth:`gradients`.

        >>> learner.loss(examples[:4]).shape
        torch.Size([])
        """
        if self.group.size > 1:
            return shared_loss(self, examples)
        loss = self.loss_of(self.answers(examples))
        with self._autocast():
            return loss + imitation_loss(self, examples, self._outputs) if imitates(self.network) else loss

    def loss_of(self, answers: Sequence[Answer]) -> Tensor:
        """Return the loss of answers that are already computed.

        >>> learner.loss_of(learner.answers(examples[:4])).shape
        torch.Size([])
        """
        return torch.stack([cross_entropy(answer, self.labels, "mean") for answer in answers]).sum()

    def losses(self, examples: Sequence[Example]) -> Tensor:
        """Return for each example the sum of the cross-entropies of its rows, without gradients.

        >>> learner.losses(examples[:4]).shape
        torch.Size([4])
        """
        total = torch.zeros(len(examples), device=self.device)
        with torch.no_grad():
            for answer in self.answers(examples):
                each = cross_entropy(answer, self.labels, "none")
                total.index_add_(0, torch.tensor(answer.indices, device=self.device), each)
        return total

    def backward(self, loss: Tensor) -> float:
        """Add the gradient of ``loss`` to the parameters, and return its value.

        >>> learner.backward(learner.loss(examples[:4])) > 0
        True
        """
        with self.group.averaging():
            loss.backward()  # type: ignore[no-untyped-call]
        if self.group.size > 1:
            parameters = self._trained_parameters()
            means = self.group.average(parameters, [parameter.grad for parameter in parameters])
            for parameter, mean in zip(parameters, means, strict=True):
                parameter.grad = mean
        return float(loss.detach())

    def gradients(self, loss: Tensor) -> list[Tensor | None]:
        """Return the gradient of ``loss`` for each trained parameter; None for one that it does not depend on.

        >>> any(gradient is not None for gradient in learner.gradients(learner.loss(examples[:4])))
        True
        """
        parameters = self._trained_parameters()
        with self.group.averaging():
            gradients = torch.autograd.grad(loss, parameters, allow_unused=True)
        return self.group.average(parameters, gradients)

    def _trained_parameters(self) -> list[Tensor]:
        return [parameter for parameter in self.network.parameters() if parameter.requires_grad]

    @contextmanager
    def evaluation_mode(self) -> Iterator[None]:
        """Compute without dropout and in full precision within the block.

        >>> with learner.evaluation_mode():
        ...     first, second = learner.losses(examples[:4]), learner.losses(examples[:4])
        >>> bool((first == second).all())
        True
        """
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
        progress: Progress = no_progress,
        checkpoints: Checkpoints | None = None,
        dev: Sequence[Example] = (),
    ) -> Memory:
        """Train on the stage with this number, and return the memory after it. :meth:`fit` is the simpler way.

        With ``checkpoints``, an interrupted training continues, with the same result. With ``dev``, the weights of the
        epoch that answers most of these examples are taken.

        >>> from trivium.learn.memory import Memory
        >>> from trivium.learn.strategy import make_strategy
        >>> len(learner.train(examples, make_strategy("er-res", {}), Memory(), stage=1))
        16
        """
        if examples and self.train_config.processes != self.group.size:
            raise UserError(
                f"train.processes is {self.train_config.processes}, but a Learner trains in one process: leave it out, "
                "or train with a Session, which starts the others"
            )
        trained, stopping = with_early_stopping(self, examples, stream(self._seed, "held-out", stage), dev)
        self.stage, self.online = trained, None
        self.loss_history = np.zeros(0, dtype=np.float32)
        self.rng = stream(self._seed, "memory", stage)
        order = stream(self._seed, "train", stage)
        embeddings = trained_embeddings(self, strategy, self.rows, examples, memory.examples)
        with torch.random.fork_rng(), embeddings, self.network.keeping():
            torch.manual_seed(stream_seed(self._seed, "train", stage, "dropout"))
            state = strategy.begin_stage(self, memory)
            self.network.train()
            self.loss_history = run_steps(self, trained, strategy, state, order, progress, checkpoints, stopping)
        self.held_out_history = np.array(stopping.history if stopping else (), dtype=np.float32)
        remembered = strategy.end_stage(self, trained, memory)
        if not isinstance(remembered, Memory):
            raise UserError(f"{type(strategy).__name__}.end_stage must return a Memory, returned {remembered!r}")
        return remembered

    def _by_head(
        self, examples: Iterable[Example], compute: Callable[[list[Row]], Tensor], progress: Progress
    ) -> dict[str, np.ndarray]:
        """Return what ``compute`` returns for every row, by head."""
        self.network.eval()
        inputs = tuple(examples)
        answered = [row for example in inputs for row in example.rows() if self.network.has_head(row.task)]
        if inputs and not answered:
            raise unanswerable(inputs, self.tasks)
        keeping = self.network.keeping() if len(answered) <= _KEPT_ROWS else nullcontext()
        with self._autocast(), keeping:
            values = compute_in_windows(answered, self.rows, compute, progress)
        return {head: values[[row.task == head for row in answered]] for head in sorted({row.task for row in answered})}

    def _autocast(self) -> torch.autocast | nullcontext[None]:
        if self._precision != "bf16":
            return nullcontext()
        return torch.autocast(self.device.type, dtype=torch.bfloat16)
