# Two commands do everything on a fresh machine with Python 3.10 or newer: `make demo` and `make test`.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.installed

export HF_HUB_OFFLINE ?= 1
export TOKENIZERS_PARALLELISM ?= false
export NO_MKDOCS_2_WARNING ?= 1

.PHONY: demo test install packages lint types unit docs bench profile scale reliability clean
.DEFAULT_GOAL := demo

demo: install  ## run C²Gen with what is embedded, write report.html, print its tables
	$(BIN)/trivium run c2gen --preset demo --report report.html

test: lint types unit  ## linters, types and tests

install: $(READY)  ## only set up

# Locked packages are checked against the hashes in the lock files (see there), torch by its version alone.
LOCKED  = $(shell $(BIN)/python -c 'import sys; print("yes" if sys.version_info >= (3, 11, 5) else "no")' 2>/dev/null)
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check

$(READY): pyproject.toml constraints.txt requirements.lock requirements-build.lock
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(MAKE) --no-print-directory packages
	touch $(READY)

packages:
ifeq ($(LOCKED),yes)
	$(INSTALL) --no-deps --require-hashes --requirement requirements-build.lock
	$(INSTALL) --no-deps --require-hashes --no-build-isolation --requirement requirements.lock
	$(INSTALL) "$$(grep '^torch==' constraints.txt)"
	$(INSTALL) --no-deps --no-build-isolation --editable .
else  # older versions of Python: torch comes first, so that no later package pulls another build of it
	$(INSTALL) "$$(grep '^torch==' constraints.txt)"
	$(INSTALL) --constraint constraints.txt --editable ".[dev]"
endif

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install
	$(BIN)/mypy

# A file of tests on each core, in the order of tests/conftest.py: the default one starts files of few, long tests last.
# One thread each: those of torch would wait for one another.
unit: install
	OMP_NUM_THREADS=1 $(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist loadfile \
		--no-loadscope-reorder --durations 40

docs: install  ## build the documentation site into site/
	$(BIN)/mkdocs build --strict --quiet

# What the figures of docs/results/speed.md are compared with: peers in an environment of their own, and a commit.
PEERS    ?= .peers
BASELINE ?= 5382cea

bench: install $(PEERS)  ## speed against peers and an earlier commit, in a quarter of an hour; writes docs/results/speed.md
	$(BIN)/python -m benchmarks.speed --peers $(PEERS) --baseline $(BASELINE)

$(PEERS): | install
	$(BIN)/python -m benchmarks.speed --install $(PEERS)

profile: install  ## where the time of a training step and of a prediction goes
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/profiling.py

scale: install  ## how time and memory grow with plans, stores and data
	$(BIN)/python benchmarks/scale.py

reliability: install  ## attack runs and stores; needs root for file systems of its own
	$(BIN)/python benchmarks/reliability.py

clean:
	rm -rf $(VENV) $(PEERS) .trivium report.html site
