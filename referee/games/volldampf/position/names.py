"""Cities, links, groups and routes as people write them; reading them back gives the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from operator import attrgetter

from referee.core.orders import Term
from referee.games.volldampf.board.board import CUBE_COLOURS, Board
from referee.games.volldampf.position.state import State

DASH = "-"
PLUS = "+"
LISTED = ", "


def city_name(board: Board, code: str) -> str:
    """Return a city's name."""
    return board.city(code).name


def city_names(board: Board, codes: Iterable[str]) -> str:
    """Return ``Hamburg, Köln``."""
    return LISTED.join(city_name(board, code) for code in codes)


def way_name(board: Board, codes: Iterable[str]) -> str:
    """Return cities one after the other, linked or not: ``Magdeburg-Leipzig-Erfurt``."""
    return DASH.join(city_name(board, code) for code in codes)


def group_name(colours: Iterable[str]) -> str:
    """Return track cards as orders write them: ``green+pink``."""
    return PLUS.join(colours)


def links_from(board: Board, code: str) -> str:
    """Return the links that begin in a city, in the order of the file: ``Hamburg-Bremen, Hamburg-Berlin``."""
    return LISTED.join(way_name(board, (code, other)) for other in board.neighbours(code))


def near_links(board: Board, one: str, other: str, most: int = 4) -> str:
    """Return the ways of two links between two cities that no link joins, else the links of the first: what may be meant."""
    between = [city for city in board.neighbours(one) if city in board.neighbours(other)]
    if between:
        return LISTED.join(way_name(board, (one, city, other)) for city in between[:most])
    return links_from(board, one)


def gaps(board: Board, codes: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the steps of a route that no printed link makes."""
    return tuple((here, there) for here, there in pairwise(codes) if board.link(here, there) is None)


def sections_of(state: State, route: tuple[str, ...]) -> Mapping[str, int]:
    """Return how many sections of each owner a route uses, in the order in which they first come; open links are left out."""
    owners: dict[str, int] = {}
    for here, there in pairwise(route):
        link = state.table.board.link(here, there)
        owner = state.built.get(link.id, "") if link is not None else ""
        if owner:
            owners[owner] = owners.get(owner, 0) + 1
    return owners


def player_name(state: State, code: str) -> str:
    """Return how a player is called in orders: by name, or by code where another player's name or code is the same."""
    name = state.table.player(code).name
    rivals = (player for player in state.table.players if player.code != code)
    others = [word.casefold() for rival in rivals for word in (rival.code, rival.name, rival.company)]
    return name if name and name.casefold() not in others else code


# Every name that may stand in an order.

PLACE, TRACK, CUBE, PLAYER = "PLACE", "TRACK", "CUBE", "PLAYER"

# How players of the three languages of the rules call colours; a board may have others, which go by their ids alone.
_ALSO = {
    "purple": ("lila", "purpur", "pourpre", "paars"),
    "green": ("grün", "vert", "groen"),
    "pink": ("rosa", "rose", "roze"),
    "orange": ("oranje",),
    "brown": ("braun", "brun", "marron", "bruin"),
    "grey": ("gray", "grau", "gris", "grijs"),
    "blue": ("blau", "bleu", "blauw"),
    "violet": ("violett", "violette"),
    "red": ("rot", "rouge", "rood"),
    "yellow": ("gelb", "jaune", "geel"),
}


def lexicon(state: State) -> tuple[Term, ...]:
    """Return cities by name, id and alias, colours of links and cubes, and the players by code, name and company."""
    # Of two players who share a word the first is meant: a code goes before a name.
    players = [
        Term(kind=PLAYER, name=name, value=player.code)
        for named in (attrgetter("code"), attrgetter("name"), attrgetter("company"))
        for player in state.table.players
        if (name := named(player))
    ]
    return (*board_terms(state.table.board), *players)


def board_terms(board: Board) -> tuple[Term, ...]:
    """Return the terms of a board."""
    cities = [(PLACE, name, city.id) for city in board.cities for name in (city.name, city.id, *city.aliases) if name]
    tracks = [
        (TRACK, name, colour.id)
        for colour in board.colours
        for name in (colour.id, colour.code, colour.symbol, *_ALSO.get(colour.id, ()))
        if name
    ]
    cubes = [(CUBE, name, colour) for colour in CUBE_COLOURS for name in (colour, *_ALSO.get(colour, ()))]
    return tuple(Term(kind=kind, name=name, value=value) for kind, name, value in (*cities, *tracks, *cubes))
