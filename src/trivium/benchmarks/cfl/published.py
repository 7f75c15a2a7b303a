"""The figures of the CFL paper (Pasunuru et al., 2021). They are data to compare with, never filled in for ours.

MNLI is given as matched/mismatched there; of the two, the matched part is here, since that is what we have.
"""

from __future__ import annotations

from typing import NamedTuple

_ANLI = ("Numerical", "Basic", "Reference", "Tricky", "Reasoning", "Imperfections")
_SNLI = (
    "Insert/remove phrases",
    "Substitute entities",
    "Substitute evidence",
    "Modify entity details",
    "Change action",
)
_IMDB = ("Modifiers", "Negation")
_COLUMNS = {
    "anli": ("MNLI-m", *_ANLI, "Average"),
    "snli": ("SNLI", *_SNLI, "Average"),
    "imdb": ("IMDB", *_IMDB, "Average"),
}
PAPERS_MODEL = "roberta-large"


class Figure(NamedTuple):
    """A published value with its standard deviation, if it has one."""

    value: float
    spread: float | None = None


def _figures(suite: str, text: str) -> dict[str, Figure]:
    """The figures of a line, by column: ``90.2±0.1 29.0±1.8 …``."""
    found = {}
    for column, word in zip(_COLUMNS[suite], text.split(), strict=True):
        value, _, spread = word.partition("±")
        found[column] = Figure(float(value), float(spread) if spread else None)
    return found


FEW_SHOT = {
    "anli": {
        "zero-shot": _figures("anli", "90.3 27.4 29.7 29.6 30.5 31.6 27.3 29.4"),
        "finetune": _figures("anli", "90.2±0.1 29.0±1.8 32.1±1.2 30.8±0.7 30.6±1.9 30.4±0.6 27.8±1.5 30.2±1.3"),
        "scl": _figures("anli", "90.3±0.0 30.1±1.1 31.4±1.0 31.1±0.6 31.3±1.3 31.1±1.1 28.1±1.7 30.5±1.1"),
        "mas": _figures("anli", "90.2±0.1 30.3±1.3 31.2±1.8 32.0±0.6 31.2±2.7 30.4±0.8 27.8±2.5 30.5±1.6"),
        "pn": _figures("anli", "90.3 37.6±8.6 42.7±6.4 44.0±7.0 37.7±4.6 43.0±6.7 38.2±5.6 40.5±6.5"),
        "knn": _figures("anli", "89.8 36.6±5.6 40.1±6.6 43.4±4.6 45.1±7.7 41.5±6.0 39.2±3.0 41.0±5.6"),
    },
    "snli": {
        "zero-shot": _figures("snli", "92.5 0.6 0.6 1.4 1.2 0.0 0.8"),
        "finetune": _figures("snli", "92.3±0.2 6.7±2.5 10.3±5.1 7.0±1.7 5.9±1.2 11.1±4.2 8.2±2.9"),
        "scl": _figures("snli", "92.3±0.3 7.9±2.0 9.0±2.8 6.7±3.0 2.7±0.7 12.7±2.7 7.8±2.2"),
        "mas": _figures("snli", "92.1±0.2 9.8±2.1 9.6±3.3 8.3±1.2 7.8±1.4 12.2±1.8 9.5±2.0"),
        "pn": _figures("snli", "92.5 48.6±7.5 44.2±9.2 47.9±1.5 44.3±9.5 40.7±14.4 45.1±8.4"),
        "knn": _figures("snli", "92.3 43.1±8.6 47.6±10.0 47.9±1.4 54.1±10.2 46.6±5.1 47.9±7.1"),
    },
    "imdb": {
        "zero-shot": _figures("imdb", "96.0 11.1 11.1 11.1"),
        "finetune": _figures("imdb", "96.0±0.0 18.9±4.1 14.8±1.3 16.9±2.7"),
        "scl": _figures("imdb", "96.0±0.0 18.2±4.0 22.2±2.7 20.2±3.4"),
        "mas": _figures("imdb", "95.9±0.0 23.2±4.0 21.5±3.4 22.4±3.7"),
        "pn": _figures("imdb", "96.0 88.9±1.0 89.6±1.3 89.3±1.2"),
        "knn": _figures("imdb", "95.8 10.4±1.2 6.7±0.0 8.6±0.6"),
    },
}
"""Tables 4, 5 and 6, by suite, method and column."""

CONTINUAL = {
    "anli": {
        "zero-shot": _figures("anli", "90.3 33.1 29.5 32.4 28.9 32.2 28.6 30.8"),
        "finetune": _figures("anli", "90.0 34.4 35.1 36.1 35.6 35.2 30.4 34.5"),
        "scl": _figures("anli", "89.9 32.5 38.0 35.7 35.6 39.1 30.4 35.2"),
        "mas": _figures("anli", "90.4 32.5 31.3 31.9 30.9 33.2 25.9 31.0"),
        "pn": _figures("anli", "83.7 28.0 38.8 33.8 27.8 38.3 35.7 33.7"),
        "knn": _figures("anli", "89.9 31.8 30.7 30.1 29.9 31.8 25.9 30.0"),
    },
    "snli": {
        "zero-shot": _figures("snli", "92.5 0.6 0.6 1.3 0.9 0.0 0.7"),
        "finetune": _figures("snli", "90.6 21.8 15.5 13.1 31.4 20.7 20.5"),
        "scl": _figures("snli", "90.9 20.4 16.1 12.7 24.8 19.5 18.7"),
        "mas": _figures("snli", "92.5 4.9 5.7 3.8 6.7 6.1 5.4"),
        "pn": _figures("snli", "70.9 44.3 40.8 44.1 36.2 52.4 43.6"),
        "knn": _figures("snli", "92.3 7.8 4.6 8.1 6.7 12.2 7.9"),
    },
    "imdb": {
        "zero-shot": _figures("imdb", "96.0 11.1 11.1 11.1"),
        "finetune": _figures("imdb", "96.0 30.9 33.9 32.4"),
        "scl": _figures("imdb", "95.2 26.4 26.8 26.6"),
        "mas": _figures("imdb", "96.1 14.5 10.7 12.6"),
        "pn": _figures("imdb", "89.7 51.8 57.1 54.5"),
        "knn": _figures("imdb", "96.0 10.9 8.9 9.9"),
    },
}
"""Tables 7, 8 and 9, by suite, method and column."""


def _without_average(suite: str, text: str) -> dict[str, Figure]:
    return {name: figure for name, figure in _figures(suite, text + " 0").items() if name != "Average"}


SUPPORTS = {
    "anli": {
        "head": _without_average("anli", "90.3 27.4 29.7 29.6 30.5 31.6 27.3"),
        "cross-entropy original": _without_average("anli", "90.3 28.2 28.9 27.9 30.5 32.5 27.3"),
        "cross-entropy categories": _without_average(
            "anli", "50.3±25.5 37.6±8.6 42.7±6.4 44.0±7.0 37.7±4.6 43.0±6.7 38.2±5.6"
        ),
        "cross-entropy both": _without_average(
            "anli", "87.6±0.8 31.8±4.3 35.3±1.7 34.4±5.1 31.7±3.5 34.0±4.7 28.6±7.3"
        ),
        "prototypical original": _without_average("anli", "90.6 24.8 24.7 29.1 26.8 24.7 22.1"),
        "prototypical categories": _without_average(
            "anli", "31.4±26.1 38.1±7.3 43.8±9.4 47.8±6.4 35.7±6.6 38.8±9.0 45.7±12.6"
        ),
        "prototypical both": _without_average("anli", "90.4±0.3 27.0±2.2 27.4±1.9 32.5±2.9 27.8±1.4 27±3.4 26.5±3.4"),
    },
    "snli": {
        "head": _without_average("snli", "92.5 0.6 0.6 1.4 1.2 0"),
        "cross-entropy original": _without_average("snli", "92.5 2.1 1.9 2.8 4.7 3.2"),
        "cross-entropy categories": _without_average("snli", "8.0±0.1 48.6±7.5 44.2±9.2 47.9±1.5 44.3±9.5 40.7±14.4"),
        "cross-entropy both": _without_average("snli", "84.9±1.7 17.8±12.5 23.5±6.5 29.1±1.3 11.8±7.1 23.3±8.7"),
        "prototypical original": _without_average("snli", "92.0 19.0 17.3 20.2 16.5 28.6"),
        "prototypical categories": _without_average("snli", "50.1±45.1 42.8±5.4 44.7±2.3 48.5±7.4 48.6±7.1 41.8±5.6"),
        "prototypical both": _without_average("snli", "90.2±0.6 19.0±0.0 17.3±0.0 20.2±0.0 16.5±0.0 28.6±0.0"),
    },
    "imdb": {
        "head": _without_average("imdb", "96.0 11.1 11.1"),
        "cross-entropy original": _without_average("imdb", "96.0 12.1 11.1"),
        "cross-entropy categories": _without_average("imdb", "4.0±0.0 88.9±1.0 89.6±1.3"),
        "cross-entropy both": _without_average("imdb", "88.1±2.1 60.9±10.4 57.0±5.1"),
        "prototypical original": _without_average("imdb", "96.0 49.5 37.8"),
        "prototypical categories": _without_average("imdb", "50.0±50.4 49.5±0.0 51.8±12.2"),
        "prototypical both": _without_average("imdb", "95.9±0.1 49.5±0.0 41.5±3.4"),
    },
}
"""Tables 10 and 11, by suite, loss with support set, and column. Table 11's "84.91±.7" is read as 84.9±1.7."""

IN_TURN = {
    "": _without_average("anli", "90.3 33.1 29.5 32.4 28.9 32.2 28.6"),
    "Numerical": _without_average("anli", "90.3 33.1 30.0 32.9 29.9 33.2 27.7"),
    "Basic": _without_average("anli", "90.2 31.8 31.3 32.4 32.5 32.6 29.5"),
    "Reference": _without_average("anli", "90.3 32.5 33.9 33.3 35.6 33.4 32.1"),
    "Tricky": _without_average("anli", "90.3 32.5 32.8 31.5 36.6 33.4 29.5"),
    "Reasoning": _without_average("anli", "90.0 31.2 37.0 36.1 38.7 33.8 31.2"),
    "Imperfections": _without_average("anli", "90.0 34.4 35.1 36.1 35.6 35.2 30.4"),
}
"""Table 12: fine-tuning on ANLI R3, after each category; "" is before any."""

DOMAINS = {
    "Numerical": {"Wikipedia": ((33.2, 5.4), (36.3, 8.0)), "RTE": ((28.6, 1.9), (38.7, 10.9))},
    "Basic": {
        "Legal": ((34.9, 1.9), (46.7, 7.8)),
        "Procedural": ((32.2, 3.6), (43.5, 4.3)),
        "Wikipedia": ((34.3, 2.6), (39.0, 6.9)),
        "RTE": ((28.4, 1.7), (41.7, 10.6)),
    },
    "Reference": {
        "Legal": ((35.7, 2.5), (48.3, 11.1)),
        "Wikipedia": ((31.5, 2.0), (38.8, 5.4)),
        "RTE": ((26.9, 1.1), (46.3, 9.3)),
    },
    "Tricky": {
        "Legal": ((27.1, 2.4), (40.0, 3.8)),
        "Procedural": ((36.4, 6.4), (45.5, 6.4)),
        "Wikipedia": ((33.7, 2.1), (38.8, 7.5)),
        "RTE": ((30.2, 1.5), (33.3, 6.4)),
    },
    "Reasoning": {
        "Legal": ((34.0, 1.9), (42.6, 7.0)),
        "Procedural": ((31.2, 2.2), (44.2, 11.0)),
        "Wikipedia": ((31.1, 1.4), (38.6, 4.8)),
        "RTE": ((25.7, 1.8), (47.5, 12.1)),
    },
    "Imperfections": {
        "Legal": ((66.7, 0.0), (46.7, 18.3)),
        "Wikipedia": ((36.5, 1.6), (34.7, 7.0)),
        "RTE": ((17.5, 3.1), (40.5, 13.0)),
    },
}
"""Table 13: value and standard deviation of fine-tuning and of prototypes, by category and domain of ANLI R3."""

ORDER_SPREAD = 1.0
"""The standard deviation of the average over ten random orders (E.2)."""


class Sizes(NamedTuple):
    """Examples of a category: of all support sets, dev, test and in total, alone and in turn."""

    train: tuple[int, int]
    dev: tuple[int, int]
    test: tuple[int, int]
    total: tuple[int, int]


SIZES = {
    "anli": {
        "Numerical": Sizes((75, 15), (49, 67), (117, 157), (241, 239)),
        "Basic": Sizes((75, 15), (154, 165), (360, 387), (589, 567)),
        "Reference": Sizes((75, 15), (76, 92), (179, 216), (330, 323)),
        "Tricky": Sizes((75, 15), (70, 82), (164, 194), (309, 291)),
        "Reasoning": Sizes((75, 15), (205, 211), (481, 494), (761, 720)),
        "Imperfections": Sizes((75, 15), (32, 47), (77, 112), (184, 174)),
    },
    "snli": {
        "Insert/remove phrases": Sizes((45, 15), (141, 149), (331, 348), (517, 512)),
        "Substitute entities": Sizes((45, 15), (66, 74), (156, 174), (267, 263)),
        "Substitute evidence": Sizes((45, 15), (93, 100), (218, 236), (356, 351)),
        "Modify entity details": Sizes((45, 15), (36, 44), (85, 105), (166, 164)),
        "Change action": Sizes((45, 15), (26, 35), (63, 82), (134, 132)),
    },
    "imdb": {
        "Modifiers": Sizes((30, 10), (42, 47), (99, 110), (171, 167)),
        "Negation": Sizes((30, 10), (19, 24), (45, 110), (95, 144)),
    },
}
"""Tables 2 and 3. The negation line of Table 3 does not add up (94, and 144 in turn, where Table 2's rule gives 91)."""
