"""The club's pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from referee.cli.base import Where
from referee.cli.printing import say
from referee.cli.progress import shown
from referee.core.errors import ConfigError
from referee.core.texts.wording import counted
from referee.service.site.publish import Part
from referee.service.site.publish import publish as write_pages


@click.command()
@click.argument("folder", metavar="[DIR]", type=click.Path(path_type=Path, file_okay=False), required=False)
@click.pass_obj
def publish(where: Where, folder: Path | None) -> None:
    """Write the club's pages into DIR, else into `publish.folder`.

    Everything is made anew; files are written where they read otherwise, and what lies there besides stays. DIR is made, is
    empty, or holds pages of ours. A line for each file written or removed, then how many.

    Example: referee publish ~/www/trains
    """
    with where.opened() as club:
        told = club.config.publish.folder
        if folder is None and not told:
            raise ConfigError("name a folder for the pages, or set publish.folder")
        done = write_pages(club, folder or club.config.folder / told, watch=_bar)
    for mark, places in (("+", done.written), ("-", done.removed)):
        for place in places:
            say(f"{mark} {place}")
    files = counted(len(done.written), "file was written", "files were written")
    say(f"{files}, {len(done.removed)} removed")


def _bar(parts: tuple[Part, ...]) -> Iterator[Part]:
    return shown("pages", parts, len(parts))
