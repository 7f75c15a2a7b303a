"""Derive the signatures of clause-embedding verbs from two public data sets, and test them against people's judgements.

The data sets are looked up in the folders of $TRIVIUM_DATA. Usage::

    python benchmarks/signatures.py derive    # writes src/trivium/language/words/signatures.toml
    python benchmarks/signatures.py test      # prints agreement with human scores, as Markdown
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from trivium.build.veridicality.signed import SIGNS, signed_label
from trivium.data.locate import find_file, read_text
from trivium.language.inflection import lemmatize
from trivium.language.signatures import FRAMES, WORDS, signature_of

Signatures = dict[tuple[str, str], str]
MEGA = {
    ("that_S", "active"): "that",
    ("that_S", "passive"): "passive-that",
    ("to_VPeventive", "active"): "to",
    ("to_VPstative", "active"): "to",
    ("NP_to_VPeventive", "active"): "object-to",
    ("NP_to_VPstative", "active"): "object-to",
    ("for_NP_to_VP", "active"): "for-to",
    ("to_VPeventive", "passive"): "passive-to",
    ("to_VPstative", "passive"): "passive-to",
}
HEADING = """\
# Signatures of clause-embedding verbs, by frame and lemma: what the affirmed and the negated verb imply.
# Derived from verb_veridicality (Ross and Pavlick, 2019), which comes first, and MegaVeridicality (White et al., 2018):
#   python benchmarks/signatures.py derive
"""


def mega_rows() -> Iterator[tuple[str, str, str, str, str]]:
    """Yield lemma, frame, polarity, complement type and sign of each item of MegaVeridicality."""
    for part in ("train", "dev", "test"):
        stem = f"dnc_megaveridicality/{part}/recast_megaveridicality"
        items = json.loads(read_text(find_file(f"{stem}_data.json")))
        about = json.loads(read_text(find_file(f"{stem}_metadata.json")))
        names = {each["pair-id"]: each["corpus-sent-id"] for each in about}
        for item in items:
            if item["label"] == "entailed":
                lemma, complement, voice, polarity = names[item["pair-id"]].split(":")
                hypothesis = item["hypothesis"]
                sign = "o" if "might" in hypothesis else "-" if "n't" in hypothesis else "+"
                yield lemma.replace("_", " "), MEGA[complement, voice], polarity, complement, sign


def mega_signatures() -> Signatures:
    """Return the signatures in MegaVeridicality. Clauses about events come before those about states."""
    signs: dict[tuple[str, str, str], dict[str, str]] = {}
    for lemma, frame, polarity, complement, sign in mega_rows():
        signs.setdefault((frame, lemma, complement), {})[polarity] = sign
    found: Signatures = {}
    for (frame, lemma, _), by_polarity in sorted(signs.items(), key=lambda item: "stative" in item[0][2]):
        if len(by_polarity) == 2:
            found.setdefault((frame, lemma), f"{by_polarity['positive']}/{by_polarity['negative']}")
    return found


def ross_rows() -> list[dict[str, str]]:
    """Return the rows of verb_veridicality."""
    text = read_text(find_file("verb_veridicality/verb_veridicality_evaluation.tsv"))
    return list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


def lemma_of(row: dict[str, str]) -> str:
    """Return the lemma of a row of verb_veridicality."""
    return str(lemmatize(row["verb"].lower(), upos="VERB")[0])


def ross_signatures() -> Signatures:
    """Return the signatures in verb_veridicality: the most frequent one of each verb and complement."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for row in ross_rows():
        counts.setdefault((row["task"], lemma_of(row)), Counter())[row["signature"]] += 1
    return {key: count.most_common(1)[0][0] for key, count in counts.items()}


def quoted(lemma: str) -> str:
    """Return a lemma as a key of TOML: particle verbs have a space."""
    return lemma if lemma.isalpha() else f'"{lemma}"'


def derive() -> None:
    """Write the table of signatures."""
    found = mega_signatures() | ross_signatures()
    lines = [HEADING]
    for frame in FRAMES:
        of_frame = sorted((lemma, sign) for (name, lemma), sign in found.items() if name == frame)
        lines += [f"[{frame}]", *(f'{quoted(lemma)} = "{sign}"' for lemma, sign in of_frame), ""]
    path = WORDS / "signatures.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    lemmas = {lemma for _, lemma in found}
    print(f"Wrote {len(found):,} signatures of {len(lemmas)} verbs to {Path(path).name}.")


def test() -> None:
    """Print how well signatures predict people's judgements, beside always answering the most frequent sign."""
    print("| judgements | number | signature right | most frequent sign | + | o | - |\n|---|---|---|---|---|---|---|")
    ross, mega = ross_signatures(), mega_signatures()
    for task in ("to", "that"):
        for column, negated in (("turker_pos_ratings", False), ("turker_neg_ratings", True)):
            rated = [(row, rating(row[column])) for row in ross_rows() if row["task"] == task and row[column]]
            for name, found in (("verb veridicality's own", ross), ("MegaVeridicality's", mega)):
                pairs = [(found.get((task, lemma_of(row))), sign) for row, sign in rated]
                title = f"verb veridicality, {task}, {('affirmed', 'negated')[negated]}, {name}"
                report(title, [(known.split("/")[negated], sign) for known, sign in pairs if known])
    for natural in ("fpp", "fph"):
        report(f"transitivity, {natural}", list(transitivity(natural)))


def transitivity(part: str) -> Iterator[tuple[str, str]]:
    """Yield the composed sign and the judged one of each pair: (x VERBs that S, S) or (x VERBs that S, S')."""
    path = find_file("transitivity/naturalistic/naturalistic_inference_human_performance.tsv")
    signs = {label: sign for sign, label in SIGNS.items()}
    for row in csv.DictReader(read_text(path).splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        _, pair, label, *_ = row["genre"].split(".")
        if pair == part:
            signature = str(signature_of(lemmatize(row["verb"], upos="VERB")[0], "that"))
            whole = signed_label(signature, False, "entailment" if part == "fpp" else label)
            score = float(row["avg_score"])  # from 1 to 5; the released label is entailment from 3.5 on
            yield signs[whole], "+" if score >= 3.5 else "-" if score < 1.5 else "o"


def rating(text: str) -> str:
    """Return the sign of ratings from -2 to 2: their mean, divided at -1 and 1."""
    values = [float(value) for value in text.split(",")]
    mean = sum(values) / len(values)
    return "+" if mean >= 1 else "-" if mean <= -1 else "o"


def report(title: str, pairs: list[tuple[str, str]]) -> None:
    """Print a row: predicted and judged signs."""
    right = sum(a == b for a, b in pairs) / len(pairs)
    majority = Counter(b for _, b in pairs).most_common(1)[0][1] / len(pairs)
    cells = [f"{len(pairs):,}", f"{100 * right:.1f}", f"{100 * majority:.1f}"]
    for sign in SIGNS:
        of_sign = [a == b for a, b in pairs if a == sign]
        cells.append(f"{100 * sum(of_sign) / len(of_sign):.1f} ({len(of_sign)})" if of_sign else "–")
    print(f"| {title} | {' | '.join(cells)} |")


if __name__ == "__main__":
    {"derive": derive, "test": test}[sys.argv[1]]()
