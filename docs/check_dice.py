"""Checks the dice of a game of Dampfross without the referee: python3 check_dice.py RR1.json (from `referee game export`)."""

import json
import sys
from hashlib import sha256
from pathlib import Path


def text_of(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def hash_of(*lines):
    return sha256("\n".join(lines).encode()).hexdigest()


def throws_of(event):
    """Return the throws behind an event, by name."""
    if event["kind"] == "TrainMoved":
        return {f"race/{event['race']}/{event['round']}/{event['train']}": event["throw"]}
    if event["kind"] == "RollsThrown" and "drop-lowest" not in text_of(game["setup"]["options"]):
        place = "/".join(filter(None, ["rolls", str(event["round"]), event["company"]]))
        return {f"{place}/{number}": roll for number, roll in enumerate(event["rolls"], 1)}
    return {}


if len(sys.argv) != 2:
    sys.exit(__doc__)
game = json.loads(Path(sys.argv[1]).read_text("utf-8"))
wrong, count, before, log = [], 0, "", hash_of(game["game"], text_of(game["setup"]), game["end"])
for turn in game["turns"]:
    number, seed, salts, typed = turn["turn"], turn["seed"], turn["salts"], turn.get("typed", {})
    back = seed
    for _ in range(number + 1):
        back = hash_of(back)
    if back != game["end"]:
        wrong.append(f"turn {number}: its seed does not lead to the end of the chain")
    lines = [str(number), str(turn["rules"]), seed, salts, text_of(turn["orders"]), text_of(turn["events"])]
    lines += [text_of(typed)] if typed else []
    lines += [f"edition {turn['edition']}"] if turn.get("edition", 1) > 1 else []
    lines += [f"acts {turn['acts']}"] if "acts" in turn else []
    lines += [f"letters {text_of(turn['letters'])}"] if "letters" in turn else []
    log = hash_of(log, game["game"], *lines)
    if log != turn["hash"]:
        wrong.append(f"turn {number}: its hash does not cover what stands there")
    mixed = before if number else salts  # a turn is thrown with the salts that the one before it printed
    before = salts
    start = hash_of(f"{seed}/{mixed}") if mixed else seed
    for name, thrown in [throw for event in turn["events"] for throw in throws_of(event).items()]:
        count += 1
        if thrown != typed.get(name, int(hash_of(f"{start}/{name}/0")[:16], 16) % 6 + 1):
            wrong.append(f"turn {number}: {name} is not {thrown}")
print(f"{len(game['turns'])} turns, {count} throws; the newest hash: {log}")
print("\n".join(wrong) or "All as it should be.")
sys.exit(1 if wrong else 0)
