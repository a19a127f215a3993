"""What the umpire looks at: how games stand, what a letter would be understood as, newsletters, boards, the club on one page; and
the digest, a letter a day: how all games stand, and whatever was not urgent since the last one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from markupsafe import Markup
from msgspec.structs import asdict

from referee.core import NotFound, Texts, Value, View
from referee.core.picture import Drawing, Print
from referee.mail.compose import Attachment, read_own, text_in
from referee.resources import shipped_folder
from referee.store import (
    DIGEST,
    Fate,
    LetterRow,
    OutboxRow,
    games,
    letters,
    opengames,
    outbox,
    to_decide,
    transaction,
    write_fact,
)

from ..club import Club
from ..deadlines.missing import FAULTY, RESIGNED, RollCall, roll_call, what_becomes
from ..duetimes import last_moment
from ..letters.answers import acknowledgement_values
from ..letters.doubts import REASONS
from ..letters.identify import identify, prove, reason_ignored
from ..letters.interpretation import Case
from ..post.codes import Button, Choice, choices_of, files_out, issue
from ..post.readers import language_of
from ..post.writing import Occasion, render, to_umpire
from ..site.games import SITE, with_pages
from ..stations import pass_on, read_content, read_words, understand, vouch, whose, with_filing
from ..turns.opengames import signup_list
from ..umpires import own_umpires, umpire_at
from .ahead import Foretold, foretell, tell

_NEVER = datetime.max.replace(tzinfo=UTC)


class Standing(RollCall):
    """How a game stands: whose orders are on file, and ``asked`` whose turn it is, where one player after the other is asked.
    ``stopped``: the umpire has, for now; ``extended``: how often the turn was given more
    time; ``undone``: it was played before and does not count; ``overdue``: its deadline and grace are over.
    """

    game: str
    title: str
    board: str
    status: str
    turn: int
    deadline: datetime | None
    asked: Texts
    stopped: bool = False
    extended: int = 0
    undone: bool = False
    overdue: bool = False

    @property
    def doubtful(self) -> Texts:
        """Who has errors in their orders or a letter that waits, or has left, or whom letters do not reach."""
        return tuple(dict.fromkeys((*self.of(FAULTY, RESIGNED), *self.held, *self.unreachable)))


def by_urgency(standings: Iterable[Standing]) -> list[Standing]:
    """Return the games that run as they need the umpire: overdue and waiting ones first, then by deadline, stopped ones last."""

    def urgency(each: Standing) -> tuple[bool, datetime, str]:
        waits = each.overdue or (each.deadline is None and not each.stopped)
        return not waits, each.deadline or _NEVER, each.game

    return sorted((each for each in standings if each.status == "running"), key=urgency)


def standing(club: Club, game_id: str) -> Standing:
    """Return how a game stands. Raises NotFound."""
    row = games.game(club, game_id)
    position = club.position(row)
    last = last_moment(club.config, row)
    return Standing(
        **asdict(roll_call(club, position)),
        game=row.id,
        title=position.rules.title,
        board=position.board_title,
        status=row.status,
        turn=row.turn,
        deadline=row.deadline,
        asked=position.asked,
        stopped=row.stopped_at is not None,
        extended=row.extended,
        undone=games.replaced(club, *row.turn_key) is not None,
        overdue=last is not None and last < club.now,
    )


def read_as(club: Club, raw: bytes, game_id: str = "") -> View:
    """Tell what a letter would be understood as if it came now, as plain values, and our ``reply`` to it; nothing is stored and
    nobody is answered. ``reason`` says why it would not be taken; then the rest is not there. ``unproved``: why it would wait for
    its player's word first, "" if it would not.

    Raises:
        NotFound: *game_id* is given and no game.
    """
    if game_id:
        games.game(club, game_id)
    now = club.now
    row = LetterRow(hash="", source="", size=len(raw), raw=raw, arrived=now, stored_at=now)
    case, _ = pass_on(club, Case(row=row, arrived=now), (read_content, vouch))
    told: View = {"sender": case.letter.sender, "subject": case.letter.subject, "reason": "", "unproved": ""}
    if case.ignored is not None:
        return {**told, "reason": reason_ignored(case.ignored, case.letter)}
    case = case.but(arrived=now)
    if game_id:  # as one to that game, whatever it names itself
        named = identify(club, case.letter, game_id)
        case = case.but(whose=named, proved=prove(club, case.letter, named, case.vouched), named=True)
    case, _ = pass_on(club, case, (whose, read_words, understand))
    if case.why not in (None, Fate.EMPTY, Fate.LATE):
        return {**told, "reason": case.why}
    case, done = with_filing(club, case, None)
    position, player, read = case.position, case.player, case.read
    assert read
    said, values = read.reading, acknowledgement_values(club, case, done)
    return {
        **told,
        "unproved": REASONS[case.proof.why] if case.proof.why else "",
        "game": position.id,
        "player": player.code,
        "turn": position.row.turn,
        "orders": list(read.forecast.lines),
        "clean": read.is_clean,
        "complaints": [{**asdict(each), "params": dict(each.params)} for each in read.complaints],
        "unread": [list(line) for line in said.unread],
        "more_unread": said.more_unread,
        "quoted": len(said.quoted),
        "below": [list(line) for line in said.below],
        "press": said.press,
        "note": said.note,
        "commands": list(said.commands),
        "reply": render(club, "acknowledgement", position, player, values).text,
    }


def newsletter(club: Club, game_id: str, turn: int | None = None, player: str = "", edition: int | None = None) -> str:
    """Return the text of a newsletter, of the last turn played and for the first player unless said otherwise, in its newest
    *edition*; those of a turn count from 1.

    Raises:
        NotFound: there is no such game, turn, player or edition.
    """
    row = games.game(club, game_id)
    turn = games.last_turn(club, row.id).turn if turn is None else turn
    sent = outbox.newsletters(club, row.id, turn)
    editions = sorted({int(each.key.rpartition(":")[2]) for each in sent})
    if edition is not None and sent:
        if edition > len(editions):
            known = ", ".join(str(number) for number, _ in enumerate(editions, start=1))
            raise NotFound(f"there is no edition {edition} of turn {turn} of {row.id} (there is {known})")
        sent = tuple(each for each in sent if each.key.endswith(f":{editions[edition - 1]}"))
    wanted = [each for each in sent if not player or (each.player or "").upper() == player.upper()]
    if not wanted:
        raise NotFound(
            f"there is no newsletter of {row.id} for turn {turn}" + (f" and player {player}" if player else "")
        )
    first = wanted[0].player
    return text_of([each for each in wanted if each.player == first][-1])


def board_drawing(club: Club, game_id: str, alone: str = "", paper: bool = False, *, keepsake: bool = False) -> Drawing:
    """Return a game's board as it stands, with its last turn, in the club's language; *alone*, *paper*, *keepsake*: see
    ``Print``.

    Raises:
        NotFound: there is no such game, or nobody with the code *alone* in it.
    """
    position = club.position(game_id)
    codes = position.setup.codes
    if alone and alone.upper() not in codes:
        raise NotFound(f"nobody has the code {alone!r} in {position.id}: there is {', '.join(codes)}")
    last = games.last_turn(club, position.id)
    events = () if keepsake else position.decode(last.events)
    show = Print(events=events, alone=alone.upper(), paper=paper, keepsake=keepsake)
    return position.rules.drawing(position.state, club.stationery.translate(club.config.language), show)


def text_of(row: OutboxRow) -> str:
    """Return the plain text of a letter of ours. Raises NotFound: its words were given up."""
    if not row.raw:
        raise NotFound(
            f"letter {row.id} of the outbox is kept without its words: `[retention]`, or its reader is forgotten"
        )
    return text_in(read_own(row.raw)).rstrip("\n") + "\n"


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
    here = club.now.astimezone(ZoneInfo(club.config.zone))
    sunday = (here + timedelta(days=(6 - here.weekday()) or 7)).replace(hour=23, minute=59, second=59)
    return Week(until=sunday, seen=foretell(club, sunday - here))


def leads(club: Club, address: str, game: str = "") -> bool:
    """Return whether whoever has an *address* ("": the club's umpire, if no letter reaches them) leads a game, or the club."""
    return not address or umpire_at(club, address, game) is not None


def ahead(club: Club, address: str, seen: Iterable[Foretold], language: str) -> list[tuple[Foretold, str]]:
    """Return what of all that is foretold an umpire sees, each with its sentence."""
    return [(each, tell(club, each, language)) for each in seen if leads(club, address, each.game)]


def now(club: Club, address: str) -> View:
    """Return how the games of the umpire at an *address* stand, and what waits for them."""
    mine = [row.id for row in games.running_games(club) if leads(club, address, row.id)]
    seen = by_urgency(standing(club, game) for game in mine)
    came, still, is_clubs = letters.listed(club, ""), to_decide(club), leads(club, address)
    over = (row.id for row in games.all_games(club) if row.is_over and not row.is_archived)
    zone = ZoneInfo(club.config.zone)
    return {
        "games": seen,
        "due": {each.game: f"{each.deadline.astimezone(zone):%Y-%m-%d %H:%M}" for each in seen if each.deadline},
        "came": came,
        "held": [row for row in came if row.id in still and (is_clubs or row.game in mine)],
        "parked": sum(row.status == "parked" for row in came) if is_clubs else 0,
        "failed": sum(row.state == "failed" for row in outbox.unsent(club)) if is_clubs else 0,
        "waiting": [signup_list(club, row.id) for row in opengames.waiting(club) if leads(club, address, row.id)],
        "over": [game for game in over if leads(club, address, game)],
    }


def club_page(club: Club, address: str, week: Week) -> bytes:
    """Return the page of the umpire at an *address*: of the club's (or "") with all games, of a game's own with theirs. No code
    is on it: letters that its buttons write are answered with one to send back.
    """
    language, zone = language_of(club, address), club.config.zone
    address = address or club.config.umpire

    def buttons(kind: str, game: str | None, **about: Any) -> tuple[Button, ...]:
        return tuple(each for made in choices_of(club, address, kind, game, about, "") for each in made.buttons)

    stand = now(club, address)
    values = {
        **stand,
        "css": Markup(shipped_folder("templates").joinpath(SITE, "site.css").read_text("utf-8")),  # noqa: S704 (ours)
        "club": club.config.club,
        "language": language,
        "buttons": buttons,
        "at": club.now,
        "until": week.until,
        "seats": {each.game: games.players(club, each.game) for each in stand["games"]},
        "came": [each for each in stand["came"][::-1] if each.arrived > club.now - timedelta(days=7)],
        "newest": NEWEST,
        "ahead": ahead(club, address, week.seen, language),
    }
    page = with_pages(club).stationery.text("umpire.html.j2", "", language, zone, values)
    return files_out(club, {NAME: page.lstrip().encode()})[NAME]


def write_digest(club: Club, day: str) -> None:
    """Write the digest of a *day* (2026-12-20, by the club's clock) if there is anything to tell, and to each umpire whom a game
    has of its own one with how their games stand.
    """
    clubs, week = club.config.umpire, week_of(club)
    own = (each.address for row in games.running_games(club) for each in own_umpires(club, row.id))
    readers = {each.lower(): each for each in (*own, clubs) if each}
    pages = {  # made before anything is written
        each: (Attachment(NAME, "text/html", club_page(club, each, week)),)
        for each in readers.values()
        if club.config.digest_page
    }
    with transaction(club):
        for address in readers.values():
            told, key = now(club, address), f"umpire:digest:{day}:to:{address}"
            told["news"] = outbox.unreported(club) if address == clubs else ()
            if not any(told[each] for each in ("games", "held", "parked", "failed", "news")):
                continue
            told["ahead"] = ahead(club, address, week.seen, language_of(club, address))
            cases = tuple(_cases(club, address, key, told))
            occasion = Occasion(key, "digest", attachments=pages.get(address, ()), cases=cases)
            if row := to_umpire(club, occasion, told, to=address):
                issue(club, cases)
                outbox.put(club, row)
            if told["news"]:
                outbox.mark_reported(club, club.now)
        write_fact(club, DIGEST, day)


def _cases(club: Club, address: str, key: str, seen: View) -> Iterator[Choice]:
    """Yield what of all that is *seen* waits for an umpire, with what they can do about it: held letters, games whose deadline is
    near, turns played, games that are over.
    """

    def case(kind: str, game: str | None, about: int | str = "", **told: Any) -> tuple[Choice, ...]:
        return choices_of(club, address, f"digest-{kind}", game, told, f"{key}:{game}:{kind}:{about}")

    for letter in seen["held"][-LISTED:]:
        yield from case("held", letter.game, letter.id, letter=letter.id, player=letter.player or "")
    for each in seen["games"]:
        row, missing = games.game(club, each.game), each.missing
        if each.stopped:
            yield from case("stopped", row.id)
        elif missing and (not row.deadline or row.deadline < club.now + SOON):
            then = what_becomes(club, position := club.position(row), roll_call(club, position))
            codes = ", ".join(missing)
            yield from case("missing", row.id, missing=missing, codes=codes, deadline=row.deadline, then=then)
        last = games.last_turn(club, row.id)
        if last.turn and last.adjudicated_at > club.now - timedelta(days=1):
            yield from case("played", row.id)
    for game in seen["over"]:
        yield from case("over", game)
