"""The order desks of a game on the club's pages: that of the awaited turn, and in the places of earlier ones where it is."""

from __future__ import annotations

from referee.service.club.club import Club
from referee.service.post.orderdesk import desk_place, old_desk, order_desk
from referee.service.site.folder import Files
from referee.service.site.games import Shown


def desk_files(club: Club, game: Shown) -> Files:
    """Return the desk of the awaited turn, and a word in the place of each that was played."""
    name, language = game.row.id, club.config.language
    awaited = 0 if game.is_over else game.rules.turn(game.position.state)
    made = {
        desk_place(name, each.turn): old_desk(club, name, each.turn, awaited, language)
        for each in game.told
        if each.turn != awaited
    }
    return made | (
        {desk_place(name, awaited): order_desk(club, game.position, language, game.players)} if awaited else {}
    )
