"""Measure how often the reader of embedded clauses recovers the clause exactly: ``python benchmarks/decomposition.py``.

The compositions of C²Gen and SETI are built from SICK; the other sentences are those of public data sets, looked up in
the folders of $TRIVIUM_DATA. Usage::

    python benchmarks/decomposition.py                   # the table, as Markdown
    python benchmarks/decomposition.py failures 50       # a random sample of failures
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

from trivium.build.splits.systematicity import SystematicSizes, choose_inferences
from trivium.build.veridicality.composition import compose, embed
from trivium.build.veridicality.natural import choose_natural
from trivium.build.veridicality.pseudo import is_decided, make_lexicon
from trivium.build.veridicality.verbs import INFINITIVE_VERBS, THAT_VERBS
from trivium.data.locate import find_file, read_text
from trivium.data.sources import load_source
from trivium.language.embedding import decompose
from trivium.seeds import stream


class Item(NamedTuple):
    """A sentence and the clause that it embeds, with the number of layers, the hypothesis and the verb, if known."""

    data: str
    sentence: str
    clause: str
    depth: int = 1
    hypothesis: str = ""
    verb: str = ""


def c2gen() -> Iterator[Item]:
    for pair in choose_natural(load_source("sick").examples):
        for verb in INFINITIVE_VERBS:
            sentence, clause = pair.clause.under(verb), pair.example.premise
            yield Item("C²Gen", sentence, clause, hypothesis=str(pair.example.hypothesis))


def pseudo() -> Iterator[Item]:
    """Yield compositions with pseudo-words for the verbs and for related words (C²Gen, section 8.1)."""
    pairs = choose_natural(load_source("sick").examples)
    decided = [pair for pair in pairs if is_decided(pair.example)]
    lexicon = make_lexicon((pair.example for pair in decided), stream(0, "data", "pseudo"))
    for pair in decided:
        for verb in INFINITIVE_VERBS:
            example = lexicon.apply(compose(verb, pair))
            clause = example.parts[1].premise
            yield Item("C²Gen, pseudo-words", example.premise, clause, hypothesis=str(example.hypothesis))


def seti() -> Iterator[Item]:
    rng = stream(0, "decomposition")
    inferences = choose_inferences(load_source("sick").examples, SystematicSizes(structural=0), stream(0, "data"))
    for pair in inferences.of():
        for verb in THAT_VERBS:
            yield Item("SETI, one verb", embed([verb], pair.premise), pair.premise, hypothesis=str(pair.hypothesis))
        for depth in (2, 3):
            verbs = [THAT_VERBS[index] for index in rng.integers(len(THAT_VERBS), size=depth)]
            name = f"SETI, chains of {depth}"
            yield Item(name, embed(verbs, pair.premise), pair.premise, depth, str(pair.hypothesis))


def transitivity() -> Iterator[Item]:
    path = find_file("transitivity/naturalistic/naturalistic_inference_human_performance.tsv")
    rows = list(csv.DictReader(read_text(path).splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
    clauses = {row["sentence1"]: row["sentence2"] for row in rows if ".fpp." in row["genre"]}
    for row in rows:
        if ".fph." in row["genre"]:
            yield Item("transitivity", row["sentence1"], clauses[row["sentence1"]], hypothesis=row["sentence2"])


def megaveridicality() -> Iterator[Item]:
    frames = {"that_S": "that S", "for_NP_to_VP": "for x to S"}
    for part in ("train", "dev", "test"):
        stem = f"dnc_megaveridicality/{part}/recast_megaveridicality"
        about = json.loads(read_text(find_file(f"{stem}_metadata.json")))
        names = {each["pair-id"]: each["corpus-sent-id"] for each in about}
        for item in json.loads(read_text(find_file(f"{stem}_data.json"))):
            if "n't" not in item["hypothesis"] and "might" not in item["hypothesis"]:
                _, complement, voice, polarity = names[item["pair-id"]].split(":")
                frame = frames.get(complement, "x to S" if complement.startswith("NP") else "to S")
                clause = item["hypothesis"].replace("that thing", "a particular thing")
                clause = clause.replace("that person", "a particular person")
                yield Item(f"MegaVeridicality, {frame}, {voice}, {polarity}", item["context"], clause)


def verb_veridicality() -> Iterator[Item]:
    text = read_text(find_file("verb_veridicality/verb_veridicality_evaluation.tsv"))
    for row in csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        name = f"verb veridicality, {row['task']}"
        yield Item(f"{name}, affirmed", row["sentence"], row["complement"], verb=row["verb"])
        yield Item(f"{name}, negated", row["neg_sentence"], row["complement"], verb=row["verb"])


def plain(text: str) -> str:
    """Return a clause in lower case, without punctuation."""
    return " ".join(re.sub(r"[^\w\s]", " ", text.lower()).split())


def recovered(item: Item) -> str:
    """Return the clause that the reader finds, or an empty text: the innermost one, or that of the item's verb."""
    layers = decompose(item.sentence, item.hypothesis)
    if not item.hypothesis:
        layers = tuple(layer for layer in layers if layer.verb == item.verb) or layers[: item.depth]
    return layers[-1].clause if layers else ""


def is_exact(item: Item) -> bool:
    return plain(recovered(item)) == plain(item.clause)


def all_items() -> Iterator[Item]:
    for source in (c2gen, pseudo, seti, transitivity, megaveridicality, verb_veridicality):
        yield from source()


def table() -> None:
    counts: dict[str, list[int]] = {}
    for item in all_items():
        count = counts.setdefault(item.data, [0, 0, 0])
        found = recovered(item)
        count[0] += 1
        count[1] += plain(found) == plain(item.clause)
        count[2] += not found
    print("| sentences | number | recovered exactly | no clause found | another clause found |\n|---|---|---|---|---|")
    for name, (number, exact, nothing) in counts.items():
        cells = (100 * share / number for share in (exact, nothing, number - exact - nothing))
        print(f"| {name} | {number:,} | " + " | ".join(f"{cell:.1f}" for cell in cells) + " |")


def failures(number: int) -> None:
    failed = [item for item in all_items() if "pseudo" not in item.data and not is_exact(item)]
    for index in sorted(stream(0, "failures").permutation(len(failed))[:number]):
        item = failed[index]
        print(f"{item.data}\n  sentence: {item.sentence}\n  clause:   {item.clause}\n  found:    {recovered(item)}")
    print(f"{len(failed):,} failures in all")


if __name__ == "__main__":
    failures(int(sys.argv[2])) if sys.argv[1:2] == ["failures"] else table()
