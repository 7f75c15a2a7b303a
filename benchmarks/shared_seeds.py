"""Whether a seed has the same effect in all folds of C²Gen, from the stored predictions of a run.

Import ``docs/results/predictions/c2gen.tar.gz`` with ``trivium store import``, run the command in
``docs/results/c2gen-protocols.md``, which then trains nothing, and call ``python benchmarks/shared_seeds.py RUN``
with the name of that run. Prints the mean correlation between the deviations of the same seeds in two folds, over all
accuracies of the run, with its standard error.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from itertools import combinations

import numpy as np

import trivium as tv
from trivium.benchmarks.outcomes import outcomes


def main() -> None:
    run = tv.Session(store=os.environ.get("TRIVIUM_STORE", ".trivium")).open_run(sys.argv[1])
    accuracies: dict[tuple[str, ...], dict[int, dict[int, float]]] = defaultdict(lambda: defaultdict(dict))
    for outcome in outcomes(run.experiment, run.store):
        fields = {name: value for name, value in outcome.fields.items() if name not in ("fold", "seed")}
        name = (*map(str, fields.values()), outcome.metric)
        accuracies[name][outcome.fields["fold"]][outcome.fields["seed"]] = float(outcome.correct.mean())
    correlations = []
    for by_fold in accuracies.values():
        rows = [np.array([by_seed[seed] for seed in sorted(by_seed)]) for by_seed in by_fold.values()]
        for first, second in combinations(rows, 2):
            if first.std() > 0 and second.std() > 0:
                correlations.append(float(np.corrcoef(first, second)[0, 1]))
    error = np.std(correlations, ddof=1) / np.sqrt(len(correlations))
    print(f"{np.mean(correlations):.2f} ± {error:.2f} over {len(correlations)} pairs of accuracies")


if __name__ == "__main__":
    main()
