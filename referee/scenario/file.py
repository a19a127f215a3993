"""Reads a scenario file (TOML) into values, or says everything that is wrong with its form."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from referee.core import ConfigError, Fields, NotFound, Pair, ScenarioError, Texts, Value, Words, as_written
from referee.core.game import PACES, TOGETHER, Game, Player, Setup
from referee.core.record import Change, known_change, parse_change
from referee.core.texts import load_toml
from referee.core.texts.positiontable import suggest
from referee.core.texts.shipped import shipped_table
from referee.games import game_named
from referee.resources import template_folders, text_from_outside


def is_paragraph(name: str, known: Iterable[str]) -> bool:
    """Return whether the rules have a paragraph of that number, or several below it: ``V3.7`` over ``V3.7.1``."""
    return any(each == name or (name[-1:].isdigit() and each.startswith((f"{name}.", f"{name} "))) for each in known)


@cache
def complaint_codes(game: str) -> Texts:
    """Return the codes of all complaints that a game, or the reading of letters, may make."""
    files = [folder.joinpath("complaints.toml") for folder in template_folders(game, None)]
    return tuple(sorted({code for file in files if file.is_file() for code in tomllib.loads(file.read_text("utf-8"))}))


# What a scenario file holds: by name of a table the shapes of its entries, "*" for all others. A shape is a type ("any": whatever
# it is), the name of a table or what such a one holds, or a list of them.

SHAPES = shipped_table(__package__, "shapes")

TYPES: Mapping[str, tuple[type, str]] = {
    "text": (str, "{where}: {value!r} is read; a text expected"),
    "table": (dict, "{where}: {value!r} is read; a table expected"),
    "texts": (str, "{where}: {value!r} is read; a list of texts expected"),
    "tables": (dict, "{where}: a list of tables expected, headed [[{where}]] or written [{{ … }}]"),
}
WORDS = tuple(SHAPES["expect"])[1:]  # what [expect] may hold besides the keys of a position
COMPANIES = ("GSW", "MGW", "BNC", "DSE", "GNR", "CDR")  # where a file names nobody
SEED, OTHERWISE = "seed:", "otherwise"


class Throws(Value):
    """Throws by name; with ``seed`` the others follow from its words, else each must be named."""

    given: Mapping[str, int] = {}
    seed: str = ""


class ScenarioTurn(Value):
    """One turn: what the umpire rules before it, letters by player, its own throws, what must come of it."""

    rulings: tuple[Change, ...]
    orders: Words
    throws: Throws
    expect: Fields


class Scenario(Value):
    """A scenario as written, or one of its variants; ``expects``: where what must come at the end stands, and what it is."""

    file: str
    title: str
    variant: str
    paragraphs: Texts
    game: Game
    setup: Setup
    throws: Throws
    turns: tuple[ScenarioTurn, ...]
    expects: tuple[tuple[str, Fields], ...]

    @property
    def name(self) -> str:
        """Its file, and which variant of it this is."""
        return f"{self.file} ({self.variant})" if self.variant else self.file

    @property
    def expect(self) -> Fields:
        """All that must come at the end."""
        return {name: value for _, table in self.expects for name, value in table.items()}


def read_scenarios(path: Path) -> tuple[Scenario, ...]:
    """Return the scenario of a file, or its variants.

    Raises:
        ScenarioError: the file cannot be read, or with every fault of its form.
    """
    try:
        written = load_toml(text_from_outside(path))
    except OSError as error:
        raise ScenarioError(str(path), (f"cannot be read: {error.strerror}",)) from error
    except ValueError as error:  # not TOML, or not UTF-8
        raise ScenarioError(str(path), (f"this is not TOML: {error}",)) from error
    return scenarios_in(written, str(path))


def scenarios_in(written: Fields, file: str) -> tuple[Scenario, ...]:
    """Return the scenario of a table, or its variants; *file*: what faults call it. Raises ScenarioError."""
    return _Reader(file).scenarios(written)


class _Reader:
    """One file being read; each fault begins with its key, and is noted instead of being raised."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[str] = []

    def scenarios(self, whole: Fields) -> tuple[Scenario, ...]:
        """Return the file's scenario, or its variants. Raises ScenarioError."""
        written = self._fitting("", whole, "file")
        self.faults += [f"{name}: missing" for name in ("title", "game") if not whole.get(name)]
        game = self._game(written.get("game", ""))
        setup = self._setup(written, game)
        codes = {code for player in setup.players for code in (player.code, player.second_code)}
        scenario = Scenario(
            file=self.file,
            title=written.get("title", ""),
            variant="",
            paragraphs=self._paragraphs(written.get("paragraphs", ()), game.paragraphs()),
            game=game,
            setup=setup,
            throws=self._throws("throws", written.get("throws", {})),
            turns=tuple(self._turns(written.get("turn", ()), codes, game)),
            expects=(("expect", self._expect("expect", written, codes)),),
        )
        variants = tuple(self._variants(written.get("variant", ()), scenario, codes))
        if self.faults:
            raise ScenarioError(self.file, tuple(self.faults))
        return variants or (scenario,)

    def _fitting(self, where: str, value: Any, named: Any) -> Any:
        """Return what of a value has the shape that it should have; blame the rest."""
        shape = SHAPES.get(named, named) if isinstance(named, str) else named
        kind = shape if isinstance(shape, str) else "tables" if isinstance(shape, list) else "table"
        if kind == "any":
            return value
        expected, fault = TYPES[kind]
        entries = value if kind.endswith("s") else [value]
        if not isinstance(entries, list) or not all(isinstance(each, expected) for each in entries):
            self.faults.append(fault.format(where=where, value=value))
            return expected() if entries is not value else []
        if isinstance(shape, list):
            return [self._fitting(f"{where}[{place}]", each, shape[0]) for place, each in enumerate(value, start=1)]
        if not isinstance(shape, Mapping):
            return value
        known = {name: shape.get(name, shape.get("*", "")) for name in value}
        before = f"{where}." if where else ""
        for name in (name for name, kind in known.items() if not kind):
            self.faults.append(f"{before}{name}: there is no such key ({suggest(name, shape)})")
        return {name: self._fitting(before + name, value[name], kind) for name, kind in known.items() if kind}

    def _check_player(self, where: str, code: str, codes: set[str]) -> None:
        """Blame a code that no player has."""
        if code not in codes:
            self.faults.append(f"{where}: there is no player {code!r} ({suggest(code, sorted(codes - {''}))})")

    def _variants(self, written: Any, base: Scenario, codes: set[str]) -> Iterator[Scenario]:
        """Yield the scenario once for each variant: its options, throws and expectations go before those of the file."""
        for place, each in enumerate(written, start=1):
            where, options, preset = f"variant[{place}]", each.get("options", {}), each.get("preset", base.setup.preset)
            throws = self._throws(f"{where}.throws", each.get("throws", {}))
            expect = self._expect(f"{where}.expect", each, codes)
            general = {name: value for name, value in base.expect.items() if name not in expect}
            named = {**({"preset": preset} if "preset" in each else {}), **options}
            yield base.but(
                variant=", ".join(f"{name} = {as_written(value)}" for name, value in named.items())
                or f"variant {place}",
                setup=base.setup.but(preset=preset, options=tuple({**dict(base.setup.options), **options}.items())),
                throws=Throws(given={**base.throws.given, **throws.given}, seed=throws.seed or base.throws.seed),
                expects=(("expect", general), (f"{where}.expect", expect)),
            )

    def _game(self, name: str) -> Game:
        try:
            return game_named(name)
        except NotFound as error:
            raise ScenarioError(self.file, (*self.faults, f"game: {error}")) from error

    def _setup(self, written: Fields, game: Game) -> Setup:
        board_name, board = self._board(written, game)
        pace = written.get("pace", TOGETHER)
        if pace not in PACES:
            self.faults.append(f"pace: {pace!r} is read; {' or '.join(PACES)} expected")
        return Setup(
            game=game.name,
            board_name=board_name,
            board=board,
            preset=written.get("preset", game.default_preset),
            options=tuple(written.get("options", {}).items()),
            players=self._players(written.get("player"), game),
            pace=pace,
            position=self._json("position", written),
        )

    def _json(self, name: str, written: Fields) -> str:
        """Return a table as the text in which a setup keeps it, "" where there is none."""
        try:
            return json.dumps(written[name], ensure_ascii=False) if name in written else ""
        except TypeError:
            self.faults.append(f"{name}: it holds a date or a time")
            return "{}"

    def _board(self, written: Fields, game: Game) -> Pair:
        if ("map" in written) == ("sketch" in written):
            self.faults.append("map: either map or [sketch] expected")
            return "", ""
        if "sketch" in written:
            return "sketch", self._json("sketch", written)
        name = written["map"]
        if name.endswith(".toml"):
            return name, self._map_file(name)
        if name not in game.boards():
            self.faults.append(f"map: there is no map {name!r} ({suggest(name, game.boards())})")
            return name, ""
        return name, game.board_text(name)

    def _map_file(self, name: str) -> str:
        """Return the text of a map file; where a scenario speaks of it, it is meant from the scenario's own folder."""
        try:
            return text_from_outside(Path(self.file).parent.joinpath(name))
        except OSError as error:
            self.faults.append(f"map: {name} cannot be read: {error.strerror}")
        except ValueError as error:
            self.faults.append(f"map: {name} is not UTF-8: {error}")
        return ""

    def _players(self, written: Any, game: Game) -> tuple[Player, ...]:
        if written is None:
            count = max(3, game.players[0])
            return tuple(
                Player(code, game.colours[place], code.title()) for place, code in enumerate(COMPANIES[:count])
            )
        players = []
        for place, words in enumerate(written):
            if "code" not in words:
                self.faults.append(f"player[{place + 1}].code: missing")
            code = words.get("code", "")
            colour = game.colours[place % len(game.colours)]
            players.append(Player(**{"code": code, "colour": colour, "name": code.title(), **words}))
        return tuple(players)

    def _turns(self, written: Iterable[Fields], codes: set[str], game: Game) -> Iterator[ScenarioTurn]:
        for place, each in enumerate(written, start=1):
            where, orders = f"turn[{place}].", each.get("orders", {})
            for code in orders:
                self._check_player(f"{where}orders.{code}", code, codes)
            throws = self._throws(f"{where}throws", each.get("throws", {}))
            expect = self._expect(f"{where}expect", each, codes)
            rulings = tuple(self._rulings(f"{where}rulings", each.get("rulings", ()), game))
            yield ScenarioTurn(rulings=rulings, orders=orders, throws=throws, expect=expect)

    def _rulings(self, where: str, written: Iterable[str], game: Game) -> Iterator[Change]:
        for text in written:
            try:
                yield known_change(parse_change(text), game.adjustable)
            except ConfigError as error:
                self.faults.append(f"{where}: {error}")

    def _throws(self, where: str, written: Any) -> Throws:
        if isinstance(written, str):
            return Throws(seed=self._seed(where, written))
        given: dict[str, int] = {}
        seed = ""
        for name, value in self._fitting(where, written, {"*": "any"}).items():
            if name == OTHERWISE:
                seed = self._seed(f"{where}.{name}", value)
                continue
            for each, number in _spread(name, value):
                if not isinstance(number, int) or isinstance(number, bool) or number < 1:
                    self.faults.append(f"{where}.{name}: {number!r} is read; a whole number from 1 on expected")
                given[each] = number
        return Throws(given=given, seed=seed)

    def _seed(self, where: str, written: Any) -> str:
        if isinstance(written, str) and written.startswith(SEED) and written != SEED:
            return written.removeprefix(SEED)
        self.faults.append(f'{where}: {written!r} is read; "seed:" and some words expected, or a table of throws')
        return ""

    def _expect(self, where: str, written: Fields, codes: set[str]) -> Fields:
        table: Fields = written.get("expect", {})
        for code in table.get("complaints", ()):  # a company that is refused something may be nobody's: the run tells
            self._check_player(f"{where}.complaints.{code}", code, codes)
        for name in ("events", "no_events"):
            for each in table.get(name, ()):
                if not isinstance(each.get("kind"), str):
                    self.faults.append(f"{where}.{name}: {json.dumps(each, default=str)} has no kind")
        return table

    def _paragraphs(self, named: Iterable[str], known: Texts) -> Texts:
        """Return the paragraphs; *known*: those of the rules, none where the game does not tell them."""
        for name in named:
            if known and not is_paragraph(name, known):
                self.faults.append(f"paragraphs: the rules have no {name!r} ({suggest(name, known)})")
        return tuple(named)


def _spread(name: str, value: Any) -> list[tuple[str, Any]]:
    """Return the throws of an entry: a list stands for several, numbered from 1 at ``*`` or at the end of the name."""
    if not isinstance(value, list):
        return [(name, value)]
    pattern = name if "*" in name else f"{name}/*"
    return [(pattern.replace("*", str(number)), each) for number, each in enumerate(value, start=1)]
