"""Identify encoders by a hash of their files, or by a commit on a hub. Imports no torch."""

from __future__ import annotations

import difflib
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from trivium.data.check import sha256_of
from trivium.errors import UserError
from trivium.models.folder import check_folder
from trivium.saving import recover_folder

MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_IGNORED = frozenset(".md .rst .pdf .png .jpg .jpeg .gif .svg .py .ipynb .log".split())
"""Suffixes of files that do not belong to a model and do not change its fingerprint."""
_COMMIT = re.compile("[0-9a-f]{40}")


class EmbeddedEncoder(NamedTuple):
    """An encoder that needs no download: its fingerprint and a description."""

    fingerprint: str
    about: str


EMBEDDED = {
    "tiny": EmbeddedEncoder("tiny-1", "BERT with 2 layers of 128, untrained: for tests"),
    "minilm": EmbeddedEncoder(MINILM_SHA256, "MiniLM with 6 layers of 384, pretrained (all-MiniLM-L6-v2)"),
}


class Identity(NamedTuple):
    """The fingerprint of an encoder and, for a name on a hub, the commit to load."""

    fingerprint: str
    commit: str | None = None


@cache
def identify_encoder(name: str, revision: str | None = None) -> Identity:
    """Return the identity of an encoder: a hash of its files, or the commit of a revision on a hub.

    The commit is unknown if the hub cannot be reached and the model was not downloaded before. Such an encoder can be
    part of a plan, but cannot be loaded.
    """
    if name in EMBEDDED or is_folder(name):
        if revision is not None:
            raise UserError(f"model.revision is only for names on a hub, and {name!r} is not one: leave it out")
        return Identity(EMBEDDED[name].fingerprint if name in EMBEDDED else _hash_of_files(Path(name)))
    revision = revision or "main"
    commit = revision if _COMMIT.fullmatch(revision) else _find_commit(name, revision)
    return Identity(f"hub:{name}@{commit or f'{revision} (unknown)'}", commit)


def identify_roles(name: str) -> str:
    """Return the fingerprint of a role encoder: a folder, or an embedded encoder."""
    if name not in EMBEDDED and not Path(name).is_dir():
        raise UserError(f"model.roles is {name!r}: no such folder: train a role encoder with trivium train srl --out")
    return identify_encoder(name).fingerprint


def _hash_of_files(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(folder.iterdir()):
        if file.suffix not in _IGNORED and not file.name.startswith(".") and file.is_file():
            digest.update(f"{file.name}\0{sha256_of(file)}\n".encode())
    return digest.hexdigest()


def _find_commit(name: str, revision: str) -> str | None:
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
        raise UserError(f"model {name!r} is neither a folder nor a repository on the hub that you can access") from None
    except RevisionNotFoundError:
        raise UserError(f"model {name!r} has no revision {revision!r} on the hub: correct model.revision") from None
    except HFValidationError as error:
        raise UserError(f"model {name!r}: {str(error).splitlines()[0]}") from None
    except (LocalEntryNotFoundError, HfHubHTTPError, OSError):
        return None


def is_folder(name: str) -> bool:
    """Return whether a model is a folder. Raise a UserError if the folder lacks something that a model needs."""
    folder = Path(name)
    if not folder.is_dir():
        recover_folder(folder.resolve())
    if not folder.is_dir():
        if name.startswith((".", "/", "~")) or name.count("/") > 1:
            raise UserError(f"model {name!r}: no such folder")
        if "/" not in name and (near := difflib.get_close_matches(name.lower(), EMBEDDED, n=1)):
            raise UserError(f"unknown model {name!r}: did you mean {near[0]!r}?")
        return False
    check_folder(folder)
    return True
