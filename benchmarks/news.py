"""Forty sentences in the style of the news, with their labels: what `tv.infer` answers, and how it derives it.

Usage::

    python benchmarks/news.py MODEL             # a classifier's folder; prints a table and the counts
    python benchmarks/news.py MODEL typed       # another composer than the signatures of verbs

The sentences were written before any model had answered them. A label says what follows for a careful reader.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

from trivium.learn.config import TrainConfig
from trivium.learn.learner import Learner
from trivium.models.classifiers import load_classifier
from trivium.tools.inference import Inference, infer

LABELS = {"e": "entailment", "n": "neutral", "c": "contradiction"}


class Case(NamedTuple):
    """A pair and its label."""

    premise: str
    hypothesis: str
    label: str


CASES = tuple(
    Case(*(part.strip() for part in line.split("|")))
    for line in """
The minister denied that the bridge had been inspected. | The bridge had been inspected. | n
The committee confirmed that the vote was postponed. | The vote was postponed. | e
The airline failed to refund the passengers. | The airline refunded the passengers. | c
The union managed to delay the closure. | The union delayed the closure. | e
The mayor promised to open a second library. | The mayor opened a second library. | n
Residents feared that the river would rise. | The river rose. | n
The court found that the company had hidden the report. | The company had hidden the report. | e
The player refused to sign the contract. | The player signed the contract. | c
The spokeswoman claimed that the data were safe. | The data were safe. | n
Investigators discovered that the alarm was switched off. | The alarm was switched off. | e
The bank forgot to inform its customers. | The bank informed its customers. | c
The senator remembered to thank the nurses. | The senator thanked the nurses. | e
The agency did not know that the pump was broken. | The pump was broken. | e
The team did not manage to reach the final. | The team reached the final. | c
The director did not forget to pay the actors. | The director paid the actors. | e
The museum hopes to buy the painting. | The museum buys the painting. | n
The report revealed that two engineers had resigned. | Two engineers had resigned. | e
The teacher was told that the school would close. | The school closed. | n
The committee regrets that the minutes were lost. | The minutes were lost. | e
The firm pretended to repair the pipes. | The firm repaired the pipes. | c
The government agreed to raise the pension. | The government raised the pension. | n
Doctors warned that the hospital was full. | The hospital was full. | n
The pilot admitted that he had ignored the signal. | The pilot had ignored the signal. | e
The voters believed that the election was fair. | The election was fair. | n
The council neglected to repair the fence. | The fence was repaired by the council. | c
The president avoided mentioning the strike. | The president mentioned the strike. | c
The company was forced to sell its ships. | The company sold its ships. | e
The witness did not deny that the car was red. | The car was red. | n
The farmers managed to sell the harvest. | The farmers sold something. | e
The minister denied that every train was late. | No train was late. | n
The police confirmed that a woman was arrested. | Somebody was arrested. | e
The editor failed to notice that a page was missing. | A page was missing. | e
The city hoped to manage to plant a thousand trees. | The city planted a thousand trees. | n
The museum forgot to announce that the tower was closed. | The tower was closed. | e
The coach admitted that he had failed to train the goalkeeper. | The coach trained the goalkeeper. | c
The singer claimed to have written the song. | The singer wrote the song. | n
Scientists know that the glacier is melting. | The glacier is growing. | c
The bishop refused to bless the ship. | The ship was blessed by the bishop. | c
The captain realised that the engine was dead. | The engine was running. | c
The judge suggested that the parties should talk. | The parties talked. | n
""".strip().splitlines()
)


def main() -> None:
    composer = sys.argv[2] if len(sys.argv) > 2 else "signed"
    head = Learner.from_classifier(load_classifier(sys.argv[1]), TrainConfig(), seed=0)
    alone = [infer(head, case.premise, case.hypothesis) for case in CASES]
    composed = [infer(sys.argv[1], case.premise, case.hypothesis, composer) for case in CASES]
    print("| premise | hypothesis | label | head alone | composed | derivation |\n|---|---|---|---|---|---|")
    for case, first, second in zip(CASES, alone, composed, strict=True):
        answers = [_mark(case, one) for one in (first, second)]
        derivation = "; ".join(second.derivation[:-1]) if second.composed else "head"
        print(f"| {case.premise} | {case.hypothesis} | {LABELS[case.label]} | {' | '.join(answers)} | {derivation} |")
    counts = [
        sum(one.label == LABELS[case.label] for case, one in zip(CASES, side, strict=True))
        for side in (alone, composed)
    ]
    print(
        f"\nRight, of {len(CASES)}: head alone {counts[0]}, composed ({composer}) {counts[1]}; "
        f"{sum(one.composed for one in composed)} were composed."
    )


def _mark(case: Case, one: Inference) -> str:
    return one.label if one.label == LABELS[case.label] else f"**{one.label}**"


if __name__ == "__main__":
    main()
