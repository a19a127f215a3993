"""The umpire's commands about who plays."""

from __future__ import annotations

import click

from referee.cli.base import Where
from referee.cli.listing import list_rows
from referee.cli.options import GAME, JSON, because
from referee.cli.printing import say
from referee.core.errors import ConfigError
from referee.service.seats.replacing import replace_player
from referee.service.seats.standbys import add_standby, remove_standby, standbys_for
from referee.service.umpire.colleagues import seat_built_in
from referee.store import games, standbys

HEADS = {"name": "name", "address": "address", "since": "since"}


@click.command()
@GAME
@click.argument("player", metavar="PLAYER")
@click.argument("person", metavar='["NAME <ADDRESS>"]', required=False, default="")
@click.option(
    "--standby", "from_list", is_flag=True, help="The first on the list of stand-bys who does not play there."
)
@click.option("--built-in", "built_in", is_flag=True, help="A built-in player, until you name somebody else.")
@because()
@click.option("--zone", default="", help="The new player's time zone, as Europe/Dublin; the club's if not given.")
@click.option("--language", default="", help="The language of letters to the new player; the club's if not given.")
@click.pass_obj
def replace(
    where: Where,
    game_id: str,
    player: str,
    person: str,
    from_list: bool,
    built_in: bool,
    because: str,
    zone: str,
    language: str,
) -> None:
    """Give the seat of PLAYER to another person. An address alone will do, as for `referee game invite`.

    The code of the company stays. The newcomer is sent a briefing: what is asked of him and until when, the last newsletters,
    board, position and rules. Secret codes that the seat had are void, orders on file stand until he sends his own; all others
    are told, and so is whoever had the seat. Example:

    referee replace RR7 BOB "Cecil <cecil@example.org>" --because "Bob has no time any more"
    """
    if [bool(person), from_list, built_in].count(True) != 1:
        raise click.UsageError('name the new player, as "Cecil <cecil@example.org>", or say --standby or --built-in')
    with where.opened() as club:
        if from_list:
            listed = standbys_for(club, club.positions.of(club.db, games.game(club.db, game_id)))
            if not listed:
                raise ConfigError("nobody stands by for this game (`referee standby` lists them)")
            first = listed[0]
            person, zone, language = f"{first.name} <{first.address}>", zone or first.zone, language or first.language
        if built_in:
            newcomer = seat_built_in(club, game_id, player, because)
        else:
            newcomer = replace_player(club, game_id, player, person, because, zone, language)
    where_to = "" if built_in else f" <{newcomer.address}>"
    say(f"{newcomer.game}: {newcomer.name}{where_to} plays {newcomer.code}; all will be told with the next pass")


@click.command()
@click.argument("person", metavar='["NAME <ADDRESS>"]', required=False)
@click.option("--remove", metavar="ADDRESS", help="Take somebody off the list.")
@JSON
@click.pass_obj
def standby(where: Where, person: str | None, remove: str | None, as_json: bool) -> None:
    """List who would take the seat of a player who vanishes, or put somebody on the list.

    Players sign up themselves by a letter with STANDBY. Whoever has stood by the longest comes first: by
    `referee replace GAME PLAYER --standby`, and by itself in games whose calendar says missing=stand-by. A line each: name,
    address, since when.
    """
    with where.opened() as club:
        if remove:
            remove_standby(club, remove)
        if person:
            add_standby(club, person)
        people = [{name: getattr(each, name) for name in HEADS} for each in standbys.listed(club.db)]
        list_rows(people, HEADS, club.config.zone, as_json=as_json)
        if not people and not as_json:
            say("nobody stands by: players do it by a letter with STANDBY", err=True)
