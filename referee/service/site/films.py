"""The film of a game: every turn with its board, its track, its races throw by throw, nothing but what newsletters tell
everybody; and, at the end, a keepsake of it for each player, one file that needs no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from markupsafe import Markup

from referee.core.errors import RefereeError
from referee.core.picture.drawing import Print, Translate, shade_of
from referee.report.desk import as_json
from referee.report.film import reel
from referee.resources import shipped
from referee.service.club import Club
from referee.service.post.attachments import desk_place, old_desk, order_desk
from referee.service.site.games import SITE, Shown, standings
from referee.service.site.publish import Files
from referee.store.rows import TurnRow

SCRIPT = "film.js"
WALL = 2480  # pixels, of a board for a wall: 210 an inch on A3


def film_values(club: Club, game: Shown) -> Iterator[dict[str, Any]]:
    """Yield what the pages of a game's film are told: that of all readers, and the keepsake of each player if it is over."""
    translate = club.stationery.translate(club.config.language)
    shot = reel([game.rules.drawing(_state(game, row), translate) for row in game.turns])
    script = shipped("templates").joinpath(SITE, SCRIPT).read_text("utf-8")
    frames = [_frame(game, row, translate) for row in game.turns]
    known = {"reel": shot, "picture": Markup(shot.svg), "script": Markup(script)}  # noqa: S704 (our own)
    for keeper in (None, *(standings(game) if game.is_over else ())):
        told = as_json({"frames": frames, "keeper": keeper["code"] if keeper else ""})
        yield {**known, "keeper": keeper, "told": told}


def _frame(game: Shown, row: TurnRow, translate: Translate) -> dict[str, Any]:
    """Return what a turn's frame shows besides its picture."""
    state = _state(game, row)
    moved = game.rules.film(state, game.rules.decode(row.events, game.position.setup))
    for race in moved.get("races", ()):
        race |= {"from": translate(race["from"]), "to": translate(race["to"])}
    amounts = [
        {"code": each["code"], "colour": shade_of(each["colour"]), "amount": each["amount"]}
        for each in standings(game, state)
    ]
    return {"turn": row.turn, "amounts": amounts, "laid": [], "races": [], "trips": [], **moved}


def _state(game: Shown, row: TurnRow) -> Any:
    return game.rules.decode(row.state, game.position.setup)


# The order desks of a game on the club's pages: that of the awaited turn, and in the places of earlier ones where it is.


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


# A whole game as one PDF, to be printed: its newsletters, the first one first, then the last board on a page of its own.

_CHART = re.compile(r"<img[^>]*-chart\.[^>]*>")


def whole_file(club: Club, game: Shown, pages: Sequence[str], title: str) -> Files:
    """Return the PDF of a game that is over, its newsletters as HTML in *pages*; nothing where none can be made, which
    ``referee doctor`` tells.
    """
    if not game.is_over or not pages:
        return {}
    from referee.report.paper import TEMPLATE, letter_pdf  # here, because it is made once a game

    rules, state, language = game.rules, game.position.state, club.config.language
    translate = club.stationery.translate(language)
    board, chart = rules.drawing(state, translate, Print(paper=True)), rules.chart(state, translate)
    *earlier, last = pages  # of the charts the last one tells all
    page = "\n".join((*(_CHART.sub("", each) for each in earlier), last))
    try:
        source = club.stationery.place(TEMPLATE, rules.name).read_text(encoding="utf-8")
        made = letter_pdf(source, title, language, page, board, chart)
    except RefereeError:
        return {}
    return {f"{game.row.id}/whole.pdf": made}


def wall_files(club: Club, game: Shown) -> Files:
    """Return the board of a game that is over for a wall, as PDF and PNG as far as they can be made."""
    if not game.is_over:
        return {}
    from referee.report.paper import A3_SIDE, board_file

    translate = club.stationery.translate(club.config.language)
    drawing, made = game.rules.drawing(game.position.state, translate, Print(keepsake=True)), {}
    for suffix in (".pdf", ".png"):
        with suppress(RefereeError):
            made[f"{game.row.id}/keepsake{suffix}"] = board_file(drawing, suffix, WALL, A3_SIDE)
    return made
