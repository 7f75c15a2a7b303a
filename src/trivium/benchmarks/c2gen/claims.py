"""The claims of C²Gen's sections 6, 7 and 8.1. Each states a quantity that is above zero if the claim is true."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from trivium.benchmarks.c2gen.design import CGEN
from trivium.benchmarks.c2gen.function_order import order_claims
from trivium.benchmarks.c2gen.functions import FUNCTIONS, average, published_average
from trivium.benchmarks.c2gen.published import TABLE_5, TABLE_6, TABLE_7, TABLE_11, StrategyRow
from trivium.benchmarks.c2gen.representations import density_claims
from trivium.benchmarks.c2gen.results import MEASURES, QUADRANTS, Results
from trivium.benchmarks.c2gen.tables import FIRST_PRIMITIVE, ORDER_NAMES, forgotten
from trivium.benchmarks.published import Figure
from trivium.benchmarks.steps import strategy_title
from trivium.build.veridicality.composition import TYPES
from trivium.data.labels import NLI3
from trivium.measure.claim import Claim, claim, corrected
from trivium.measure.statistics.estimate import Estimate, difference, mean_of

_ORDERS = ("ver-nat", "nat-ver")
_REPLAY, _OTHER = ("er-res", "er-buff", "er-mir"), ("agem", "kd")
_STRATEGIES = _REPLAY + _OTHER
_MEASURES: dict[str, Callable[[StrategyRow], Figure]] = {"V+N": lambda row: row.both, "CI": lambda row: row.ci}

_NEEDS = {
    "6.2 Strategies reduce forgetting": "the strategy and finetune, in both orders (run.strategies, run.orders)",
    "6.2 Strategies help composition": "the strategy and finetune, in both orders (run.strategies, run.orders)",
    "6.2 Replay is the best strategy": "both strategies, in both orders (run.strategies, run.orders)",
    "7.1 Representations": "vectors of both orders with er-res (run.representations)",
    "7.2 Composition depends on primitives": "ver → nat with finetune and er-res (run.orders, run.strategies)",
    "7.3 Functions differ in difficulty": "all nine folds (run.folds)",
    "7.3 Easy functions first": "a third stage in both directions (functions.directions)",
    "8.1 Not only memory": "natural words and pseudo-words (the preset pseudo), in both orders",
}


def claims(results: Results) -> list[Claim]:
    """Return all claims, with published and measured values."""
    all_claims = [
        *_continual_is_harder(results),
        *_first_is_forgotten(results),
        *_strategies_help(results),
        *_replay_is_best(results),
        *_easy_first_is_better(results),
        *density_claims(results),
        *_primitives_are_needed(results),
        *_functions_differ(results),
        *order_claims(results),
        *_not_only_memory(results),
    ]
    return corrected(
        replace(claim_, needs=_NEEDS.get(claim_.group, "finetune in both orders (run.strategies, run.orders)"))
        for claim_ in all_claims
    )


def _continual_is_harder(results: Results) -> Iterator[Claim]:
    published = _value(TABLE_5[CGEN, 1][3])
    for order in _ORDERS:
        yield claim(
            "6.1 Continual training is harder",
            f"{ORDER_NAMES[order]} composes worse than training on everything at once",
            "CI: CGen − C²Gen",
            published - _value(TABLE_5[order, 2][3]),
            difference(results.accuracy("CI", CGEN, "finetune", 1), _ci(results, order, "finetune")),
        )


def _first_is_forgotten(results: Results) -> Iterator[Claim]:
    for order in _ORDERS:
        first = {"V": "veridical", "N": "natural"}[FIRST_PRIMITIVE[order]]
        yield claim(
            "6.1 The first primitive is forgotten",
            f"{ORDER_NAMES[order]}: {first} inference is forgotten in the second stage",
            f"Forget {FIRST_PRIMITIVE[order]}",
            TABLE_6[order, "finetune"].forget.value,
            forgotten(results, order, "finetune"),
        )


def _strategies_help(results: Results) -> Iterator[Claim]:
    for order in _ORDERS:
        plain = TABLE_6[order, "finetune"]
        for name in _STRATEGIES:
            row = TABLE_6[order, name]
            yield claim(
                "6.2 Strategies reduce forgetting",
                f"{ORDER_NAMES[order]}: {strategy_title(name)} lowers Forget",
                f"Forget {FIRST_PRIMITIVE[order]}: without − with",
                plain.forget.value - row.forget.value,
                difference(forgotten(results, order, "finetune"), forgotten(results, order, name)),
            )
            yield claim(
                "6.2 Strategies help composition",
                f"{ORDER_NAMES[order]}: {strategy_title(name)} raises CI",
                "CI: with − without",
                row.ci.value - plain.ci.value,
                difference(_ci(results, order, name), _ci(results, order, "finetune")),
            )


def _replay_is_best(results: Results) -> Iterator[Claim]:
    replay = _strategies_run(results, _REPLAY)
    for order in _ORDERS:
        for other in _OTHER:
            for measure, figure in _MEASURES.items():
                published = np.mean([figure(TABLE_6[order, name]).value for name in replay])
                yield claim(
                    "6.2 Replay is the best strategy",
                    f"{ORDER_NAMES[order]}: experience replay is better than {strategy_title(other)} in {measure}",
                    f"{measure}: mean of ER − {strategy_title(other)}",
                    float(published - figure(TABLE_6[order, other]).value),
                    difference(
                        mean_of([results.accuracy(measure, order, name, 2) for name in replay]),
                        results.accuracy(measure, order, other, 2),
                    ),
                )


def _easy_first_is_better(results: Results) -> Iterator[Claim]:
    names = _strategies_run(results, ("finetune", *_STRATEGIES))
    for measure, figure in _MEASURES.items():
        first, second = ([figure(TABLE_6[order, name]).value for name in names] for order in _ORDERS)
        ours = [difference(*(results.accuracy(measure, order, name, 2) for order in _ORDERS)) for name in names]
        yield claim(
            "7.1 The order of primitives matters",
            f"ver → nat is better than nat → ver in {measure}, on average over the strategies that were run",
            f"{measure}: ver → nat − nat → ver",
            float(np.mean(first) - np.mean(second)),
            mean_of(ours),
        )


def _primitives_are_needed(results: Results) -> Iterator[Claim]:
    group = "7.2 Composition depends on primitives"

    def measured(quadrant: str, setting: str, strategy: str) -> Estimate | None:
        return results.accuracy(quadrant, setting, strategy, 1 if setting == CGEN else 2)

    def published_value(quadrant: str, setting: str, strategy: str) -> float:
        return TABLE_7[setting, strategy][list(QUADRANTS).index(quadrant)].value

    cgen, plain, replay = (CGEN, "finetune"), ("ver-nat", "finetune"), ("ver-nat", "er-res")
    for text, quantity, left, right in (
        ("CGen fails by not generalizing rather than by using shortcuts", "CGen: no generalization − shortcut",
         ("no generalization", *cgen), ("shortcut", *cgen)),
        ("ver → nat: fewer instances are entirely correct than in CGen", "correct: CGen − C²Gen",
         ("correct", *cgen), ("correct", *plain)),
        ("ver → nat: more instances are entirely wrong than in CGen", "wrong: C²Gen − CGen",
         ("wrong", *plain), ("wrong", *cgen)),
        ("ver → nat: with ER-Res fewer instances are entirely wrong", "wrong: without − with ER-Res",
         ("wrong", *plain), ("wrong", *replay)),
        ("ver → nat: with ER-Res more instances are entirely correct", "correct: with − without ER-Res",
         ("correct", *replay), ("correct", *plain)),
    ):  # fmt: skip
        published = published_value(*left) - published_value(*right)
        yield claim(group, text, quantity, published, difference(measured(*left), measured(*right)))
    quadrants = ("no generalization", "correct")
    gains = [difference(measured(quadrant, *replay), measured(quadrant, *cgen)) for quadrant in quadrants]
    published_gains = [published_value(quadrant, *replay) - published_value(quadrant, *cgen) for quadrant in quadrants]
    yield claim(
        group,
        "ver → nat: compared with CGen, ER-Res gains more in recognizing primitives than in composing them",
        "(no generalization − correct): ER-Res − CGen",
        published_gains[0] - published_gains[1],
        difference(gains[0], gains[1]),
    )


def _functions_differ(results: Results) -> Iterator[Claim]:
    types = {label: [type_ for type_ in TYPES if type_.veridical == label] for label in NLI3.names}
    entailment, neutral, contradiction = NLI3.names
    for easy, hard in ((neutral, entailment), (entailment, contradiction)):
        published = [published_average(types[label]).value for label in (easy, hard)]
        yield claim(
            "7.3 Functions differ in difficulty",
            f"{FUNCTIONS[easy]} is easier than {FUNCTIONS[hard]}",
            f"CI in CGen: f_v{easy[0]} − f_v{hard[0]}",
            published[0] - published[1],
            difference(average(results, types[easy]), average(results, types[hard])),
        )


def _not_only_memory(results: Results) -> Iterator[Claim]:
    group = "8.1 Not only memory"

    def measured(measure: str, setting: str, words: str) -> Estimate | None:
        return results.accuracy(measure, setting, "finetune", 1 if setting == CGEN else 2, words)

    def published_value(measure: str, setting: str, words: str) -> float:
        return _value(TABLE_11[words, setting, 1 if setting == CGEN else 2][list(MEASURES).index(measure)])

    pseudo = "pseudo"
    for text, quantity, left, right in (
        ("with pseudo-words ver → nat composes worse than CGen", "CI, pseudo: CGen − C²Gen",
         ("CI", CGEN, pseudo), ("CI", "ver-nat", pseudo)),
        ("with pseudo-words nat → ver composes worse than CGen", "CI, pseudo: CGen − C²Gen",
         ("CI", CGEN, pseudo), ("CI", "nat-ver", pseudo)),
        ("with pseudo-words, too, ver → nat is better than nat → ver in V+N", "V+N, pseudo: ver → nat − nat → ver",
         ("V+N", "ver-nat", pseudo), ("V+N", "nat-ver", pseudo)),
        ("with pseudo-words, too, ver → nat is better than nat → ver in CI", "CI, pseudo: ver → nat − nat → ver",
         ("CI", "ver-nat", pseudo), ("CI", "nat-ver", pseudo)),
        ("primitives are harder with pseudo-words", "V+N in CGen: original − pseudo",
         ("V+N", CGEN, "natural"), ("V+N", CGEN, pseudo)),
        ("compositions are harder with pseudo-words", "CI in CGen: original − pseudo",
         ("CI", CGEN, "natural"), ("CI", CGEN, pseudo)),
    ):  # fmt: skip
        published = published_value(*left) - published_value(*right)
        yield claim(group, text, quantity, published, difference(measured(*left), measured(*right)))


def _strategies_run(results: Results, names: Sequence[str]) -> list[str]:
    """Return the named strategies that were run, or all of them if none was."""
    return [name for name in names if name in results.strategies] or list(names)


def _ci(results: Results, order: str, strategy: str) -> Estimate | None:
    return results.accuracy("CI", order, strategy, 2)


def _value(figure: Figure | None) -> float:
    if figure is None:
        raise ValueError("the paper leaves this cell empty")
    return figure.value
