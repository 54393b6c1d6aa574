# The matches of the game's page, from the project's folder: make strength GAME=clever
rm -f benchmarks/clever/*.json*
stammtisch arena clever expectimax heuristic greedy random --rounds 2000 --seed 7001 --out benchmarks/clever/solo.jsonl
stammtisch arena clever best value --rounds 10000 --seed 7101 --out benchmarks/clever/value.jsonl
stammtisch arena clever best:level=normal best:level=easy --rounds 1000 --seed 7103 --out benchmarks/clever/levels.jsonl
stammtisch arena clever value ppo -o rules=thesis --rounds 10000 --seed 7104 --out benchmarks/clever/thesis.jsonl
stammtisch arena clever mcts:iterations=1000 heuristic --rounds 200 --seed 7002 --out benchmarks/clever/mcts.jsonl
