"""Tables 10 and 11: is it only memory? The same training with non-words for verbs and related words (section 8.1)."""

from __future__ import annotations

from collections.abc import Iterator

from trivium.benchmarks.c2gen.design import CGEN, BuiltData
from trivium.benchmarks.c2gen.published import TABLE_11
from trivium.benchmarks.c2gen.results import MEASURES, Results
from trivium.benchmarks.c2gen.tables import ORDER_NAMES, filled
from trivium.build.veridicality.pseudo import related_words, relation_pairs
from trivium.build.veridicality.verbs import INFINITIVE_VERBS
from trivium.measure.table import Cell, Row, Table

WORDS = ("natural", "pseudo")
_SHOWN = 7


def table_11(results: Results) -> Table:
    """Table 5 in the words of the source and in pseudo-words, side by side."""
    rows = [Row("CGen", tuple(_cells(results, CGEN, 1)))]
    for order in results.design.settings.run.orders:
        rows += [Row(f"C²Gen (S{s})", tuple(_cells(results, order, s)), ORDER_NAMES[order]) for s in (1, 2)]
    columns = tuple(f"{measure}{' pseudo' if words == 'pseudo' else ''}" for words in WORDS for measure in MEASURES)
    notes = ["Published: the paper's own pair of data sets, of 813 natural pairs that 438 relation pairs decide."]
    if results.design.settings.data.pairs == "all":
        notes.append("Only a part of the natural pairs is decided by replaced words; of --preset pseudo more are.")
    notes.append("Contradictions are mostly decided by a negation, which has no pseudo-word.")
    return Table("Table 11", "Original words and pseudo-words", columns, tuple(rows), notes=tuple(notes))


def table_10(data: BuiltData) -> list[str]:
    """How many words are replaced, with examples, in two lines."""
    if data.lexicon is None:
        return []
    words = data.lexicon.words
    pairs = relation_pairs(pair.example for found in data.pool.composing.values() for pair in found)
    asked = [related_words(pair.example) for found in data.pool.held_out.values() for pair in found]
    tested = [related for related in asked if related is not None]
    often = sorted(pairs, key=lambda pair: (-pairs[pair], pair))[:_SHOWN]
    verbs = ", ".join(f"{verb.lemma}: {words[verb.lemma]}" for verb in INFINITIVE_VERBS[::3])
    nouns = ", ".join(f"{p.first}-{p.second}: {words[p.first]}-{words[p.second]}" for p in often)
    return [
        f"Pseudo-words (Table 10): {len(words)} words are replaced; {len(pairs)} relation pairs among them decide "
        f"{_decided(data)}. Of {len(tested)} held-out pairs that related words decide, "
        f"{sum(related in pairs for related in tested)} have words whose relation another pair teaches. "
        f"Verbs: {verbs}. Related words: {nouns}."
    ]


def _decided(data: BuiltData) -> str:
    counts = []
    for label, found in data.pool.composing.items():
        decided = sum(relation_pairs(pair.example for pair in found).values())
        counts.append(f"{decided} of {len(found)} natural pairs with the label {label}")
    return ", ".join(counts)


def _cells(results: Results, setting: str, stage: int) -> Iterator[Cell]:
    for words in WORDS:
        for measure, published in zip(MEASURES, TABLE_11[words, setting, stage], strict=True):
            quantity = results.accuracy(measure, setting, "finetune", stage, words)
            yield filled(quantity, results.spread(measure, setting, "finetune", stage, words), published)
