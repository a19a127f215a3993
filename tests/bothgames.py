"""A game of each kind in one club, as it begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.service.club.positions import Position
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Proposal, parse_player
from tests.posthouse import PostHouse

BOARDS = {"dampfross": "ireland", "volldampf": "deutschland-1925"}


def begun_games(house: PostHouse, seats: Mapping[str, Sequence[str]]) -> Mapping[str, Position]:
    """Begin a game of each kind with these players, and return their positions by the games' names."""
    found = {}
    for kind, board in BOARDS.items():
        proposal = Proposal(kind=kind, board=board, players=tuple(map(parse_player, seats[kind])))
        found[kind] = house.position(new_game(house.club, proposal))
    return found
