"""The umpire's digest: one letter a day with how all games stand, and whatever was not urgent since the last one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from markupsafe import Markup

from referee.core.values import Value
from referee.mail.compose import Attachment
from referee.resources import shipped
from referee.service.club import Club
from referee.service.deadlines.missing import roll_call, what_becomes
from referee.service.post.codes import Button, Choice, choices_of, files_out, issue
from referee.service.post.readers import language_of
from referee.service.post.writing import Occasion, to_umpire
from referee.service.site.games import SITE, with_pages
from referee.service.turns.opengames import signup_list
from referee.service.umpire.ahead import Foretold, foretell, told
from referee.service.umpire.overview import by_urgency, standing
from referee.service.umpires import own_umpires, umpire_at
from referee.store import games, letters, opengames, outbox
from referee.store.club import DIGEST, write_fact
from referee.store.codes import to_decide
from referee.store.database import transaction

# The whole club on one page, for its umpire alone: how each game stands, what came and what becomes of it, with buttons.

NAME = "club.html"
NEWEST = 8  # letters about a game on the page, the newest
LISTED = 20  # held letters in the digest, the newest
SOON = timedelta(days=3)  # a deadline for which orders are missing


class Week(Value):
    """What the referee does by itself ``until`` Sunday night."""

    until: datetime
    seen: tuple[Foretold, ...]


def week_of(club: Club) -> Week:
    """Return what happens until Sunday if nobody writes, on a Sunday until the next."""
    here = club.clock().astimezone(ZoneInfo(club.config.zone))
    sunday = (here + timedelta(days=(6 - here.weekday()) or 7)).replace(hour=23, minute=59, second=59)
    return Week(until=sunday, seen=foretell(club, sunday - here))


def leads(club: Club, address: str, game: str = "") -> bool:
    """Return whether whoever has an *address* ("": the club's umpire, if no letter reaches him) leads a game, or the club."""
    return not address or umpire_at(club, address, game) is not None


def ahead(club: Club, address: str, seen: Iterable[Foretold], language: str) -> list[tuple[Foretold, str]]:
    """Return what of all that is foretold an umpire sees, each with its sentence."""
    return [(each, told(club, each, language)) for each in seen if leads(club, address, each.game)]


def now(club: Club, address: str) -> dict[str, Any]:
    """Return how the games of the umpire at an *address* stand, and what waits for him."""
    mine = [row.id for row in games.running_games(club.db) if leads(club, address, row.id)]
    seen = by_urgency(standing(club, game) for game in mine)
    came, still, is_clubs = letters.listed(club.db), to_decide(club.db), leads(club, address)
    over = (row.id for row in games.all_games(club.db) if row.status != "running" and not row.is_archived)
    zone = ZoneInfo(club.config.zone)
    return {
        "games": seen,
        "due": {each.game: f"{each.deadline.astimezone(zone):%Y-%m-%d %H:%M}" for each in seen if each.deadline},
        "came": came,
        "held": [row for row in came if row.id in still and (is_clubs or row.game in mine)],
        "parked": sum(row.status == "parked" for row in came) if is_clubs else 0,
        "failed": sum(row.state == "failed" for row in outbox.unsent(club.db)) if is_clubs else 0,
        "waiting": [signup_list(club, row.id) for row in opengames.waiting(club.db) if leads(club, address, row.id)],
        "over": [game for game in over if leads(club, address, game)],
    }


def club_page(club: Club, address: str, week: Week) -> bytes:
    """Return the page of the umpire at an *address*: of the club's (or "") with all games, of a game's own with his. No code
    is on it: letters that its buttons write are answered with one to send back.
    """
    language, zone = language_of(club, address), club.config.zone
    address = address or club.config.umpire

    def buttons(kind: str, game: str | None, **about: Any) -> tuple[Button, ...]:
        return tuple(each for made in choices_of(club, address, kind, game, about, "") for each in made.buttons)

    stand = now(club, address)
    values = {
        **stand,
        "css": Markup(shipped("templates").joinpath(SITE, "site.css").read_text("utf-8")),  # noqa: S704 (ours)
        "club": club.config.club,
        "language": language,
        "buttons": buttons,
        "at": club.clock(),
        "until": week.until,
        "seats": {each.game: games.players(club.db, each.game) for each in stand["games"]},
        "came": [each for each in stand["came"][::-1] if each.arrived > club.clock() - timedelta(days=7)],
        "newest": NEWEST,
        "ahead": ahead(club, address, week.seen, language),
    }
    page = with_pages(club).stationery.text("umpire.html.j2", "", language, zone, values)
    return files_out(club, {NAME: page.lstrip().encode()})[NAME]


def write_digest(club: Club, day: str) -> None:
    """Write the digest of a *day* (2026-12-20, by the club's clock) if there is anything to tell, and to each umpire whom a game
    has of its own one with how his games stand.
    """
    clubs, week = club.config.umpire, week_of(club)
    own = (each.address for row in games.running_games(club.db) for each in own_umpires(club, row.id))
    readers = {each.lower(): each for each in (*own, clubs) if each}
    pages = {  # made before anything is written
        each: (Attachment(NAME, "text/html", club_page(club, each, week)),)
        for each in readers.values()
        if club.config.digest_page
    }
    with transaction(club.db):
        for address in readers.values():
            told, key = now(club, address), f"umpire:digest:{day}:to:{address}"
            told["news"] = outbox.unreported(club.db) if address == clubs else ()
            if not any(told[each] for each in ("games", "held", "parked", "failed", "news")):
                continue
            told["ahead"] = ahead(club, address, week.seen, language_of(club, address))
            cases = tuple(_cases(club, address, key, told))
            occasion = Occasion(key, "digest", attachments=pages.get(address, ()), cases=cases)
            if (row := to_umpire(club, occasion, told, to=address)) is not None:
                issue(club, cases)
                outbox.put(club.db, row)
            if told["news"]:
                outbox.mark_reported(club.db, club.clock())
        write_fact(club.db, DIGEST, day)


def _cases(club: Club, address: str, key: str, seen: dict[str, Any]) -> Iterator[Choice]:
    """Yield what of all that is *seen* waits for an umpire, with what he can do about it: held letters, games whose deadline is
    near, turns played, games that are over.
    """

    def case(kind: str, game: str | None, about: int | str = "", **told: Any) -> tuple[Choice, ...]:
        return choices_of(club, address, f"digest-{kind}", game, told, f"{key}:{game}:{kind}:{about}")

    for letter in seen["held"][-LISTED:]:
        yield from case("held", letter.game, letter.id, letter=letter.id, player=letter.player or "")
    for each in seen["games"]:
        row, missing = games.game(club.db, each.game), each.missing
        if each.stopped:
            yield from case("stopped", row.id)
        elif missing and (row.deadline is None or row.deadline < club.clock() + SOON):
            then = what_becomes(club, position := club.position(row), roll_call(club, position))
            codes = ", ".join(missing)
            yield from case("missing", row.id, missing=missing, codes=codes, deadline=row.deadline, then=then)
        last = games.last_turn(club.db, row.id)
        if last.turn and last.adjudicated_at > club.clock() - timedelta(days=1):
            yield from case("played", row.id)
    for game in seen["over"]:
        yield from case("over", game)
