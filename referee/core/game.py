"""What a game must offer. The rooms know games by this record alone; nothing outside ``games/<name>`` knows the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from operator import attrgetter
from typing import Any, Protocol

from .dice import Dice
from .orders import Complaints, Phrases, Terms, Understood
from .picture import POSITION_ALONE, Drawing, Points, Print, Translate
from .picture.closeup import with_faults
from .telling import Tallies
from .texts import Codec
from .texts.shipped import ENGLISH, Rulebook
from .values import Faults, Fields, Numbers, Texts, Value, Words

# A price list: what a game costs and brings by its options and its board, as values that letters and pages tell in
# words.


class Price(Value):
    """A line of it. ``part``: the section it stands in, ``what``: for what; both are words that templates know.

    ``amounts`` are in the unit of their section: one, or several in order (the prizes of a race); none where the words say it
    all. ``more``: it comes on top of another price. ``names``: those of a bridge or of towns, as the board has them; ``count``:
    how many there are of what the words speak of.
    """

    part: str = ""
    what: str
    amounts: Numbers = ()
    paragraph: str
    more: bool = False
    names: Texts = ()
    count: int = 0


Prices = Iterator[Price]


def price(what: str, paragraph: str, *amounts: int, more: bool = False, names: Texts = (), count: int = 0) -> Price:
    """Return a line of the list that is in no part yet."""
    return Price(what=what, paragraph=paragraph, amounts=amounts, more=more, names=names, count=count)


def price_list(**parts: Iterable[Price]) -> tuple[Price, ...]:
    """Return the list with its lines in their parts."""
    return tuple(each.but(part=part) for part, lines in parts.items() for each in lines)


Option = str | int | bool

TOGETHER = "together"  # everybody's orders for the whole turn
ONE_BY_ONE = "one-by-one"  # one player after the other is asked
PACES = (TOGETHER, ONE_BY_ONE)


class Player(Value, kw_only=False):
    """Who plays: ``code`` names the player in the game (``GSW``), ``colour`` paints it, ``name`` is the person's,
    ``company`` the full name of the railway. Where a game gives each player two sides, ``second_…`` names the other one.
    Addresses are the club's business, never the game's."""

    code: str
    colour: str
    name: str
    company: str = ""
    second_code: str = ""
    second_colour: str = ""
    second_company: str = ""


class Setup(Value):
    """All that is agreed before a game: fixed at its start and kept with it, the text of the board too.

    ``position`` is the table of a typed-in position as JSON: the game begins there instead of at its opening.
    """

    game: str
    board_name: str
    board: str
    preset: str
    options: tuple[tuple[str, Option], ...]
    players: tuple[Player, ...]
    pace: str = TOGETHER
    position: str = ""

    @property
    def codes(self) -> Texts:
        """By what all sides are called: players or companies, a player's second one behind the first."""
        return tuple(code for player in self.players for code in (player.code, player.second_code) if code)

    @property
    def map_hash(self) -> str:
        """The SHA-256 of what throws are read on: the board's text, and a typed-in position behind it."""
        return sha256((self.board + self.position).encode()).hexdigest()


class Awaited(Value):
    """A player who owes orders, and for what (a word the templates know: ``build``, ``race``)."""

    player: str
    what: str


Changes = Mapping[type, Callable[[Any, Any], Any]]  # by kind of event what returns the position after it


class Outcome(Value):
    """A position and how it came about: ``state`` is the fold of ``events`` over the position before (a test asserts it)."""

    state: Any
    events: tuple[Any, ...]


class Forecast(Value):
    """What a player's orders would do on today's board if nobody else moved.

    ``lines`` are the orders in canonical form, one for each order; ``told`` is what the game's own template
    (``forecast.txt.j2``) shows; ``complaints`` what is wrong with them today.
    """

    lines: Texts
    told: Fields
    complaints: Complaints


class Survey(Value):
    """A board without faults: what is on it in one line, and a sentence for everything its maker may look at again."""

    contents: str
    remarks: Texts


class Atlas(Value):
    """What a game offers to those who make its boards."""

    read: Callable[[str, str], Any]
    """(text, file name): the board. Raises MapError."""

    summary: Callable[[Any], str]
    """(board): what is on it, in one line."""

    remarks: Callable[[Any], Texts]
    """(board): what its maker may look at again."""

    draw: Callable[[Any], Drawing]
    """(board): its picture before a game."""

    sheet: Callable[[int, int, str, str], str]
    """(columns, rows, id, title): the text of an empty board, with a word on every section."""

    largest: tuple[int, int]
    """The most columns and rows of a sheet."""

    draft: Callable[[str, str], tuple[Any, Faults]] | None = None
    """(text, file name): an unfinished board as far as it can be read, and its faults. Raises MapError where nothing can be."""

    spots: Callable[[Any, str], Points] = lambda board, words: ()
    """(board, the sentence of a fault): where on the picture that lies which it names."""

    format: str = ""
    """What the field ``format`` of its board files says: by it a file is known to be of this game."""

    unit: str = "hexes"
    """What columns and rows of a sheet count."""

    missing: Callable[[Any], Texts] = lambda board: ()
    """(unfinished board): what no game can begin without."""

    kit: Callable[[], Fields] | None = None
    """What the map desk checks a board file by; None: it has none for this game."""

    def survey(self, text: str, file: str) -> Survey:
        """Return what is on a board file, and what its maker may look at again. Raises MapError."""
        board = self.read(text, file)
        return Survey(contents=self.summary(board), remarks=self.remarks(board))

    def drawing(self, text: str, file: str) -> Drawing:
        """Return the picture of a board file. Raises MapError."""
        return self.draw(self.read(text, file))

    def drawing_of_draft(self, text: str, file: str) -> tuple[Drawing, Faults]:
        """Return the picture of a board file, its faults marked, and the faults. Raises MapError where nothing can be drawn."""
        if not self.draft:
            return self.drawing(text, file), ()
        board, faults = self.draft(text, file)
        drawn = self.draw(board)
        return (with_faults(drawn, faults, partial(self.spots, board)) if faults else drawn), faults


class Draws(Protocol):
    """Draws a position for readers of one language."""

    def __call__(self, state: Any, translate: Translate = str, show: Print = POSITION_ALONE) -> Drawing:
        """Return the board with its words in the language of *translate*; English without it."""


class Game(Value):
    """One game's rules as a record of pure functions.

    A *player* is named by ``Player.code``. States, events and orders are the game's own frozen values; the rooms pass them
    on without looking inside, and store them through ``encode`` and ``decode``.
    """

    name: str  # the folder of its rules, templates and orders
    title: str
    rules: int  # version; raised with each change of outcome, stored with each turn
    players: tuple[int, int]  # fewest and most
    colours: Texts
    presets: Mapping[str, Mapping[str, Option]]
    default_preset: str

    boards: Callable[[], Texts]
    """The names of the maps that come with the game."""

    board_text: Callable[[str], str]
    """The text of one of them. Raises ConfigError."""

    check_board: Callable[[str, str], object]
    """(text, file name): raises MapError with every fault."""

    lay_out: Callable[[Setup], Any]
    """The position before the first event. The board's text is a map, or a scenario's ``[sketch]`` table as JSON.
    Raises OptionError, MapError."""

    start: Callable[[Any, Dice], Outcome]
    """(state, dice): the opening: first rolls, whatever is drawn at the start; or the position that the setup brings.
    Raises PositionError, OptionError where what was agreed cannot be played on the board."""

    place: Callable[[Any, Fields], Any]
    """(state, table): the position with what the table says; the rest stays as it is. Raises PositionError."""

    facts: Callable[[Any], Fields]
    """The position as such a table, its values in one canonical form: ``place`` of it changes nothing. Holds ``balances``, and
    ``scores`` where places go by them."""

    changes: Changes
    """The dataclasses of all events, each with (event, state): the position after it. Each has a ``paragraph`` of the rules."""

    codec: Codec
    """Writes and reads states, events and orders."""

    awaiting: Callable[[Any], tuple[Awaited, ...]]
    """Who owes orders; empty when the game is over."""

    lexicon: Callable[[Any], Terms]
    """Every name that may stand in an order: towns, hexes, companies."""

    understand: Callable[[Any, str, Phrases], Understood]
    """(state, player, phrases): phrases to orders; never raises for what a player wrote."""

    forecast: Callable[[Any, str, tuple[Any, ...]], Forecast]
    """(state, player, orders): reveals nothing of anybody else's orders."""

    adjudicate: Callable[[Any, Mapping[str, tuple[Any, ...]], Dice], Outcome]
    """(state, orders by player, dice): one turn. A player without orders is missing from the mapping."""

    view: Callable[[Any, str | None], Fields]
    """(state, player or None for everybody): what may be seen, as plain JSON values: the only door to templates."""

    story: Callable[[Any, tuple[Any, ...], str | None], Fields]
    """(state after, events, reader): the turn as values for ``newsletter.txt.j2``, in the order of telling."""

    drawing: Draws
    """The board as shapes, its words translated."""

    about: Callable[[Any], tuple[Any, ...]] = lambda order: (type(order),)
    """(order): what it decides, such as one roll or one race; orders that decide the same cannot stand beside each other, but for
    those that play a card each."""

    chart: Callable[[Any, Translate], Drawing | None] = lambda state, translate: None
    """(state, translate): how the players have fared so far; None where there is nothing to be shown."""

    film: Callable[[Any, tuple[Any, ...]], Fields] = lambda state, events: {}
    """(state after, events): what moved in a turn, and where on the drawing, as plain JSON values: ``laid`` in order, each {code,
    colour, from, to}; ``races``, each {number, from, to, trains}, a train {code, colour, way, moves, place}, a move
    {round, throw, at}: the dice, and to which point of its way they brought it; ``trips`` of what is carried, each {code, colour,
    cube, from, to, way}, *cube* the colour of what is. Only what everybody may know."""

    desk: Callable[[Any], Fields] = lambda state: {}
    """(state): the position as the script of its order desk reads it (``templates/desk/NAME.js``), as plain JSON values, the same
    for all players: only what everybody may know. {}: a plain desk, made from examples of its orders."""

    board_title: Callable[[Any], str] = attrgetter("board.title")
    """What the board calls itself, "" where it has no name but that of its file."""

    turn: Callable[[Any], int] = attrgetter("turn")
    """The number of the turn whose orders are awaited, from 1; also the number in players' letters."""

    rulebook: Callable[[str], Rulebook | None] = lambda language: None
    """(language): its rules for players, in English where there are none in that language; None where it has none."""

    prices: Callable[[Setup], tuple[Price, ...]] = lambda setup: ()
    """What everything costs and brings by options and board, in the order of telling: for letters, the board's legend and pages.
    Raises OptionError, MapError."""

    atlas: Atlas | None = None
    """What the game offers to mapmakers."""

    summary: Callable[[Any, tuple[Any, ...]], Fields] = lambda state, events: {}
    """(state, events): of a game that is over, with the events of all its turns: statistics for the last newsletter."""

    examples: Callable[[Any, str], Words] = lambda state, player: {}
    """(state, player): by verb, a line that could stand in the player's orders in this position; other verbs are shown by the
    examples of the order language."""

    tallies: Callable[[Any, str | None], Tallies] = lambda state, reader: {}
    """(state, reader): what of the position a corrected newsletter lists where it is not what was told before; the reader may see
    it all. Each part has a word in ``[tally]`` of ``words.toml``."""

    adjustable: Mapping[str, str] = {}
    """What the umpire may change by a ruling (``core.record``): the umpire's words, and the keys of ``facts`` that they mean. A
    game that has any has ``Ruled`` among its events."""

    takes_press: Callable[[Any], bool] = lambda state: True
    """(state): whether players may speak to each other through the newsletter in this game."""

    has_secrets: bool = False
    """Whether players hold cards or make bids that others must not see: seeds, orders and events then leave the club's
    folder only when the game is over."""

    tells_all_alike: bool = False
    """Whether view and story of a turn are the same for everybody; the story of the opening may be another for each."""

    needs_typed: Callable[[Any], Texts] = lambda state: ()
    """(state): how the names of those throws begin (``rolls/``) that nothing but the umpire's own dice may make: a turn that
    asks for one waits until it is typed. Seeds make all others, unless the umpire types them."""

    @property
    def event_kinds(self) -> tuple[type[Value], ...]:
        """The dataclasses of all events."""
        return tuple(self.changes)

    def paragraphs(self) -> Texts:
        """Return what its paragraphs and rulings are called, which a scenario may name; none: it may name anything."""
        book = self.rulebook(ENGLISH)
        told = (*book.paragraphs, *book.rulings) if book else ()
        return tuple(name for each in told for name in (each.number, *each.also))

    def apply(self, state: Any, event: Any) -> Any:
        """Return the position after an event."""
        return self.changes[type(event)](event, state)

    def encode(self, value: Any) -> str:
        """Return a state, event, order, or a tuple of them, as JSON: the same bytes on every interpreter."""
        return self.codec.encode(value)

    def decode(self, text: str, setup: Setup) -> Any:
        """Return a value written by ``encode``; a state gets what is not saved (its board, its options) from the setup."""
        opening = self.lay_out(setup)
        return self.codec.decode(text, {name: getattr(opening, name) for name in opening.unstored})
