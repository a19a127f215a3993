"""Who plays in the club, and how reliably."""

from __future__ import annotations

import click
from msgspec import to_builtins

from referee.cli.base import Where
from referee.cli.listing import list_rows
from referee.cli.options import JSON
from referee.service.umpire.overview import records

HEADS = {
    "name": "name",
    "address": "address",
    "seats": "games",
    "owed": "turns",
    "sent": "in",
    "missed": "missed",
    "reminded": "reminded",
    "resigned": "resigned",
}


@click.command()
@JSON
@click.pass_obj
def players(where: Where, as_json: bool) -> None:
    """List everybody who has a seat, with how reliably orders came, over all games.

    A line each: name, address, number of games, turns in which orders were owed, for how many they were in and for how many not,
    reminders, seats left. Who has missed the most comes first. It is reckoned from what the club keeps; a seat that somebody
    took over counts from then on.

    Example: referee players --json | jq '.[] | select(.missed > 2)'
    """
    with where.opened() as club:
        rows = [{**to_builtins(each), "seats": len(each.games)} for each in records(club)]
        list_rows(rows, HEADS, club.config.zone, as_json=as_json)
