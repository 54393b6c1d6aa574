# The matches of the game's page, from the project's folder: make strength GAME=madn
rm -f benchmarks/madn/*.json*
stammtisch arena madn greedy random -o teams=true --rounds 1000 --seed 6001 --out benchmarks/madn/greedy-random.jsonl
stammtisch arena madn rules greedy -o teams=true --rounds 2000 --seed 6002 --out benchmarks/madn/rules-greedy.jsonl
stammtisch arena madn mcts rules -o teams=true --ms 100 --rounds 1000 --seed 6003 \
  --out benchmarks/madn/mcts-rules-100ms.jsonl
stammtisch arena madn best rules -o teams=true --rounds 100 --seed 6005 --out benchmarks/madn/best-rules.jsonl
python benchmarks/pins.py madn-teams
python benchmarks/pins.py madn-teams --far --games 4000
