# The matches of the game's page, from the project's folder: make strength GAME=dog
rm -f benchmarks/dog/*.json*
stammtisch arena dog greedy random -o teams=true --rounds 1000 --seed 6201 --out benchmarks/dog/greedy-random.jsonl
stammtisch arena dog rules greedy -o teams=true --rounds 1000 --seed 6202 --out benchmarks/dog/rules-greedy.jsonl
stammtisch arena dog ismcts rules -o teams=true --ms 500 --rounds 1000 --seed 6203 \
  --out benchmarks/dog/ismcts-rules-500ms.jsonl
stammtisch arena dog best:iterations=128 value -o teams=true --rounds 50 --seed 6205 \
  --out benchmarks/dog/best-value.jsonl
stammtisch arena dog best:iterations=128 ismcts:iterations=640 -o teams=true --rounds 25 --seed 6206 \
  --out benchmarks/dog/best-ismcts.jsonl
python benchmarks/pins.py dog-teams --games 10000
python benchmarks/pins.py dog-each --games 1200
python benchmarks/pins.py dog-braendi --games 8000
