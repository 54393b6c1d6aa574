# Everything happens in one environment, .venv, made by the first target that needs it.
PYTHON ?= python3
GAME ?= tictactoe
BIN := .venv/bin

.PHONY: help setup play games test check bench docs clean

help:
	@echo "make play    play $(GAME) in the terminal (make play GAME=..., see: make games)"
	@echo "make games   list the games"
	@echo "make test    run the checks and all tests"
	@echo "make check   run the linter and the type checker only"
	@echo "make bench   measure the engines beside their peers, write benchmarks/results.json"
	@echo "make docs    write the generated pages of docs/ anew"
	@echo "make setup   install everything and compile the rules, once"
	@echo "make clean   delete the environment"

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Stammtisch needs Python 3.11 or newer; name one: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/base: .venv/made pyproject.toml constraints.txt
	@echo "Installing what playing needs (once, about a minute) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

.venv/all: .venv/base
	@echo "Installing all extras (once, about a minute) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

setup: .venv/all
	@$(BIN)/stammtisch warm

play: .venv/base
	@$(BIN)/stammtisch play $(GAME)

games: .venv/base
	@$(BIN)/stammtisch games

check: .venv/all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: setup check
	$(BIN)/pytest

bench: setup
	$(BIN)/stammtisch bench --seconds 3 --output benchmarks/results.json
	$(BIN)/python docs/generate.py

docs: .venv/all
	$(BIN)/python docs/generate.py

clean:
	rm -rf .venv
