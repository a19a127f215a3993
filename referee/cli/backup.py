"""A copy of the club from which it can be set up again."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.base import Where, private
from referee.cli.printing import say
from referee.config import club_folder, read_config
from referee.service.umpire.backup import back_up


@click.command()
@click.argument("folder", metavar="DEST", type=click.Path(path_type=Path))
@click.pass_obj
def backup(where: Where, folder: Path) -> None:
    """Copy the club into a new folder, while the referee runs or not.

    DEST gets the settings, a checked copy of the database, which holds every letter, and the umpire's own maps, templates and
    orders; its owner alone can read them. Files with passwords and the Maildirs are not copied. To restore, see docs/setup.md.
    """
    with private():
        made = back_up(read_config(club_folder(where.club)), folder)
    say(f"{made.folder}: {', '.join(made.copied)}")
    if made.secrets:
        which = " and ".join(made.secrets)
        say(f"not copied, keep it elsewhere: what {which} stands for")
