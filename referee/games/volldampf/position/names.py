"""Cities, links, groups and routes as people write them; reading them back gives the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from referee.games.volldampf.board.board import Board
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
