"""What is asked of a club at the end of a year. Each question returns what is wrong, in a line each."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path

from tests.year.umpire import Umpire
from tests.year.world import UMPIRE, World

ROOT = Path(__file__).parent.parent.parent
TAKEN = ("", "nothing new in it", "kept for a later turn", "for a turn that was played")
TOO_LATE = ("late", "over", "held", "closing statement")  # the press of who writes after the end is their last word
# What may become of a letter, by what its writer meant.
FATES = {
    "orders": (*TAKEN, *TOO_LATE),
    "slip": (*TAKEN, *TOO_LATE),
    "late": (*TAKEN, *TOO_LATE, "accepted by the umpire", "code of an earlier turn"),
    "asks": (*TAKEN, "it only asks", "over", "held"),
    "copy": ("copy", "nothing new in it", "held"),
    "unproved": (*TAKEN, *TOO_LATE),
    "confirms": (*TAKEN, "held-old", "released", "over", "late"),
    "robot": ("robot",),
    "bounce": ("robot",),
    "command": ("command of the umpire", "command not done", "no code"),
    "resigns": ("", "it only asks", "over"),
}


def faults(world: World, umpire: Umpire) -> list[str]:
    """Return everything that is not as it should be."""
    found = [f"the umpire never came to {act.__name__}" for _, act in umpire.to_do]
    found += [*_unproven(world), *_stuck(world), *_lost(world), *_unanswered(world), *_unlike_the_docs(world)]
    found += [f"sent twice under one Message-ID: {each}" for each in world.doubled]
    found += [f"a code in a text: {each}" for each in world.leaks]
    found += [f"over two texts one Message-ID: {row[0]}" for row in _used_again(world)]
    return found


def too_few(world: World, least: Mapping[str, int]) -> list[str]:
    """Return which acts stand in the logs of the games less often than they should."""
    done = Counter(row[0] for row in world.rows("SELECT kind FROM acts"))
    return [
        f"{done[kind]} acts of {kind}, {number} at least were to be"
        for kind, number in least.items()
        if done[kind] < number
    ]


def _unproven(world: World) -> Iterator[str]:
    for game in world.games:
        told = world.machine.run("verify", game, codes=(0, 1))
        if world.machine.code:
            yield f"verify {game}: {told}"


def _stuck(world: World) -> Iterator[str]:
    """A game is over, or waits for a deadline to come that its calendar allows."""
    now = world.clock.now
    for game in json.loads(world.machine.run("status", "--json")):
        if game["status"] == "running" and (game["overdue"] or game["stopped"] or game["deadline"] is None):
            yield f"{game['game']} stands still: {game}"
        due = world.due(game["game"])
        if game["status"] == "running" and due and not now - timedelta(hours=2) < due < now + timedelta(days=100):
            yield f"{game['game']} is due {due}"


def _lost(world: World) -> Iterator[str]:
    """Each letter that was posted is stored, once for each of its bytes, and became what its writer may expect."""
    stored: dict[str, list[str]] = {}
    for row in world.rows("SELECT message_id, status, reason FROM letters"):
        stored.setdefault(row["message_id"], []).append(f"{row['status']}:{row['reason']}")
        if row["status"] in ("parked", "new"):
            yield f"{row['message_id']} is {row['status']}: {row['reason']}"
    posted = Counter(letter.message_id for letter in world.posted)
    for message_id, number in posted.items():
        if len(stored.get(message_id, ())) != number:
            yield f"{message_id}: posted {number} times, stored as {stored.get(message_id)}"
    players = {row["address"] for row in world.rows("SELECT address FROM players")}
    for letter in world.posted:
        reasons = [fate.partition(":")[2] for fate in stored.get(letter.message_id, ())]
        allowed = FATES[letter.meant] + (() if letter.sender in players else ("stranger",))  # the seat is another's now
        if not any(reason.startswith(one) if one else not reason for reason in reasons for one in allowed):
            yield f"{letter.message_id} ({letter.meant}) became {reasons}"
    yield from (f"{message_id} is nobody's" for message_id in stored.keys() - posted.keys())


def _unanswered(world: World) -> Iterator[str]:
    """What a person wrote was answered, and once."""
    sql = """SELECT letters.id, letters.message_id, letters.status, letters.reason, letters.game, (
        SELECT count(*) FROM outbox WHERE recipient = letters.sender AND (letter = letters.id OR key = 'reply:' || hash)
        ) AS answers FROM letters"""
    for row in world.rows(sql):
        if row["status"] in ("done", "refused", "held") and row["answers"] != 1:
            yield f"{row['message_id']} ({row['status']} {row['reason']} {row['game']}) has {row['answers']} answers"
        # A command without a code is answered with one.
        if row["status"] == "ignored" and row["reason"] != "no code" and row["answers"]:
            yield f"{row['message_id']} ({row['reason']}) was answered"


def _used_again(world: World) -> list[tuple[str]]:
    return [tuple(row) for row in world.rows("SELECT message_id FROM outbox GROUP BY message_id HAVING count(*) > 1")]


def _unlike_the_docs(world: World) -> Iterator[str]:
    """The umpire typed and wrote only what docs/commands.md and docs/desk.md tell of."""
    page = (ROOT / "docs" / "commands.md").read_text("utf-8")
    known = set(re.findall(r"^\| `referee ((?:game |outbox )?[a-z]+)", page, re.MULTILINE))
    yield from (f"referee {name} stands on no page" for name in world.machine.typed.keys() - known)
    for row in world.rows("SELECT state, recipient, error FROM outbox WHERE state != 'sent'"):
        yield f"a letter to {row['recipient']} is {row['state']}: {row['error']}"
    if UMPIRE not in world.got:
        yield "the umpire had no letter"
