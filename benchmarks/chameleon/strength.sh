# The matches of the game's page, from the project's folder: make strength GAME=chameleon
rm -f benchmarks/chameleon/best-*
stammtisch analyse chameleon --players 2,3,4 -o max_plies=none --agent maxn:depth=3 --agent-games 200 \
  --longest 500 --json > benchmarks/chameleon/shape.json
stammtisch arena chameleon best maxn --players 2,3,4 --ms 100 --rounds 70 --seed 4110 \
  --out benchmarks/chameleon/best-maxn-100ms.jsonl
stammtisch arena chameleon best:ms=4 maxn:ms=200 --players 2,3,4 --rounds 70 --seed 4210 \
  --out benchmarks/chameleon/best-maxn-4ms-200ms.jsonl
stammtisch arena chameleon best:depth=3 maxn:ms=100 --players 2,3,4 --rounds 70 --seed 4310 \
  --out benchmarks/chameleon/best-maxn-depth3-100ms.jsonl
stammtisch arena chameleon best:evaluation=hand maxn --players 2,3,4 --ms 1000 --rounds 67 --seed 4001 \
  --out benchmarks/chameleon/best-maxn-1000ms.jsonl
mkdir -p benchmarks/chameleon/td benchmarks/chameleon/learned
rm -f benchmarks/chameleon/td/* benchmarks/chameleon/learned/*
for opponent in random maxn:depth=1 maxn:depth=2 maxn:depth=3; do
  stammtisch arena chameleon td $opponent --players 2,3,4 --rounds 200 --seed 4401 \
  --out benchmarks/chameleon/td/$(echo $opponent | tr ':=' '--').jsonl; done
for ms in 10 100 1000; do
  stammtisch arena chameleon best:evaluation=learned best:evaluation=hand --players 2,3,4 --ms $ms \
  --rounds 200 --seed 4601 --out benchmarks/chameleon/learned/${ms}ms.jsonl; done
python benchmarks/report_chameleon.py
