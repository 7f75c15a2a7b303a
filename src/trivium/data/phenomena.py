"""The 36 linguistic phenomena of CURRICULUM (Chen and Gao, 2022) in eight categories (Tables 1, 4 and 5, Figure 1).

The name of a phenomenon is its abbreviation in the paper.
"""

from __future__ import annotations

from dataclasses import dataclass

from trivium.data.labels import NLI2, NLI3, Labels
from trivium.errors import unknown_name
from trivium.registry import Registry

CATEGORIES = {
    "lexical": "the meanings of words, and relations between them",
    "syntactic": "how the structure of a sentence determines its meaning",
    "semantic": "what a sentence says about entities, events, roles and attitudes",
    "logical": "connectives, quantifiers, counting and monotonicity",
    "analytic": "conclusions in several steps from given knowledge",
    "commonsense": "everyday knowledge about things and people",
    "comprehension": "questions about a longer text",
    "special": "defeasible, counterfactual, spatial and temporal reasoning",
}
"""The eight categories, and what each of them tests (Table 1)."""


@dataclass(frozen=True)
class Phenomenon:
    """A linguistic phenomenon: its name and title in the paper, what it tests, and the origin of its data.

    ``task`` is the name of the released archive, if there is one. ``reference`` cites the original data set, and
    ``recast`` is its original task (Table 5): NLI, QA (question answering), RC (reading comprehension), SC (sentence
    classification) or TG (text generation); it is empty where the table is not legible. ``doubt`` says why the released
    labels are not to be trusted.
    """

    name: str
    title: str
    category: str
    about: str
    task: str = ""
    reference: str = ""
    recast: str = ""
    labels: Labels = NLI2
    doubt: str = ""

    @property
    def sentence(self) -> str:
        """What the phenomenon tests, as a sentence."""
        return f"What it tests: {self.about}."


PHENOMENA: Registry[Phenomenon] = Registry("phenomenon")


def select_phenomena(names: tuple[str, ...]) -> list[Phenomenon]:
    """Return the phenomena with these names or in these categories, in the order of the paper; all if none is given."""
    for name in names:
        if name not in PHENOMENA and name not in CATEGORIES:
            raise unknown_name("phenomenon or category", name, [*PHENOMENA, *CATEGORIES])
    phenomena = [PHENOMENA[name] for name in PHENOMENA]
    return [item for item in phenomena if not names or item.name in names or item.category in names]


_DNC, _FRAGMENTS = "Poliak et al. 2018", "Richardson et al. 2019"
_PROBES, _RECAST = "Richardson and Sabharwal 2020", "White et al. 2017"
_BABI = "Weston et al. 2016"
_ARBITRARY = "The released labels look arbitrary: correct definitions are often labelled not-entailed."
for _phenomenon in (
    Phenomenon("lex-ent", "Lexical Entailment", "lexical", "a word replaced by a related word, in context",
               "lexical", "Schmitt and Schütze 2021; Glockner et al. 2018"),
    Phenomenon("hyper", "Hypernymy", "lexical", "the kind of thing that a word names", "hypernymy", _PROBES,
               doubt=_ARBITRARY),
    Phenomenon("hypo", "Hyponymy", "lexical", "a special kind of the thing that a word names", "hyponymy", _PROBES,
               doubt=_ARBITRARY),
    Phenomenon("ner", "Named Entity", "lexical", "whether a name is that of a person, place, group or time",
               "ner", _DNC),
    Phenomenon("transit", "Veridicality and Transitivity", "lexical", "whether an event embedded under a verb happened",
               "transitive", f"{_DNC}; Yanaka et al. 2021"),
    Phenomenon("vbn", "VerbNet", "syntactic", "what a verb says about its arguments", "verbnet", _DNC, "NLI"),
    Phenomenon("vbc", "VerbCorner", "syntactic", "which events a verb implies", "verbcorner", _DNC, "NLI"),
    Phenomenon("syn-var", "Syntactic Variation", "syntactic", "whether one sentence paraphrases another",
               "syntactic_variation", "Dolan and Brockett 2005", "SC"),
    Phenomenon("syn-alt", "Syntactic Alternations", "syntactic", "whether a verb's other frame means the same",
               "syntactic_alternation", "Kann et al. 2019", "SC"),
    Phenomenon("coref", "Coreference & Anaphora", "semantic", "whom or what a pronoun refers to", "coreference",
               "Sakaguchi et al. 2019; Wang et al. 2019; Webster et al. 2018", "NLI/SC"),
    Phenomenon("senti", "Sentiment", "semantic", "whether someone's words express liking", "sentiment", _DNC, "NLI"),
    Phenomenon("kg-rel", "Relational Knowledge", "semantic", "which relation a text states between two entities",
               "kg_relations", _DNC, "NLI"),
    Phenomenon("puns", "Puns", "semantic", "whether a sentence is a play on words", "puns", _DNC, "NLI"),
    Phenomenon("sprl", "Semantic Proto Label", "semantic", "what an event does to its participants",
               "sprl", _RECAST, "NLI"),
    Phenomenon("ctx-align", "Context Alignment", "semantic", "whether a statement fits its context",
               "context_align", f"{_RECAST}; BIG-bench 2021", "NLI"),
    Phenomenon("bool", "Boolean", "logical", "and, or, neither, with lists", "boolean", _FRAGMENTS, "NLI", NLI3),
    Phenomenon("cond", "Conditional", "logical", "if, unless: what follows and what does not",
               "conditional", _FRAGMENTS, "NLI", NLI3),
    Phenomenon("comp", "Comparative", "logical", "taller than, as tall as, in several steps",
               "comparative", _FRAGMENTS, "NLI", NLI3),
    Phenomenon("cont", "Counting", "logical", "how many, at least, only", "counting", _FRAGMENTS, "NLI", NLI3),
    Phenomenon("quant", "Quantifier", "logical", "every, some, no, someone, everyone",
               "quantifier", _FRAGMENTS, "NLI", NLI3),
    Phenomenon("negat", "Negation", "logical", "what not denies, and what it leaves open",
               "negation", _FRAGMENTS, "NLI", NLI3),
    Phenomenon("monot", "Monotonicity", "logical", "when a phrase may be made more general or more specific",
               "monotonicity_infer", "Yanaka et al. 2019a, b; Richardson et al. 2019", "NLI"),
    Phenomenon("ent-tree", "Entailment Tree", "analytic", "a conclusion from several statements together",
               "entailment_tree", "Dalvi et al. 2021", "TG"),
    Phenomenon("analytic", "Analytical Reasoning", "analytic", "arrangements that must satisfy rules",
               "analytic", "Zhong et al. 2021", "SC"),
    Phenomenon("physic", "Physical", "commonsense", "how people use things", "physicalqa", "Bisk et al. 2019"),
    Phenomenon("social", "Social", "commonsense", "why people act, and how they feel afterwards",
               "socialqa", "Sap et al. 2019"),
    Phenomenon("swag", "HellaSwag", "commonsense", "what happens next", "hellaswag", "Sap et al. 2018"),
    Phenomenon("cosmo", "Contextual Commonsense Reasoning", "commonsense", "what a story leaves unsaid",
               "cosmoqa", "Huang et al. 2019", "RC"),
    Phenomenon("drop", "Discrete Reasoning", "comprehension", "adding, sorting and comparing what a text states",
               "drop", "Dua et al. 2019", "RC"),
    Phenomenon("ester", "Event Semantics Reasoning", "comprehension", "how the events of a text are related",
               "ester", "Han et al. 2021"),
    Phenomenon("logi", "Deductive Reasoning", "comprehension", "which conclusion an argument allows",
               "logiqa", "Liu et al. 2020"),
    Phenomenon("control", "Contextual Reasoning", "comprehension", "several kinds of reasoning over a long text",
               "control", "Liu et al. 2021", "", NLI3),
    Phenomenon("defeas", "Defeasible Reasoning", "special", "what makes a conclusion more or less likely",
               "defeasible", "Rudinger et al. 2020"),
    Phenomenon("temp", "Temporal Reasoning", "special", "the order of events in time", "temporal", _BABI),
    Phenomenon("spat", "Spatial Reasoning", "special", "left of, above, inside: where things are", "spatial", _BABI),
    Phenomenon("counter", "Counterfactual Reasoning", "special", "what would have been",
               "counterfactual", "Patil and Baths 2020", "SC"),
):  # fmt: skip
    PHENOMENA.register(_phenomenon.name)(_phenomenon)
