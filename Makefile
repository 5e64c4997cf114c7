# One command each: `make build` (set up, run the main job on raw/), `make test` (set up, prove it).
# Everything is installed from requirements.lock into .venv; a second call installs nothing.
PYTHON ?= python3
VENV   := .venv
STAMP  := $(VENV)/.installed
UV_VERSION := 0.13.9
# A uv already on the PATH is used; otherwise one is bootstrapped into its own small environment.
UV     := $(shell command -v uv 2>/dev/null || echo .uv/bin/uv)
RUN    := $(VENV)/bin
# The machine's own certificates, as pip and git use them: uv's built-in ones fail behind a proxy that signs for itself.
export UV_SYSTEM_CERTS ?= 1

.PHONY: help setup build test lint browser benchmark lock serve dev clean

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:[^#]*## /\t/' | expand -t 12

setup: $(STAMP)  ## create .venv with exactly the locked versions

.uv/bin/uv:
	$(PYTHON) -m venv .uv
	.uv/bin/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)

$(STAMP): requirements.lock pyproject.toml $(if $(filter .uv/bin/uv,$(UV)),.uv/bin/uv)
	test -x $(RUN)/python || $(UV) venv --quiet --python $(PYTHON) $(VENV)
	# Compiled once here, so that no program start pays for it, even where Python may not write bytecode.
	$(UV) pip sync --quiet --compile-bytecode --python $(RUN)/python --require-hashes requirements.lock
	$(UV) pip install --quiet --python $(RUN)/python --no-deps --no-build-isolation --editable .
	@touch $@

build: setup  ## run the main job on raw/: warehouse, Parquet and site
	$(RUN)/hammerhouse build

test: setup lint browser  ## everything that must hold, slow and browser tests included
	$(RUN)/python -m pytest --numprocesses auto --dist loadfile --durations 15

lint: setup
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .
	$(RUN)/mypy

browser:
	@sh tests/browser/ensure_chromium.sh

benchmark: setup  ## ratios and seconds; not part of the tests
	$(RUN)/python -m pytest tests/benchmarks -s -p no:cacheprovider

dev: setup  ## Dagster's web page on the asset graph
	$(RUN)/dagster dev

serve: setup  ## the published site on 127.0.0.1
	$(RUN)/hammerhouse serve

lock: .uv/bin/uv  ## resolve the dependencies anew
	$(UV) pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 \
		--group dev pyproject.toml --output-file requirements.lock

clean:  ## remove what can be made again (the published warehouse and site too)
	rm -rf $(VENV) .uv .cache warehouse/hammerhouse.duckdb warehouse/parquet reports/site
