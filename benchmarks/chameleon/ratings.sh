# The round robin of the README's rating table, from the project's folder: make ratings GAME=chameleon
rm -f benchmarks/ratings/chameleon.*
stammtisch rate chameleon random td maxn:depth=1 maxn:depth=3 paranoid:depth=3 best:level=easy \
  best:level=normal best:ms=20 --players 2,3,4 --anchor random --rounds 20 --seed 20261116 \
  --out benchmarks/ratings/chameleon.jsonl
