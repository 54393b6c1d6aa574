# The matches of the game's page, from the project's folder: make strength GAME=dmadn
rm -f benchmarks/dmadn/*.json*
stammtisch arena dmadn greedy random -o teams=true --opening 8 --rounds 1000 --seed 6101 \
  --out benchmarks/dmadn/greedy-random.jsonl
stammtisch arena dmadn rules greedy -o teams=true --opening 8 --rounds 1000 --seed 6102 \
  --out benchmarks/dmadn/rules-greedy.jsonl
stammtisch arena dmadn mcts rules -o teams=true --opening 8 --ms 100 --rounds 1000 --seed 6103 \
  --out benchmarks/dmadn/mcts-rules-100ms.jsonl
stammtisch arena dmadn value rules -o teams=true --opening 8 --rounds 200 --seed 6104 \
  --out benchmarks/dmadn/value-rules.jsonl
stammtisch arena dmadn best value -o teams=true --opening 8 --rounds 40 --seed 6105 \
  --out benchmarks/dmadn/best-value.jsonl
python benchmarks/pins.py dmadn-teams dmadn-each --games 2000
