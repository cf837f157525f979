# balance: `make report` and `make test` do everything from a bare checkout; `make help` lists the rest.
# They need python3 (3.11 or newer, with its venv module) and make. All else goes into .venv, from hashed locks.

PYTHON ?= python3
JOBS ?= 2

BIN := .venv/bin
STAMPS := .venv/stamps
LOCKS := requirements
NOTEBOOKS := $(if $(wildcard notebooks/*.ipynb),--nbmake notebooks)
PYTEST = $(ONE_THREAD) $(BIN)/python -m pytest tests balance

# Whoever forbids Python to keep bytecode has every process of every test compile the package anew: twice the time.
unexport PYTHONDONTWRITEBYTECODE
# One thread per process: the tests have a process per core, and threads that wait for each other only heat it.
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 POLARS_MAX_THREADS=1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help report test test-all lint format bench figures mutants golden notebook notebooks pictures docs docs-links lock clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

report: $(STAMPS)/all ## install if need be, then write reports/warforged/index.html and report.pdf
	@$(BIN)/balance report warforged

# A change is proved in minutes; `make test PART=dice` is one room of it, in seconds. The last line is pytest's summary.
test: $(STAMPS)/dev ## install if need be, then prove a change: checks and tests (PART=dice: the tests of one room)
	@$(if $(PART),$(PART_TESTS),$(MAKE) --no-print-directory -j2 TYPES=balance lint quick)

PART_TESTS = $(BIN)/python -m pytest $(shell find tests balance -type d -name "$(PART)") -q

# Two workers of two threads each fight for two cores: a fit of 2 s then takes 16.
quick test-all: export OMP_NUM_THREADS = 1
quick test-all: export OPENBLAS_NUM_THREADS = 1
.PHONY: quick
quick: $(STAMPS)/dev
	@$(PYTEST) -n $(JOBS) --dist loadfile

test-all: lint ## run everything, the slow tests and the notebooks too; an hour or more
	@$(PYTEST) $(NOTEBOOKS) --all -n $(JOBS) --dist loadfile

# `make test` checks the types of the package alone (TYPES=balance); those of the tests are as many again.
lint: $(STAMPS)/dev ## check format, style, types, the direction of imports and the words that people read
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/python -m mypy $(TYPES)
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python -m tests.wording

format: $(STAMPS)/dev ## rewrite the code in the house format
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench: $(STAMPS)/bench ## measure our speed beside that of our peers, twenty minutes at most (QUICK=1: three; ONLY='T1')
	@$(BIN)/python -m tests.bench $(if $(QUICK),--quick) $(if $(ONLY),--only '$(ONLY)')

figures: $(STAMPS)/$(if $(TESTS),dev,core) ## print how large and how tangled the code is (ROOT=DIR: of another; TESTS=1: tests too)
	@$(BIN)/python -m tests.figures $(if $(ROOT),--root $(ROOT)) $(if $(TESTS),--tests)

mutants: $(STAMPS)/mutants ## break the code in random places and see which tests notice (N=100 SEED=9)
	@$(BIN)/python -m tests.mutants $(if $(N),-n $(N)) $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only '$(ONLY)')

GOLDEN = cli.transcripts cli.price_screens catalogue.toy analysis.golden_tables study.golden reporting.golden_pages \
	reporting.manifests games.edadh.golden games.edadh.solving.golden docs
golden: $(STAMPS)/dev ## write anew what tests keep whole, after a change that is meant; read the difference
	@for part in $(GOLDEN); do $(BIN)/python -m tests.$$part || exit 1; done

notebook: $(STAMPS)/all ## open the notebooks in Jupyter
	@$(BIN)/python -m jupyter lab notebooks

notebooks: $(STAMPS)/dev ## run the notebooks and keep what they show
	@$(BIN)/python -m tests.packaging.notebooks

pictures: $(STAMPS)/dev ## draw the pictures of the documentation anew (needs Chromium)
	@$(BIN)/python -m tests.browser.pictures

docs: $(STAMPS)/docs ## build the documentation site into build/docs; a warning is a fault
	@$(BIN)/python -m sphinx -q -W --keep-going -E -d build/doctrees docs build/docs
	@echo "build/docs/index.html"

docs-links: docs ## look up the links that lead out of the documentation, too (needs the internet)
	@$(BIN)/python -m sphinx -q -W --keep-going -E -b linkcheck -d build/doctrees docs build/links

clean: ## remove the environment and every cache (not the reports)
	rm -rf .venv build dist .bench .mutants .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A lock keeps its versions until UPGRADE=1 is given. The others repeat the versions of what users install exactly.
COMPILE = $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
	--excludes $(LOCKS)/excludes.in $(if $(UPGRADE),--upgrade)
WHOLE := pyproject.toml $(LOCKS)/build.in

lock: $(STAMPS)/tools ## write the hashed locks anew after a change of dependencies (UPGRADE=1: newest versions)
	$(COMPILE) $(LOCKS)/installer.in -o $(LOCKS)/installer.lock
	$(COMPILE) $(WHOLE) --extra all -o $(LOCKS)/all.lock
	$(COMPILE) $(WHOLE) -c $(LOCKS)/all.lock -o $(LOCKS)/core.lock
	$(COMPILE) $(WHOLE) --extra dev -c $(LOCKS)/all.lock -o $(LOCKS)/dev.lock
	$(COMPILE) $(WHOLE) --extra docs -c $(LOCKS)/all.lock -o $(LOCKS)/docs.lock
	$(COMPILE) $(WHOLE) --extra bench -c $(LOCKS)/all.lock -o $(LOCKS)/bench.lock
	$(COMPILE) $(WHOLE) --extra mutants --extra dev -c $(LOCKS)/dev.lock -o $(LOCKS)/mutants.lock

# Each stamp is touched by a command of its own, so that an install that failed or was interrupted is done again.
PIP := $(BIN)/python -m pip --disable-pip-version-check
define install
if [ -x $(BIN)/uv ]; then \
	UV_COMPILE_BYTECODE=1 $(BIN)/uv pip install -q --python $(BIN)/python --no-deps --require-hashes -r $(1) \
		2>.venv/uv.log \
	|| { echo "Going on with pip, which takes a little longer (uv's reason is in .venv/uv.log)"; \
		$(PIP) install -q --no-deps --require-hashes -r $(1); }; \
else $(PIP) install -q --no-deps --require-hashes -r $(1); fi
endef

define check_python
if ! command -v $(PYTHON) >/dev/null; then \
	echo "$(PYTHON) is missing. Install it: apt install python3 python3-venv" >&2; exit 2; \
elif ! $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then \
	echo "balance needs Python 3.11 or newer; $(PYTHON) is older. Name a newer one: make PYTHON=python3.12 ..." >&2; exit 2; \
elif ! $(PYTHON) -c 'import venv, ensurepip' 2>/dev/null; then \
	echo "$(PYTHON) cannot make an environment. Install python3-venv: apt install python3-venv" >&2; exit 2; \
fi
endef

$(STAMPS)/tools: $(LOCKS)/installer.lock
	@$(check_python)
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { echo "Creating .venv"; $(PYTHON) -m venv --clear .venv; }
	@$(PIP) install -q --no-deps --require-hashes -r $< 2>.venv/uv.log \
		|| echo "Going on without uv; pip takes a little longer (the reason is in .venv/uv.log)"
	@mkdir -p $(STAMPS)
	@touch $@

# Editable: the report, the tests and the notebooks all run the checkout's own code and data/, without reinstalling.
$(STAMPS)/core: $(STAMPS)/tools $(LOCKS)/core.lock pyproject.toml
	@echo "Installing what balance needs (once)"
	@$(call install,$(LOCKS)/core.lock)
	@$(PIP) install -q --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q -j 0 balance
	@touch $@

NEEDS_all := report
NEEDS_dev := test
$(STAMPS)/all $(STAMPS)/dev $(STAMPS)/docs $(STAMPS)/bench $(STAMPS)/mutants: $(STAMPS)/%: $(STAMPS)/core $(LOCKS)/%.lock
	@echo "Installing what 'make $(or $(NEEDS_$*),$*)' needs (once$(if $(filter all,$*),; a minute or two))"
	@$(call install,$(LOCKS)/$*.lock)
	@touch $@
