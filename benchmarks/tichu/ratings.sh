# The round robin of the README's rating table, from the project's folder: make ratings GAME=tichu
rm -f benchmarks/ratings/tichu.*
stammtisch rate tichu random heuristic pimc:iterations=200 ismcts:iterations=200 ismcts:iterations=1000 \
  -o rounds=1 --anchor random --rounds 100 --seed 20261116 --out benchmarks/ratings/tichu.jsonl
