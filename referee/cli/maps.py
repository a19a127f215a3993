"""The umpire's own maps: checked, drawn, painted, begun, tried by built-in players; and scenario files that play on them."""

from __future__ import annotations

import difflib
import re
import tomllib
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from math import sqrt
from pathlib import Path
from typing import Any

import click

from referee.bots.trial import ANSWERS, MapTrial, heat, try_board
from referee.core import ConfigError, MapError, Texts, Value, count_of
from referee.core.game import Atlas, Survey
from referee.core.texts import Broken, NotToml, TomlText
from referee.games import game_named
from referee.games import games as all_games
from referee.orderbook import OrderLanguage
from referee.report.desk import map_page, page_picture
from referee.report.paper import board_file, check_ending
from referee.resources import order_texts, text_from_outside
from referee.scenario import BrokenOffError, ScenarioResult, event_lines, run_scenario, verdict_lines
from referee.scenario.file import read_scenarios

from .base import CommandMaker, tell, write_file
from .printing import say, say_json, show_progress

command = CommandMaker(__file__)


@click.group("map")
def map_() -> None:
    """Check, draw and begin maps."""


@command("map check", map_)
def map_check(names: Texts, kind: str) -> None:
    """Name every fault of map files.

    A line each: file, line, sentence. A map without faults is summed up, with what a mapmaker would look at again.
    FILE may also be the name of a map that comes with the game.
    """
    in_order = [_say_checked(check_map(kind, name)) for name in names]  # all are looked at
    if not all(in_order):
        raise click.exceptions.Exit(ConfigError.exit_code)


@command("map edit", map_)
def map_edit(name: str, downloaded: Path | None, output: Path | None, closed: bool, language: str) -> None:
    """Paint a map on a page of its own, the map desk, and take back what was made there.

    The page needs no server and sends nothing: it downloads the map as a file. --take checks that file and puts it in FILE's
    place; the old one is kept beside it. FILE may also be the name of a map that comes with the game.
    """
    if downloaded:
        kept = _take(Path(name), downloaded)
        say(f"{name}: what was there is kept as {kept}" if kept else f"{name}: nothing was changed")
        _say_checked(check_map("", name))
        return
    page = output or Path(f"{Path(name).with_suffix('')}.desk.html")
    text = map_desk(name, language)
    write_file(page, text.encode())
    say(f"map desk: {page}")
    if not closed and click.launch(str(page.resolve())):
        tell("no browser could be opened: open the page yourself (--no-browser spares the trial)")


def _take(file: Path, downloaded: Path) -> Path | None:
    """Put what the map desk made in the place of *file*, and return where the old one is kept; None where both are the same. A
    map with faults is taken: it is being made.

    Raises:
        ConfigError: one of them cannot be read or written, or the new one is the old one or no map of the same game.
        MapError: it is no TOML, or nothing of it can be drawn.
    """
    _, old, atlas = _read("", str(file))
    _, new, made = _read("", str(downloaded))
    if file.resolve() == downloaded.resolve():
        raise ConfigError(
            f"{downloaded} is the map itself: name what the browser downloaded, as ~/Downloads/{file.name}"
        )
    if not made.draft or made.format != atlas.format:
        raise ConfigError(f"{downloaded} is no map of the same game as {file}")
    made.draft(new, str(downloaded))
    kept = None
    if new != old:
        names = (file.with_name(f"{file.stem}.old{number or ''}{file.suffix}") for number in count())
        kept = next(each for each in names if not each.exists())
        try:
            file.rename(kept)
            file.write_bytes(new.encode())
        except OSError as error:
            raise ConfigError(f"{file} cannot be written: {error.strerror}") from error
    return kept


def _say_checked(checked: Checked) -> bool:
    """Print what is to be said of a map, and return whether it is in order."""
    for fault in checked.faults:
        say(fault)
    if not checked.survey:
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
    suffix = output.suffix.lower()
    check_ending(suffix)
    file, text, atlas = _read(kind, name)
    drawing, faults = atlas.drawing_of_draft(text, file)
    write_file(output, board_file(drawing, suffix, width))
    if faults:
        say(str(MapError(file, faults)))
        raise click.exceptions.Exit(ConfigError.exit_code)


@command("map try", map_)
def map_try(name: str, games: int, output: Path | None, width: int, kind: str, as_json: bool) -> None:
    """Say whether a map is any good: built-in players play on it.

    What came of it stands beside the maps that come with the game: how long building lasts, how even the chances of homes and
    seats are, what nobody reaches, how races are entered. FILE may also be the name of a map that comes with the game.
    """
    game, played = try_map(kind, name, games)
    *_, tried = show_progress("games", played, games)
    own, others = tried.means(), tomllib.loads(FIGURES.read_text("utf-8")).get(game, {})
    played_by = (("homes", tried.homes), ("seats", tried.seats))
    wins = {what: {who: [sum(won), len(won)] for who, won in each.items()} for what, each in played_by}
    aside = {what: each.most_common(12) for what, each in (("towns", tried.towns), ("hexes", tried.hexes))}
    if output:
        suffix = output.suffix.lower()
        check_ending(suffix)
        file, text, atlas = _read(kind, name)
        write_file(output, board_file(heat(atlas.drawing(text, file), tried), suffix, width))
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
        told = ", ".join(f"{who} {won} of {of} (± {_margin(won, of)} %)" for who, (won, of) in sorted(counts.items()))
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
    atlas = _atlas(kind)
    most_columns, most_rows = atlas.largest
    if not (1 <= cols <= most_columns and 1 <= rows <= most_rows):
        raise ConfigError(
            f"a sheet has 1 to {most_columns} columns and 1 to {most_rows} rows; {cols} x {rows} was asked for"
        )
    title = title or output.stem
    if not title.strip() or not title.isprintable() or set(title) & set('"\\'):
        raise ConfigError(f"the title {title!r} is empty or holds quotes, backslashes or control characters")
    # Its name as the id of a map: small letters, digits and _.
    plain = unicodedata.normalize("NFKD", output.stem.casefold()).encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    name = name if name[:1].isalpha() else f"map_{name}".rstrip("_")
    text = atlas.sheet(cols, rows, name, title.strip())
    try:
        with output.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError as error:
        raise ConfigError(f"{output} is there already; a new sheet never overwrites a map") from error
    except OSError as error:
        raise ConfigError(f"{output} cannot be written: {error.strerror}") from error
    say(f"{output}: {cols} x {rows} {atlas.unit} to fill in")


# Which map is meant, and what is to be said of it.

_FORMAT = re.compile(r"^[ \t]*format[ \t]*=[ \t]*[\"']([^\"'\n]*)[\"']", re.MULTILINE)


class Checked(Value):
    """A map file that was looked at: the survey of a good one, else its faults, a sentence with file and line each."""

    file: str
    survey: Survey | None = None
    faults: Texts = ()
    missing: str = ""
    """What no game can begin without, in one line."""


def check_map(kind: str, name: str) -> Checked:
    """Return what is to be said of a map; *kind* "": of the game that it is for.

    Raises:
        NotFound: an unknown game.
        ConfigError: no such map.
    """
    file, text, atlas = _read(kind, name)
    try:
        return Checked(file=file, survey=atlas.survey(text, file))
    except MapError as error:
        faults = tuple(str(error).split("\n"))
        lacking: Texts = ()
        if atlas.draft:
            with suppress(MapError):  # nothing of it can be read
                lacking = atlas.missing(atlas.draft(text, file)[0])
        first = f"{', '.join(lacking)} must be there, and " if lacking else ""
        missing = f"before a game can begin, {first}{count_of(len(faults), 'fault')} must be put right"
        return Checked(file=file, faults=faults, missing=missing)


def map_desk(name: str, language: str = "en") -> str:
    """Return the page on which a map file, or a shipped map by its name, is painted.

    Raises:
        ConfigError: no such map, or none of a game with a map desk.
        MapError: it is no TOML.
    """
    file, text, atlas = _read("", name)
    if not atlas.kit:
        raise ConfigError(f"{file} is no map with hexes to paint: the map desk is for maps of Dampfross")
    try:
        doc = TomlText(text).values
    except NotToml as error:
        raise MapError(file, ((error.line, f"This is no TOML: {error.reason}."),)) from error
    told = {"file": file, "text": text, "doc": _as_json(doc), "kit": atlas.kit()}
    return map_page(told, language)


def _as_json(value: Any) -> Any:
    """Return TOML values as JSON has them; what a script would misread comes as it was written, in ``$``."""
    if isinstance(value, dict):
        return {key: _as_json(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_as_json(each) for each in value]
    if isinstance(value, bool) or (isinstance(value, str) and not isinstance(value, Broken)):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else {"$": str(value), "int": True}
    return {"$": str(value)}


def _atlas(kind: str) -> Atlas:
    game = game_named(kind)
    if not game.atlas:
        raise ConfigError(f"{game.title} offers nothing to mapmakers")
    return game.atlas


def _read(kind: str, name: str) -> tuple[str, str, Atlas]:
    """Return (file, text) of a map file, or of a shipped map by its name, and the atlas of the game it is for."""
    # Those that offer anything to mapmakers, where none is named.
    mapped = [game_named(kind)] if kind else [game for game in all_games().values() if game.atlas]
    if not Path(name).is_file():
        for game in mapped:
            if name in game.boards():
                return f"{name}.toml", game.board_text(name), _atlas(game.name)
    try:
        text = text_from_outside(Path(name))
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name} is not UTF-8: {error}") from error
    except OSError as error:
        shipped = "; ".join(f"shipped with {game.title}: {', '.join(game.boards())}" for game in mapped)
        raise ConfigError(f"{name} cannot be read: {error.strerror}; {shipped}") from error
    # The format that it names, or what comes nearest to it: a map full of faults is known as well.
    formats = {game.atlas.format: game for game in mapped if game.atlas}
    named = _FORMAT.search(text)
    near = difflib.get_close_matches(named[1], list(formats), 1) if named else []
    return name, text, _atlas((formats[near[0]] if near else mapped[0]).name)


# Is it a good map? Built-in players try it, and what came of it stands beside the maps that come with the program.

GAMES = 50
FIGURES = Path(__file__).with_name("tried.toml")  # `make tried` writes it


def try_map(kind: str, name: str, games: int) -> tuple[str, Iterator[MapTrial]]:
    """Return the game that a map is for, and its trial as it goes on, after each of so many games.

    Raises:
        NotFound: an unknown game.
        ConfigError: no such map, or one of a game without built-in players.
        MapError: with every fault of the map.
    """
    file, text, atlas = _read(kind, name)
    game = next(each.name for each in all_games().values() if each.atlas is atlas)
    if game not in ANSWERS:
        raise ConfigError(f"{game} has no built-in players who could try a map")
    rules = game_named(game)
    rules.check_board(text, file)
    return game, try_board(rules, OrderLanguage.of(**order_texts(game)), text, Path(file).stem, games, "map try")


def _margin(won: int, of: int) -> int:
    """Return the margin of chance of a share, in per cent points: 95 of 100 times it is no further off."""
    share = won / of
    return round(196 * sqrt(max(share * (1 - share), 0.25 / of) / of))


# Scenario files: run, compared, told.

DIFFERS = 1
DAMAGED = 78  # sysexits.h: mend the file


@command("scenario")
def scenario(files: tuple[Path, ...], explain: bool) -> None:
    """Run scenario files and compare what comes with what they expect.

    A line for each file and variant, or what differs. Exit code 1 if anything differs, 78 if a file cannot be run; no club is
    needed.
    """
    results = [result for file in files for result in _results(file, explain)]
    if None in results:
        raise click.exceptions.Exit(DAMAGED)
    if any(result.differences for result in results if result):
        raise click.exceptions.Exit(DIFFERS)


def _results(file: Path, explain: bool) -> Iterator[ScenarioResult | None]:
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
