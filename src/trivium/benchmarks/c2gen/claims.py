"""The claims of C²Gen's sections 6 and 7.1, each as a quantity that should be above zero."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from trivium.benchmarks.c2gen.protocol import CGEN
from trivium.benchmarks.c2gen.published import TABLE_5, TABLE_6, Figure
from trivium.benchmarks.c2gen.results import Results
from trivium.benchmarks.c2gen.tables import FIRST_PRIMITIVE, ORDER_NAMES, STRATEGY_NAMES, forgotten
from trivium.measure.claim import Claim, claim
from trivium.measure.metrics import Floats

_ORDERS = ("ver-nat", "nat-ver")
_HELP = ("er-res", "er-buff", "er-mir", "agem", "kd")
_REPLAY, _OTHER = _HELP[:3], _HELP[3:]
_FORGET, _CI, _JOINT = 3, 4, 2


def claims(results: Results) -> list[Claim]:
    """Every claim with the published figure, ours, and the verdict."""
    return [
        *_continual_is_harder(results),
        *_first_is_forgotten(results),
        *_strategies_help(results),
        *_replay_is_best(results),
        *_easy_first_is_better(results),
    ]


def _continual_is_harder(results: Results) -> Iterator[Claim]:
    published = _figure(TABLE_5[CGEN, 1][3])
    for order in _ORDERS:
        yield claim(
            "6.1 Continual training is harder",
            f"{ORDER_NAMES[order]} composes worse than training on everything at once",
            "CI: CGen − C²Gen",
            published - _figure(TABLE_5[order, 2][3]),
            _difference(results.accuracy("CI", CGEN, "finetune", 1), _ci(results, order, "finetune")),
        )


def _first_is_forgotten(results: Results) -> Iterator[Claim]:
    for order in _ORDERS:
        first = {"V": "veridical", "N": "natural"}[FIRST_PRIMITIVE[order]]
        yield claim(
            "6.1 The first primitive is forgotten",
            f"{ORDER_NAMES[order]}: {first} inference is forgotten in the second stage",
            f"Forget {FIRST_PRIMITIVE[order]}",
            TABLE_6[order, "finetune"][_FORGET].value,
            forgotten(results, order, "finetune"),
        )


def _strategies_help(results: Results) -> Iterator[Claim]:
    for order in _ORDERS:
        plain = TABLE_6[order, "finetune"]
        for name in _HELP:
            own = TABLE_6[order, name]
            yield claim(
                "6.2 Strategies reduce forgetting",
                f"{ORDER_NAMES[order]}: {STRATEGY_NAMES[name]} lowers Forget",
                f"Forget {FIRST_PRIMITIVE[order]}: without − with",
                plain[_FORGET].value - own[_FORGET].value,
                _difference(forgotten(results, order, "finetune"), forgotten(results, order, name)),
            )
            yield claim(
                "6.2 Strategies help composition",
                f"{ORDER_NAMES[order]}: {STRATEGY_NAMES[name]} raises CI",
                "CI: with − without",
                own[_CI].value - plain[_CI].value,
                _difference(_ci(results, order, name), _ci(results, order, "finetune")),
            )


def _replay_is_best(results: Results) -> Iterator[Claim]:
    for order in _ORDERS:
        for other in _OTHER:
            published = (
                np.mean([TABLE_6[order, name][_CI].value for name in _REPLAY]) - TABLE_6[order, other][_CI].value
            )
            yield claim(
                "6.2 Replay is the best strategy",
                f"{ORDER_NAMES[order]}: experience replay composes better than {STRATEGY_NAMES[other]}",
                f"CI: mean of ER − {STRATEGY_NAMES[other]}",
                float(published),
                _difference(_mean([_ci(results, order, name) for name in _REPLAY]), _ci(results, order, other)),
            )


def _easy_first_is_better(results: Results) -> Iterator[Claim]:
    everything = ("finetune", *_HELP)
    for measure, column in (("V+N", _JOINT), ("CI", _CI)):
        published = [TABLE_6["ver-nat", n][column].value - TABLE_6["nat-ver", n][column].value for n in everything]
        ours = [_difference(*(results.accuracy(measure, order, name, 2) for order in _ORDERS)) for name in everything]
        yield claim(
            "7.1 The order of primitives matters",
            f"ver → nat is better than nat → ver in {measure}, on average over the strategies",
            f"{measure}: ver → nat − nat → ver",
            float(np.mean(published)),
            _mean(ours),
        )


def _ci(results: Results, order: str, strategy: str) -> Floats | None:
    return results.accuracy("CI", order, strategy, 2)


def _difference(left: Floats | None, right: Floats | None) -> Floats | None:
    return None if left is None or right is None else left - right


def _mean(values: Sequence[Floats | None]) -> Floats | None:
    there = [value for value in values if value is not None]
    return np.mean(there, axis=0) if there and len(there) == len(values) else None


def _figure(figure: Figure | None) -> float:
    if figure is None:
        raise ValueError("the paper leaves this cell empty")
    return figure.value
