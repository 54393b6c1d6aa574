# The matches of the game's page, from the project's folder: make strength GAME=tichu
rm -f benchmarks/tichu/*.json*
stammtisch arena tichu heuristic -o rounds=1 --rounds 5000 --seed 5301 --out benchmarks/tichu/heuristic.jsonl
stammtisch arena tichu heuristic random -o rounds=1 --rounds 2500 --seed 5201 \
  --out benchmarks/tichu/heuristic-random.jsonl
stammtisch arena tichu ismcts heuristic -o rounds=1 --ms 500 --rounds 1000 --seed 5001 \
  --out benchmarks/tichu/ismcts-heuristic-500ms.jsonl
stammtisch arena tichu value heuristic-1 -o rounds=1 --rounds 10000 --seed 5401 \
  --out benchmarks/tichu/value-heuristic-1.jsonl
for level in easy normal; do
  stammtisch arena tichu best:level=$level heuristic-1 -o rounds=1 --rounds 500 --seed 5701 \
    --out benchmarks/tichu/$level-heuristic-1.jsonl
done
