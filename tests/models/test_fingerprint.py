"""A fingerprint tells models apart by what is in their files, and by nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from trivium.errors import UserError
from trivium.models.fingerprint import EMBEDDED, MINILM_SHA256, encoder_fingerprint, is_folder

Save = Callable[..., Path]


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """A fingerprint is remembered for as long as a process runs; these tests change folders under it."""
    encoder_fingerprint.cache_clear()
    yield
    encoder_fingerprint.cache_clear()


def fingerprint(folder: Path) -> str:
    encoder_fingerprint.cache_clear()
    return encoder_fingerprint(str(folder))


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
def test_a_fingerprint_changes_with_a_file_more(save_model: Save, name: str) -> None:
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


def test_a_fingerprint_does_not_depend_on_what_no_model_is_made_of(save_model: Save) -> None:
    folder = save_model()
    before = fingerprint(folder)
    (folder / "README.md").write_text("about")
    (folder / "checkpoint").mkdir()
    assert fingerprint(folder) == before


def test_two_files_that_change_places_are_another_model(save_model: Save) -> None:
    folder = save_model()
    before = fingerprint(folder)
    one, two = folder / "config.json", folder / "tokenizer_config.json"
    contents = one.read_bytes(), two.read_bytes()
    one.write_bytes(contents[1])
    two.write_bytes(contents[0])
    assert fingerprint(folder) != before


def test_a_file_of_another_name_is_another_model(save_model: Save) -> None:
    folder = save_model()
    (folder / "merges.txt").write_text("same")
    before = fingerprint(folder)
    (folder / "merges.txt").rename(folder / "merges2.txt")
    assert fingerprint(folder) != before


def test_models_of_other_weights_have_other_fingerprints(save_model: Save) -> None:
    found = {fingerprint(save_model(seed=seed, at=str(seed))) for seed in range(3)}
    assert len(found) == 3


def test_embedded_models_and_names_on_a_hub_have_fingerprints_of_their_own() -> None:
    names = [*EMBEDDED, "owner/model", "owner/other"]
    assert len({encoder_fingerprint(name) for name in names}) == len(names)
    assert encoder_fingerprint("minilm") == MINILM_SHA256


@pytest.mark.parametrize("name", ["minlm", "/no/such/folder"])
def test_a_model_that_is_not_there_has_no_fingerprint(name: str) -> None:
    with pytest.raises(UserError, match=name):
        encoder_fingerprint(name)


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
def test_the_tokenizers_of_every_family_count_as_such(save_model: Save, file: str) -> None:
    folder = save_model()
    (folder / "tokenizer.json").rename(folder / file)
    assert is_folder(str(folder))


def test_asking_for_a_fingerprint_does_not_load_torch() -> None:
    program = "import sys; from trivium.models.fingerprint import encoder_fingerprint as f; f('tiny'); "
    program += "sys.exit('torch' in sys.modules or 'transformers' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
