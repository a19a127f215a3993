"""Upkeep of a club: a copy from which it can be set up again, and a person forgotten."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.base import Where, private
from referee.cli.options import YES
from referee.cli.printing import Percent, is_watched, say
from referee.config import club_folder, read_config
from referee.service.upkeep.backup import back_up
from referee.service.upkeep.forget import check_forgettable
from referee.service.upkeep.forget import forget as forget_person


@click.command()
@click.argument("address", metavar="ADDRESS")
@YES
@click.pass_obj
def forget(where: Where, address: str, yes: bool) -> None:
    """Forget a person: his games stay as they were played, all that the club knows of him goes.

    ADDRESS is the one that his letters come from. Letters from him and to him lose their words, and his address stands nowhere
    any more. Seats in games that run are given to somebody else first (`referee replace`). What players were sent before names
    him as ever, and so does what hashes cover: what was agreed before a game, and your own reasons in its log.
    """
    with where.opened() as club:
        check_forgettable(club, address)
        if not yes:
            click.confirm("His name, address and letters are gone then for good. Go on?", abort=True)
        done = forget_person(club, address)
    for seat in done.seats:
        say(f"{seat}: the seat is nobody's any more")
    say(
        f"{address} is forgotten, and is called {done.alias} where he stood; backups and mail servers may have him still"
    )


@click.command()
@click.argument("folder", metavar="DEST", type=click.Path(path_type=Path))
@click.pass_obj
def backup(where: Where, folder: Path) -> None:
    """Copy the club into a new folder, while the referee runs or not.

    DEST gets the settings, a checked copy of the database, which holds every letter, and the umpire's own maps, templates and
    orders; its owner alone can read them. Files with passwords and the Maildirs are not copied. To restore, see docs/setup.md.
    """
    with private():
        made = back_up(read_config(club_folder(where.club)), folder, Percent("copying") if is_watched() else None)
    say(f"{made.folder}: {', '.join(made.copied)}")
    if made.secrets:
        which = " and ".join(made.secrets)
        say(f"not copied, keep it elsewhere: what {which} stands for")
