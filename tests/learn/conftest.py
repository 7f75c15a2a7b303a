"""Small learners and examples, and the formulas of C²Gen's section 4.2 written out by hand."""

from __future__ import annotations

import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from transformers import AutoTokenizer, PreTrainedTokenizerBase

from trivium.build.veridicality.composition import compose
from trivium.build.veridicality.natural import NaturalPair, parse_clause
from trivium.build.veridicality.verbs import INFINITIVE_VERBS
from trivium.data.example import Example
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.models.encoders import _minilm_folder
from trivium.models.network import Network

HEADS = ("composed", "natural", "veridical")
LABELS = ("entailment", "neutral", "contradiction")

PAIRS = (
    ("A man is playing a guitar", "A man is playing an instrument", "entailment"),
    ("A dog is running through a field of tall grass", "An animal is running", "entailment"),
    ("Two children are eating", "Two children are eating a large cake with their friends in a garden", "neutral"),
    ("A woman is slicing an onion", "A woman is slicing a red onion", "neutral"),
    ("A girl is riding a horse", "There is no girl riding a horse", "contradiction"),
    ("The boy is singing", "The boy is not singing", "contradiction"),
)
VERBS = ("manage", "hope", "refuse", "remain")


class ByHand:
    """The learner's computations done by hand from the weights of a network: one row at a time, without padding."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase) -> None:
        self._tokenizer = tokenizer

    def logits(self, network: Network, row: Example) -> Tensor:
        state = network.encoder(**self._tokenizer(row.premise, row.hypothesis, return_tensors="pt"))
        head = network.heads[row.task]
        return head.weight @ state.last_hidden_state[0, 0] + head.bias

    def cross_entropy(self, network: Network, row: Example) -> Tensor:
        logits = self.logits(network, row)
        return torch.log(torch.exp(logits).sum()) - logits[LABELS.index(row.label)]

    def loss(self, network: Network, examples: Iterable[Example]) -> Tensor:
        """Σ over heads of the mean cross-entropy of their rows."""
        of_head: dict[str, list[Tensor]] = {}
        for example in examples:
            for row in (example, *example.parts):
                of_head.setdefault(row.task, []).append(self.cross_entropy(network, row))
        return sum((sum(values) / len(values) for values in of_head.values()), start=torch.zeros(()))

    def losses(self, network: Network, examples: Iterable[Example]) -> Tensor:
        """For each example the sum of the cross-entropies of its rows."""
        with torch.no_grad():
            return torch.stack([sum(self.cross_entropy(network, row) for row in (e, *e.parts)) for e in examples])

    def gradient(self, network: Network, examples: Iterable[Example]) -> list[Tensor | None]:
        """The gradient of :meth:`loss`, parameter by parameter."""
        return gradient_of(self.loss(network, examples), network)


def gradient_of(loss: Tensor, network: Network) -> list[Tensor | None]:
    parameters = [parameter for parameter in network.parameters() if parameter.requires_grad]
    return list(torch.autograd.grad(loss, parameters, allow_unused=True))


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def by_hand() -> ByHand:
    return ByHand(AutoTokenizer.from_pretrained(_minilm_folder()))


@pytest.fixture(scope="session")
def make_learner() -> Callable[..., Learner]:
    """A small learner from scratch, by default without dropout."""

    def make(seed: int = 0, dropout: float = 0.0, heads: Sequence[str] = HEADS, **train: Any) -> Learner:
        train = {"learning_rate": 1e-3, "batch_size": 4, "epochs": 1, **train}
        learner = Learner(ModelConfig(name="tiny", dropout=0.0), tasks=heads, train=TrainConfig(**train), seed=seed)
        for module in learner.network.modules():
            if isinstance(module, nn.Dropout):
                module.p = dropout
        return learner

    return make


@pytest.fixture
def learner(make_learner: Callable[..., Learner]) -> Learner:
    """A learner without dropout, ready for a step."""
    built = make_learner()
    built.network.train()
    return built


@pytest.fixture(scope="session")
def examples() -> list[Example]:
    """24 compositions of all nine types and of many lengths, each with its two primitives as parts."""
    verbs = [verb for verb in INFINITIVE_VERBS if verb.lemma in VERBS]
    built = []
    for number, (premise, hypothesis, label) in enumerate(PAIRS):
        natural = Example.make(f"n{number}", premise, hypothesis, label, task="natural")
        clause = parse_clause(premise)
        assert clause is not None
        built += [compose(verb, NaturalPair(natural, clause)) for verb in verbs]
    return built


@pytest.fixture(scope="session")
def contrary(examples: list[Example]) -> list[Example]:
    """The examples with every label replaced by the next one, so that their gradients conflict."""

    def turned(example: Example) -> Example:
        label = LABELS[(LABELS.index(example.label) + 1) % 3]
        return replace(example, label=label, parts=tuple(turned(part) for part in example.parts))

    return [turned(example) for example in examples]


@pytest.fixture(scope="session")
def remember() -> Callable[[Sequence[Example]], Memory]:
    """A memory that holds these examples of a first stage."""
    return lambda kept: Memory(tuple(kept), (1,) * len(kept), passed=1, seen=len(kept))


@pytest.fixture(scope="session")
def gradient_at_hand() -> Callable[[Learner], list[Tensor | None]]:
    """The gradient that a step left in the parameters."""

    def at_hand(learner: Learner) -> list[Tensor | None]:
        return [parameter.grad for parameter in learner.network.parameters() if parameter.requires_grad]

    return at_hand


@pytest.fixture(scope="session")
def same_gradient() -> Callable[[Sequence[Tensor | None], Sequence[Tensor | None]], bool]:
    """Whether two gradients differ by no more than rounding; None counts as 0."""

    def same(first: Sequence[Tensor | None], second: Sequence[Tensor | None]) -> bool:
        apart = total = 0.0
        for a, b in zip(first, second, strict=True):
            some = a if a is not None else b
            if some is None:
                continue
            a, b = (torch.zeros_like(some) if side is None else side for side in (a, b))
            apart += float((a - b).double().pow(2).sum())
            total += float(b.double().pow(2).sum())
        return apart <= 1e-8 * total

    return same
