"""The umpire's commands about the deadlines of one game. Each is told to all its players, and stands in its log."""

from __future__ import annotations

import json
from datetime import datetime

import click
from msgspec import to_builtins

from referee.cli.base import Where
from referee.cli.options import GAME, JSON, because, check_because
from referee.cli.printing import say
from referee.service.club.club import Club
from referee.service.club.duetimes import NAMES, rhythm_of
from referee.service.deadlines import rescheduling
from referee.service.deadlines.rhythms import parse_setting
from referee.service.tick import tick
from referee.store import games
from referee.store.database.rows import GameRow

TOLD = "all players will be told with the next pass"


@click.command()
@GAME
@click.argument("time", metavar="[TIME]", required=False, default="")
@because("Why, in the words that the players read.  [required with TIME]", needed=False)
@click.pass_obj
def deadline(where: Where, game_id: str, time: str, because: str) -> None:
    """Give the awaited turn another deadline, or say when it is due.

    TIME is local in the game's zone, as "2026-12-20 20:00"; a date alone has the game's hour. All players are told, with the
    reason, by the next pass. Later deadlines fall as the calendar has them. Example:

    referee deadline RR7 "2026-12-20 20:00" --because "Ann's exam is on the 18th"
    """
    if time:
        check_because(because, "a new deadline")
    with where.opened() as club:
        before = games.game(club.db, game_id)
        if time:
            _say_due(club, rescheduling.set_deadline(club, game_id, time, because), before.deadline, moved=True)
        else:
            _say_due(club, before, moved=False)


@click.command()
@GAME
@because()
@click.pass_obj
def hold(where: Where, game_id: str, because: str) -> None:
    """Stop a game: no turn is played and no deadline falls.

    Letters are taken as ever, and orders stay on file. It goes on with `referee resume`. All players are told, with the reason.
    """
    with where.opened() as club:
        row = rescheduling.hold(club, game_id, because)
        was = rescheduling.due_words(row.stopped_due, rhythm_of(club.config, row).zone)
        say(f"{row.id}: stopped (turn {row.turn} was {was}), {TOLD}; it goes on with `referee resume {row.id}`")


@click.command()
@GAME
@click.option("--deadline", "time", default="", metavar="TIME", help='The new deadline, as "2026-12-20 20:00".')
@because(needed=False)
@click.option("--here", is_flag=True, help="Although the whole game was exported: it goes on in no other club.")
@click.pass_obj
def resume(where: Where, game_id: str, time: str, because: str, *, here: bool) -> None:
    """Let a stopped game go on.

    Without --deadline the old deadline stays where half of the time is left that was left then; else the turn gets the next
    of the game's calendar that leaves as much. All players are told.
    """
    with where.opened() as club:
        before = games.game(club.db, game_id).stopped_due
        _say_due(club, rescheduling.resume(club, game_id, time, because, here=here), before, moved=True)


@click.command()
@GAME
@click.argument("turn", metavar="TURN", type=click.IntRange(min=1))
@because(needed=False)
@click.pass_obj
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


@click.command()
@GAME
@click.argument("settings", metavar="[NAME=VALUE]...", nargs=-1)
@because("Why, in the words that the players read.  [required with NAME=VALUE]", needed=False)
@JSON
@click.pass_obj
def calendar(where: Where, game_id: str, settings: tuple[str, ...], because: str, as_json: bool) -> None:
    """Change a game's calendar from the next turn on, or show it.

    Names and values are those of [rhythm] in a game's file (docs/deadlines.md). A line each: name, value, separated by a tab.
    All players are told of a change, with the reason. Example:

    referee calendar RR7 "every=1 month" weekday=Friday --because "Everybody asked for more time"
    """
    given = dict(parse_setting(text) for text in settings)
    if given:
        check_because(because, "another calendar")
    with where.opened() as club:
        row = rescheduling.change_rhythm(club, game_id, given, because) if given else games.game(club.db, game_id)
        rhythm = rhythm_of(club.config, row)
    if as_json:
        say(json.dumps(to_builtins(rhythm), ensure_ascii=False))
        return
    for name in NAMES[1:] if rhythm.every else NAMES:  # days, and every in its place
        say(f"{name}\t{getattr(rhythm, name)}")
    if given:
        say(f"{row.id}: the turns after this one go by it; {TOLD}")


def _say_due(club: Club, row: GameRow, before: datetime | None = None, *, moved: bool) -> None:
    zone = rhythm_of(club.config, row).zone
    was = f" (was {rescheduling.due_words(before, zone)})" if before and before != row.deadline else ""
    end = f"{was}; {TOLD}" if moved else ""
    if row.status != "running":
        say(f"{row.id}: over after turn {row.turn}")
    elif row.stopped_at is not None:
        say(f"{row.id}: turn {row.turn}, stopped; it goes on with `referee resume {row.id}`")
    else:
        say(f"{row.id}: turn {row.turn}, {rescheduling.due_words(row.deadline, zone)}{end}")
