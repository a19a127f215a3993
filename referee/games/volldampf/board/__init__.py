"""The board: a board file or a sketch comes in, a frozen ``Board`` goes out, or every fault with its line."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from referee.core import Keeper, MapError, Texts, Value
from referee.core.texts.shipped import shipped_form, shipped_table

Codes = Texts  # of cities, players or colours, in an order that counts

CUBE_COLOURS = ("blue", "violet", "red", "yellow")  # also the order in which cubes are counted and named. Rule: V1.3
HOME_COLOURS = ("blue", "violet")  # of German cities; the others lie abroad. Rule: V1.1

LOK, SUBVENTION, BARGAIN, SABOTAGE, EXTRA, REARRANGE, PLANNING = (
    "Schnelle Lok",
    "Subvention",
    "Günstige Gelegenheit",
    "Sabotage",
    "Zusatzfracht",
    "Alles neu",
    "Neue Planung",
)
ACTION_CARDS = (LOK, SUBVENTION, BARGAIN, SABOTAGE, EXTRA, REARRANGE, PLANNING)  # also their order. Rule: V4


class City(Value):
    """A city or a space abroad. ``id``: three capitals, unique. ``at``: drawn here, in board units (x to the right, y down).

    ``colour`` is that of the cubes it takes, one of ``CUBE_COLOURS``.
    """

    id: str
    name: str
    colour: str
    at: tuple[int, int] = (0, 0)
    country: str = "DE"
    aliases: Codes = ()

    @property
    def is_home(self) -> bool:
        """Whether the city gets a cube at the start. Rule: V2.6."""
        return self.colour in HOME_COLOURS


class LinkColour(Value):
    """A colour of links and of track cards; ``code`` is its letter in orders and on text maps. Rule: V1.1."""

    id: str
    symbol: str  # circle, octagon, triangle, square, diamond, star
    code: str
    region: str = ""


class Link(Value):
    """A printed link between two cities: room for one section. ``cost`` in marks. Rule: V1.1, V3.5.1."""

    a: str
    b: str
    colour: str
    cost: int

    @property
    def id(self) -> str:
        """Both cities' ids in order of the alphabet: ``HAM-HAN``."""
        return link_id(self.a, self.b)


class Merchandise(Value):
    """A merchandise card: ``cities`` by id, in printed order. Rule: V1.2."""

    number: int
    cities: Codes


class Numbers(Value):
    """What depends on the number of players. Rule: V2.2, V2.4, V2.6, V3, V3.1.1, V3.2.1."""

    sections: int
    group_size: int
    rounds: int
    setup_cards: int
    round_cards: int
    remove_per_colour: int
    remove_random: int


class Board(Keeper, eq=False):
    """A board and the box that belongs to it. Everything keeps the order of the file."""

    id: str
    title: str
    cities: tuple[City, ...]
    colours: tuple[LinkColour, ...]
    links: tuple[Link, ...]
    merchandise: tuple[Merchandise, ...]
    numbers: Mapping[int, Numbers]  # by number of players
    max_links: int = 6  # of one delivery. Rule: V3.6.2
    track_cards: int = 8  # of each colour
    cubes: int = 10  # of each colour
    action_cards: int = 2  # of each kind
    bond_points: int = 84  # in the box; a limit only with option bank_limits
    start_money: int = 10
    bond_money: int = 6

    @cached_property
    def _cities(self) -> Mapping[str, City]:
        return {city.id: city for city in self.cities}

    @cached_property
    def _links(self) -> Mapping[str, Link]:
        return {link.id: link for link in self.links}

    @cached_property
    def _around(self) -> Mapping[str, Codes]:
        around: dict[str, Codes] = {city.id: () for city in self.cities}
        for link in self.links:
            around[link.a] = (*around.get(link.a, ()), link.b)
            around[link.b] = (*around.get(link.b, ()), link.a)
        return around

    def city(self, code: str) -> City:
        """Return a city by its id. Raises KeyError."""
        return self._cities[code]

    def name(self, code: str) -> str:
        """Return the name of a city. Raises KeyError."""
        return self._cities[code].name

    def link(self, a: str, b: str) -> Link | None:
        """Return the link between two cities, in either direction; None where there is none."""
        return self._links.get(link_id(a, b))

    def link_by_id(self, code: str) -> Link:
        """Return a link by its id. Raises KeyError."""
        return self._links[code]

    def neighbours(self, city: str) -> Codes:
        """Return the cities that a link joins to this one, in the order of the links in the file."""
        return self._around[city]

    def link_name(self, code: str) -> str:
        """Return ``Hamburg-Hannover`` for ``HAM-HAN``, in the printed order of its ends."""
        link = self._links[code]
        return f"{self.name(link.a)}-{self.name(link.b)}"

    @property
    def colour_ids(self) -> Codes:
        """The colours of links in the order of the file: the "colour order". Rule: R6."""
        return tuple(colour.id for colour in self.colours)


def link_id(a: str, b: str) -> str:
    """Return the id of the link between two cities."""
    return f"{min(a, b)}-{max(a, b)}"


# The format of a board file, and what a board has where its file says nothing else.

FORMAT = "volldampf-1"
PLAYERS = range(2, 7)  # Rule: V2.2

# What the box holds. Rule: V1.2, V1.3, V2.1, V3.3.1, V3.6.2; 84 = 24 x 1 + 12 x 5.
BOX = ("max_links", "track_cards", "cubes", "action_cards", "bond_points", "start_money", "bond_money")
FORM = shipped_form(__package__)
NUMBERS: Mapping[int, Numbers] = {
    int(count): Numbers(**numbers) for count, numbers in shipped_table(__package__, "numbers").items()
}


# What lasts for a game.


def check_cards(board: Board, players: int) -> None:
    """Raise MapError where a sketch has too few cards for that number of players."""
    short = [shortage(*each) for each in short_of(board, players) if each[0].endswith("cards")]
    if short:
        raise MapError(board.id, tuple((0, fault) for fault in short))


def shortage(what: str, there: int, needed: int) -> str:
    """Return the sentence about cards that do not last."""
    return f"there are {there} {what}; the rest of the game needs {needed}"


def short_of(board: Board, players: int) -> list[tuple[str, int, int]]:
    """Return (what, there, needed) of what does not last for a whole game. Rule: V8.1-V8.3, R32."""
    it = board.numbers[players]
    needs = (
        ("track cards", deck(board, it), players * it.group_size * it.rounds),
        ("track sections each", it.sections, it.group_size * it.rounds),
        ("merchandise cards", len(board.merchandise), it.setup_cards + it.rounds * it.round_cards),
    )
    return [(what, there, needed) for what, there, needed in needs if there < needed]


def deck(board: Board, numbers: Numbers) -> int:
    """Return how many track cards are played with. Rule: V2.4."""
    return len(board.colours) * (board.track_cards - numbers.remove_per_colour) - numbers.remove_random
