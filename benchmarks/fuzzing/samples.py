"""Valid samples of the formats."""

# ruff: noqa: E501 - samples read better in one line

from __future__ import annotations

import json


def lines(*rows: object) -> bytes:
    return "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows).encode()


PAIR = {"id": "1", "premise": "A man sings.", "hypothesis": "A person sings.", "label": "entailment", "genre": "music"}
EXAMPLE = {"id": "1", "premise": "A", "hypothesis": "B", "label": "neutral", "facts": {"verb": "sing"}, "parts": []}
SPLIT = lines(
    {"labels": "nli3"}, {**EXAMPLE, "parts": [{**EXAMPLE, "id": "2", "task": "natural"}]}, {**EXAMPLE, "id": "3"}
)
CHOICE = {"context": "The roof leaks.", "question": "Who comes?", "choices": ["A roofer.", "A baker."], "answer": 0}
QUESTION = {"context": "Ada sang and Tom danced.", "question": "Who sang?", "answer": "Ada", "wrong": ["Tom"]}
CHOICES = lines(CHOICE, CHOICE)
CONLLU = (
    b"# text = Tom can't sing.\n1\tTom\tTom\tPROPN\tNNP\t_\t4\tnsubj\t_\t_\n2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\t_\n"
    b"2\tca\tcan\tAUX\tMD\t_\t4\taux\t_\t_\n3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_\n3.1\tx\tx\tX\tX\t_\t_\t_\t_\t_\n"
    b"4\tsing\tsing\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No\n5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_\n\n"
)
ROLES = b"Tom sings well .\nB-ARG0\tB-V\tB-ARGM\tO\n\nIt rains.\nO\tB-V\tO\n\n"
PERSONA = json.dumps(
    {"format": 1, "facts": ["I sing."], "lessons": [{"name": "a", "right": 0.5}], "knew": True}
).encode()
RECORD = {"format": 1, "method": "replay", "examples": [EXAMPLE], "guard": "none", "settings": {"a": 1}, "figures": {"b": [1.5]},
          "previous": {"where": "old", "fingerprint": "abc"}}  # fmt: skip
SICK_COLUMNS = ("pair_ID", "sentence_A", "sentence_B", "entailment_label", "relatedness_score", "entailment_AB", "entailment_BA",
                "SemEval_set")  # fmt: skip
SICK = "\t".join(SICK_COLUMNS) + "\n1\tA man sings\tA person sings\tENTAILMENT\t4.5\tA_entails_B\tB_neutral_A\tTRAIN\n"
REVIEWS = 'Sentiment\tText\tbatch_id\nPositive\t"A ""fine"" film<br />"\t4\nNegative\tA dull film\t4\n'
ANLI = {"uid": "a", "context": "A", "hypothesis": "B", "label": "e", "genre": "news"}
SNLI = {"sentence1": "A", "sentence2": "B", "gold_label": "neutral", "pairID": "1", "captionID": "2"}
DIALOGUES = b"1 your persona: I sing.\n2 partner's persona: I dance.\n3 hello\thi, I sing\t\ta|b\n1 your persona: I run.\n2 a\tb\n"
