"""The fields of a board file, and what a board has where its file says nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.texts.boardfields import Fields
from referee.games.volldampf.board.board import Numbers

FORMAT = "volldampf-1"
PLAYERS = range(2, 7)  # Rule: V2.2

SYMBOLS = ("circle", "octagon", "triangle", "square", "diamond", "star")
# Colours a link may have: there is paint and a word for each of them.
LINK_COLOURS = (
    "purple", "green", "pink", "orange", "brown", "grey", "red", "blue", "yellow", "black", "white", "turquoise",
)  # fmt: skip

# What the box holds. Rule: V1.2, V1.3, V2.1, V3.3.1, V3.6.2; 84 = 24 x 1 + 12 x 5.
BOX: Mapping[str, int] = {
    "max_links": 6,
    "track_cards": 8,
    "cubes": 10,
    "action_cards": 2,
    "bond_points": 84,
    "start_money": 10,
    "bond_money": 6,
}
# Rule: V2.2, V2.4, V2.6, V3, V3.1.1, V3.2.1
NUMBERS: Mapping[int, Numbers] = {
    count: Numbers(
        sections=sections,
        group_size=group_size,
        rounds=rounds,
        setup_cards=setup_cards,
        round_cards=round_cards,
        remove_per_colour=per_colour,
        remove_random=at_random,
    )
    for count, sections, group_size, rounds, setup_cards, round_cards, per_colour, at_random in (
        (2, 18, 3, 6, 5, 1, 2, 0),
        (3, 15, 3, 5, 4, 2, 0, 3),
        (4, 12, 3, 4, 2, 2, 0, 0),
        (5, 8, 2, 4, 1, 3, 1, 2),
        (6, 8, 2, 4, 1, 4, 0, 0),
    )
}

TOP: Fields = {
    "format": ("line", True),
    "id": ("line", True),
    "title": ("line", True),
    "note": ("line", False),
    **dict.fromkeys(BOX, ("number", False)),
    "players": ("table", False),
    "city": ("tables", True),
    "colour": ("tables", True),
    "merchandise": ("table", True),
}
CITY: Fields = {
    "id": ("line", True),
    "name": ("line", True),
    "colour": ("line", True),
    "country": ("line", False),
    "aliases": ("lines", False),
    "at": ("counts", False),
    "lat": ("degrees", False),
    "lon": ("degrees", False),
    "board_lat": ("degrees", False),
    "board_lon": ("degrees", False),
}
COLOUR: Fields = {
    "id": ("line", True),
    "symbol": ("line", True),
    "code": ("line", True),
    "region": ("line", False),
    "links": ("text", True),
}
MERCHANDISE: Fields = {"cards": ("text", True)}
PLAYER_NUMBERS: Fields = {
    "sections": ("number", False),
    "group_size": ("number", False),
    "rounds": ("number", False),
    "setup_cards": ("count", False),
    "round_cards": ("count", False),
    "remove_per_colour": ("count", False),
    "remove_random": ("count", False),
}
