"""Checks the dice of a game of Dampfross without the referee: python3 check_dice.py RR1.json (`referee game export`)."""

import json
import re
import sys
from functools import reduce
from hashlib import sha256
from itertools import combinations, count
from pathlib import Path

DICE = {"rolls_per_round": 1, "race_schedule": "dice"}
PRESETS = {"postal": {}, "laurin": DICE, "schmidt": {**DICE, "roll_per": "company", "game_ends": "target"}}
KEYS = [10 * sector + place for sector in range(1, 7) for place in range(1, 7)]


def text_of(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def hash_of(*lines):
    return sha256("\n".join(map(str, lines)).encode()).hexdigest()


class Turn:
    def __init__(self, plain, salts):
        self.number, self.typed = plain["turn"], plain.get("typed", {})
        self.told = lambda kind: [each for each in plain["events"] if each["kind"] == kind]
        self.expect = lambda right, sentence: wrong.extend([] if right else [f"turn {self.number}: {sentence}"])
        self.start = hash_of(f"{plain['seed']}/{salts}") if salts else plain["seed"]

    def throw(self, name, sides=6):
        numbers = (int(hash_of(f"{self.start}/{name}/{again}")[:16], 16) for again in count())
        return self.typed.get(name) or next(each % sides + 1 for each in numbers if each < 2**64 - 2**64 % sides)

    def shuffled(self, rest, name):
        for at in range(len(rest) - 1):
            other = at + self.throw(f"{name}/{at + 1}", len(rest) - at) - 1
            rest[at], rest[other] = rest[other], rest[at]
        return rest

    def rolls_of(self, name):
        wanted, kind = range(1, min(options["rolls_per_round"], 99) + 1), options.get("roll")
        if kind != "drop-lowest":
            return [self.throw(f"{name}/{at}", 9 if kind == "typed" else 6) for at in wanted]
        tries = ([self.throw(f"{name}/{again}/{at}") for at in (*wanted, len(wanted) + 1)] for again in count(1))
        rolls = next(each for each in tries if each.count(1) < 2)
        return [each for at, each in enumerate(rolls) if at != rolls.index(min(rolls))]

    def check_rolls(self):  # each round's that begins, for all or for each company
        told = {"rolls/{round}/{company}".format_map(one).rstrip("/"): one["rolls"] for one in self.told("RollsThrown")}
        begun = [each["round"] + 1 for each in self.told("RoundEnded") if each["phase"] == "build"]
        begun += [1] if not self.number and not setup["position"] else []
        for name in [f"rolls/{number}{code}" for number in begun for code in whose]:
            self.expect(name in told, f"{name} is left out")
        for name, rolls in told.items():
            self.expect(rolls == self.rolls_of(name), f"{name} is {self.rolls_of(name)}, not {rolls}")

    def check_trains(self):  # each is thrown for until the prizes are settled, and no longer
        races, moves = {}, {"race/{race}/{round}/{train}".format_map(each): each for each in self.told("TrainMoved")}
        for name, move in moves.items():
            self.expect(move["throw"] == self.throw(name), f"{name} is {self.throw(name)}, not {move['throw']}")
        for each in self.told("TrainEntered"):
            races.setdefault(each["race"], []).append(each["train"])
        for race, running in races.items():
            number, most = 0, 0 if options.get("prizes") == "shared" or len(running) < 2 else len(running) - 2
            while len(running) > max(most, 0 if number else 1):
                number += 1
                moved = {train: moves.pop(f"race/{race}/{number}/{train}", {}) for train in running}
                self.expect(all(moved.values()), f"race/{race}/{number}: a throw is left out")
                running = [train for train, move in moved.items() if move.get("left", 0) < 0]
        self.expect(not moves, f"nothing asks for {' '.join(moves)}")

    def check_end(self, name, told, barred):  # the first free key that is thrown, but for ends that were too near
        dice = {f"{name}/{{}}/red": 10, f"{name}/{{}}/black": 1} if told > 6 else {f"{name[:-4]}/special/{{}}": 1}
        thrown = [sum(self.throw(die.format(at)) * by for die, by in dice.items()) for at in range(1, 400)]
        passed = [key for key in thrown[: thrown.index(told) if told in thrown else None] if key not in barred]
        sure = told in barred or (passed and name.endswith("start") and not setup["position"])
        self.expect((told in thrown and not sure) or options.get("redraw") == "next", f"{name} is not {told}")
        notes.extend([f"{name}: {told} stands, so that {passed} must have been too near"] if passed else [])

    def deal_of(self, half, name):  # three rounds of races, as one try to draw half of a schedule has them
        begins, pairs = [self.throw(f"{name}/meetings/{n}", len(every)) - 1 for n in (1, 2, 3)], len(edges)
        first, (two, three) = every[begins[0]], (every[begin:] + every[:begin] for begin in begins[1:])
        likely = ((other, both) for other in two if len(both := {*first, *other}) + len(classes) >= pairs)
        met = next((other, last) for other, both in likely for last in three if len(both.union(last)) == pairs)
        keys = {0: (specials * 12)[half * 6 - 6 : half * 6]}
        keys |= {each: [key for key in KEYS if key // 10 == each] for each in range(1, 7)}
        waiting, races = {each: self.shuffled(keys[each], f"{name}/class/{each}") for each in classes}, []
        for n, meeting in enumerate((first, *met), 1):
            ends = [(waiting[one].pop(), waiting[other].pop()) for one, other in meeting]
            ends = [pair[:: 3 - 2 * self.throw(f"{name}/turn/{n}/{at}", 2)] for at, pair in enumerate(ends, 1)]
            races += self.shuffled(ends, f"{name}/order/{n}")
        return races

    def check_draws(self):
        before, used, size = len(drawn), set(), 3 * len(classes)
        drawn.extend((race["start"], race["end"]) for each in self.told("RacesDrawn") for race in each["races"])
        for number, (begin, end) in enumerate(drawn, 1) if by_dice else ():
            if number > before:
                self.check_end(f"draw/{number}/start", begin, used)
                self.check_end(f"draw/{number}/end", end, {*used, begin} if end else {begin})
            used = {*used, begin, end}.intersection(KEYS)
            used = used if len(used) < len(KEYS) - 1 or "target" not in options.get("game_ends", "") else set()
        halves = () if by_dice or before == len(drawn) else ((1, drawn[:size]), (2, drawn[size:]))
        for half, told in halves:
            tries = (n for n in range(1, 501) if self.deal_of(half, f"schedule/{half}/{n}")[: len(told)] == told)
            found = next(tries, 0)
            self.expect(found, f"schedule/{half} deals no such races")
            notes.extend([f"schedule/{half}: {found - 1} deals were passed over as too near"] if found > 1 else [])


sys.excepthook = lambda _, fault, __: print(f"This is no export of a game of Dampfross: {str(fault)[:99]!a}")
game = json.loads(Path(sys.argv[1]).read_text("utf-8")) if len(sys.argv) == 2 else sys.exit(__doc__)
setup, wrong, notes, heads, filed, drawn, typed = game["setup"], [], [], {""}, set(), [], []
options = {"rolls_per_round": 3, **PRESETS[setup["preset"]], **dict(setup["options"])}
by_dice, before = options.get("race_schedule") == "dice", game["turns"][0]["salts"]
codes = [f"/{code}" for each in setup["players"] for code in (each["code"], each["second_code"]) if code]
whose = codes if options.get("roll_per") == "company" else [""]
specials = sorted(map(int, re.findall(r"^\[\[special\]\]\s+number = (\d)", setup["board"], re.MULTILINE)))
edges = list(combinations(classes := range(0 if specials else 1, 7), 2))
every = [ring for ring in combinations(edges, len(classes)) if all(sum(ring, ()).count(each) == 2 for each in classes)]
head = log = hash_of(game["game"], text_of(setup), game["end"])
for number, act in enumerate(game.get("acts", []), 1):
    notes += [f"act {number}: turn {act['turn']} was undone, see verify"] * (act["kind"] == "undo")
    said = [act[name] for name in ("turn", "at", "actor", "kind")] + [text_of(act["parameters"])]
    head = hash_of(head, game["game"], number, *said, act.get("withheld") or hash_of(act["reason"]))
    wrong += [] if head == act["hash"] else [f"act {number} of the umpire's log is missing, or not as it was written"]
    heads.add(f"{number} {head}")
    filed |= {(act["turn"], act["parameters"].get("player"))} if act["kind"] == "orders" else set()
for plain in game["turns"]:
    salts, turn = plain["salts"], Turn(plain, before)
    back = reduce(lambda seed, _: hash_of(seed), range(min(plain["turn"], 1000) + 1), plain["seed"])
    turn.expect(back == game["end"], "its seed does not lead to the end of the chain")
    turn.expect(salts == before or (plain in game["turns"][1:2] and not before), "its salts are not those before")
    told = {name: text_of(value) if isinstance(value, (dict, list)) else value for name, value in plain.items()}
    lines = [told[name] for name in ("turn", "rules", "seed", "salts", "orders", "events", "typed") if name in told]
    lines += [f"{name} {told[name]}" for name in ("edition", "acts", "letters") if name in told]
    log, before = hash_of(log, game["game"], *lines), salts
    turn.expect(log == plain["hash"], "its hash does not cover what stands there")
    turn.expect(plain.get("acts", "") in heads, "the act to which its hash goes is missing in the umpire's log")
    none = {code: hash_of(game["game"], turn.number, code, "counted") for code in plain["orders"]}
    mute = {code for code in none if plain.get("letters", {}).get(code, {}).get("counted", none[code]) == none[code]}
    turn.expect({(turn.number, code) for code in mute} <= filed, f"no letter and no act has orders of {sorted(mute)}")
    for check in (turn.check_rolls, turn.check_trains, turn.check_draws):
        check()
    typed += [f"turn {turn.number}: {name} is {thrown}" for name, thrown in turn.typed.items()]
told = f"{len(game['turns'])} turns; {len(typed)} throws of the umpire's own dice; the newest hash: {log}"
lines = [told, *typed, *notes, *(wrong or ["All as it should be."])]
print(*("".join(sign if sign.isprintable() else "?" for sign in line[:500]) for line in lines), sep="\n")
sys.exit(bool(wrong))
