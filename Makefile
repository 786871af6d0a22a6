# The two ways in: `make play` and `make test`. Each prepares its own environment in .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
ARGS   ?=
MINUTES ?= 30

COMMA  := ,
# As many workers as tests/conftest.py says, each with a file at a time, in the order that conftest.py gives them.
PYTEST := $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

# Installs with pip, and shows that it moves: a dot a second; what pip said is shown only if it failed.
install = $(BIN)/python -m pip install --disable-pip-version-check -c constraints.txt $(1) >$(VENV)/install.log 2>&1 & pip=$$!; \
	while kill -0 $$pip 2>/dev/null; do printf .; sleep 1; done; \
	wait $$pip && echo || { echo; cat $(VENV)/install.log; exit 1; }

.PHONY: play test quick coverage mutants test-oldest check bench bench-long bench-compare soak format dist pyz clean

play: $(VENV)/.play
	@$(BIN)/ryo play $(ARGS)

test: $(VENV)/.dev
	$(PYTEST) $(ARGS)

quick: $(VENV)/.dev
	$(PYTEST) -m "not slow" $(ARGS)

coverage: $(VENV)/.dev
	$(PYTEST) $(ARGS) --cov

# Stops after MINUTES; the next call goes on where this one stopped. The results are in mutants/.
mutants: $(VENV)/.mutants
	nice -n 15 timeout --foreground --signal INT $(MINUTES)m $(BIN)/mutmut run --max-children 1 $(ARGS) || [ $$? = 124 ]
	@$(BIN)/mutmut results | grep -v "not checked" || true

test-oldest: $(VENV)/.oldest
	$(PYTEST:$(BIN)/%=$(VENV)/oldest/bin/%) $(ARGS)

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Writes bench.json, too; single rows: make bench ARGS='p1 p2-high'
bench: $(VENV)/.bench
	$(BIN)/python -m tests.benchmarks $(ARGS)

bench-long: $(VENV)/.bench
	$(BIN)/python -m tests.benchmarks --long $(ARGS)

# What became slower since a bench.json that was kept: make bench-compare OLD=file
bench-compare: $(VENV)/.bench
	@$(BIN)/python -m tests.benchmarks.compare $(OLD)

soak: $(VENV)/.dev
	$(BIN)/python -m tests.soak $(ARGS)

dist: $(VENV)/.dev
	rm -rf dist
	$(BIN)/python -m build --no-isolation

# One file that plays, on this kind of machine and with this version of Python: some libraries in it are compiled.
pyz: dist
	$(BIN)/shiv --console-script ryo --compressed --output-file dist/ryo.pyz \
		--python "/usr/bin/env python$$($(BIN)/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')" \
		--quiet --constraint constraints.txt dist/*.whl

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Roll Your Own needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "Preparing the environment in $(VENV), once; it takes about a minute, or more where the network is slow."
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.play: $(VENV)/bin/python pyproject.toml setup.py constraints.txt
	@$(call install,-e .)
	@touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml setup.py constraints.txt
	@$(call install,-e '.[dev]')
	@touch $@ $(VENV)/.play

# Python 3.11 is the oldest, too: for newer ones some of these versions were never published ready to install.
$(VENV)/.oldest: $(VENV)/.dev
	$(BIN)/python -m tests.support.oldest_versions > $(VENV)/oldest.txt
	$(BIN)/python -m venv --clear $(VENV)/oldest
	$(VENV)/oldest/bin/python -m pip install --quiet --disable-pip-version-check -c $(VENV)/oldest.txt -e '.[dev]'
	@touch $@

$(VENV)/.mutants: $(VENV)/.dev
	@$(call install,-e '.[dev$(COMMA)mutants]')
	@touch $@

# Drives a Chromium of the system; without one, or without this, the tests of the exported page in a browser are skipped.
$(VENV)/.browser: $(VENV)/bin/python pyproject.toml setup.py constraints.txt
	@$(call install,-e '.[dev$(COMMA)browser]')
	@touch $@ $(VENV)/.play $(VENV)/.dev

$(VENV)/.bench: $(VENV)/.dev
	@$(call install,-e '.[dev$(COMMA)bench]')
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage .coverage.* mutants
