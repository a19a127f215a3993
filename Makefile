# Everything needs only Python 3.11+ and make: the virtual environment is made here, and translations compiled (hatch_build.py).
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# Of pip only what is wrong is of interest, not the state of its own code or of the machine's mirrors.
PIP    := PYTHONWARNINGS=ignore $(BIN)/python -m pip -qq --disable-pip-version-check
export PYTHONWARNINGS ?= default
# To compile everything anew for each of the processes that tests begin doubles what these take.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test short test-long test-desk docs dist record tried mutants check lint types contracts clean catalogue translations lock fresh fresh-all hero

demo: $(VENV)/.runtime
	$(BIN)/referee demo --into demo

test: $(VENV)/.dev
	@echo "The tests take twelve minutes on two slow cores."
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not testlong and not testdesk"

# A short set of them, for another system or Python: make short PYTHON=~/.pyenv/versions/3.12.1/bin/python VENV=.venv3.12
short: $(VENV)/.dev
	$(BIN)/python -m pytest -q -m "not testlong and not testdesk" tests/mail tests/reader tests/test_practice.py tests/test_daemon.py \
	  tests/test_cli.py tests/games/test_recorded.py tests/games/*/test_same_bytes.py

# What takes minutes, and need not be run with every change.
test-long: $(VENV)/.dev
	@echo "The long tests take fourteen minutes on two slow cores."
	$(BIN)/python -m pytest -n auto --dist worksteal -m testlong

# The order desks beside the referee, order by order in a browser: for who changes rules, or a desk's script.
test-desk: $(VENV)/.dev
	@echo "These tests take some twenty minutes on two free cores."
	$(BIN)/python -m pytest -n auto --dist worksteal -m testdesk

# The handbook of docs/ as pages, and the page for man; what is not as it should be in them, links above all, is an error.
docs: $(VENV)/.dev
	PYTHONWARNINGS=ignore $(BIN)/sphinx-build -q -W --keep-going -n -c docs -b html . build/handbook
	PYTHONWARNINGS=ignore $(BIN)/sphinx-build -q -W --keep-going -n -c docs -b man -d build/handbook/.doctrees . build/man
	@echo "The handbook: build/handbook/docs/index.html; the page for man: build/man/referee.1"

# The picture with which README and handbook begin, of a demo's board and letter (needs chromium).
hero: $(VENV)/.dev
	$(BIN)/referee demo --into build/hero
	$(BIN)/python -m tests.hero build/hero

# Wheel and sdist, the same bytes wherever they are built, and what they bring along as CycloneDX.
dist: $(VENV)/.dev
	$(BIN)/python -m tests.dist

# The built-in players play the recorded games of tests/games/recorded anew.
record: $(VENV)/.dev
	$(BIN)/python -m tests.record

# Built-in players try the maps that come with the program: what `referee map try` sets other maps beside. Takes half an hour.
tried: $(VENV)/.dev
	$(BIN)/python -m bench.tried

# Fifty changes of one operator or constant each: how many do the tests notice? Takes an hour or two; --part, --count, --seed
# of `python -m tests.mutants` ask for less.
mutants: $(VENV)/.dev
	$(BIN)/python -m tests.mutants

check: lint types contracts test

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32 referee
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin referee

contracts: $(VENV)/.dev
	$(BIN)/lint-imports

# The exact versions, with hashes, of all that a club may need, on every system: for who wants the same in five years.
lock: $(VENV)/.dev
	$(PIP) install uv
	$(BIN)/uv pip compile pyproject.toml --quiet --universal --generate-hashes --no-annotate --upgrade --custom-compile-command "make lock" \
	  --extra dkim --extra dns --extra pdf --extra png --extra ratings --extra scan --extra secrets --extra zine --output-file requirements.lock

# On a bare Debian of the oldest and of the newest Python that we name: what .ci/fresh needs it says itself (root, or user
# namespaces; mmdebstrap). Five minutes each.
fresh:
	.ci/fresh bookworm demo tour pipx
	.ci/fresh forky demo tour pipx

# Before a release: an hour. Debian has Python 3.11, 3.13 and 3.14; 3.12 has `make short` with an interpreter of pyenv's.
fresh-all:
	.ci/fresh bookworm demo tour pipx whole oldest locked ipv4 stranger halfmail mailserver mailboxes handbook
	.ci/fresh trixie demo tour pipx short mailboxes handbook
	.ci/fresh forky demo tour pipx short mailboxes handbook

catalogue: $(VENV)/.dev
	$(BIN)/python -m tests.catalogue --write

# The translations beside it: brought up to date with the texts, and how far each of them is.
translations: $(VENV)/.dev
	$(BIN)/python -m tests.catalogue --update
	$(BIN)/python -m tests.catalogue --state

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: pyproject.toml $(wildcard referee/locale/*.po) | $(BIN)/python
	$(PIP) install --editable '.[pdf,png]'
	touch $@

$(VENV)/.dev: pyproject.toml $(wildcard referee/locale/*.po) | $(BIN)/python
	$(PIP) install --editable '.[dev]'
	touch $@ $(VENV)/.runtime

clean:
	rm -rf $(VENV) demo build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
