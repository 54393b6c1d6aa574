# The round robin of the README's rating table, from the project's folder: make ratings GAME=dmadn
rm -f benchmarks/ratings/dmadn.*
stammtisch rate dmadn random greedy rules mcts:iterations=200 -o teams=true --opening 8 --anchor random \
  --rounds 60 --seed 20261116 --out benchmarks/ratings/dmadn.jsonl
