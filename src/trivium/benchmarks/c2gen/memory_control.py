"""Tables 10 and 11: a control for memorized words, with pseudo-words for verbs and related words (section 8.1)."""

from __future__ import annotations

from collections.abc import Iterator

from trivium.benchmarks.c2gen.design import CGEN, BuiltData
from trivium.benchmarks.c2gen.published import TABLE_11
from trivium.benchmarks.c2gen.results import MEASURES, Results
from trivium.benchmarks.c2gen.tables import ORDER_NAMES, figure_cell
from trivium.build.veridicality.pseudo import Lexicon, decides, related_words, relation_pairs
from trivium.build.veridicality.verbs import INFINITIVE_VERBS
from trivium.errors import option
from trivium.measure.table import Cell, Row, Table

WORDS = ("natural", "pseudo")
_MAX_SHOWN = 7


def table_11(results: Results) -> Table:
    """Return Table 5 with the words of the source and with pseudo-words, side by side."""
    rows = [Row("CGen", tuple(_cells(results, CGEN, 1)))]
    for order in results.design.settings.run.orders:
        rows += [Row(f"C²Gen (S{stage})", tuple(_cells(results, order, stage)), ORDER_NAMES[order]) for stage in (1, 2)]
    columns = tuple(f"{measure}{' pseudo' if words == 'pseudo' else ''}" for words in WORDS for measure in MEASURES)
    notes = ["Published: on the paper's data, where 438 pairs of related words decide 813 natural pairs."]
    if results.design.settings.data.pairs == "all":
        preset = option("preset", "pseudo")
        notes.append(f"Replaced words decide only some of the natural pairs; {preset} has more of these.")
    if results.design.settings.data.pseudo == "related":
        setting = option("set", "data.pseudo=negations")
        notes.append(f"Most contradictions are decided by a negation, which is replaced only with {setting}.")
    return Table("Table 11", "Original words and pseudo-words", columns, tuple(rows), notes=tuple(notes))


def table_10(data: BuiltData) -> list[str]:
    """Return a summary of the replaced words, with examples; empty without pseudo-words."""
    if data.lexicon is None:
        return []
    words = data.lexicon.words
    word_pairs = relation_pairs(pair.example for pairs in data.pool.composing.values() for pair in pairs)
    held_out = [related_words(pair.example) for pairs in data.pool.held_out.values() for pair in pairs]
    tested = [related for related in held_out if related is not None]
    most_frequent = sorted(word_pairs, key=lambda pair: (-word_pairs[pair], pair))[:_MAX_SHOWN]
    verbs = ", ".join(f"{verb.lemma}: {words[verb.lemma]}" for verb in INFINITIVE_VERBS[::3])
    related_examples = ", ".join(f"{p.first}-{p.second}: {words[p.first]}-{words[p.second]}" for p in most_frequent)
    return [
        f"Pseudo-words (Table 10): {len(words)} words are replaced. {len(word_pairs)} pairs of related words decide "
        f"{_decided(data, data.lexicon)}. Of the {len(tested)} held-out natural pairs that related words decide, "
        f"{sum(related in word_pairs for related in tested)} have words that also occur as a pair in training. "
        f"Verbs: {verbs}. Related words: {related_examples}."
    ]


def _decided(data: BuiltData, lexicon: Lexicon) -> str:
    counts = []
    for label, pairs in data.pool.composing.items():
        decided = sum(decides(lexicon, pair.example) for pair in pairs)
        counts.append(f"{decided} of {len(pairs)} natural pairs with the label {label}")
    return ", ".join(counts)


def _cells(results: Results, setting: str, stage: int) -> Iterator[Cell]:
    for words in WORDS:
        for measure, published in zip(MEASURES, TABLE_11[words, setting, stage], strict=True):
            quantity = results.accuracy(measure, setting, "finetune", stage, words)
            yield figure_cell(quantity, published)
