"""Continual learning without a benchmark: one learner, three stages, with and without replay.

Run it with ``python continual_learning.py``. It prints the accuracy on every stage after every stage.
"""

import trivium as tv

RELATIONS = {
    "negation": ("negation",),
    "hypernym": ("hypernym", "hyponym"),
    "modifier": ("modifier-add", "modifier-drop"),
}


def stages() -> dict[str, tuple[tv.Split, tv.Split]]:
    """Return a stage for each group of relations: examples to train on, and to test on."""
    pairs = tv.load_source("builtin").examples
    splits = {}
    for name, relations in RELATIONS.items():
        examples = [example for example in pairs if example.fact("relation") in relations]
        splits[name] = tv.Split(name, tuple(examples[:80])), tv.Split(f"{name}-test", tuple(examples[80:120]))
    return splits


def main() -> None:
    """Train stage by stage with each strategy."""
    config = tv.TrainConfig(learning_rate=1e-3, batch_size=8, epochs=8)
    splits = stages()
    for strategy in ("finetune", "er-res"):
        learner = tv.Learner("tiny", tasks=("natural",), train=config, seed=0)
        print(f"{strategy}: accuracy in % on {', '.join(RELATIONS)}")
        for name, (examples, _) in splits.items():
            learner.fit(examples, strategy=strategy)
            accuracies = [100 * learner.evaluate(test).accuracy for _, test in splits.values()]
            print(f"  after {name:10}" + "".join(f"{accuracy:7.1f}" for accuracy in accuracies))
        print(f"  remembered examples: {len(learner.memory)}")


if __name__ == "__main__":
    main()
