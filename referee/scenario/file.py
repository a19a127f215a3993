"""Reads a scenario file (TOML) into values, or says everything that is wrong with its form."""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from referee.core.errors import ConfigError, NotFound, ScenarioError
from referee.core.game import PACES, TOGETHER, Game, Player, Setup
from referee.core.record import Change, known_change, parse_change
from referee.core.texts.tomltext import load_toml
from referee.core.texts.wording import as_written
from referee.core.values import Value
from referee.games import game_named
from referee.resources import template_folders, text_from_outside

# The names that a scenario may write, and what somebody who wrote another one may have meant.

MOST_LISTED, FIRST = 40, 8  # names; where there are more, the first of them


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return ``did you mean …?``, or what names there are where none comes near."""
    names = tuple(known)
    near = difflib.get_close_matches(name, names, 1)
    if near:
        return f"did you mean {near[0]}?"
    if len(names) <= MOST_LISTED:
        return f"there is {', '.join(names)}"
    return f"there is {', '.join(names[:FIRST])} and {len(names) - FIRST} more"


def is_paragraph(name: str, known: Iterable[str]) -> bool:
    """Return whether the rules have a paragraph of that number, or several below it: ``V3.7`` over ``V3.7.1``."""
    return any(each == name or (name[-1:].isdigit() and each.startswith((f"{name}.", f"{name} "))) for each in known)


@cache
def complaint_codes(game: str) -> tuple[str, ...]:
    """Return the codes of all complaints that a game, or the reading of letters, may make."""
    files = [folder.joinpath("complaints.toml") for folder in template_folders(game, None)]
    return tuple(sorted({code for file in files if file.is_file() for code in tomllib.loads(file.read_text("utf-8"))}))


# The values of a scenario file: which type they must have, and the faults found so far.


class Values:
    """One file being read; each fault begins with its key, and is noted instead of being raised."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def check_names(self, where: str, written: Mapping[str, Any], known: tuple[str, ...]) -> None:
        """Blame keys that such a table does not have; *where*: what stands before them, ``turn[1].``."""
        for name in written:
            if name not in known:
                self.faults.append(f"{where}{name}: there is no such key ({suggestion(name, known)})")

    def check_player(self, where: str, code: str, codes: set[str]) -> None:
        """Blame a code that no player has."""
        if code not in codes:
            self.faults.append(
                f"{where}: there is no player {code!r} ({suggestion(code, tuple(sorted(codes - {''})))})"
            )

    def text(self, where: str, value: Any, needed: bool = False) -> str:
        """Return a text, "" where it is none."""
        if isinstance(value, str) and (value.strip() or not needed):
            return value
        self.faults.append(f"{where}: missing" if value is None else f"{where}: {value!r} is read; a text expected")
        return ""

    def texts(self, where: str, value: Any) -> tuple[str, ...]:
        """Return a list of texts."""
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            return tuple(value)
        self.faults.append(f"{where}: {value!r} is read; a list of texts expected")
        return ()

    def table(self, where: str, value: Any) -> Mapping[str, Any]:
        """Return a table, empty where it is none."""
        if isinstance(value, dict):
            return value
        self.faults.append(f"{where}: {value!r} is read; a table expected")
        return {}

    def tables(self, where: str, value: Any) -> list[Mapping[str, Any]]:
        """Return a list of tables."""
        if isinstance(value, list) and all(isinstance(each, dict) for each in value):
            return value
        self.faults.append(f"{where}: a list of tables expected, headed [[{where}]] or written [{{ … }}]")
        return []

    def json(self, where: str, value: Any) -> str:
        """Return a table as the text in which a setup keeps it."""
        try:
            return json.dumps(self.table(where, value), ensure_ascii=False)
        except TypeError:
            self.faults.append(f"{where}: it holds a date or a time")
            return "{}"


TOP = (
    "title", "paragraphs", "game", "map", "sketch", "preset", "options", "pace", "player", "position", "throws", "turn",
    "expect", "variant",
)  # fmt: skip
TURN = ("rulings", "orders", "throws", "expect")
VARIANT = ("preset", "options", "throws", "expect")
PLAYER = ("code", "colour", "name", "company", "second_code", "second_colour", "second_company")
# What [expect] may hold besides the keys of a position.
WORDS = ("events", "no_events", "exactly", "complaints", "refused", "standings", "fault")
COMPANIES = ("GSW", "MGW", "BNC", "DSE", "GNR", "CDR")  # where a file names nobody
SEED, OTHERWISE = "seed:", "otherwise"


class Throws(Value):
    """Throws by name; with ``seed`` the others follow from its words, else each must be named."""

    given: Mapping[str, int] = {}
    seed: str = ""


class Turn(Value):
    """One turn: what the umpire rules before it, letters by player, its own throws, what must come of it."""

    rulings: tuple[Change, ...]
    orders: Mapping[str, str]
    throws: Throws
    expect: Mapping[str, Any]


class Scenario(Value):
    """A scenario as written, or one of its variants; ``expects``: where what must come at the end stands, and what it is."""

    file: str
    title: str
    variant: str
    paragraphs: tuple[str, ...]
    game: Game
    setup: Setup
    throws: Throws
    turns: tuple[Turn, ...]
    expects: tuple[tuple[str, Mapping[str, Any]], ...]

    @property
    def name(self) -> str:
        """Its file, and which variant of it this is."""
        return f"{self.file} ({self.variant})" if self.variant else self.file

    @property
    def expect(self) -> Mapping[str, Any]:
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


def scenarios_in(written: Mapping[str, Any], file: str) -> tuple[Scenario, ...]:
    """Return the scenario of a table, or its variants; *file*: what faults call it. Raises ScenarioError."""
    return _Reader(file).scenarios(written)


class _Reader(Values):
    """One file being read; faults are collected."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file

    def scenarios(self, written: Mapping[str, Any]) -> tuple[Scenario, ...]:
        """Return the file's scenario, or its variants. Raises ScenarioError."""
        self.check_names("", written, TOP)
        game = self._game(written)
        setup = self._setup(written, game)
        codes = {code for player in setup.players for code in (player.code, player.second_code)}
        scenario = Scenario(
            file=self.file,
            title=self.text("title", written.get("title"), needed=True),
            variant="",
            paragraphs=self._paragraphs(written.get("paragraphs", []), game.paragraphs()),
            game=game,
            setup=setup,
            throws=self._throws("throws", written.get("throws", {})),
            turns=self._turns(written.get("turn", []), codes, game),
            expects=(("expect", self._expect("expect", written.get("expect", {}), codes)),),
        )
        variants = tuple(self._variants(written.get("variant", []), scenario, codes))
        self._stop_if_faulty()
        return variants or (scenario,)

    def _variants(self, written: Any, base: Scenario, codes: set[str]) -> Iterator[Scenario]:
        """Yield the scenario once for each variant: its options, throws and expectations go before those of the file."""
        for place, each in enumerate(self.tables("variant", written), start=1):
            where = f"variant[{place}]"
            self.check_names(f"{where}.", each, VARIANT)
            options = self.table(f"{where}.options", each.get("options", {}))
            preset = self.text(f"{where}.preset", each.get("preset", base.setup.preset))
            throws = self._throws(f"{where}.throws", each.get("throws", {}))
            expect = self._expect(f"{where}.expect", each.get("expect", {}), codes)
            general = {name: value for name, value in base.expect.items() if name not in expect}
            named = {**({"preset": preset} if "preset" in each else {}), **options}
            yield replace(
                base,
                variant=", ".join(f"{name} = {as_written(value)}" for name, value in named.items())
                or f"variant {place}",
                setup=replace(
                    base.setup, preset=preset, options=tuple({**dict(base.setup.options), **options}.items())
                ),
                throws=Throws(given={**base.throws.given, **throws.given}, seed=throws.seed or base.throws.seed),
                expects=(("expect", general), (f"{where}.expect", expect)),
            )

    def _stop_if_faulty(self) -> None:
        if self.faults:
            raise ScenarioError(self.file, tuple(self.faults))

    def _game(self, written: Mapping[str, Any]) -> Game:
        try:
            return game_named(self.text("game", written.get("game"), needed=True))
        except NotFound as error:
            raise ScenarioError(self.file, (*self.faults, f"game: {error}")) from error

    def _setup(self, written: Mapping[str, Any], game: Game) -> Setup:
        board_name, board = self._board(written, game)
        options = self.table("options", written.get("options", {}))
        pace = self.text("pace", written.get("pace", TOGETHER))
        if pace not in PACES:
            self.faults.append(f"pace: {pace!r} is read; {' or '.join(PACES)} expected")
        return Setup(
            game=game.name,
            board_name=board_name,
            board=board,
            preset=self.text("preset", written.get("preset", game.default_preset)),
            options=tuple(options.items()),
            players=self._players(written.get("player"), game),
            pace=pace,
            position=self.json("position", written["position"]) if "position" in written else "",
        )

    def _board(self, written: Mapping[str, Any], game: Game) -> tuple[str, str]:
        if ("map" in written) == ("sketch" in written):
            self.faults.append("map: either map or [sketch] expected")
            return "", ""
        if "sketch" in written:
            return "sketch", self.json("sketch", written["sketch"])
        name = self.text("map", written["map"])
        if name.endswith(".toml"):
            return name, self._map_file(name)
        if name not in game.boards():
            self.faults.append(f"map: there is no map {name!r} ({suggestion(name, game.boards())})")
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
                Player(code=code, colour=game.colours[place], name=code.title())
                for place, code in enumerate(COMPANIES[:count])
            )
        players = []
        for place, each in enumerate(self.tables("player", written), start=1):
            self.check_names(f"player[{place}].", each, PLAYER)
            words = {name: self.text(f"player[{place}].{name}", each[name]) for name in PLAYER if name in each}
            if "code" not in words:
                self.faults.append(f"player[{place}].code: missing")
            code = words.get("code", "")
            colour = game.colours[(place - 1) % len(game.colours)]
            players.append(Player(**{"code": code, "colour": colour, "name": code.title(), **words}))
        return tuple(players)

    def _turns(self, written: Any, codes: set[str], game: Game) -> tuple[Turn, ...]:
        turns = []
        for place, each in enumerate(self.tables("turn", written), start=1):
            where = f"turn[{place}]."
            self.check_names(where, each, TURN)
            orders = self.table(f"{where}orders", each.get("orders", {}))
            for code, text in orders.items():
                self.check_player(f"{where}orders.{code}", code, codes)
                self.text(f"{where}orders.{code}", text)
            throws = self._throws(f"{where}throws", each.get("throws", {}))
            expect = self._expect(f"{where}expect", each.get("expect", {}), codes)
            rulings = tuple(self._rulings(f"{where}rulings", each.get("rulings", []), game))
            turns.append(Turn(rulings=rulings, orders=orders, throws=throws, expect=expect))
        return tuple(turns)

    def _rulings(self, where: str, written: Any, game: Game) -> Iterator[Change]:
        for text in self.texts(where, written):
            try:
                yield known_change(parse_change(text), game.adjustable)
            except ConfigError as error:
                self.faults.append(f"{where}: {error}")

    def _throws(self, where: str, written: Any) -> Throws:
        if isinstance(written, str):
            return Throws(seed=self._seed(where, written))
        given: dict[str, int] = {}
        seed = ""
        for name, value in self.table(where, written).items():
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

    def _expect(self, where: str, written: Any, codes: set[str]) -> Mapping[str, Any]:
        table = self.table(where, written)
        for name in ("complaints", "refused"):
            for code, listed in self.table(f"{where}.{name}", table.get(name, {})).items():
                self.texts(f"{where}.{name}.{code}", listed)
                if name == "complaints":  # a company that is refused something may be nobody's: the run tells
                    self.check_player(f"{where}.{name}.{code}", code, codes)
        for name in ("events", "no_events"):
            for each in self.tables(f"{where}.{name}", table.get(name, [])):
                if not isinstance(each.get("kind"), str):
                    self.faults.append(f"{where}.{name}: {json.dumps(each, default=str)} has no kind")
        for kind, listed in self.table(f"{where}.exactly", table.get("exactly", {})).items():
            self.tables(f"{where}.exactly.{kind}", listed)
        if "standings" in table:
            self.texts(f"{where}.standings", table["standings"])
        if "fault" in table:
            self.text(f"{where}.fault", table["fault"])
        return table

    def _paragraphs(self, value: Any, known: tuple[str, ...]) -> tuple[str, ...]:
        """Return the paragraphs; *known*: those of the rules, none where the game does not tell them."""
        named = self.texts("paragraphs", value)
        for name in named:
            if known and not is_paragraph(name, known):
                self.faults.append(f"paragraphs: the rules have no {name!r} ({suggestion(name, known)})")
        return named


def _spread(name: str, value: Any) -> list[tuple[str, Any]]:
    """Return the throws of an entry: a list stands for several, numbered from 1 at ``*`` or at the end of the name."""
    if not isinstance(value, list):
        return [(name, value)]
    pattern = name if "*" in name else f"{name}/*"
    return [(pattern.replace("*", str(number)), each) for number, each in enumerate(value, start=1)]
