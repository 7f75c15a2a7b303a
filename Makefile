# Two commands do everything on a fresh machine with Python 3.10 or newer: `make demo` and `make test`.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.installed

export HF_HUB_OFFLINE ?= 1
export TOKENIZERS_PARALLELISM ?= false
export NO_MKDOCS_2_WARNING ?= 1

.PHONY: demo test install lint types unit docs scale reliability clean
.DEFAULT_GOAL := demo

demo: install  ## run C²Gen with what is embedded, write report.html, print its tables
	$(BIN)/trivium run c2gen --preset demo --report report.html

test: lint types unit  ## linters, types and tests

install: $(READY)  ## only set up

# torch comes first and alone: with it in place no later package pulls another build of it.
$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "$$(grep '^torch==' constraints.txt)"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[dev]"
	touch $(READY)

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install
	$(BIN)/mypy

# A file of tests on each core. One thread each: those of torch would wait for one another.
unit: install
	OMP_NUM_THREADS=1 $(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist loadfile

docs: install  ## build the documentation site into site/
	$(BIN)/mkdocs build --strict --quiet

scale: install  ## how time and memory grow with plans, stores and data
	$(BIN)/python benchmarks/scale.py

reliability: install  ## attack runs and stores; needs root for file systems of its own
	$(BIN)/python benchmarks/reliability.py

clean:
	rm -rf $(VENV) .trivium report.html site
