"""The umpire's own templates, words, maps and order languages in the club's folder: can they be read?"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import jinja2

from referee.config import Config
from referee.core.errors import RefereeError
from referee.core.texts.tomltext import load_toml
from referee.core.texts.wording import counted
from referee.games import games
from referee.report.paper import TEMPLATE, template_fault
from referee.report.templates import bare_environment
from referee.resources import COMMON, own_verbs
from referee.service.club.orderlanguages import ORDERS, OrderLanguages
from referee.service.club.pictures import MAPS, read_board
from referee.service.doctor.finding import Finding, fault, ok, warning

TOPIC = "files"
# What is read over as a whole, whole comments and strings, else what is told of.
_STYLE_MARKS = re.compile(r"""/\*.*?\*/|"[^"\n]*"|'[^'\n]*'|/\*|["'{}]""", re.DOTALL)
MEND = "mend it, or take it away: the shipped one then holds"


def own_file_findings(config: Config) -> Iterator[Finding]:
    """Return what is to be said of files that an umpire put beside the shipped ones; nothing if he did not."""
    templates, maps = config.folder / "templates", config.folder / MAPS
    yield from _checked("template", sorted(templates.rglob("*.j2")), _template_fault)
    yield from _checked("stylesheet", sorted(templates.rglob("*.css")), style_fault)
    yield from _checked("paper template", sorted(templates.rglob(TEMPLATE)), _paper_fault)
    yield from _checked("catalogue", sorted(templates.rglob("*.toml")), _toml_fault)
    yield from _checked("map", sorted(maps.glob("*.toml")), lambda path: _map_fault(path, config.folder))
    known = {COMMON, *games()}
    for folder in sorted(templates.glob("*/")):
        if folder.name not in known:
            remedy = f"nobody looks there; the folders are called {', '.join(sorted(known))}"
            yield warning(TOPIC, f"{folder} belongs to no game", remedy)
    yield from _order_findings(config.folder / ORDERS)


def _order_findings(orders: Path) -> Iterator[Finding]:
    """Return what is to be said of words for orders: each game's language is made with them."""
    there = {place for name in games() for place in own_verbs(name, orders) if place.is_file()}
    wrong = dict.fromkeys(filter(None, (_words_fault(name, orders) for name in games()))) if there else {}
    for sentence in wrong:
        yield fault(TOPIC, sentence, MEND)
    if there and not wrong:
        sentence = counted(
            len(there), "file of your own words for orders can", "files of your own words for orders can"
        )
        yield ok(TOPIC, f"{sentence} be read")
    for place in sorted(path for path in orders.rglob("*") if path.is_file() and path not in there):
        remedy = f"nobody looks there; such words stand in {orders}/{COMMON}/verbs.toml, or in that of a game"
        yield warning(TOPIC, f"{place} is not looked into", remedy)


def _words_fault(game: str, orders: Path) -> str:
    try:
        OrderLanguages(orders).of(game)
    except RefereeError as error:
        return str(error)
    return ""


def _checked(what: str, paths: list[Path], fault_of: Callable[[Path], str]) -> Iterator[Finding]:
    wrong = 0
    for path in paths:
        found = fault_of(path)
        if found:
            wrong += 1
            yield fault(TOPIC, found, MEND)
    if paths and not wrong:
        yield ok(
            TOPIC,
            counted(
                len(paths),
                f"{what} of your own can",
                f"{what}s of your own can",
            )
            + " be read",
        )


def _template_fault(path: Path) -> str:
    try:
        bare_environment().parse(path.read_text("utf-8"), filename=str(path))
    except jinja2.TemplateSyntaxError as error:
        return f"{path}:{error.lineno}: {error.message}"
    except (OSError, ValueError, RecursionError) as error:
        return f"{path} cannot be read: {error}"
    return ""


def _paper_fault(path: Path) -> str:
    try:
        found = template_fault(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, RefereeError) as error:
        return f"{path} cannot be read: {error}"
    return f"{path}:{found[0]}: {found[1]}" if found else ""


def style_fault(path: Path) -> str:
    """Return where a block, a comment or a string is not ended, or ended twice: from there on nothing has any looks."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return f"{path} cannot be read: {error}"
    opened: list[int] = []
    for mark in _STYLE_MARKS.finditer(text):
        line = text.count("\n", 0, mark.start()) + 1
        if mark[0] == "{":
            opened.append(line)
        elif mark[0] == "}" and not opened:
            return f"{path}:{line}: }} ends a block that was not begun"
        elif mark[0] == "}":
            opened.pop()
        elif mark[0] in ("/*", '"', "'"):
            return f"{path}:{line}: {mark[0]} is not ended"
    return f"{path}:{opened[-1]}: {{ begins a block that is not ended" if opened else ""


def _toml_fault(path: Path) -> str:
    try:
        load_toml(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        return f"{path} cannot be read: {error}"
    return ""


def _map_fault(path: Path, folder: Path) -> str:
    """Return why no game can be played on a map; where none can, what the last that was asked says first."""
    sentence = ""
    for game in games().values():
        try:
            read_board(game, str(path), folder)
        except RefereeError as error:
            sentence = sentence or str(error).partition("\n")[0]
        else:
            return ""
    return sentence or f"{path} is a map of no game"
