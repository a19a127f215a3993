"""The umpire's own maps."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.logs import tell
from referee.cli.printing import say
from referee.core.errors import ConfigError
from referee.report.scanned import page_picture
from referee.service.umpire import maps

KIND = click.option("--game", "kind", default="dampfross", show_default=True, help="The game whose maps are meant.")
ANY_KIND = click.option(
    "--game", "kind", default="", help="The game it is for; else the one whose format the file names."
)


@click.group("map")
def map_() -> None:
    """Check, draw and begin maps."""


@map_.command("check")
@click.argument("names", metavar="FILE...", nargs=-1, required=True)
@ANY_KIND
def map_check(names: tuple[str, ...], kind: str) -> None:
    """Name every fault of map files.

    A line each: file, line, sentence. A map without faults is summed up, with what a mapmaker would look at again.
    FILE may also be the name of a map that comes with the game.
    """
    in_order = [_say_checked(maps.check_map(kind, name)) for name in names]  # all are looked at
    if not all(in_order):
        raise click.exceptions.Exit(ConfigError.exit_code)


@map_.command("edit")
@click.argument("name", metavar="FILE")
@click.option("--take", "downloaded", type=click.Path(path_type=Path, dir_okay=False), help="What the desk downloaded.")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="The page; else beside FILE.")
@click.option("--no-browser", "closed", is_flag=True, help="Print where the page lies instead of opening it.")
def map_edit(name: str, downloaded: Path | None, output: Path | None, closed: bool) -> None:
    """Paint a map on a page of its own, the map desk, and take back what was made there.

    The page needs no server and sends nothing: it downloads the map as a file. --take checks that file and puts it in FILE's
    place; the old one is kept beside it. FILE may also be the name of a map that comes with the game.
    """
    if downloaded is not None:
        checked, kept = maps.take_map(Path(name), downloaded)
        say(f"{name}: what was there is kept as {kept}" if kept else f"{name}: nothing was changed")
        _say_checked(checked)
        return
    page = output or Path(f"{Path(name).with_suffix('')}.desk.html")
    text = maps.map_desk(name)
    _write(page, text.encode())
    say(f"map desk: {page}")
    if not closed and click.launch(str(page.resolve())):
        tell("no browser could be opened: open the page yourself (--no-browser spares the trial)")


def _write(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        raise ConfigError(f"{file} cannot be written: {error.strerror}") from error


def _say_checked(checked: maps.Checked) -> bool:
    """Print what is to be said of a map, and return whether it is in order."""
    for fault in checked.faults:
        say(fault)
    if checked.survey is None:
        say(f"{checked.file}: {checked.missing}", err=True)
        return False
    say(f"{checked.file}: {checked.survey.contents}: in order")
    for remark in checked.survey.remarks:
        say(f"  remark: {remark}")
    return True


@map_.command("scan")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--page", type=click.IntRange(1), default=1, show_default=True, help="Its page, counted from 1.")
@click.option("--dpi", type=click.IntRange(36, 600), default=150, show_default=True, help="Pixels of an inch.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The picture: .png."
)
def map_scan(file: Path, page: int, dpi: int, output: Path) -> None:
    """Make a page of a PDF a picture, to lie beneath a map at the map desk."""
    _write(output, page_picture(file, page, dpi))


@map_.command("draw")
@click.argument("name", metavar="FILE")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The picture to write: .svg, .png or .pdf.",
)
@click.option("--width", type=click.IntRange(200, 4000), default=1600, show_default=True, help="Width of a PNG.")
@ANY_KIND
def map_draw(name: str, output: Path, width: int, kind: str) -> None:
    """Draw a map before a game, finished or not.

    Faults are printed, and marked on the picture by their numbers. FILE may also be the name of a map that comes with the game.
    """
    picture, faults = maps.draw_map(kind, name, output.suffix.lower(), width)
    _write(output, picture)
    if faults:
        say(faults)
        raise click.exceptions.Exit(ConfigError.exit_code)


@map_.command("new")
@click.option(
    "--cols", type=int, required=True, help="Columns of the sheet; of a board of Volldampf its width in millimetres."
)
@click.option("--rows", type=int, required=True, help="Rows of the sheet, or its height.")
@click.option("--title", default="", help="The map's title; the file's name if not given.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The file to write."
)
@KIND
def map_new(cols: int, rows: int, title: str, output: Path, kind: str) -> None:
    """Write an empty sheet to fill in.

    Every section is there with a word on it; `referee map check` says what is still missing.
    """
    unit = maps.new_map(kind, cols, rows, title or output.stem, output)
    say(f"{output}: {cols} x {rows} {unit} to fill in")
