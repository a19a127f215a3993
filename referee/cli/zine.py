"""The umpire's zine."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from referee.cli.base import Where, write_file
from referee.cli.printing import say
from referee.core.errors import ConfigError
from referee.report.zine import LAYOUTS
from referee.resources import text_from_outside
from referee.service.umpire.zine import zine as made_zine


@click.command()
@click.argument("names", metavar="GAME...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The issue, as june.pdf or june.odt.",
)
@click.option(
    "--words",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Your front page and, below a line ---, your editorial, in Markdown.",
)
@click.option("--layout", type=click.Choice(LAYOUTS), default=LAYOUTS[0], show_default=True, help="Of a PDF.")
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DATE",
    help="What was played from that day on, whatever earlier issues told.",
)
@click.pass_obj
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
