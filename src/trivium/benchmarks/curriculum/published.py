"""The figures of the CURRICULUM paper (Chen and Gao, 2022). They are data to compare with, never filled in for ours.

Its Figures 2 to 5 are drawn, not printed: of them only what the text says is here.
"""

from __future__ import annotations

INFORMATION = {
    "lex-ent": 0.31, "transit": 0.41, "hyper": -0.99, "hypo": -0.10, "ner": 0.19, "vbn": 0.55,
    "vbc": -0.40, "syn-alt": 0.10, "syn-var": 0.11, "bool": 1.12, "cond": 1.13, "cont": 0.75,
    "comp": 0.98, "negat": 1.13, "quant": 0.78, "monot": -1.57, "kg-rel": 0.05, "coref": -0.38,
    "senti": 0.42, "ctx-align": -0.79, "puns": 0.14, "sprl": -0.11, "ent-tree": 0.50, "analytic": 0.00,
    "temp": 0.10, "spat": 0.49, "counter": 0.47, "defeas": -0.39, "social": -0.40, "physic": -0.17,
    "swag": -0.66, "cosmo": -0.57, "drop": 0.19, "ester": -0.10, "logi": -0.71, "control": -0.07,
}  # fmt: skip
"""Table 2: V-information. Its text says −0.67 of cosmo."""

SIZES: dict[str, tuple[int | None, int | None]] = {
    "lex-ent": (6398, None), "hyper": (20000, None), "hypo": (20000, None), "transit": (20000, None),
    "vbn": (1398, 160), "vbc": (110898, 13894), "syn-var": (3668, 408), "syn-alt": (19990, 8739),
    "coref": (12135, 5799), "senti": (4800, None), "kg-rel": (21905, 761), "sprl": (14038, 1756),
    "puns": (14038, 1756), "ctx-align": (14038, 1756), "bool": (3000, 1000), "cond": (3000, 1000),
    "comp": (3000, 1000), "cont": (3000, 1000), "quant": (3000, 1000), "negat": (3000, None),
    "monot": (35891, 5382), "ent-tree": (1314, 340), "analytic": (3260, 922), "physic": (10000, None),
    "social": (6003, None), "swag": (20000, None), "cosmo": (9046, 5452), "logi": (14752, None),
    "control": (6719, None), "ester": (2800, None), "drop": (20000, 13148), "defeas": (None, 9860),
    "temp": (4248, None), "counter": (6062, 3364),
}  # fmt: skip
"""Table 5: training and dev examples, as far as they are legible."""

POSITIVE, STRONG = 77.8, 27.8
"""Of the phenomena, in %: zero-shot correlation of the models trained on a mixture is above 0, and above 0.5 (5.1)."""

RECOVERED, NOT_IMPROVED = 64.0, 25.0
"""Of the phenomena, in %: high accuracy after inoculation, and no significant improvement by it (5.2)."""

LEARNED, NO_GAIN, BIASED = 30.6, 36.0, 33.3
"""Of the phenomena, in %: high with the premise only, no gain by the premise, high with and without it (5.3)."""

GENERAL, NOT_GENERAL, HARD_TO_SIMPLE = 22.2, 58.3, 14.0
"""Of the phenomena, in %: skills carry over between simple and hard, do not, and only from simple to hard (5.4)."""

ACROSS_KG_REL = {("simple", "simple"): 83.0, ("hard", "hard"): 98.0, ("hard", "simple"): 53.0, ("simple", "hard"): 38.0}
"""Accuracy on relational knowledge by what was trained and tested (5.4)."""

PAPERS_MODEL = "roberta-large-snli_mnli_fever_anli_R1_R2_R3-nli"
