"""Games as they stand: rows of the store brought back to the values of their rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec import field

from referee.cache import NOTHING_KEPT, Cache
from referee.core import (
    N_,
    Complaint,
    Complaints,
    ConfigError,
    Keeper,
    Mutable,
    NotFound,
    Pair,
    PositionError,
    Texts,
    Value,
    View,
)
from referee.core.game import ONE_BY_ONE, Game, Setup
from referee.core.game import Player as Seat
from referee.core.record import Change, Ruled
from referee.core.texts import Codec, canonical
from referee.games import game_named
from referee.orderbook import OrderLanguage, tables_of
from referee.reader.wire import GameInPlay, Language, Stand
from referee.report.sentences import stamp
from referee.resources import order_texts, own_verbs, text_from_outside
from referee.store import ActRow, Database, GameRow, PlayerRow, acts_for, games

# Order languages as a club speaks them: the shipped one of each game, with the umpire's own words laid over it.

ORDERS = "orders"  # the folder in the club's


class OrderLanguages(Mutable, kw_only=False):
    """The order languages of one club; ``folder`` holds the umpire's own words: what is changed there is heard with the next
    letter. ``cache``: where tables of parsers are kept.
    """

    folder: Path
    cache: Cache = NOTHING_KEPT
    _made: dict[str, tuple[object, Language]] = field(default_factory=dict)

    def of(self, kind: str) -> OrderLanguage:
        """Return the order language of a game. Raises ConfigError: a file of the umpire's is wrong."""
        return _make_language(self.texts(kind))

    def texts(self, kind: str) -> Language:
        """Return its texts, as they are told to the process that reads letters. Raises ConfigError as ``of``."""
        places = own_verbs(kind, self.folder)
        stamps = tuple(stamp(place) for place in places)
        known = self._made.get(kind)
        if known is None or known[0] != stamps:
            there = [place for place, found in zip(places, stamps, strict=True) if found]
            own = tuple((str(place), _text(place)) for place in there)
            language = Language(**order_texts(kind), parser=_parser(kind, self.cache), own=own)
            if there:
                _make_language(language)  # is it one?
            known = self._made[kind] = (stamps, language)
        return known[1]


_PARSERS: dict[str, bytes] = {}


def _parser(kind: str, cache: Cache) -> bytes:
    """Return the tables of a game's parser."""
    if kind not in _PARSERS:
        _PARSERS[kind] = tables_of(order_texts(kind)["grammar"], cache, _lark())
    return _PARSERS[kind]


def _lark() -> str:
    """Return which lark there is, without loading it: where it lies, and when it was put there."""
    spec = find_spec("lark")
    origin = spec.origin if spec else None
    return f"{origin} {stamp(Path(origin))}" if origin else ""


@lru_cache(maxsize=8)
def _make_language(language: Language) -> OrderLanguage:
    return OrderLanguage.with_own((language.common, language.verbs), language.grammar, language.own, language.parser)


def _text(place: Path) -> str:
    try:
        return text_from_outside(place)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{place} cannot be read: {error}") from error


# The umpire's rulings and notes for a turn, out of the log of acts: those that were not taken back.

Rulings = tuple[Ruled, ...]

ADJUST, NOTE, WITHDRAW = "adjust", "note", "withdraw"  # kinds of acts
_CHANGE = ("key", "name", "how", "value")


def rulings_for(db: Database, game: str, turn: int) -> Rulings:
    """Return the rulings with which a turn is to be played, in their order."""
    return rulings_of(acts_for(db, game, turn, (ADJUST, WITHDRAW)))


def rulings_of(acts: Iterable[ActRow]) -> Rulings:
    """Return the rulings among the acts for a turn, in their order."""
    return tuple(ruling_of(act) for act in _standing(acts, ADJUST))


def standing(db: Database, game: str, turn: int, kind: str) -> tuple[ActRow, ...]:
    """Return the acts of a kind for a turn that were not taken back."""
    return _standing(acts_for(db, game, turn, (kind, WITHDRAW)), kind)


def _standing(acts: Iterable[ActRow], kind: str) -> tuple[ActRow, ...]:
    found = tuple(acts)
    gone = {json.loads(act.parameters)["act"] for act in found if act.kind == WITHDRAW}
    return tuple(act for act in found if act.kind == kind and act.number not in gone)


def ruling_of(act: ActRow) -> Ruled:
    """Return the ruling that an act makes."""
    changes = tuple(Change(**dict(zip(_CHANGE, each, strict=True))) for each in json.loads(act.parameters)["changes"])
    return Ruled(changes=changes, because=act.reason, paragraph=f"U{act.number}")


def parameters_of(changes: Iterable[Change]) -> View:
    """Return what an act keeps of a ruling."""
    return {"changes": [[getattr(change, name) for name in _CHANGE] for change in changes]}


def apply_rulings(rules: Game, state: Any, rulings: Iterable[Ruled]) -> tuple[Any, Rulings]:
    """Return the position after rulings, and those of them that fit: one that no longer does, because a turn before it came out
    otherwise, changes nothing.
    """
    fitting = []
    for each in rulings:
        try:
            state = rules.apply(state, each)
        except PositionError:
            continue
        fitting.append(each)
    return state, tuple(fitting)


OPENING = 0  # the number of the turn before all orders
GAMES = 32  # whose setups are kept as they were read

_VALUES = Codec(Setup, Seat, Complaint)


class Position(Keeper):
    """A game in the club: its row and players, its rules, what was agreed, and the state in which orders are awaited; what
    follows from that is found once.

    ``board_title``: what people call the board. ``order_languages``: those of the club. ``stored``: a state beside its text
    in the store. ``salt_fixed``: no more salt is taken, because a turn was played since the opening, be it undone, or the opening
    was salted. ``state`` is the position after the ``rulings`` that the umpire has made for the awaited turn; ``mark`` is another
    one with each turn, each ruling and each name.
    ``stopped_because``: the umpire's words, if the umpire has stopped it. ``replaced``: since the last turn somebody has taken
    over a seat.
    """

    row: GameRow
    players: tuple[PlayerRow, ...]
    rules: Game
    setup: Setup
    state: Any
    board_title: str
    order_languages: OrderLanguages
    stored: tuple[Any, str] | None = None
    salt_fixed: bool = False
    rulings: Rulings = ()
    mark: str = ""
    stopped_because: str = ""
    replaced: bool = False

    @property
    def id(self) -> str:
        """What the game is called, as RR7."""
        return self.row.id

    @cached_property
    def order_language(self) -> OrderLanguage:
        """The game's order language. Raises ConfigError: a file of the umpire's is wrong."""
        return self.order_languages.of(self.rules.name)

    @cached_property
    def awaited(self) -> Texts:
        """The codes of the players who owe orders, each once."""
        return tuple(dict.fromkeys(each.player for each in self.rules.awaiting(self.state)))

    @cached_property
    def asked(self) -> Texts:
        """The codes of those whose turn it is, where one player after the other is asked, for this decision or for all of them;
        empty where everybody is asked.
        """
        alone = self.setup.pace == ONE_BY_ONE or len(self.awaited) < len(self.players)
        return self.awaited if alone else ()

    @cached_property
    def in_play(self) -> GameInPlay:
        """The game as the process that reads letters knows it. Raises ConfigError: a file of words of the umpire's is wrong."""
        row, language = self.row, self.order_languages.texts(self.rules.name)
        # The state's text in the store need not be made again, but fits no other state.
        state, text = self.stored or (None, "")
        stand = Stand(
            id=row.id,
            turn=row.turn,
            asked=self.asked,
            salt_fixed=self.salt_fixed,
            setup=self.setup,
            state=text if state is self.state else self.rules.encode(self.state),
            language=language.key,
        )
        return GameInPlay(stand=stand, language=language)

    def decode(self, text: str) -> Any:
        """Return what is stored of the game: a state, orders or events."""
        return self.rules.decode(text, self.setup)

    def may_order(self, code: str) -> bool:
        """Return whether orders of that player are taken now."""
        return not self.asked or code in self.asked

    def player(self, code: str) -> PlayerRow:
        """Return the player of that code, or of that name if it is one player's alone; capitals do not matter.

        Raises:
            NotFound: the game has none.
        """
        found = games.seat_among(self.players, code)
        called = [each for each in self.players if each.name.casefold() == code.casefold()]
        if not found and len(called) != 1:
            named = ", ".join(f"{each.code}: {each.name}" for each in self.players)
            raise NotFound(
                N_("there is no player {code} in {game} (there is {known})"), code=code, game=self.row.id, known=named
            )
        return found or called[0]


class _Known(Value):
    mark: str
    state: Any
    rulings: Rulings
    title: str


class Positions(Mutable, kw_only=False):
    """Remembers each game's last decoded state, because every letter needs it and decoding takes a while."""

    order_languages: OrderLanguages
    _known: dict[str, _Known] = field(default_factory=dict)

    def of(self, db: Database, row: GameRow, players: tuple[PlayerRow, ...] | None = None) -> Position:
        """Return the position of a game; *players*: as they shall be known to its readers, else by the names they have."""
        rules = game_named(row.kind)
        players = veil(row, games.players(db, row.id)) if players is None else players
        setup = _with_names(row.setup, tuple((each.code, each.name) for each in players))
        last = games.last_turn(db, row.id)
        acts = acts_for(db, row.id, row.turn, (ADJUST, WITHDRAW, "hold", "resume", "replace"))
        made = rulings_of(acts)
        mark = "".join((last.hash, *(each.paragraph for each in made), *(seat.name for seat in setup.players)))
        known = self._known.get(row.id)
        if not known or known.mark != mark:
            state, rulings = apply_rulings(rules, rules.decode(last.state, setup), made)
            known = _Known(mark=mark, state=state, rulings=rulings, title=title_of_board(rules, setup, state))
            self._known[row.id] = known
        return Position(
            row=row,
            players=players,
            rules=rules,
            setup=setup,
            state=known.state,
            board_title=known.title,
            order_languages=self.order_languages,
            stored=None if known.rulings else (known.state, last.state),
            salt_fixed=bool(last.salts) or games.furthest_turn(db, row.id) > OPENING,
            rulings=known.rulings,
            mark=mark,
            stopped_because=_why_stopped(acts) if row.stopped_at else "",
            replaced=any(act.kind == "replace" for act in acts),
        )


def _why_stopped(acts: Sequence[ActRow]) -> str:
    """Return the umpire's words where it was the umpire who stopped the game, and not a policy of its own."""
    last = [act for act in acts if act.kind in ("hold", "resume")][-1:]
    return "".join(act.reason for act in last if act.kind == "hold")


def veil(row: GameRow, players: tuple[PlayerRow, ...]) -> tuple[PlayerRow, ...]:
    """Return a game's players as others may know them: in an anonymous one, until it is over, by their companies alone."""
    if row.is_over or not row.anonymous:
        return players
    return tuple(each.but(name=each.company or each.code) for each in players)


def title_of_board(rules: Game, setup: Setup, state: Any) -> str:
    """Return the title that a game shows of its board, else the name of the board's file."""
    return rules.board_title(state) or setup.board_name


@lru_cache(maxsize=GAMES)
def _with_names(text: str, players: tuple[Pair, ...]) -> Setup:
    """Return what was agreed, written as *text*, with the names of those who have the seats now (by their codes): no name is part
    of what is stored of a turn.
    """
    setup, names = parse_setup(text), dict(players)
    return setup.but(players=tuple(seat.but(name=names.get(seat.code, seat.name)) for seat in setup.players))


def format_setup(setup: Setup) -> str:
    """Return a setup as JSON."""
    return _VALUES.encode(setup)


def parse_setup(text: str) -> Setup:
    """Return the setup written by ``format_setup``."""
    setup = _VALUES.decode(text)
    assert isinstance(setup, Setup)
    return setup


def format_complaints(complaints: Complaints) -> str:
    """Return complaints as JSON."""
    return _VALUES.encode(complaints)


def parse_complaints(text: str) -> Complaints:
    """Return the complaints written by ``format_complaints``."""
    return tuple(_VALUES.decode(text))


def format_orders(rules: Game, orders: Mapping[str, tuple[Any, ...]]) -> str:
    """Return everybody's orders as they are adjudicated, as JSON: the same bytes for the same orders."""
    return canonical({code: json.loads(rules.encode(orders[code])) for code in orders})


def parse_orders(rules: Game, text: str, setup: Setup) -> dict[str, tuple[Any, ...]]:
    """Return the orders written by ``format_orders``, in order of play as they were adjudicated."""
    plain = json.loads(text)
    seats = [player.code for player in setup.players]
    codes = [code for code in seats if code in plain] + [code for code in plain if code not in seats]
    return {code: rules.decode(json.dumps(plain[code]), setup) for code in codes}
