"""A fingerprint depends on the contents of a model's files, and on nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from huggingface_hub.errors import RepositoryNotFoundError, RevisionNotFoundError

from trivium.errors import UserError
from trivium.models.fingerprint import EMBEDDED, MINILM_SHA256, Identity, identify_encoder, is_folder

Save = Callable[..., Path]


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """Clear the cache of fingerprints, because these tests change folders."""
    identify_encoder.cache_clear()
    yield
    identify_encoder.cache_clear()


def fingerprint(folder: Path) -> str:
    identify_encoder.cache_clear()
    return identify_encoder(str(folder)).fingerprint


def test_a_fingerprint_changes_with_any_bit_of_the_weights(save_model: Save) -> None:
    folder = save_model()
    before = fingerprint(folder)
    file = folder / "model.safetensors"
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    assert fingerprint(folder) != before


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "tokenizer_config.json"])
def test_a_fingerprint_changes_with_configuration_and_tokenizer(save_model: Save, name: str) -> None:
    folder = save_model()
    before = fingerprint(folder)
    (folder / name).write_text((folder / name).read_text() + " ")
    assert fingerprint(folder) != before


@pytest.mark.parametrize("name", ["vocab.txt", "merges.txt", "spm.model", "model-00002-of-00002.safetensors"])
def test_a_fingerprint_changes_with_an_additional_file(save_model: Save, name: str) -> None:
    folder = save_model()
    before = fingerprint(folder)
    (folder / name).write_bytes(b"more")
    assert fingerprint(folder) != before


def test_a_fingerprint_does_not_depend_on_the_path_or_on_when_it_was_written(
    save_model: Save, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = save_model()
    expected = fingerprint(folder)
    shutil.copytree(folder, tmp_path / "else" / "where", copy_function=shutil.copyfile)
    assert fingerprint(tmp_path / "else" / "where") == expected
    monkeypatch.chdir(tmp_path)
    assert fingerprint(Path("model")) == expected


def test_a_fingerprint_ignores_files_that_are_not_part_of_a_model(save_model: Save) -> None:
    folder = save_model()
    before = fingerprint(folder)
    (folder / "README.md").write_text("about")
    (folder / "checkpoint").mkdir()
    assert fingerprint(folder) == before


def test_swapping_two_files_changes_the_fingerprint(save_model: Save) -> None:
    folder = save_model()
    before = fingerprint(folder)
    one, two = folder / "config.json", folder / "tokenizer_config.json"
    contents = one.read_bytes(), two.read_bytes()
    one.write_bytes(contents[1])
    two.write_bytes(contents[0])
    assert fingerprint(folder) != before


def test_renaming_a_file_changes_the_fingerprint(save_model: Save) -> None:
    folder = save_model()
    (folder / "merges.txt").write_text("same")
    before = fingerprint(folder)
    (folder / "merges.txt").rename(folder / "merges2.txt")
    assert fingerprint(folder) != before


def test_models_of_other_weights_have_other_fingerprints(save_model: Save) -> None:
    caught = {fingerprint(save_model(seed=seed, at=str(seed))) for seed in range(3)}
    assert len(caught) == 3


COMMITS = {"main": "1" * 40, "v2": "2" * 40}


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache of an unreachable hub that holds owner/model, with main and v2 as two commits."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    model = tmp_path / "hub" / "models--owner--model"
    (model / "refs").mkdir(parents=True)
    for revision, commit in COMMITS.items():
        (model / "refs" / revision).write_text(commit)
        (model / "snapshots" / commit).mkdir(parents=True)
        (model / "snapshots" / commit / "config.json").write_text("{}")
    return model


def test_embedded_models_and_names_on_a_hub_have_fingerprints_of_their_own(hub: Path) -> None:
    names = [*EMBEDDED, "owner/model", "owner/other"]
    assert len({identify_encoder(name).fingerprint for name in names}) == len(names)
    assert identify_encoder("minilm") == Identity(MINILM_SHA256)


def test_a_name_on_a_hub_is_identified_by_the_commit_of_its_revision(hub: Path) -> None:
    main, v2 = (identify_encoder("owner/model", revision) for revision in (None, "v2"))
    assert main == Identity(f"hub:owner/model@{COMMITS['main']}", COMMITS["main"])
    assert v2.commit == COMMITS["v2"]
    assert identify_encoder("owner/model", COMMITS["v2"]) == v2
    identify_encoder.cache_clear()
    (hub / "refs" / "main").write_text(COMMITS["v2"])
    assert identify_encoder("owner/model") == v2


@pytest.mark.parametrize(("name", "revision"), [("owner/other", None), ("owner/model", "v3")])
def test_a_model_that_was_never_downloaded_from_an_unreachable_hub_has_no_commit(
    hub: Path, name: str, revision: str | None
) -> None:
    assert identify_encoder(name, revision) == Identity(f"hub:{name}@{revision or 'main'} (unknown)")


def _answers(error: type[Exception]) -> Callable[..., str]:
    def answer(*_: object, **__: object) -> str:
        raise error.__new__(error)  # its constructor needs a response object

    return answer


def test_a_commit_needs_no_lookup(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.snapshot_download", _answers(AssertionError))
    assert identify_encoder("owner/model", "a" * 40) == Identity(f"hub:owner/model@{'a' * 40}", "a" * 40)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            RepositoryNotFoundError,
            "model 'owner/model' is neither a folder nor a repository on the hub that you can access",
        ),
        (RevisionNotFoundError, "model 'owner/model' has no revision 'v9' on the hub: correct model.revision"),
    ],
)
def test_an_unknown_name_or_revision_on_the_hub_is_an_error(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception], message: str
) -> None:
    monkeypatch.setattr("huggingface_hub.snapshot_download", _answers(error))
    with pytest.raises(UserError) as caught:
        identify_encoder("owner/model", "v9")
    assert str(caught.value) == message


def test_an_invalid_name_is_an_error() -> None:
    with pytest.raises(UserError, match="a name with spaces"):
        identify_encoder("a name with spaces")


def test_a_revision_is_only_for_names_on_a_hub(save_model: Save) -> None:
    for name in ("tiny", str(save_model())):
        with pytest.raises(UserError, match=r"model\.revision is only for names on a hub"):
            identify_encoder(name, "main")


@pytest.mark.parametrize("name", ["minlm", "/no/such/folder"])
def test_a_missing_model_has_no_fingerprint(name: str) -> None:
    with pytest.raises(UserError, match=name):
        identify_encoder(name)


@pytest.mark.parametrize("missing", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_folder_that_lacks_what_a_model_needs_is_an_error_before_anything_is_loaded(
    save_model: Save, missing: str
) -> None:
    folder = save_model()
    assert is_folder(str(folder))
    (folder / missing).unlink()
    with pytest.raises(UserError, match=r"^model folder .* (missing|no \.safetensors)"):
        is_folder(str(folder))


@pytest.mark.parametrize("file", ["vocab.txt", "vocab.json", "spiece.model", "spm.model", "sentencepiece.bpe.model"])
def test_the_tokenizer_files_of_every_family_are_recognized(save_model: Save, file: str) -> None:
    folder = save_model()
    (folder / "tokenizer.json").rename(folder / file)
    assert is_folder(str(folder))


def test_a_fingerprint_does_not_import_torch() -> None:
    program = "import sys; from trivium.models.fingerprint import identify_encoder as f; f('tiny'); "
    program += "sys.exit('torch' in sys.modules or 'transformers' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
