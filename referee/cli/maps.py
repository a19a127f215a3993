"""The umpire's own maps, and scenario files that play on them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from referee.core import ConfigError
from referee.report.scanned import page_picture
from referee.scenario import BrokenOffError, Result, read_scenarios, run_scenario
from referee.scenario.run import event_lines, verdict_lines
from referee.service.umpire import maps

from .base import CommandMaker, tell, write_file
from .printing import say, say_json, shown

command = CommandMaker(__file__)


@click.group("map")
def map_() -> None:
    """Check, draw and begin maps."""


@command("map check", map_)
def map_check(names: tuple[str, ...], kind: str) -> None:
    """Name every fault of map files.

    A line each: file, line, sentence. A map without faults is summed up, with what a mapmaker would look at again.
    FILE may also be the name of a map that comes with the game.
    """
    in_order = [_say_checked(maps.check_map(kind, name)) for name in names]  # all are looked at
    if not all(in_order):
        raise click.exceptions.Exit(ConfigError.exit_code)


@command("map edit", map_)
def map_edit(name: str, downloaded: Path | None, output: Path | None, closed: bool, language: str) -> None:
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
    text = maps.map_desk(name, language)
    write_file(page, text.encode())
    say(f"map desk: {page}")
    if not closed and click.launch(str(page.resolve())):
        tell("no browser could be opened: open the page yourself (--no-browser spares the trial)")


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


@command("map scan", map_)
def map_scan(file: Path, page: int, dpi: int, output: Path) -> None:
    """Make a page of a PDF a picture, to lie beneath a map at the map desk."""
    write_file(output, page_picture(file, page, dpi))


@command("map draw", map_)
def map_draw(name: str, output: Path, width: int, kind: str) -> None:
    """Draw a map before a game, finished or not.

    Faults are printed, and marked on the picture by their numbers. FILE may also be the name of a map that comes with the game.
    """
    picture, faults = maps.draw_map(kind, name, output.suffix.lower(), width)
    write_file(output, picture)
    if faults:
        say(faults)
        raise click.exceptions.Exit(ConfigError.exit_code)


@command("map try", map_)
def map_try(name: str, games: int, output: Path | None, width: int, kind: str, as_json: bool) -> None:
    """Say whether a map is any good: built-in players play on it.

    What came of it stands beside the maps that come with the game: how long building lasts, how even the chances of homes and
    seats are, what nobody reaches, how races are entered. FILE may also be the name of a map that comes with the game.
    """
    game, played = maps.try_map(kind, name, games)
    *_, tried = shown("games", played, games)
    own, others = tried.means(), maps.shipped_figures(game)
    wins = {"homes": tried.homes, "seats": tried.seats}
    aside = {what: each.most_common(12) for what, each in (("towns", tried.towns), ("hexes", tried.hexes))}
    if output:
        write_file(output, maps.draw_heat(kind, name, tried, output.suffix.lower(), width))
    if as_json:
        say_json({"games": games, "figures": own, **wins, "aside": aside, "shipped": others})
        return
    columns = {
        Path(name).stem: own,
        **{board: figures for board, figures in others.items() if board != Path(name).stem},
    }
    say(" " * 40 + "".join(f"{board[:14]:>16}" for board in columns))
    for figure, words in command.heads["figures"].items():
        if figure in own:
            say(f"{words:<40}" + "".join(f"{each.get(figure, ''):>16}" for each in columns.values()))
    for what, counts in wins.items():
        told = ", ".join(
            f"{who} {won} of {of} (± {maps.margin(won, of)} %)" for who, (won, of) in sorted(counts.items())
        )
        if told:
            say(f"\nwins by {what}: {told}")
    if aside["towns"]:
        told = ", ".join(f"{town} {count}" for town, count in aside["towns"])
        say(f"\ntowns that nobody joined, and in how many games: {told}")


@command("map new", map_)
def map_new(cols: int, rows: int, title: str, output: Path, kind: str) -> None:
    """Write an empty sheet to fill in.

    Every section is there with a word on it; `referee map check` says what is still missing.
    """
    unit = maps.new_map(kind, cols, rows, title or output.stem, output)
    say(f"{output}: {cols} x {rows} {unit} to fill in")


# Scenario files: run, compared, told.

DIFFERS = 1
DAMAGED = 78  # sysexits.h: mend the file


@command("scenario")
def scenario(files: tuple[Path, ...], explain: bool) -> None:
    """Run scenario files and compare what comes with what they expect.

    A line for each file and variant, or what differs. Exit code 1 if anything differs, 78 if a file cannot be run; no club is
    needed.
    """
    results = [result for file in files for result in _told(file, explain)]
    if None in results:
        raise click.exceptions.Exit(DAMAGED)
    if any(result.differences for result in results if result):
        raise click.exceptions.Exit(DIFFERS)


def _told(file: Path, explain: bool) -> Iterator[Result | None]:
    """Run a file with all its variants and print what came; yield None for what cannot be run."""
    try:
        scenarios = read_scenarios(file)
    except ConfigError as error:
        _print_faults(error)
        yield None
        return
    for each in scenarios:
        try:
            result = run_scenario(each)
        except BrokenOffError as error:
            _print_faults(error)
            # What came as far as it was played; where throws were made up nothing can be compared.
            came, is_told = error.result, bool(error.result.differences and not error.result.made_up)
            for line in (*(verdict_lines(came) if is_told else ()), *(event_lines(came) if explain else ())):
                say(line)
            yield None
            continue
        for line in (*verdict_lines(result), *(event_lines(result) if explain else ())):
            say(line)
        yield result


def _print_faults(error: ConfigError) -> None:
    say("\n".join(f"referee: {line}" for line in str(error).split("\n")), err=True)
