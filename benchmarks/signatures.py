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
from collections.abc import Iterable, Iterator
from pathlib import Path

from trivium.data.locate import find_file, read_text
from trivium.language.inflection import lemmatize
from trivium.language.signatures import FRAMES, WORDS

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


def ross_signatures() -> Signatures:
    """Return the signatures in verb_veridicality: the most frequent one of each verb and complement."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for row in ross_rows():
        lemma = lemmatize(row["verb"].lower(), upos="VERB")[0]
        counts.setdefault((row["task"], lemma), Counter())[row["signature"]] += 1
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


def agreement(pairs: Iterable[tuple[str, str]]) -> str:
    """Return the share of equal signs, and how often each sign of the first is matched."""
    pairs = list(pairs)
    equal = sum(a == b for a, b in pairs)
    parts = [f"{100 * equal / len(pairs):.1f}"]
    for sign in "+o-":
        of_sign = [a == b for a, b in pairs if a == sign]
        parts.append(f"{100 * sum(of_sign) / len(of_sign):.1f} ({len(of_sign)})" if of_sign else "–")
    return " | ".join(parts)


if __name__ == "__main__":
    {"derive": derive}[sys.argv[1]]()
