# Everything that is needed goes into .venv, once, and again when pyproject.toml changes.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
# More than cores: half of the tests wait for a daemon most of their time.
WORKERS ?= 3

.PHONY: help run test check bench docs clean

help:  ## Show the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "%-8s%s\n", $$1, $$2 }' Makefile

run: $(READY)  ## Play a real session against the daemon in a throw-away home
	@$(BIN)/python -P demo/run.py

test: $(READY)  ## Run the tests
	@$(BIN)/python -P -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

check: test  ## Run what CI runs: tests, lint, format and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: $(READY)  ## Measure, and write benchmarks/RESULTS.md
	@$(BIN)/python benchmarks/run.py

docs: $(READY)  ## Write man page and completions anew, from the help of the commands
	@$(BIN)/python -P docs/generate.py

clean:  ## Remove what make made
	@rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find agentinitd tests benchmarks demo -type d -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.version_info < (3, 11) and sys.exit("agentinitd needs Python 3.11 or later: make PYTHON=python3.12")'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@
