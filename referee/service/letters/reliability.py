"""Who a person is, whatever address they write from, and how reliably they have played over all games of the club: whoever looks
for a stand-by or fills a game wants to know.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator

from referee.core import ConfigError, NotFound, Texts, Value, mailbox
from referee.store import (
    PERSON,
    Database,
    GameRow,
    PlayerRow,
    acts,
    fact,
    facts_named,
    forget_fact,
    games,
    opengames,
    orders,
    outbox,
    transaction,
    write_fact,
)

from ..club import Club
from ..positions import OPENING
from .interpretation import set_to_run

# One person with two addresses: each has the same name of a person beside it, which nobody reads.


def persons(db: Database) -> Callable[[str], str]:
    """Return what tells who writes from an address: the same of all that were merged."""
    known = facts_named(db, PERSON)
    return lambda address: known.get(address.lower(), mailbox(address))


def merge(club: Club, one: str, other: str) -> None:
    """Count whoever writes from two addresses as one person from now on.

    Raises:
        NotFound: nobody has played or signed up from one of them.
        ConfigError: they are one person already.
    """
    for address in (one, other):
        if not games.seats_of(club, address) and not opengames.signups_of(club, address):
            raise NotFound(f"nobody has played or signed up from {address}: `referee players` names whom we know")
    whose = persons(club)
    if whose(one) == whose(other):
        raise ConfigError(f"{one} and {other} are one person already")
    with transaction(club):
        for address, name in ((one, whose(one)), (other, whose(one))):
            write_fact(club, f"{PERSON} {address.lower()}", name)
        for address, name in facts_named(club, PERSON).items():
            if name == whose(other):
                write_fact(club, f"{PERSON} {address}", whose(one))
        club.log("merged", f"{one} {other}")


def part(club: Club, address: str) -> None:
    """Count whoever writes from an address as a person of their own again. Raises NotFound: it was merged with no other."""
    if not fact(club, f"{PERSON} {address.lower()}"):
        known = ", ".join(facts_named(club, PERSON)) or "none"
        raise NotFound(f"{address} was merged with no other address (merged are: {known})")
    with transaction(club):
        forget_fact(club, f"{PERSON} {address.lower()}")
        club.log("parted", address)


FEWEST = 5  # turns of which orders were owed, before somebody is said to be late often


def is_limited(club: Club, address: str) -> bool:
    """Return whether whoever writes from an address is late so often, by the club's settings, that they get no further game."""
    if not club.config.late_from:
        return False
    whose = persons(club)
    record = next((each for each in records(club) if whose(each.address) == whose(address)), None)
    if not record or record.owed < FEWEST or 100 * record.missed < club.config.late_from * record.owed:
        return False
    running = {each.id for each in games.running_games(club)}
    waits = (signup for each in (record.address, *record.also) for signup in opengames.signups_of(club, each))
    return len(running & {*record.games}) + sum(each.seated_at is not None for each in waits) >= club.config.late_games


class Reliability(Value):
    """What a person (an ``address``) has done in turns that were played: of those in which orders were ``owed``, for so many some
    were on file when the turn was played (``sent``), for the others none (``missed``); ``reminded``: letters that asked for
    missing or faulty orders. ``resigned``: seats left.
    ``also``: other addresses of theirs, that were merged with this one.
    """

    name: str
    address: str
    also: Texts = ()
    games: Texts = ()
    owed: int = 0
    sent: int = 0
    missed: int = 0
    reminded: int = 0
    resigned: int = 0


def records(club: Club) -> tuple[Reliability, ...]:
    """Return the record of everybody who has a seat, those who missed the most first. A seat that was taken over counts from the
    turn on in which its player has it.
    """
    found: dict[str, Reliability] = {}
    whose = persons(club)
    for row in games.all_games(club):
        for seat, turns, reminded in _seats(club, row):
            key, address = whose(seat.address), seat.address.lower()
            known = found.get(key, Reliability(name=seat.name, address=seat.address))
            others = (*known.also, *([address] if address != known.address.lower() else []))
            found[key] = known.but(
                also=tuple(dict.fromkeys(others)),
                games=(*known.games, row.id),
                owed=known.owed + len(turns),
                sent=known.sent + sum(turns),
                missed=known.missed + len(turns) - sum(turns),
                reminded=known.reminded + reminded,
                resigned=known.resigned + (seat.resigned_at is not None),
            )
    return tuple(sorted(found.values(), key=lambda each: (-each.missed, -each.resigned, each.name, each.address)))


def _seats(club: Club, row: GameRow) -> Iterator[tuple[PlayerRow, list[bool], int]]:
    """Yield of each seat whether orders were on file, turn by turn in which some were owed, and how many reminders went to it."""
    position = club.position(row)
    played = games.turns(club, row.id)
    owing: dict[int, set[str]] = {}
    for before, turn in itertools.pairwise(played):
        awaited = position.rules.awaiting(position.decode(before.state))
        owing[turn.turn] = {each.player for each in awaited}
    since = {json.loads(act.parameters)["player"]: act.turn for act in acts(club, row.id) if act.kind == "replace"}
    filed = {number: orders.sets(club, row.id, number) for number in owing}
    for seat in position.players:
        first = since.get(seat.code, OPENING)
        turns = [number for number, codes in owing.items() if seat.code in codes and number >= first]
        sent = [set_to_run(filed[number], seat.code) is not None for number in turns]
        yield seat, sent, outbox.reminders(club, row.id, seat.code, seat.address)
