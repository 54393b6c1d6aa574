"""A bot for every game, without dependencies: any legal move, by the generator seeded with what the turn says.

stammtisch bot check "python3 examples/bots/bot.py"
stammtisch play tictactoe --against "outside:command=python3 examples/bots/bot.py"
"""

import json
import random
import sys


def say(**message: object) -> None:
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="hello", protocol=1, name="any move, in Python")
    elif message["type"] == "turn":
        move = random.Random(message["seed"]).choice(message["moves"])
        say(type="move", id=message["id"], move=move)
    elif message["type"] == "end":
        break
