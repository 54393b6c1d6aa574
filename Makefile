# Everything happens in one environment, .venv, made by the first target that needs it.
PYTHON ?= python3
GAME ?=
BIN := .venv/bin

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

.venv/base: .venv/made pyproject.toml constraints.txt
	@echo "Installing what playing needs (once, about a minute) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

.venv/all: .venv/base
	@echo "Installing all extras (once, some minutes) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,lab]'
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

check: .venv/all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: setup check
	$(BIN)/pytest -n 2 --dist loadfile

test-slow: setup
	$(BIN)/pytest -m slow

bench: setup
	$(BIN)/stammtisch bench --seconds 3 --output benchmarks/results.json
	$(BIN)/python benchmarks/table_load.py
	$(BIN)/python benchmarks/logs_memory.py
	$(BIN)/python docs/generate.py

RATINGS := benchmarks/ratings
ratings: setup
	rm -f $(RATINGS)/tictactoe.*
	$(BIN)/stammtisch rate tictactoe random maxn:depth=1 maxn:depth=3 maxn:depth=9 mcts:iterations=10 \
	  mcts:iterations=100 mcts:iterations=1000 --anchor random --rounds 200 --seed 20261116 \
	  --out $(RATINGS)/tictactoe.jsonl
	rm -f $(RATINGS)/chameleon.*
	$(BIN)/stammtisch rate chameleon random td maxn:depth=1 maxn:depth=3 paranoid:depth=3 best:level=easy \
	  best:level=normal best:ms=20 --players 2,3,4 --anchor random --rounds 20 --seed 20261116 \
	  --out $(RATINGS)/chameleon.jsonl
	rm -f $(RATINGS)/tichu.*
	$(BIN)/stammtisch rate tichu random heuristic pimc:iterations=200 ismcts:iterations=200 ismcts:iterations=1000 \
	  -o rounds=1 --anchor random --rounds 100 --seed 20261116 --out $(RATINGS)/tichu.jsonl
	rm -f $(RATINGS)/madn.* $(RATINGS)/dmadn.* $(RATINGS)/dog.*
	$(BIN)/stammtisch rate madn random greedy rules expectimax:depth=2 mcts:iterations=200 -o teams=true --anchor random \
	  --rounds 60 --seed 20261116 --out $(RATINGS)/madn.jsonl
	$(BIN)/stammtisch rate dmadn random greedy rules mcts:iterations=200 -o teams=true --opening 8 --anchor random \
	  --rounds 60 --seed 20261116 --out $(RATINGS)/dmadn.jsonl
	$(BIN)/stammtisch rate dog random greedy rules pimc:iterations=200 ismcts:iterations=200 -o teams=true --anchor random \
	  --rounds 60 --seed 20261116 --out $(RATINGS)/dog.jsonl
	$(BIN)/python docs/generate.py

CHAMELEON := benchmarks/chameleon
TICHU := benchmarks/tichu
MADN := benchmarks/madn
DMADN := benchmarks/dmadn
DOG := benchmarks/dog
CLEVER := benchmarks/clever
strength: setup
	mkdir -p $(CLEVER)
	rm -f $(CLEVER)/*
	$(BIN)/stammtisch arena clever expectimax heuristic greedy random --rounds 2000 --seed 7001 --out $(CLEVER)/solo.jsonl
	$(BIN)/stammtisch arena clever best value --rounds 10000 --seed 7101 --out $(CLEVER)/value.jsonl
	$(BIN)/stammtisch arena clever best:level=normal best:level=easy --rounds 1000 --seed 7103 --out $(CLEVER)/levels.jsonl
	$(BIN)/stammtisch arena clever value ppo -o rules=thesis --rounds 10000 --seed 7104 --out $(CLEVER)/thesis.jsonl
	$(BIN)/stammtisch arena clever mcts:iterations=1000 heuristic --rounds 200 --seed 7002 --out $(CLEVER)/mcts.jsonl
	mkdir -p $(TICHU)
	rm -f $(TICHU)/*
	$(BIN)/stammtisch arena tichu heuristic -o rounds=1 --rounds 5000 --seed 5301 --out $(TICHU)/heuristic.jsonl
	$(BIN)/stammtisch arena tichu heuristic random -o rounds=1 --rounds 2500 --seed 5201 \
	  --out $(TICHU)/heuristic-random.jsonl
	$(BIN)/stammtisch arena tichu ismcts heuristic -o rounds=1 --ms 500 --rounds 1000 --seed 5001 \
	  --out $(TICHU)/ismcts-heuristic-500ms.jsonl
	mkdir -p $(MADN) $(DMADN) $(DOG)
	rm -f $(MADN)/* $(DMADN)/* $(DOG)/*
	$(BIN)/stammtisch arena madn greedy random -o teams=true --rounds 1000 --seed 6001 --out $(MADN)/greedy-random.jsonl
	$(BIN)/stammtisch arena madn rules greedy -o teams=true --rounds 2000 --seed 6002 --out $(MADN)/rules-greedy.jsonl
	$(BIN)/stammtisch arena dmadn greedy random -o teams=true --opening 8 --rounds 1000 --seed 6101 \
	  --out $(DMADN)/greedy-random.jsonl
	$(BIN)/stammtisch arena dmadn rules greedy -o teams=true --opening 8 --rounds 1000 --seed 6102 \
	  --out $(DMADN)/rules-greedy.jsonl
	$(BIN)/stammtisch arena dog greedy random -o teams=true --rounds 1000 --seed 6201 --out $(DOG)/greedy-random.jsonl
	$(BIN)/stammtisch arena dog rules greedy -o teams=true --rounds 1000 --seed 6202 --out $(DOG)/rules-greedy.jsonl
	$(BIN)/stammtisch arena madn mcts rules -o teams=true --ms 100 --rounds 1000 --seed 6003 \
	  --out $(MADN)/mcts-rules-100ms.jsonl
	$(BIN)/stammtisch arena dmadn mcts rules -o teams=true --opening 8 --ms 100 --rounds 1000 --seed 6103 \
	  --out $(DMADN)/mcts-rules-100ms.jsonl
	$(BIN)/stammtisch arena dog ismcts rules -o teams=true --ms 500 --rounds 1000 --seed 6203 \
	  --out $(DOG)/ismcts-rules-500ms.jsonl
	mkdir -p $(CHAMELEON)
	rm -f $(CHAMELEON)/best-*
	$(BIN)/stammtisch analyse chameleon --players 2,3,4 -o max_plies=none --agent maxn:depth=3 --agent-games 200 \
	  --longest 500 --json > $(CHAMELEON)/shape.json
	$(BIN)/stammtisch arena chameleon best maxn --players 2,3,4 --ms 100 --rounds 70 --seed 4110 \
	  --out $(CHAMELEON)/best-maxn-100ms.jsonl
	$(BIN)/stammtisch arena chameleon best:ms=4 maxn:ms=200 --players 2,3,4 --rounds 70 --seed 4210 \
	  --out $(CHAMELEON)/best-maxn-4ms-200ms.jsonl
	$(BIN)/stammtisch arena chameleon best:depth=3 maxn:ms=100 --players 2,3,4 --rounds 70 --seed 4310 \
	  --out $(CHAMELEON)/best-maxn-depth3-100ms.jsonl
	$(BIN)/stammtisch arena chameleon best:evaluation=hand maxn --players 2,3,4 --ms 1000 --rounds 67 --seed 4001 \
	  --out $(CHAMELEON)/best-maxn-1000ms.jsonl
	mkdir -p $(CHAMELEON)/td $(CHAMELEON)/learned
	rm -f $(CHAMELEON)/td/* $(CHAMELEON)/learned/*
	for opponent in random maxn:depth=1 maxn:depth=2 maxn:depth=3; do \
	  $(BIN)/stammtisch arena chameleon td $$opponent --players 2,3,4 --rounds 200 --seed 4401 \
	    --out $(CHAMELEON)/td/$$(echo $$opponent | tr ':=' '--').jsonl; done
	for ms in 10 100 1000; do \
	  $(BIN)/stammtisch arena chameleon best:evaluation=learned best:evaluation=hand --players 2,3,4 --ms $$ms \
	    --rounds 200 --seed 4601 --out $(CHAMELEON)/learned/$${ms}ms.jsonl; done
	$(BIN)/python benchmarks/report_chameleon.py
	$(BIN)/python docs/generate.py

docs: .venv/all
	$(BIN)/python docs/generate.py

pictures: setup
	mkdir -p docs/pictures
	STAMMTISCH_PICTURES=docs/pictures $(BIN)/pytest tests/table/test_browser.py -k picture

clean:
	rm -rf .venv
