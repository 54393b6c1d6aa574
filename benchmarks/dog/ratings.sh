# The round robin of the README's rating table, from the project's folder: make ratings GAME=dog
rm -f benchmarks/ratings/dog.*
stammtisch rate dog random greedy rules pimc:iterations=200 ismcts:iterations=200 -o teams=true --anchor random \
  --rounds 60 --seed 20261116 --out benchmarks/ratings/dog.jsonl
