# The round robin of the README's rating table, from the project's folder: make ratings GAME=tichu
rm -f benchmarks/ratings/tichu.*
stammtisch rate tichu random heuristic-1 best:level=easy best:level=normal value best:iterations=400 \
  ismcts:iterations=1000 -o rounds=1 --anchor random --rounds 100 --seed 20261119 --out benchmarks/ratings/tichu.jsonl
