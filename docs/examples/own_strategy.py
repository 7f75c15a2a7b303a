"""A strategy of your own: Dark Experience Replay (Buzzega et al., 2020), as a plugin and as a script.

As a plugin, on the command line:

    trivium run c2gen --preset smoke --plugin own_strategy.py --strategies finetune,er-res,der

As a script, with ``python own_strategy.py``, it runs the same and compares the strategy with replay.
"""

import json
from dataclasses import dataclass, replace

import torch

import trivium as tv


@tv.strategy("der")
@dataclass(frozen=True)
class DarkReplay(tv.Strategy):
    """Match the logits that remembered examples had when they were remembered.

    L + alpha · Σ_heads mean (z − z')² + beta · L', with the logits z and the loss L' of remembered examples, and their
    stored logits z'. With ``beta`` above 0 it is DER++. The memory is filled at the end of a stage, and so are the
    logits; the paper fills it batch by batch.
    """

    cost = 2.0
    title = "DER"
    resumable = True  # begin_stage returns a memory, which does not change
    memory_size: int = 50
    alpha: float = 0.5
    beta: float = 0.0

    def begin_stage(self, learner, memory):
        """Store the logits of a memory that another strategy has filled."""
        return store_logits(learner, memory)

    def step(self, learner, batch, memory):
        """Leave the gradient of the loss on the batch and of the distance to the stored logits."""
        loss = learner.loss(batch)
        if memory:
            answers = learner.answers(memory.draw(len(batch), learner.rng))
            for answer in answers:
                stored = torch.tensor([json.loads(row.fact("logits")) for row in answer.rows], device=learner.device)
                loss = loss + self.alpha * (answer.logits - stored).pow(2).mean()
            loss = loss + self.beta * learner.loss_of(answers)
        return learner.backward(loss)

    def end_stage(self, learner, stage, memory):
        """Remember a random sample of everything seen so far, with the logits of what is new in it."""
        return store_logits(learner, tv.reservoir(memory, stage, self.memory_size, learner.rng))


def store_logits(learner, memory):
    """Return the memory with the model's logits for all examples that have none yet."""
    new = [example for example in memory.examples if not any(row.fact("logits") for row in example.rows())]
    if not new:
        return memory
    with learner.evaluation_mode(), torch.no_grad():
        logits = {row: values.tolist() for answer in learner.answers(new) for row, values in answer.by_row()}
    examples = [with_logits(example, logits) if example in new else example for example in memory.examples]
    return replace(memory, examples=tuple(examples))


def with_logits(example, logits):
    """Return an example whose rows carry their logits as a fact, so that they are saved with the memory."""
    parts = tuple(with_logits(part, logits) for part in example.parts)
    facts = {**dict(example.facts), "logits": json.dumps(logits[example])} if example in logits else dict(example.facts)
    return replace(example, facts=tuple(sorted(facts.items())), parts=parts)


if __name__ == "__main__":
    settings = {"run.orders": ["ver-nat"], "run.strategies": ["finetune", "er-res", "der"], "strategy.der.alpha": 1.0}
    run = tv.run("c2gen", preset="smoke", set=settings, name="with-der", report="with-der.html")
    print(run.tables["table-6"])
    print()
    print(tv.compare(run, "er-res", "der"))
