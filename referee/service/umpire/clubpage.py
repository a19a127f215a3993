"""The whole club on one page, for its umpire alone: how each game stands, what came and what becomes of it, with buttons."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from markupsafe import Markup

from referee.mail.compose import Attachment
from referee.resources import shipped
from referee.service.club.club import Club
from referee.service.club.duetimes import rhythm_of
from referee.service.club.umpires import umpire_at
from referee.service.post.buttons import later, spoken_commands
from referee.service.post.door import files_out
from referee.service.post.readers import language_of
from referee.service.site.stationery import SITE, with_pages
from referee.service.turns.opengames import signup_list
from referee.service.umpire.ahead import Foretold, foretell, told
from referee.service.umpire.overview import Standing, by_urgency, standing
from referee.store import games, letters, opengames
from referee.store.codes import to_decide
from referee.store.database.rows import LetterRow

NAME = "club.html"
LISTED = 8  # letters about a game, the newest
_WEEK = timedelta(days=7)


def club_page(club: Club, address: str) -> bytes:
    """Return the page of the umpire at an *address*: of the club's (or "") with all games, of a game's own with his. No code
    is on it: letters that its buttons write are answered with one to send back.
    """
    language, zone, now = language_of(club, address), club.config.zone, club.clock()
    here = now.astimezone(ZoneInfo(zone))
    sunday = (here + timedelta(days=(6 - here.weekday()) or 7)).replace(hour=23, minute=59, second=59)
    seen = foretell(club, sunday - now)
    is_clubs = not address or umpire_at(club, address, "") is not None
    mine = [row.id for row in games.running_games(club.db) if is_clubs or umpire_at(club, address, row.id)]
    came = letters.listed(club.db)
    still = to_decide(club.db)
    values = {
        "css": Markup(shipped("templates").joinpath(SITE, "site.css").read_text("utf-8")),  # noqa: S704 (ours)
        "club": club.config.club,
        "address": club.config.address,
        "language": language,
        "said": spoken_commands(language).sentence,
        "at": now,
        "until": sunday,
        "games": [
            _game(club, each, came, seen, language) for each in by_urgency(standing(club, name) for name in mine)
        ],
        "waiting": [
            _waiting(club, row.id) for row in opengames.waiting(club.db) if is_clubs or umpire_at(club, address, row.id)
        ],
        "held": [_letter(row) for row in came if row.id in still and (is_clubs or row.game in mine)],
        "elsewhere": [(each, told(club, each, language)) for each in seen if not each.game and is_clubs],
    }
    page = with_pages(club).stationery.text("umpire.html.j2", "", language, zone, values)
    return files_out(club, {NAME: page.lstrip().encode()})[NAME]


def page_file(club: Club, address: str) -> Attachment:
    """Return the same as a file beside a letter."""
    return Attachment(name=NAME, media_type="text/html", content=club_page(club, address))


def _game(
    club: Club, each: Standing, came: tuple[LetterRow, ...], seen: tuple[Foretold, ...], language: str
) -> dict[str, Any]:
    row = games.game(club.db, each.game)
    since = club.clock() - _WEEK
    about = [letter for letter in came if letter.game == each.game and letter.arrived > since]
    return {
        "standing": each,
        "seats": [
            {"code": seat.code, "colour": seat.colour, "name": seat.name, "how": each.orders.get(seat.code, "")}
            for seat in games.players(club.db, row.id)
        ],
        "later": later(each.deadline, rhythm_of(club.config, row).zone) if each.deadline else "",
        "came": [_letter(letter) for letter in about[-LISTED:][::-1]],
        "ahead": [(one, told(club, one, language)) for one in seen if one.game == each.game],
    }


def _letter(row: LetterRow) -> dict[str, Any]:
    told = {"number": row.id, "at": row.arrived, "game": row.game or "", "player": row.player or ""}
    return told | {"sender": row.sender, "status": row.status, "reason": row.reason}


def _waiting(club: Club, name: str) -> dict[str, Any]:
    stand = signup_list(club, name).stand
    return {"id": name, **{key: stand[key] for key in ("title", "board", "seats", "free")}}
