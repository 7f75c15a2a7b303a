"""What identifies an encoder: a hash of its weights and tokenizer. Imports no torch."""

from __future__ import annotations

import difflib
import hashlib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from trivium.data.check import sha256_of
from trivium.errors import UserError

MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


_TOKENIZER_FILES = (
    "tokenizer.json",
    "vocab.txt",
    "vocab.json",
    "spiece.model",
    "spm.model",
    "sentencepiece.bpe.model",
)


class EmbeddedEncoder(NamedTuple):
    """An encoder that needs no download: what identifies it, and what it is."""

    fingerprint: str
    about: str


EMBEDDED = {
    "tiny": EmbeddedEncoder("tiny-1", "BERT with 2 layers of 128, made and trained from scratch: for tests"),
    "minilm": EmbeddedEncoder(MINILM_SHA256, "MiniLM with 6 layers of 384, pretrained (all-MiniLM-L6-v2)"),
}


@cache
def encoder_fingerprint(name: str) -> str:
    """A hash of an encoder's files; for a name on a hub, the name itself."""
    if name in EMBEDDED:
        return EMBEDDED[name].fingerprint
    if not is_folder(name):
        return f"hub:{name}"
    digest = hashlib.sha256()
    for file in sorted(Path(name).iterdir()):
        if file.suffix in (".json", ".txt", ".model", ".safetensors"):
            digest.update(f"{file.name}\0{sha256_of(file)}\n".encode())
    return digest.hexdigest()


def is_folder(name: str) -> bool:
    """Whether a model's name is that of a folder; an error if the folder lacks what a model needs."""
    folder = Path(name)
    if not folder.is_dir():
        if name.startswith((".", "/", "~")) or name.count("/") > 1:
            raise UserError(f"model {name!r}: there is no such folder")
        if "/" not in name and (near := difflib.get_close_matches(name.lower(), EMBEDDED, n=1)):
            raise UserError(f"unknown model {name!r}: did you mean {near[0]!r}?")
        return False
    if not (folder / "config.json").is_file():
        raise UserError(
            f"model folder {folder}: config.json is missing, so this is not a model that transformers saved"
        )
    if not any((folder / file).is_file() for file in _TOKENIZER_FILES):
        raise UserError(
            f"model folder {folder}: there is no tokenizer in it (tokenizer.json is missing): "
            "save it there with tokenizer.save_pretrained"
        )
    if not any(folder.glob("*.safetensors")):
        raise UserError(
            f"model folder {folder}: there are no .safetensors weights (other formats can run code and are not read): "
            "save it again with model.save_pretrained"
        )
    return True
