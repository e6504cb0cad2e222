# Everything from nothing: Python >= 3.11, pip and make are enough. `make` alone lists what there is.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt
PEER_INSTALL := bin/python -m pip install -qq --disable-pip-version-check
PEERS := .venv-peers .venv-peers-botorch .venv-peers-aepsych .venv-peers-choices

# Stamps: a second run installs nothing; a changed pyproject.toml or constraints.txt installs again.
BASE := $(VENV)/.installed-base
WEB := $(VENV)/.installed-web
TEST := $(VENV)/.installed-test
DEV := $(VENV)/.installed-dev

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo serve labs test check audit format fuzz soak bench bench-peers docs pictures clean

help: ## list what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(BASE) ## install, then run a campaign in a simulated nanotube lab
	@$(BIN)/sureshot demo

serve: $(WEB) ## install, then serve the pages on this machine
	@$(BIN)/sureshot serve

labs: $(BASE) ## compute the hundred labs of the demo again (some ten minutes; goes on where it was stopped)
	@$(BIN)/sureshot demo --labs 100 --processes 2 --to labs.json
	@mv labs.json src/sureshot/demo/labs.json

# Tests start hundreds of processes: compiled sources are kept, also where the environment says otherwise.
test: $(TEST) ## install, then run the whole test suite; three processes keep two cores busy, for browsers are waited for
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 3

check: $(DEV) ## formatting, lint, strict types, layer contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

audit: $(DEV) ## is what is installed what is pinned, and are weak spots of it known? (exit code 3: nobody could be asked)
	@$(BIN)/python -m tests.audit

format: $(DEV) ## rewrite the sources in the house's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

fuzz: $(TEST) ## 20,000 hostile inputs of every format (guided by coverage where atheris installs), an hour at the most
	@$(BIN)/python -c 'import atheris' 2>/dev/null || $(PIP_INSTALL) -e '.[fuzz]' || echo "no atheris here: a seed guides"
	@$(BIN)/python -m fuzz

soak: $(TEST) ## faults by the thousand: kills, full disks, lost servers, damaged files, long histories; an hour at the most
	@$(BIN)/python -m soak

bench: $(TEST) ## measure on this machine and print tables (peers too, once `make bench-peers` has run)
	@$(BIN)/python -m benchmarks

bench-peers: $(PEERS:=/.installed) ## environments of their own for bayesianbandits, BoTorch, AEPsych, Optuna and BayBE (6 GB)

docs: $(DEV) ## build the documentation into site/, every warning an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "Documentation: site/index.html"

pictures: $(DEV) ## draw the pictures of the README and the docs again
	$(BIN)/python docs/pictures/nanotubes.py
	$(BIN)/python -m pytest tests/web/browser/test_every_page.py -k fit
	$(BIN)/python docs/pictures/pages.py

clean: ## remove environments, caches and what was built
	rm -rf $(VENV) $(PEERS) .venv-audit site dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests fuzz soak benchmarks docs -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "sureshot needs Python 3.11 or later, and $(PYTHON) is `$(PYTHON) -V`: try make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(BASE): pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "Installing sureshot into $(VENV) (once; about a minute) ..."
	@$(PIP_INSTALL) -e .
	@echo "Compiling its arithmetic (once; about a minute) ..."
	@$(BIN)/sureshot demo --trials 8 >/dev/null
	@touch $@

$(WEB): $(BASE)
	@echo "Installing what the pages need (once; half a minute) ..."
	@$(PIP_INSTALL) -e '.[web]'
	@touch $@

$(TEST): $(BASE)
	@echo "Installing what the tests need (once; about a minute) ..."
	@$(PIP_INSTALL) -e '.[test]'
	@touch $@

$(DEV): $(TEST)
	@echo "Installing the tools for checks and documentation (once; about a minute) ..."
	@$(PIP_INSTALL) -e '.[dev]'
	@touch $@

.venv-peers/.installed: benchmarks/peers.txt
.venv-peers-botorch/.installed: benchmarks/peers-botorch.txt
.venv-peers-aepsych/.installed: benchmarks/peers-aepsych.txt
.venv-peers-choices/.installed: benchmarks/peers-choices.txt
$(PEERS:=/.installed):
	@echo "Installing $< into $(@D) (once; a few minutes) ..."
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	@! grep -q '^torch' $< || $(@D)/$(PEER_INSTALL) "`grep '^torch' $<`"
	@$(@D)/$(PEER_INSTALL) -r $<
	@touch $@
