"""The examples of the documentation run, from an empty folder and without a network connection."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
SCRIPTS = sorted(EXAMPLES.glob("*.py"))
NOT_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
NOTEBOOK_OUTPUT = {
    "forgetting": ["double-replay compared with er-res", "Forgetting of the first primitive by strategy</title>"],
    "classifier": ["Trained on 360 pairs", "Diagnosis of", "Selected: er-res", "of 120 examples", "By relation"],
}
SCRIPT_OUTPUT = {
    "build_data": ["no tested composition type is trained", "Wrote 4 files", "From a source of our own"],
    "continual_learning": ["after negation", "remembered examples: 0", "remembered examples: 100"],
    "own_strategy": ["DER ", "der compared with er-res"],
}


def code_of(notebook: Path) -> list[str]:
    """Return the code cells of a notebook."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def lines_of_code(cell: str) -> int:
    """Return the number of lines that hold code: neither blank nor only a comment."""
    tokens = tokenize.generate_tokens(io.StringIO(cell).readline)
    spans = [range(token.start[0], token.end[0] + 1) for token in tokens if token.type not in NOT_CODE]
    return len({line for span in spans for line in span})


def test_the_examples_are_those_that_are_checked_here() -> None:
    assert {file.stem for file in NOTEBOOKS} == set(NOTEBOOK_OUTPUT)
    assert {file.stem for file in SCRIPTS} == set(SCRIPT_OUTPUT)
    index = (EXAMPLES / "index.md").read_text(encoding="utf-8")
    assert [file.name for file in (*NOTEBOOKS, *SCRIPTS) if f"({file.name})" not in index] == []


def test_a_strategy_is_defined_run_compared_and_plotted_in_ten_lines() -> None:
    assert sum(map(lines_of_code, code_of(EXAMPLES / "forgetting.ipynb"))) <= 10


def test_lines_of_code_are_neither_blank_nor_comments() -> None:
    assert lines_of_code('# why\n\nx = [\n    1,\n]  # one\n\n\ndef f():\n    """Return."""\n') == 5


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda file: file.stem)
def test_committed_notebooks_have_no_outputs_and_name_no_machine(notebook: Path) -> None:
    text = notebook.read_text(encoding="utf-8")
    for cell in json.loads(text)["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
    assert not re.search(r"/(home|root|work|Users|tmp)/", text)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs(notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbclient = pytest.importorskip("nbclient", reason="needs the extra 'dev'")
    nbformat = pytest.importorskip("nbformat", reason="needs the extra 'dev'")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    opened = nbformat.read(notebook, as_version=4)
    nbclient.NotebookClient(opened, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in opened.cells for output in cell.get("outputs", ())]
    shown = "\n".join(str(output.get("text") or output.get("data", {}).get("text/html", "")) for output in outputs)
    assert [text for text in NOTEBOOK_OUTPUT[notebook.stem] if text not in shown] == []
    assert 'install "ipywidgets"' not in shown, "the progress display must not need ipywidgets"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda file: file.stem)
def test_a_script_runs(script: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, script],
        cwd=tmp_path,
        # The strategy of this script must reach the workers; the others need none.
        env=environment if script.stem == "own_strategy" else {**environment, "TRIVIUM_EXECUTOR": "inline"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [text for text in SCRIPT_OUTPUT[script.stem] if text not in done.stdout] == []


def test_the_strategy_of_the_example_is_also_a_plugin(environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "trivium", "plan", "c2gen", "--preset", "smoke"]
    command += ["--plugin", str(EXAMPLES / "own_strategy.py"), "--set", 'run.strategies=["finetune", "der"]']
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "2 strategies" in done.stdout
