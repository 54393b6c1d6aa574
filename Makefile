# Everything happens in one environment, .venv, made by the first target that needs it.
PYTHON ?= python3
GAME ?=
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
HASHES ?= yes

.PHONY: help setup play games test test-slow check bench ratings strength docs pictures clean

help:
	@echo "make play       play in the browser (make play GAME=tichu goes to one game, see: make games)"
	@echo "make games      list the games"
	@echo "make test       run the checks and all tests"
	@echo "make test-slow  run the tests that take minutes (simulated tournaments)"
	@echo "make check      run the linter and the type checker only"
	@echo "make bench      measure the engines beside their peers, write benchmarks/results.json"
	@echo "make ratings    play the round robin of the README's rating table anew (minutes)"
	@echo "make strength   play the matches of the games' pages anew (hours)"
	@echo "make docs       write the generated pages of docs/ anew"
	@echo "make pictures   take the pictures of the table in docs/pictures anew (needs Chromium)"
	@echo "make setup      install everything and compile the rules, once"
	@echo "make clean      delete the environment"

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Stammtisch needs Python 3.11 or newer; name one: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

# With hashes: only the very files that were tested. HASHES=no takes the same versions from whoever offers them.
.venv/base: .venv/made pyproject.toml constraints.txt requirements.lock
	@echo "Installing what playing needs (once, about a minute) ..."
	@if [ "$(HASHES)" != no ] && $(BIN)/python -c 'import sys; sys.exit(sys.version_info >= (3, 14))'; then \
	  $(PIP) --require-hashes -r requirements.lock && $(PIP) --no-deps --no-build-isolation -e . || { \
	    echo "A file is not the pinned one, or there is none for this system. make HASHES=no ... does not look."; exit 1; }; \
	else $(PIP) -c constraints.txt -e .; fi
	@touch $@

.venv/all: .venv/base
	@echo "Installing all extras (once, some minutes) ..."
	@$(PIP) -c constraints.txt -e '.[dev,lab,cluster]'
	@touch $@

setup: .venv/all
	@$(BIN)/stammtisch warm

# compiled anew whenever a file of the package has changed; what has not changed takes seconds
.venv/ready: .venv/base $(shell find src -name '*.py')
	@$(BIN)/stammtisch warm --table
	@touch $@

play: .venv/ready
	@$(BIN)/stammtisch play $(GAME)

games: .venv/base
	@$(BIN)/stammtisch games

# only for looking through the page's scripts; without npm that is skipped
.venv/page: tests/page/package-lock.json .venv/made
	@mkdir -p $@ && cp tests/page/package.json tests/page/package-lock.json $@
	@if command -v npm >/dev/null; then npm ci --prefix $@ --silent --no-audit --no-fund >/dev/null 2>&1 || true; fi
	@touch $@

check: .venv/all .venv/page
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	PYTHONPATH=tests $(BIN)/python tests/page/check.py

test: setup check
	$(BIN)/pytest -n 2 --dist loadfile

test-slow: setup
	$(BIN)/pytest -m slow

bench: setup
	$(BIN)/stammtisch bench --seconds 3 --output benchmarks/results.json
	$(BIN)/python benchmarks/table_load.py
	$(BIN)/python benchmarks/logs_memory.py
	$(BIN)/python docs/generate.py

# What is played for a game is in benchmarks/<game>/ratings.sh and strength.sh (make strength GAME=tichu: only those).
PLANS = $(wildcard benchmarks/$(or $(GAME),*)/$@.sh)

ratings strength: setup
	@for plan in $(PLANS); do PATH="$(CURDIR)/$(BIN):$$PATH" sh -ex "$$plan" || exit 1; done
	$(BIN)/python docs/generate.py

docs: .venv/all
	$(BIN)/python docs/generate.py

pictures: setup
	mkdir -p docs/pictures
	STAMMTISCH_PICTURES=docs/pictures $(BIN)/pytest tests/table/test_browser.py -k picture

clean:
	rm -rf .venv
