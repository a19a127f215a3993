"""What leaves the club besides letters: its pages, an order desk, a zine."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import click

from referee.cli.base import Where, write_file
from referee.cli.printing import CommandMaker, say, shown
from referee.core.errors import ConfigError
from referee.core.texts.wording import counted
from referee.resources import text_from_outside
from referee.service.post.attachments import desk_name, order_desk
from referee.service.site.publish import Part
from referee.service.site.publish import publish as write_pages
from referee.service.umpire.digest import NAME, club_page, week_of
from referee.service.umpire.zine import zine as made_zine

command = CommandMaker(__file__)


@command("publish")
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


# The players' order desk, written by hand.


@command("desk")
def desk(where: Where, game_id: str | None, output: Path | None, lang: str, umpire: bool) -> None:
    """Write the order desk of a game: a page on which its players draw their orders.

    One file for the awaited turn, the same for all players, that needs no server and sends nothing by itself. A player opens
    it in a browser, says whose orders he writes, and sends the text that it makes as an answer to his newsletter. Where the club
    publishes pages, the desk is among them. Prints where it was written.

    With --umpire it is the club as you see it: who is awaited, what came, what happens until Sunday, with buttons that write
    your commands as letters.

    Examples: referee desk RR1 -o desk.html; referee desk --umpire -o club.html
    """
    if umpire == (game_id is not None):
        raise click.UsageError("name a game, as RR1, or write --umpire for the whole club")
    with where.opened() as club:
        if game_id is None:
            write_file(output or Path(NAME), club_page(club, club.config.umpire, week_of(club)))
            say(str(output or NAME))
            return
        position = club.position(game_id)
        if not position.awaited:
            raise ConfigError(f"{position.row.id}: nobody owes orders, so there is nothing to be ordered")
        turn = position.rules.turn(position.state)
        made = order_desk(club, position, lang or club.config.language, position.players)
    file = output or Path(desk_name(position.row.id, turn))
    write_file(file, made)
    say(str(file))


# The umpire's zine.


@command("zine")
def zine(
    where: Where, names: tuple[str, ...], output: Path, words: Path | None, layout: str, since: datetime | None
) -> None:
    """Print your zine: the newsletters of these games since the last issue, in your order, as everybody may read them.

    First your own words, then how the games stand, newsletters with press, a board of each, order forms to cut out. The name of
    the file is the issue's: one that was made before is made again, another one begins where the last one ended. A booklet is
    A5 in the order of printing: print it on both sides of A4, turned at the short edge, and fold it once; a4 has two columns.

    Example: referee zine RR7 RR9 -o june.pdf --words june.md
    """
    try:
        said = text_from_outside(words) if words else ""
    except UnicodeDecodeError as error:
        raise ConfigError(f"{words} is not UTF-8: {error}") from error
    with where.opened() as club:
        day = since.date() if since else None
        kept, content = made_zine(club, names, output.stem, output.suffix.lower(), said, layout, day)
        write_file(output, content)
    told = ", ".join(f"{each} to turn {turn}" for each, turn in kept.until.items())
    say(f"{output}: issue {kept.number}, {told}")
