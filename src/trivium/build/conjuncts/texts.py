"""Where plain sentences come from: a text file with one a line, a split, or a source."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from trivium.data.example import Example
from trivium.data.locate import open_text
from trivium.data.sources import find_sources, load_source
from trivium.data.split import Split
from trivium.errors import UserError, option


def read_texts(place: str, parameter: str = "sentences") -> list[str]:
    """The sentences of a file (.txt with one a line, perhaps .gz; a split in .jsonl or .parquet) or of a source.

    ``parameter`` names it in errors.
    """
    path = Path(place)
    if path.is_dir():
        raise UserError(f"{option(parameter, place)}: it is a folder: name a file with one sentence a line")
    if path.is_file():
        if path.suffix in (".jsonl", ".parquet"):
            return sentences_of(Split.read(path))
        return [line.rstrip("\n") for line in open_text(path)]
    if place in find_sources():
        return sentences_of(load_source(place))
    raise UserError(
        f"{option(parameter, place)}: there is no such file and no such source: name a file with one sentence "
        "a line, or a source of trivium list"
    )


def sentences_of(examples: Iterable[Example]) -> list[str]:
    """The sentence of each pair that has more words (the premise if none has), each once, in their order.

    The shorter sentence of a pair may have been cut from the longer one, as those of ConjNLI were by a machine; it is
    left out, also where it is the longer one of another pair.
    """
    longer: dict[str, None] = {}
    shorter: set[str] = set()
    for example in examples:
        texts = [text for text in (example.premise, example.hypothesis) if text]
        texts.sort(key=lambda text: -len(text.split()))
        longer.setdefault(texts[0])
        shorter.update(text for text in texts[1:] if len(text.split()) < len(texts[0].split()))
    return [text for text in longer if text not in shorter]
