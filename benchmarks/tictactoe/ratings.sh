# The round robin of the README's rating table, from the project's folder: make ratings GAME=tictactoe
rm -f benchmarks/ratings/tictactoe.*
stammtisch rate tictactoe random maxn:depth=1 maxn:depth=3 maxn:depth=9 mcts:iterations=10 \
  mcts:iterations=100 mcts:iterations=1000 --anchor random --rounds 200 --seed 20261116 \
  --out benchmarks/ratings/tictactoe.jsonl
