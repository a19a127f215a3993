"""Every name that may stand in an order."""

from __future__ import annotations

from operator import attrgetter

from referee.core.orders import Term
from referee.games.volldampf.board.board import CUBE_COLOURS, Board
from referee.games.volldampf.position.state import State

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
