"""A program that plays badly: what it does wrong is its argument. Run as a script, never imported."""

import json
import os
import sys
import time

FAULT = sys.argv[1]


def say(**message: object) -> None:
    print(json.dumps(message), flush=True)


if FAULT == "mute":
    time.sleep(600)
if FAULT == "old":
    say(type="hello", protocol=0)
if FAULT == "chatter at the start":
    while True:
        print("{}", flush=True)

for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind not in ("hello", "begin", "event", "turn", "end") and FAULT == "narrow":
        sys.exit("what is this?")
    if kind == "hello":
        say(type="hello", protocol=1, name="bad")
    if kind == "end" and FAULT == "stays":
        time.sleep(600)
    if kind != "turn":
        continue
    if FAULT == "dies":
        sys.exit("\x1b[31mno idea")
    if FAULT == "kills itself":
        os.kill(os.getpid(), 9)
    if FAULT == "hangs":
        time.sleep(600)
    if FAULT == "hangs busily":
        while True:
            pass
    if FAULT == "floods":
        while True:
            print('{"type":"log"}')
    if FAULT == "floods without a line":
        while True:
            sys.stdout.write("x" * 4096)
    if FAULT == "floods the error stream":
        sys.stderr.write("noise " * 200_000)
    if FAULT == "no JSON":
        print("I play the centre", flush=True)
    if FAULT == "deep JSON":
        print("[" * 50_000, flush=True)
    if FAULT == "closes":
        os.close(1)
        time.sleep(600)
    move = {"illegal": message["moves"][0], "nonsense": "e2e4", "number": 3, "nothing": None}.get(
        FAULT, message["moves"][-1]
    )
    if FAULT == "illegal":
        taken = [square for square in "012345678" if square not in message["moves"]]
        move = taken[0] if taken else move
    if FAULT == "late answers":
        say(type="move", id=message["id"] - 1, move=message["moves"][0])
    say(type="move", id=message["id"], move=move)
