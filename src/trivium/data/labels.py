"""Label schemes: which labels a task knows, how files spell them, and how schemes map onto each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from trivium.errors import UserError, did_you_mean


@dataclass(frozen=True)
class Labels:
    """An ordered set of labels; the order is that of a model's outputs.

    ``spellings`` says how else files write a label ("A_entails_B", "ENTAILMENT"); case and surrounding space do
    not count.
    """

    name: str
    names: tuple[str, ...]
    spellings: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __len__(self) -> int:
        return len(self.names)

    def index(self, label: str) -> int:
        """The number of a label."""
        if label not in self.names:
            raise UserError(f"label {label!r} is not of the scheme {self.name}: {did_you_mean(label, self.names)}")
        return self.names.index(label)

    def parse(self, text: str, where: str) -> str:
        """The label that ``text`` spells; an error that names ``where`` (file and line) if none."""
        word = text.strip().lower()
        if word in self.names:
            return word
        if word in self.spellings:
            return self.spellings[word]
        raise UserError(
            f"{where}: unknown label {text!r} for the scheme {self.name}: "
            f"{did_you_mean(word, [*self.names, *self.spellings])}"
        )

    def mapped(self, label: str, target: Labels) -> str:
        """The label of ``target`` that ``label`` becomes, where a mapping between the two schemes is stated."""
        self.index(label)
        if target == self:
            return label
        table = _MAPPINGS.get((self.name, target.name))
        if table is None:
            raise UserError(f"no mapping is stated from the label scheme {self.name} to {target.name}")
        return table[label]

    def places(self, label: str) -> tuple[int, ...]:
        """The numbers of the labels that ``label`` may be, where it is of a scheme that maps onto this one or back.

        Of three-way labels, ``not-entailed`` may be neutral or contradiction; of two-way ones, ``neutral`` is
        ``not-entailed``.
        """
        if label in self.names:
            return (self.names.index(label),)
        for (fine, coarse), table in _MAPPINGS.items():
            if fine == self.name and label in table.values():
                return tuple(place for place, name in enumerate(self.names) if table[name] == label)
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
BOTH = Labels("nli3+2", (*NLI3.names, *NLI2.names), dict(NLI3.spellings))
"""Three-way and two-way labels side by side, for a stage that trains on tasks of both kinds: a model answers NLI3."""

SENTIMENT = Labels("sentiment", ("negative", "positive"), {"neg": "negative", "pos": "positive"})
"""The labels of a task on one text: whether it praises."""

SCHEMES: dict[str, Labels] = {scheme.name: scheme for scheme in (NLI3, NLI2, BOTH, SENTIMENT)}


def answered(labels: Labels) -> Labels:
    """The scheme of the outputs of a model that is trained on labels of a scheme."""
    return NLI3 if labels == BOTH else labels


_MAPPINGS: dict[tuple[str, str], dict[str, str]] = {
    ("nli3", "nli2"): {"entailment": "entailed", "neutral": "not-entailed", "contradiction": "not-entailed"},
}
