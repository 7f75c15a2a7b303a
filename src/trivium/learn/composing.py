"""Answer compositions from their parts: find the parts, have the heads answer them, and compose the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

from trivium.data.example import Example
from trivium.data.labels import Labels
from trivium.language.embedding import Layer, decompose, with_polarity
from trivium.models.composer import COMPOSED, NATURAL, VERIDICAL
from trivium.models.composition import Composition, compose, compose_best
from trivium.models.network import Answering, Output

Outputs = Callable[[Sequence[Example]], Mapping[str, Output]]
"""Returns the output of each head for the rows that name it."""

_KNOWN = 12.0  # the logit of a label that is known
_cached_layers = lru_cache(maxsize=50_000)(decompose)


@dataclass(frozen=True)
class Parts:
    """The rows that answer a composition: a veridical inference for each layer, outermost first, and a natural one."""

    veridical: tuple[int, ...]
    natural: int


@dataclass(frozen=True)
class Plan:
    """The distinct rows that the heads answer, and for each required row its index among them, or its parts.

    ``signs`` has what is known of rows without asking the model, by their index: what the signature of a verb implies,
    and that a clause entails itself.
    """

    rows: list[Example]
    answers: list[int | Parts]
    signs: dict[int, str]


def parts_of(row: Example, tasks: Sequence[str], by_signature: bool = False) -> list[Example]:
    """Return the parts of a row: its veridical inferences, outermost first, and the natural one; none if it has none.

    A model with a head for compositions has only these decomposed. A model with one head has every pair decomposed
    whose premise embeds a clause, unless the hypothesis is that clause: that is a part itself. ``by_signature``: it is
    decomposed too if the signature of the verb is known, and the clause entails itself.

    >>> pair = Example.make("1", "A man tries to sing", "A person is singing", None, task="composed")
    >>> [(part.task, part.premise, part.hypothesis) for part in parts_of(pair, ("composed", "natural", "veridical"))]
    [('veridical', 'A man tries to sing', 'A man is singing'), ('natural', 'A man is singing', 'A person is singing')]
    """
    heads = (VERIDICAL, NATURAL) if {COMPOSED, VERIDICAL, NATURAL} <= set(tasks) else (row.task, row.task)
    if row.hypothesis is None or (heads[1] != row.task and row.task != COMPOSED):
        return []
    layers: tuple[Layer, ...] = _cached_layers(row.premise, row.hypothesis)
    if not layers:
        return []
    if by_signature:
        layers = with_polarity(layers)
    clause = layers[-1].clause
    is_clause = _plain(clause) == _plain(row.hypothesis)
    if len(layers) == 1 and heads[0] == row.task and is_clause and not (by_signature and layers[0].sign):
        return []
    signs = ["+" if below.denied else layer.sign for layer, below in pairwise(layers)]  # denying it is enough
    signs.append(layers[-1].sign)
    veridical = [
        _part(row, heads[0], layer.sentence, layer.clause, sign) for layer, sign in zip(layers, signs, strict=True)
    ]
    return [*veridical, _part(row, heads[1], clause, row.hypothesis, "+" if is_clause else None)]


def make_plan(rows: Sequence[Example], tasks: Sequence[str], by_signature: bool = False) -> Plan:
    """Return the plan for answering rows. Rows with the same task and texts are answered once."""
    distinct: dict[tuple[str | None, ...], int] = {}
    needed: list[Example] = []

    def index_of(row: Example) -> int:
        key = (row.task, row.premise, row.hypothesis, row.fact("sign") if by_signature else None)
        if key not in distinct:
            distinct[key] = len(needed)
            needed.append(row)
        return distinct[key]

    answers: list[int | Parts] = []
    signs: dict[int, str] = {}
    for row in rows:
        parts = parts_of(row, tasks, by_signature)
        if parts:
            indices = [index_of(part) for part in parts]
            answers.append(Parts(tuple(indices[:-1]), indices[-1]))
            signs |= {i: sign for i, part in zip(indices, parts, strict=True) if (sign := part.fact("sign"))}
        else:
            answers.append(index_of(replace(row, parts=())))  # its parts are rows of their own
    return Plan(needed, answers, signs)


def imitates(network: Answering) -> bool:
    """Return whether the head of a network answers compositions, and learns to from a composer."""
    return network.composition is not None and network.composition.composer.imitates


def row_outputs(network: Answering, rows: Sequence[Example], outputs: Outputs) -> Mapping[str, Output]:
    """Return the output for each row by task: that of its head, or what the composer makes of its parts."""
    if network.composition is None or imitates(network):
        return outputs(rows)
    return composed_outputs(network.composition, network.tasks, rows, outputs)


def row_logits(
    network: Answering,
    examples: Sequence[Example],
    logits: Callable[[Sequence[Example]], Mapping[str, np.ndarray]],
) -> Mapping[str, np.ndarray]:
    """Return the logits for each example or part by task: those of its head, or of the composer."""
    rows = [row for example in examples for row in example.rows() if network.has_head(row.task)]
    if network.composition is None or imitates(network) or not rows:
        return logits(examples)
    return composed_logits(network.composition, network.tasks, rows, logits)


@contextmanager
def without_composer(network: Answering) -> Iterator[None]:
    """Answer every row with its own head within the block."""
    composition, network.composition = network.composition, None
    try:
        yield
    finally:
        network.composition = composition


def composed_outputs(
    composition: Composition,
    tasks: Sequence[str],
    rows: Sequence[Example],
    outputs: Outputs,
) -> dict[str, Output]:
    """Return the output for each row by task, in order; ``outputs`` returns those of the heads for other rows.

    The vector of a composition is the mean of those of its parts.
    """
    plan = make_plan(rows, tasks, composition.composer.uses_signatures)
    by_head = outputs(plan.rows)
    logits, vectors = (
        _in_order(plan.rows, {h: getattr(o, name) for h, o in by_head.items()}) for name in Output._fields
    )
    answered, means = compose_plan(composition, compose, plan, logits), _mean_vectors(plan, vectors)
    by_task: dict[str, list[int]] = {}
    for index, row in enumerate(rows):
        by_task.setdefault(row.task, []).append(index)
    return {task: Output(answered[indices], means[indices]) for task, indices in sorted(by_task.items())}


def composed_logits(
    composition: Composition,
    tasks: Sequence[str],
    rows: Sequence[Example],
    logits: Callable[[Sequence[Example]], Mapping[str, np.ndarray]],
) -> dict[str, np.ndarray]:
    """Return the logits for each row by task, in order; ``logits`` returns those of the heads for other rows.

    A composition has the label of its most likely derivation.
    """
    plan = make_plan(rows, tasks, composition.composer.uses_signatures)
    values = _in_order(plan.rows, {head: torch.from_numpy(array) for head, array in logits(plan.rows).items()})
    with torch.no_grad():
        answered = compose_plan(composition, compose_best, plan, values).numpy()
    return {task: answered[[row.task == task for row in rows]] for task in sorted({row.task for row in rows})}


def fallbacks(rows: Sequence[Example], tasks: Sequence[str], by_signature: bool = False) -> list[bool]:
    """Return for each composition whether no parts were found, so that the head answers it."""
    return [not parts_of(row, tasks, by_signature) for row in rows]


def composition_record(
    composition: Composition, examples: Sequence[Example], tasks: Sequence[str]
) -> dict[str, np.ndarray]:
    """Return the table of a composition, and which compositions the head answered, as arrays to store."""
    rows = [row for example in examples for row in example.rows() if row.task in tasks]
    composed = [row for row in rows if row.task == COMPOSED] or rows
    fallback = np.array(fallbacks(composed, tasks, composition.composer.uses_signatures), dtype=np.float32)
    return {"table": composition.table().detach().float().cpu().numpy(), "fallback": fallback}


def compose_plan(
    composition: Composition,
    combine: Callable[[Tensor, Sequence[Tensor], Tensor], Tensor],
    plan: Plan,
    logits: Tensor,
) -> Tensor:
    """Return the answers of a plan, in order, from the logits of its rows; ``combine`` composes those of parts."""
    table = composition.table().to(logits.device)
    signed = with_signatures(plan, logits, composition.labels) if composition.composer.uses_signatures else logits
    direct = [(place, answer) for place, answer in enumerate(plan.answers) if isinstance(answer, int)]
    places, answers = [place for place, _ in direct], [logits[[index for _, index in direct]]]
    parts = [(place, answer) for place, answer in enumerate(plan.answers) if isinstance(answer, Parts)]
    for depth in sorted({len(answer.veridical) for _, answer in parts}):
        group = [(place, answer) for place, answer in parts if len(answer.veridical) == depth]
        veridical = [signed[[answer.veridical[layer] for _, answer in group]] for layer in range(depth)]
        answers.append(combine(table, veridical, signed[[answer.natural for _, answer in group]]))
        places += [place for place, _ in group]
    inverse = torch.empty(len(places), dtype=torch.long)
    inverse[torch.tensor(places, dtype=torch.long)] = torch.arange(len(places))
    return torch.cat(answers)[inverse.to(logits.device)]


def with_signatures(plan: Plan, logits: Tensor, labels: Labels) -> Tensor:
    """Return the logits with those of the rows replaced that need not be asked of the model."""
    signed = logits.clone()
    for index, sign in plan.signs.items():
        signed[index] = 0.0
        # Labels are ordered from entailed to contradicted; with two of them, what is not entailed comes last.
        signed[index, {"+": 0, "o": len(labels) // 2, "-": len(labels) - 1}[sign]] = _KNOWN
    return signed


def _mean_vectors(plan: Plan, vectors: Tensor) -> Tensor:
    means = []
    for answer in plan.answers:
        indices = [answer] if isinstance(answer, int) else [*answer.veridical, answer.natural]
        means.append(vectors[indices].mean(0))
    return torch.stack(means)


def _in_order(rows: Sequence[Example], by_head: Mapping[str, Tensor]) -> Tensor:
    """Return what the heads answer about rows as one tensor, in the order of the rows."""
    places = {head: [index for index, row in enumerate(rows) if row.task == head] for head in by_head}
    order = torch.tensor([index for head in by_head for index in places[head]], dtype=torch.long)
    inverse = torch.empty(len(rows), dtype=torch.long)
    inverse[order] = torch.arange(len(rows))
    joined = torch.cat(list(by_head.values()))
    return joined[inverse.to(joined.device)]


def _part(row: Example, task: str, premise: str, hypothesis: str, sign: str | None = None) -> Example:
    facts = (("sign", sign),) if sign else ()
    return replace(row, premise=premise, hypothesis=hypothesis, label=None, task=task, facts=facts, parts=())


def _plain(text: str) -> str:
    return " ".join(text.lower().rstrip(" .").split())
