"""Label schemes: the labels of a task, how files spell them, and how schemes map to each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from trivium.errors import UserError, did_you_mean, shown


@dataclass(frozen=True)
class Labels:
    """A label scheme: labels in the order of a model's outputs.

    ``spellings`` maps alternative spellings in files, in lower case, to labels. Case and surrounding spaces
    are ignored.
    """

    name: str
    names: tuple[str, ...]
    spellings: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __len__(self) -> int:
        return len(self.names)

    def index(self, label: str) -> int:
        """Return the index of a label."""
        if label not in self.names:
            raise UserError(f"unknown label {label!r} for the scheme {self.name}: {did_you_mean(label, self.names)}")
        return self.names.index(label)

    def parse(self, text: str, where: str) -> str:
        """Return the label that ``text`` spells. Raise a UserError that names ``where`` if there is none."""
        word = text.strip().lower()
        if word in self.names:
            return self.names[self.names.index(word)]  # one object for all examples, which takes less memory
        if word in self.spellings:
            return self.spellings[word]
        raise UserError(
            f"{where}: unknown label {shown(text)!r} for the scheme {self.name}: "
            f"{did_you_mean(word, [*self.names, *self.spellings])}"
        )

    def map_to(self, label: str, target: Labels) -> str:
        """Return the label of ``target`` that ``label`` maps to. Raise a UserError if no mapping is defined."""
        self.index(label)
        if target == self:
            return label
        table = _MAPPINGS.get((self.name, target.name))
        if table is None:
            raise UserError(f"no mapping is defined from the label scheme {self.name} to {target.name}")
        return table[label]

    def indices(self, label: str) -> tuple[int, ...]:
        """Return the indices of the labels that correspond to ``label``, which may be of another scheme.

        Among three-way labels, ``not-entailed`` corresponds to neutral and contradiction; among two-way labels,
        ``neutral`` corresponds to ``not-entailed``.
        """
        if label in self.names:
            return (self.names.index(label),)
        for (fine, coarse), table in _MAPPINGS.items():
            if fine == self.name and label in table.values():
                return tuple(index for index, name in enumerate(self.names) if table[name] == label)
            if coarse == self.name and label in table:
                return (self.names.index(table[label]),)
        self.index(label)
        raise AssertionError("index() raises for a label of another scheme")


NLI3 = Labels(
    "nli3",
    ("entailment", "neutral", "contradiction"),
    {
        "e": "entailment",
        "n": "neutral",
        "c": "contradiction",
        "entails": "entailment",
        "contradicts": "contradiction",
    },
)
NLI2 = Labels(
    "nli2",
    ("entailed", "not-entailed"),
    dict.fromkeys(("not_entailed", "not-entailment", "not_entailment"), "not-entailed") | {"entailment": "entailed"},
)
NLI3_AND_2 = Labels("nli3+2", (*NLI3.names, *NLI2.names), dict(NLI3.spellings))
"""Three-way and two-way labels together, for a stage that trains on both kinds of task; the outputs are NLI3."""

SENTIMENT = Labels("sentiment", ("negative", "positive"), {"neg": "negative", "pos": "positive"})
"""The labels of sentiment classification, a task on one text."""

SCHEMES: dict[str, Labels] = {scheme.name: scheme for scheme in (NLI3, NLI2, NLI3_AND_2, SENTIMENT)}


def output_labels(labels: Labels) -> Labels:
    """Return the label scheme of the outputs of a model that is trained with ``labels``."""
    return NLI3 if labels == NLI3_AND_2 else labels


_MAPPINGS: dict[tuple[str, str], dict[str, str]] = {
    ("nli3", "nli2"): {"entailment": "entailed", "neutral": "not-entailed", "contradiction": "not-entailed"},
}
