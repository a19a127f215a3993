"""The umpire's commands about the deadlines of one game, told to all its players and kept in its log; his dice, his words."""

from __future__ import annotations

from referee.cli.base import Where
from referee.cli.desk import act
from referee.cli.printing import CommandMaker, say
from referee.service.deadlines import rescheduling
from referee.service.tick import tick

command = CommandMaker(__file__)

deadline, hold, resume, remind, calendar, dice, write = map(
    act, ("DEADLINE", "HOLD", "RESUME", "REMIND", "CALENDAR", "DICE", "WRITE")
)


@command("play")
def play(where: Where, game_id: str, turn: int, because: str) -> None:
    """Play the awaited turn now, with the orders that are in.

    The inbox is read first. TURN must be the awaited one, so that the same command given twice plays nothing twice.
    """
    with where.opened() as club:
        row = rescheduling.order_play(club, game_id, turn, because)
        done, name = tick(club), f"{row.id}/{turn}"
    if name in done.turns:
        say(f"{row.id}: turn {turn} was played; letters sent: {done.sent}")
    elif name in done.untyped:
        say(f"{row.id}: turn {turn} waits for throws that you must type: `referee dice {row.id}`")
    else:
        why = "another process makes a pass" if done.elsewhere else "this pass could not play it (see `referee doctor`)"
        say(f"{row.id}: {why}; turn {turn} is played by the next one")
