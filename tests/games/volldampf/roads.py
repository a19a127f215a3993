"""Small boards of named cities for the tests of phases 6 and 7, with the links that are built on them.

A city's id is the first three letters of its name, in capitals; all links are printed purple for 5 marks.
"""

from collections.abc import Mapping
from typing import Any

from referee.core import Fields, Texts
from referee.core.game import Player
from referee.games.volldampf.board import ACTION_CARDS, CUBE_COLOURS, Board, City, Link, LinkColour, Numbers, link_id
from referee.games.volldampf.options import Options
from referee.games.volldampf.state import Delivery, Kept, Order, State, Table

CODES = ("ANN", "BOB", "CID", "DOT")
NUMBERS = Numbers(
    sections=12, group_size=3, rounds=4, setup_cards=2, round_cards=2, remove_per_colour=0, remove_random=0
)


def city(name: str) -> str:
    """Return the id of a city."""
    return name[:3].upper()


def cities(names: str) -> Texts:
    """Return the ids of ``Aachen Bonn`` or ``Aachen-Bonn``."""
    return tuple(city(name) for name in names.replace("-", " ").split())


def scene(
    places: Mapping[str, str],
    built: Mapping[str, str],
    *,
    cubes: Mapping[str, str] | None = None,
    actions: Mapping[str, Texts] | None = None,
    standing: Mapping[str, tuple[Order, ...]] | None = None,
    options: Fields | None = None,
    printed: str = "",
    players: int = 4,
    **changes: Any,
) -> State:
    """Return a position of round 2. *places*: cities by colour; *built*: chains of links by owner, ``"Aachen-Bonn-Celle"``.

    *cubes*: colours by city; *standing*: kept orders; *printed*: chains of links that nobody has built.
    """
    codes = CODES[:players]
    owners = {link_id(*ends): code for code, chains in built.items() for ends in _links(chains)}
    table = Table(
        board=_board(places, tuple(owners), tuple(link_id(*ends) for ends in _links(printed))),
        options=Options(**(options or {})),
        players=tuple(Player(code=code, colour="red", name=code.title()) for code in codes),
    )
    lying = {city(name): tuple(colours.split()) for name, colours in (cubes or {}).items()}
    state = State(
        table=table,
        round=2,
        order=codes,
        cash=dict.fromkeys(codes, 10),
        bonds=dict.fromkeys(codes, 0),
        income=dict.fromkeys(codes, 0),
        built=owners,
        cubes=lying,
        bag=dict.fromkeys(CUBE_COLOURS, 5),
        actions={code: (actions or {}).get(code, ()) for code in codes},
        action_pile=dict.fromkeys(ACTION_CARDS, 2),
        action_discards=dict.fromkeys(ACTION_CARDS, 0),
        kept=tuple(Kept(player=code, order=order) for code, orders in (standing or {}).items() for order in orders),
    )
    return state.but(**changes)


def delivery(text: str, *, loks: int = 0, route: str = "") -> Delivery:
    """Return ``"blue Aachen Celle"``, over *route* (``"Aachen-Bonn-Celle"``) if one is given."""
    colour, origin, goal = text.split()
    return Delivery(colour=colour, origin=city(origin), goal=city(goal), route=cities(route), loks=loks)


def _links(chains: str) -> list[tuple[str, str]]:
    named = [cities(chain) for chain in chains.split()]
    return [(chain[place], chain[place + 1]) for chain in named for place in range(len(chain) - 1)]


def _board(places: Mapping[str, str], built: Texts, printed: Texts) -> Board:
    named = tuple(City(id=city(name), name=name, colour=colour) for colour in places for name in places[colour].split())
    links = tuple(Link(a=link[:3], b=link[4:], colour="purple", cost=5) for link in dict.fromkeys((*built, *printed)))
    return Board(
        id="roads",
        title="Roads",
        cities=named,
        colours=(LinkColour(id="purple", symbol="circle", code="C"),),
        links=links,
        merchandise=(),
        numbers=dict.fromkeys((2, 3, 4), NUMBERS),
    )
