"""What identifies an encoder: a hash of its weights and tokenizer, or a commit on a hub. Imports no torch."""

from __future__ import annotations

import difflib
import hashlib
import re
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


_COMMIT = re.compile("[0-9a-f]{40}")


class EmbeddedEncoder(NamedTuple):
    """An encoder that needs no download: what identifies it, and what it is."""

    fingerprint: str
    about: str


EMBEDDED = {
    "tiny": EmbeddedEncoder("tiny-1", "BERT with 2 layers of 128, made and trained from scratch: for tests"),
    "minilm": EmbeddedEncoder(MINILM_SHA256, "MiniLM with 6 layers of 384, pretrained (all-MiniLM-L6-v2)"),
}


class Identity(NamedTuple):
    """What tells an encoder from all others, and for a name on a hub the commit to load."""

    fingerprint: str
    commit: str | None = None


@cache
def identify_encoder(name: str, revision: str | None = None) -> Identity:
    """Which encoder a name means: by a hash of its files, or by the commit that a revision on a hub is now.

    A hub that cannot be reached leaves the commit open unless the model was downloaded before; such an encoder can be
    planned with, but not loaded.
    """
    if name in EMBEDDED or is_folder(name):
        if revision is not None:
            raise UserError(f"model.revision is for names on a hub, which {name!r} is not: leave it out")
        return Identity(EMBEDDED[name].fingerprint if name in EMBEDDED else _hash_of_files(Path(name)))
    wanted = revision or "main"
    commit = wanted if _COMMIT.fullmatch(wanted) else _commit(name, wanted)
    return Identity(f"hub:{name}@{commit or f'{wanted} (unknown)'}", commit)


def identify_roles(name: str) -> str:
    """What tells a role encoder from all others: ``name`` is a folder, or an encoder that is always there."""
    if name not in EMBEDDED and not Path(name).is_dir():
        raise UserError(f"model.roles is {name!r}: there is no such folder: make one with trivium train srl --out")
    return identify_encoder(name).fingerprint


def _hash_of_files(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(folder.iterdir()):
        if file.suffix in (".json", ".txt", ".model", ".safetensors"):
            digest.update(f"{file.name}\0{sha256_of(file)}\n".encode())
    return digest.hexdigest()


def _commit(name: str, revision: str) -> str | None:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import (
        HfHubHTTPError,
        HFValidationError,
        LocalEntryNotFoundError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )
    from huggingface_hub.utils.tqdm import disable_progress_bars

    disable_progress_bars()
    try:
        return Path(snapshot_download(name, revision=revision, allow_patterns=["config.json"])).name
    except RepositoryNotFoundError:
        raise UserError(f"model {name!r} is neither a folder nor a name on the hub that may be read") from None
    except RevisionNotFoundError:
        raise UserError(f"model {name!r} has no revision {revision!r} on the hub") from None
    except HFValidationError as error:
        raise UserError(f"model {name!r}: {str(error).splitlines()[0]}") from None
    except (LocalEntryNotFoundError, HfHubHTTPError, OSError):
        return None


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
