"""What a newsletter encloses besides its boards: the deadline for calendars, and the order desk."""

from __future__ import annotations

from datetime import datetime, timedelta
from urllib.parse import quote

from referee.core import View
from referee.mail.compose import Attachment, Attachments
from referee.orderbook import OrderLanguage
from referee.orderbook.language import BEGIN, FINISH, ORDER, TEXT, TEXT_END
from referee.report.desk import desk_page
from referee.report.ics import MEDIA_TYPE, DueDate, calendar
from referee.store import GameRow, PlayerRow

from ..club import Club
from ..duetimes import rhythm_of
from ..positions import Position
from .readers import Faces, faces_of

# A game's deadline for the calendars of its readers.

KIND = "ics"


def deadline_file(club: Club, position: Position, language: str, turn: int, deadline: datetime) -> Attachment:
    """Return the deadline of a turn, whether or not it is the one that is in the store, as a file beside a letter."""
    moment = deadline_moment(club, position, language, turn, deadline)
    return Attachment(f"{position.id}-deadline.{KIND}", MEDIA_TYPE, calendar([moment]))


def wished_deadline(club: Club, position: Position, player: PlayerRow) -> Attachments:
    """Return the deadline of the awaited turn as a file for a player who wants it, nothing for another or where there is none."""
    row = position.row
    if not row.deadline or row.stopped_at is not None or KIND not in faces_of(club, row.id, player.address).files:
        return ()
    return (deadline_file(club, position, player.language, row.turn, row.deadline),)


def deadline_moment(club: Club, position: Position, language: str, turn: int, deadline: datetime) -> DueDate:
    """Return the deadline of a turn. A game has one moment in a calendar, which goes on from turn to turn.

    Nobody's code is in it: people share their calendars.
    """
    row = position.row
    board = club.stationery.translate(language)(position.board_title) if position.board_title else ""
    values = {"id": row.id, "game": position.rules.title, "board": board, "turn": turn}
    values |= {"club": club.config.club, "address": club.config.address}
    sequence, say = moves(row, deadline), club.stationery.sentences(position.rules.name, language).word
    return DueDate(
        uid=f"{row.id.lower()}-deadline@{club.config.address.rpartition('@')[2]}",
        sequence=sequence,
        at=deadline,
        # The bytes of a letter follow from the store alone: each move is a second later than the one before.
        changed=row.created + timedelta(seconds=sequence),
        summary=say("calendar", "due", **values),
        description=say("calendar", "about", **values),
    )


def moves(row: GameRow, deadline: datetime) -> int:
    """Return how often a game's deadline has moved, when it is that one."""
    return row.moved + (deadline != row.deadline)


# The order desk of the awaited turn: the page on which players draw their orders, the same file for all of them.

FOLDER = "desk"
DESK = "desk"  # what ATTACH calls it


def desk_name(game: str, turn: int) -> str:
    """Return what the file of a turn is called."""
    return f"{game}-{turn}.html"


def desk_place(game: str, turn: int) -> str:
    """Return where it lies among the club's pages."""
    return f"{game}/{FOLDER}/{desk_name(game, turn)}"


def desk_link(club: Club, game: str, turn: int, player: PlayerRow | None = None) -> str:
    """Return where the desk of a turn is found, "" if the club publishes nothing.

    What is a *player*'s own stands behind #, where no server is told of it. The player's code is not among it, for a code stands
    in no text: where letters are proved by it, the desk's text is sent as an answer, else to our address.
    """
    url = club.config.publish.url
    if not (url and club.config.publish.folder):
        return ""
    place = url + desk_place(game, turn)
    if not player:
        return place
    own = {"c": player.code, "l": player.language, "to": _address(club)}
    return f"{place}#{'&'.join(f'{key}={quote(value)}' for key, value in own.items() if value)}"


def link_for(club: Club, position: Position, player: PlayerRow) -> str:
    """Return where a player draws the orders that a position awaits of them, "" where it awaits none."""
    awaits = player.code in position.awaited
    return desk_link(club, player.game, position.rules.turn(position.state), player) if awaits else ""


def desk_file(club: Club, position: Position, player: PlayerRow, faces: Faces, *, opening: bool = False) -> str:
    """Return what the page is called beside a letter to a player, "" where none is sent: the player has not asked for it, or no
    orders of theirs are awaited. With the *opening* comes one to whoever has not said which files they want, unless they find it
    elsewhere.
    """
    wants = DESK in faces.files or (opening and not faces.said and not link_for(club, position, player))
    turn = position.rules.turn(position.state)
    return f"order-desk-{player.game}-turn-{turn}.html" if wants and player.code in position.awaited else ""


def desk_files(club: Club, position: Position, player: PlayerRow, faces: Faces) -> Attachments:
    """Return the page itself for a letter to a player, nothing where none is sent."""
    if not (name := desk_file(club, position, player, faces)):
        return ()
    page = order_desk(club, position, player.language, position.players, enclosed=True)
    return (Attachment(name, "text/html", page),)


def order_desk(
    club: Club, position: Position, language: str, players: tuple[PlayerRow, ...], *, enclosed: bool = False
) -> bytes:
    """Return the page for the turn that a position awaits. *players*: as they may be named on it; *enclosed*: in a letter."""
    rules, game = position.rules, position.id
    turn = rules.turn(position.state)
    told = {
        "club": club.config.club,
        "game": game,
        "turn": turn,
        "hints": rhythm_of(club.config, position.row).hints,
        "players": [{"code": each.code, "name": each.name} for each in players],
        "url": desk_link(club, game, turn),
        "domain": _address(club).rpartition("@")[2].lower(),
        "page": f"{club.config.publish.url}{game}/" if club.config.publish.url else "",
    }
    values, words = rules.desk(position.state), position.order_language
    translate = club.stationery.translate(language)
    drawing = rules.drawing(position.state, translate) if values else None
    kind = rules.name if values else ""
    shown: View = {**values}
    if not values:  # a game that offers no position has examples of the lines that each player could write
        examples = {each.code: rules.examples(position.state, each.code) for each in position.players}
        verbs = words.of_kind("order")
        forms = {code: [own.get(verb.name, verb.example) for verb in verbs] for code, own in examples.items()}
        shown["forms"] = forms
    races = [dict(each) for each in values.get("races", ())]
    for race in races:  # its ends may be areas: in the reader's language
        race |= {end: [race[end][0], translate(race[end][1]), *race[end][2:]] for end in ("start", "end")}
    shown |= {"races": races} if races else {}
    shown["speech"] = speech_of(words)
    return desk_page(club.stationery, kind, language, told, shown, drawing, enclosed=enclosed).encode()


def _address(club: Club) -> str:
    """Return where the desk sends its letters itself, "" where they need a code: then they are answers."""
    return "" if club.config.identity.policy.startswith("token") else club.config.address


def speech_of(language: OrderLanguage) -> dict[str, dict[str, str]]:
    """Return what the page reads verbs and other words of all languages as, in small letters: {verbs, words}."""
    read = (BEGIN, FINISH, TEXT, TEXT_END, ORDER)
    verbs = {alias.lower(): verb.name for verb in language.of_kind(*read) for alias in verb.aliases}
    first: dict[str, str] = {}
    words: dict[str, str] = {}
    for term in language.words.terms():  # NACH is first of all where something goes to
        words.setdefault(term.name, first.setdefault(term.kind, term.name))
    return {"verbs": verbs, "words": words}


def old_desk(club: Club, game: str, turn: int, awaited: int, language: str) -> bytes:
    """Return what takes the place of the desk of a turn that was played: that it was, and where the new one is.

    *awaited*: the turn of the new one, 0 when the game is over.
    """
    new = desk_name(game, awaited) if awaited else ""
    values = {"language": language, "game": game, "turn": turn, "new": new, "awaited": awaited}
    return club.stationery.text("old.html.j2", FOLDER, language, club.config.zone, values).encode()
