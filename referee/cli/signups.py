"""The umpire's commands about games that wait for their players."""

from __future__ import annotations

import json
from typing import Any

import click

from referee.cli.base import Where, utc
from referee.cli.gameoptions import described, proposal_of
from referee.cli.options import GAME
from referee.cli.printing import say, say_row
from referee.service.turns.newgames import ambiguous_names
from referee.service.turns.opengames import SignupList, close, invite, open_game, remove_signup, signup_list, start


@click.command("open")
@described
@click.option("--seats", type=click.IntRange(1), help="How many players it has; as many as it can have if not given.")
@click.option("--when-full", is_flag=True, help="It begins by itself as soon as all seats are taken.")
@click.option(
    "--dry-run", is_flag=True, help="Look whether the game can be played; nothing is kept and nobody is told."
)
@click.pass_obj
def game_open(where: Where, /, seats: int | None, when_full: bool, dry_run: bool, **said: Any) -> None:
    """Let a new game wait for players, and print its id, what they write to have a seat, what fixes its dice, and a sentence for
    a zine with the address that they write to.

    KIND names the rules, as dampfross. Whoever mails the printed words to the referee's address is asked whether he wants a seat,
    and has it once he has confirmed it; print both lines in a zine or send them to whom you like. `referee game invite` writes to
    people one by one, `referee game signups` shows who has come, `referee game start` begins the game. Players whom you name
    have a seat already, and are told at once. Example:

    referee game open dampfross --map ireland --seats 4 --rhythm "every=3 weeks"
    """
    with where.opened() as club:
        row = open_game(club, proposal_of(said), seats or 0, when_full=when_full, dry_run=dry_run)
        if dry_run:
            say(f"the game can be played with {row.seats} seats; nothing was kept")
            return
        address = club.config.address
        listed = signup_list(club, row.id)
    say(row.id)
    say(listed.word)
    say(_end(listed))
    told = f"{listed.stand['title']}, {listed.stand['board']}, {row.seats} seats"
    say(f'for a zine: {told}: mail the line "{listed.word}" to {address}, and you are asked whether you want a seat.')


@click.command("invite")
@GAME
@click.argument("people", metavar='"NAME <ADDRESS>"...', nargs=-1, required=True)
@click.option("--because", default="", metavar="TEXT", help="Your words to them.")
@click.pass_obj
def game_invite(where: Where, game_id: str, people: tuple[str, ...], because: str) -> None:
    """Invite people to a game that waits for players.

    Each is sent a letter of his own and has a seat when he answers it with JOIN. An address alone will do. Example:

    referee game invite RR9 "Cecil <cecil@example.org>" dora@example.org --because "A quick one over the summer."
    """
    with where.opened() as club:
        invited = invite(club, game_id, people, because)
    for each in invited:
        say(f"{each.game}: {each.name} <{each.address}> is invited")


@click.command("signups")
@GAME
@click.option("--remove", metavar="ADDRESS", help="Take somebody off the list; who had a seat or was invited is told.")
@click.option("--because", default="", metavar="TEXT", help="Your words to him.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def game_signups(where: Where, game_id: str, remove: str | None, because: str, as_json: bool) -> None:
    """Show who has signed up for a game that waits for players, and what a newcomer writes.

    A line with what is to be written, one with the end of the chain of seeds, one with the seats, then a line for each: name,
    address, state (seated, asked or invited),
    colours, company, since when (UTC), separated by tabs. Seats go in this order.
    """
    with where.opened() as club:
        if remove:
            remove_signup(club, game_id, remove, because)
        listed = signup_list(club, game_id)
    if as_json:
        say(json.dumps(_plain(listed), default=utc, ensure_ascii=False))
        return
    say(listed.word)
    say(_end(listed))
    say(_seats(listed))
    for each in listed.signups:
        company = " = ".join(filter(None, (each.code, each.company)))
        when = utc(each.seated_at or each.asked_at)
        say_row(each.name, each.address, each.state, each.colours or "-", company or "-", when)


@click.command("start")
@GAME
@click.option("--deadline", default="", metavar="TIME", help="The first deadline, as 2026-12-04T20:00.")
@click.pass_obj
def game_start(where: Where, game_id: str, deadline: str) -> None:
    """Begin a game with those who have signed up for it.

    Colours go by the order of sign-up; the opening tells everybody who got what and why. A line for each of them: code, colour,
    name, which of his colours it was (0: none), separated by tabs.
    """
    with where.opened() as club:
        name, seats = start(club, game_id, deadline)
        warnings = ambiguous_names(club, name)
    say(f"{name} begins")
    for each in seats:
        say_row(each.code, each.colour, each.signup.name, str(each.choice))
    for sentence in warnings:
        say(f"referee: {sentence}", err=True)


@click.command("close")
@GAME
@click.option("--because", default="", metavar="TEXT", help="Why, in your words: all who are told read them.")
@click.pass_obj
def game_close(where: Where, game_id: str, because: str) -> None:
    """Give up a game that waits for players, or of which no turn was played. Who plays, has signed up or was invited is told."""
    with where.opened() as club:
        closed = close(club, game_id, because)
    say(f"{closed} is given up")


OPEN_GAMES = (game_open, game_invite, game_signups, game_start, game_close)


def _end(listed: SignupList) -> str:
    return f"end of the chain of seeds: {listed.stand['end']}"


def _seats(listed: SignupList) -> str:
    stand = listed.stand
    words = f"{stand['free']} of {stand['seats']} seats are free"
    lacking = f", it cannot begin without {stand['lacking']} more" if stand["lacking"] else ""
    return f"{words}{lacking}{', it begins by itself when all are taken' if stand['when_full'] else ''}"


def _plain(listed: SignupList) -> dict[str, Any]:
    people = [
        {
            "name": each.name,
            "address": each.address,
            "state": each.state,
            "colours": [colour for colour in each.colours.split(",") if colour],
            "code": each.code,
            "company": each.company,
            "since": each.seated_at or each.asked_at,
        }
        for each in listed.signups
    ]
    return {**listed.stand, "join": listed.word, "signups": people}
