# The round robin of the README's rating table, from the project's folder: make ratings GAME=madn
rm -f benchmarks/ratings/madn.*
stammtisch rate madn random greedy rules expectimax:depth=2 mcts:iterations=200 -o teams=true --anchor random \
  --rounds 60 --seed 20261116 --out benchmarks/ratings/madn.jsonl
