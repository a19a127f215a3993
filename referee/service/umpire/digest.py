"""The umpire's digest: one letter a day with how all games stand, and whatever was not urgent since the last one."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from markupsafe import Markup
from msgspec.structs import replace

from referee.core.values import Value
from referee.mail.compose import Attachment
from referee.resources import shipped
from referee.service.club.club import Club
from referee.service.club.umpires import own_umpires, umpire_at
from referee.service.deadlines.missing import roll_call, what_becomes
from referee.service.post.buttons import Button, Choice, choice, issue
from referee.service.post.codes import files_out
from referee.service.post.readers import language_of
from referee.service.post.writing import Occasion, to_umpire
from referee.service.site.games import SITE, with_pages
from referee.service.turns.opengames import signup_list
from referee.service.umpire.ahead import Foretold, foretell, told
from referee.service.umpire.overview import Standing, by_urgency, standing
from referee.store import games, letters, opengames, outbox
from referee.store.club import DIGEST, write_fact
from referee.store.codes import to_decide
from referee.store.database.database import transaction
from referee.store.database.rows import LetterRow

# The whole club on one page, for its umpire alone: how each game stands, what came and what becomes of it, with buttons.

NAME = "club.html"
NEWEST = 8  # letters about a game, the newest
_WEEK = timedelta(days=7)


class Week(Value):
    """What the referee does by itself ``until`` Sunday night."""

    until: datetime
    seen: tuple[Foretold, ...]


def week_of(club: Club) -> Week:
    """Return what happens until Sunday if nobody writes, on a Sunday until the next."""
    here = club.clock().astimezone(ZoneInfo(club.config.zone))
    sunday = (here + timedelta(days=(6 - here.weekday()) or 7)).replace(hour=23, minute=59, second=59)
    return Week(until=sunday, seen=foretell(club, sunday - here))


def club_page(club: Club, address: str, week: Week) -> bytes:
    """Return the page of the umpire at an *address*: of the club's (or "") with all games, of a game's own with his. No code
    is on it: letters that its buttons write are answered with one to send back.
    """
    language, zone, seen = language_of(club, address), club.config.zone, week.seen
    address = address or club.config.umpire

    def buttons(game: str | None, *asked: str, **about: Any) -> tuple[Button, ...]:
        return choice(club, address, asked, game, about, "").buttons

    is_clubs = not address or umpire_at(club, address, "") is not None
    mine = [row.id for row in games.running_games(club.db) if is_clubs or umpire_at(club, address, row.id)]
    came = letters.listed(club.db)
    still = to_decide(club.db)
    values = {
        "css": Markup(shipped("templates").joinpath(SITE, "site.css").read_text("utf-8")),  # noqa: S704 (ours)
        "club": club.config.club,
        "language": language,
        "buttons": buttons,
        "at": club.clock(),
        "until": week.until,
        "games": [
            _game(club, each, came, seen, language) for each in by_urgency(standing(club, name) for name in mine)
        ],
        "waiting": [
            {"id": row.id, **signup_list(club, row.id).stand}
            for row in opengames.waiting(club.db)
            if is_clubs or umpire_at(club, address, row.id)
        ],
        "held": [row for row in came if row.id in still and (is_clubs or row.game in mine)],
        "over": _over(club, address),
        "elsewhere": [(each, told(club, each, language)) for each in seen if not each.game and is_clubs],
    }
    page = with_pages(club).stationery.text("umpire.html.j2", "", language, zone, values)
    return files_out(club, {NAME: page.lstrip().encode()})[NAME]


def _game(
    club: Club, each: Standing, came: tuple[LetterRow, ...], seen: tuple[Foretold, ...], language: str
) -> dict[str, Any]:
    since = club.clock() - _WEEK
    about = [letter for letter in came if letter.game == each.game and letter.arrived > since]
    return {
        "standing": each,
        "seats": games.players(club.db, each.game),
        "came": about[-NEWEST:][::-1],
        "ahead": [(one, told(club, one, language)) for one in seen if one.game == each.game],
    }


LISTED = 20  # held letters, the newest
SOON = timedelta(days=3)  # a deadline for which orders are missing


def write_digest(club: Club, day: str) -> None:
    """Write the digest of a *day* (2026-12-20, by the club's clock) if there is anything to tell, and to each umpire whom a game
    has of its own one with how his games stand.
    """
    clubs, running = club.config.umpire, games.running_games(club.db)
    others = {each.address: each for row in running for each in own_umpires(club, row.id)}
    readers = (clubs, *others) if club.config.digest_page else ()
    week = week_of(club)
    pages = {  # made before anything is written
        each: (Attachment(name=NAME, media_type="text/html", content=club_page(club, each, week)),)
        for each in readers
        if each
    }
    with transaction(club.db):
        waiting = outbox.unreported(club.db)
        told = {**now(club, clubs), "news": [{"subject": each.subject, "text": each.text} for each in waiting]}
        occasion = Occasion(key=f"umpire:digest:{day}", kind="digest", attachments=pages.get(clubs, ()))
        if _put(club, occasion, told, clubs, week):
            outbox.mark_reported(club.db, club.clock())
        for address in others:
            if address.lower() != clubs.lower():
                key = f"umpire:digest:{day}:to:{address}"
                occasion = Occasion(key=key, kind="digest", attachments=pages.get(address, ()))
                _put(club, occasion, {**now(club, address), "news": []}, address, week)
        write_fact(club.db, DIGEST, day)


def now(club: Club, address: str) -> dict[str, Any]:
    """Return how the games of the umpire at an *address* stand, and what waits for him."""
    mine = {row.id for row in games.running_games(club.db) if umpire_at(club, address, row.id)}
    is_clubs, still = umpire_at(club, address, "") is not None, to_decide(club.db)
    held = [row for row in letters.listed(club.db, "held") if row.id in still and (is_clubs or row.game in mine)]
    failed = sum(row.state == "failed" for row in outbox.unsent(club.db)) if is_clubs else 0
    return {
        "games": (seen := by_urgency(standing(club, game) for game in mine)),
        "due": {
            each.game: f"{each.deadline.astimezone(ZoneInfo(club.config.zone)):%Y-%m-%d %H:%M}"
            for each in seen
            if each.deadline
        },
        "held": len(held),
        "letters": held[-LISTED:],
        "parked": len(letters.listed(club.db, "parked")) if is_clubs else 0,
        "failed": failed,
        "over": _over(club, address),
    }


def _over(club: Club, address: str) -> list[str]:
    """Return the games of the umpire at an *address* that are over and not in the archive."""
    over = (row.id for row in games.all_games(club.db) if row.status != "running" and not row.is_archived)
    return [name for name in over if umpire_at(club, address, name)]


def _put(club: Club, occasion: Occasion, values: dict[str, Any], address: str, week: Week) -> bool:
    """Put a digest that tells something into the outbox, and return whether there is one."""
    if not any(value for name, value in values.items() if name != "over"):
        return False
    cases = _cases(club, address, occasion.key, values)
    mine, language = {each.game for each in values["games"]}, language_of(club, address)
    ahead = [(each, told(club, each, language)) for each in week.seen if each.game in mine]
    row = to_umpire(club, replace(occasion, cases=cases), {**values, "ahead": ahead}, to=address)
    if row is not None:
        issue(club, cases)
        outbox.put(club.db, row)
    return row is not None


def _cases(club: Club, address: str, key: str, seen: dict[str, Any]) -> tuple[Choice, ...]:
    """Return what of all that is *seen* waits for an umpire, with what he can do about it: held letters, games whose deadline is
    near, turns played, games that are over.
    """
    made: list[tuple[tuple[str, ...], str, dict[str, Any], str]] = []
    for letter in seen["letters"]:
        told = {"letter": letter.id, "player": letter.player or "", "held-letter": True}
        made.append((("release", "discard", "read"), letter.game or "", told, f"held-{letter.id}"))
    soon, day = club.clock() + SOON, club.clock() - timedelta(days=1)
    for each in seen["games"]:
        row, missing = games.game(club.db, each.game), each.missing
        if each.stopped:
            made.append((("resume",), row.id, {}, "stopped"))
        elif missing and (row.deadline is None or row.deadline < soon):
            then = what_becomes(club, position := club.positions.of(club.db, row), roll_call(club, position))
            told = {"missing": missing, "codes": ", ".join(missing), "deadline": row.deadline, "then": then}
            made.append((("days", "play", "remind", "stand-by", "built-in"), row.id, told, "missing"))
        last = games.last_turn(club.db, row.id)
        if last.turn and last.adjudicated_at > day:
            made.append((("newsletter", "undo-last"), row.id, {}, "played"))
    made += ((("archive",), name, {"then": "over"}, "over") for name in seen["over"])
    return tuple(
        choice(club, address, asked, game, told, f"{key}:{game}:{what}", what.partition("-")[0])
        for asked, game, told, what in made
    )
