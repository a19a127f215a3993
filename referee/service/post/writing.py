"""Letters of ours: rendered for one reader, composed, and ready for the outbox."""

from __future__ import annotations

import hashlib
import re
import secrets
from itertools import chain, count
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from referee.core import Pair, Texts, Value, View, fields_of
from referee.mail.letter.tokens import Tag, add_code
from referee.store import LetterRow, NewsRow, OutboxRow, PlayerRow, letters, outbox
from referee.store import club as facts

from ..club import Club
from ..duetimes import rhythm_of
from ..umpires import umpires_of
from .codes import (
    Choice,
    address_of,
    are_used,
    choices_of,
    codes_in,
    issue,
    letter_out,
    tag_of_code,
    tag_of_turn,
)
from .readers import faces_of, known_languages, language_of

if TYPE_CHECKING:  # every pass imports this room, hardly one writes a letter
    from referee.mail.compose import Attachments, Outgoing
    from referee.mail.letter.message import Letter
    from referee.report.templates import Rendered

    from ..positions import Position

TOLD_A_DAY = 20  # letters to the umpire of one of these kinds

_BY_STRANGERS = ("parked", "unread")
# For the digest.
_NOT_URGENT = ("outlook", "absent", "standby", "signup", "moved", "throws-unused", "notes", "more", "watch-limit")
_SEAL = 8  # bytes


class Occasion(Value, kw_only=False):
    """Why a letter is written. ``key`` is unlike that of any other letter; ``answers`` is the letter it answers, if any;
    ``follows`` are Message-IDs of ours whose thread it goes on with; ``unsubscribe`` is an address of ours for a reader who is
    not a player and may have enough, "" for none. ``asks`` is the turn whose orders answers may bring, None for the awaited one;
    ``tag`` what answers carry in the place of that turn's code; ``coded``: not where an answer must say itself what it is about;
    ``reply_to``: who is to have the answers, if it is not us; ``cases``: what the umpire can do about it, by buttons.
    """

    key: str
    kind: str
    turn: int | None = None
    letter: int | None = None
    answers: Letter | None = None
    follows: Texts = ()
    unsubscribe: str = ""
    asks: int | None = None
    tag: Tag | None = None
    coded: bool = True
    reply_to: str = ""
    attachments: Attachments = ()
    cases: tuple[Choice, ...] = ()


def answer_to(row: LetterRow, letter: Letter, kind: str, turn: int) -> Occasion:
    """Return why a letter is answered: by one key for whatever kind of answer, so that none is ever answered twice."""
    return Occasion(f"reply:{row.hash}", kind, turn=turn, letter=row.id, answers=letter)


def game_values(position: Position) -> View:
    """Return what templates may know of a game itself."""
    preset = position.rules.presets[position.setup.preset]
    return {
        "id": position.id,
        "stopped": position.stopped_because or position.row.stopped_at is not None,
        "title": position.rules.title,
        "name": position.rules.name,
        "board_name": position.board_title,
        "preset": position.setup.preset,
        "options": {name: value for name, value in position.setup.options if preset.get(name) != value},
    }


def imprint_values(club: Club) -> View:
    """Return what the head and the foot of a page tell of who publishes it."""
    zine, running = club.config.zine, "SELECT id, kind, turn FROM games WHERE status = 'running' ORDER BY created, id"
    told = {
        **asdict(zine),
        "name": zine.name or club.config.club,
        "site": club.config.publish.url if club.config.publish.folder else "",
        "games": [dict(row) for row in club.query(running)] if zine.games else [],
    }
    return {"club": club.config.club, "today": club.now, "zine": told}


def player_values(player: PlayerRow) -> View:
    """Return what everybody may know of a player: no address."""
    return fields_of(player, "code", "name", "company", "colour")


def render(
    club: Club,
    template: str,
    position: Position,
    player: PlayerRow,
    values: View,
    *,
    paged: bool | None = None,
) -> Rendered:
    """Return a letter about a game for one of its players; *values* beside those that every such letter has.

    *paged*: with a page, whatever the player wishes; None: as the player wishes.
    """
    row, rhythm = position.row, rhythm_of(club.config, position.row)
    every = {
        "game": game_values(position),
        "reader": {**player_values(player), "zone": player.zone, "language": player.language},
        "players": [player_values(each) for each in position.players],
        "asked": list(position.asked),
        # A letter that nobody asked for carries no code: whoever is to answer ours is not told where else to write.
        "address": "" if are_used(club) else club.config.address,
        **imprint_values(club),
        "turn": row.turn,
        "deadline": row.deadline,
        "finished": row.is_over,
        "grace": rhythm.grace,
        "early": rhythm.early_delay,
        "answers_a_day": club.config.replies_per_day,
        "languages": known_languages(),
        "prices": position.rules.prices(position.setup),
    }
    reader = (position.rules.name, player.language, player.zone, {**every, **values})
    rendered = club.stationery.letter(template, *reader)
    if paged is None:
        paged = faces_of(club, row.id, player.address).format == "html"
    return rendered.but(page=club.stationery.page(template, *reader, rendered)) if paged else rendered


def to_reader(club: Club, position: Position, reader: PlayerRow, rendered: Rendered, occasion: Occasion) -> OutboxRow:
    """Return a rendered letter about a game to a player, or to *somebody*, ready for the outbox: its subject names the game, and
    what answers no letter of a player's stands below the newsletters, so that a mail program shows a game as one thread.
    """
    if reader.code:
        if not occasion.answers and not occasion.follows:
            told = outbox.newsletter_ids(club, position.id, reader.code)
            occasion = occasion.but(follows=(*told[:1], *told[-1:]))
        turn = position.row.turn if occasion.asks is None else occasion.asks
        coded = occasion.coded and are_used(club)
        occasion = occasion.but(tag=(occasion.tag or tag_of_turn(club, reader, turn)) if coded else None)
    plain, tag = f"[{position.id}]", occasion.tag
    subject = rendered.subject if plain in rendered.subject else f"{plain} {rendered.subject}"
    titled = rendered.but(subject=add_code(subject, tag) if tag else subject)
    to = (reader.address, reader.name)
    return _row(club, titled, occasion, to, game=position.id, player=reader.code or None)


def put_letter(
    club: Club, position: Position, reader: PlayerRow, template: str, values: View, occasion: Occasion
) -> None:
    """Put a letter about a game into the outbox, once for each key, to a player or to *somebody*. Inside a transaction."""
    outbox.put(club, to_reader(club, position, reader, render(club, template, position, reader, values), occasion))


def somebody(club: Club, game: str, address: str) -> PlayerRow:
    """Return a reader who plays no part in a game: templates know such a one by the code, which is empty."""
    return PlayerRow(
        game=game,
        code="",
        name="",
        address=address,
        colour="",
        company="",
        zone=club.config.zone,
        language=language_of(club, address),
        place=0,
    )


def to_newcomer(club: Club, game: str, to: Pair, rendered: Rendered, occasion: Occasion) -> OutboxRow:
    """Return a rendered letter about a game that waits for its players, to an address with its name, ready for the outbox."""
    subject = add_code(rendered.subject, occasion.tag) if occasion.tag else rendered.subject
    return _row(club, rendered.but(subject=subject), occasion, to, game=None, player=None)


def to_umpire(
    club: Club,
    occasion: Occasion,
    values: View,
    game: str | None = None,
    template: str = "umpire",
    to: str = "",
) -> OutboxRow | None:
    """Return a letter to the umpire, ready for the outbox; None where no umpire wants letters.

    *to*: one of the game's own umpires, else the club's.
    """
    address = to or club.config.umpire
    if not address:
        return None
    rendered = _for_umpire(club, address, occasion, values, game, template)
    if any(each.buttons for each in occasion.cases):
        reader = ("", rendered.language, club.config.zone)
        told = {**imprint_values(club), "reader": {"language": rendered.language}}
        told |= {"cases": occasion.cases, "cases_first": occasion.kind == "digest"}
        bare = _for_umpire(club, address, occasion.but(cases=(), tag=None), values, game, template)
        rendered = rendered.but(page=club.stationery.page(template, *reader, told, bare))
    return _row(club, rendered, occasion, (address, ""), game=game, player=None)


def _for_umpire(
    club: Club, address: str, occasion: Occasion, values: View, game: str | None, template: str = "umpire"
) -> Rendered:
    config = club.config
    told = {
        "occasion": occasion.kind,
        "tag": game or config.club,
        "turn": occasion.turn,
        "reply_to": occasion.reply_to,
        "cases": occasion.cases,
        **values,
    }
    rendered = club.stationery.letter(template, "", language_of(club, address), config.zone, told)
    return rendered.but(subject=add_code(rendered.subject, occasion.tag)) if occasion.tag else rendered


def tell_player(
    club: Club,
    position: Position,
    player: PlayerRow,
    template: str,
    values: View,
    key: str,
    kind: str = "",
    **occasion: Any,
) -> None:
    """Put a letter about the awaited turn to a player, or to *somebody*, into the outbox, once for each *key*. Inside a
    transaction.

    *kind*: of the letter, else it is called as its template; *occasion*: what else is to be said of it.
    """
    told = Occasion(key, kind or template, turn=position.row.turn, **occasion)
    put_letter(club, position, player, template, values, told)


def tell_umpire(
    club: Club,
    key: str,
    kind: str,
    values: View,
    game: str | None = None,
    turn: int | None = None,
    reply_to: str = "",
) -> None:
    """Put a letter to each umpire of the game, or that of the club, into the outbox, once for each *key*; of what strangers can
    bring about only so many a day, and then once that there is more. What is not urgent waits for the digest of the club's, if
    they want one. Inside a transaction.

    *reply_to*: who is to have the umpire's answer; we read none.
    """
    umpires = umpires_of(club, game)
    if not umpires:
        return
    told_today = letters.written(club, umpires[0].address, kind, club.day_ago)
    if kind in _BY_STRANGERS and told_today >= TOLD_A_DAY and not outbox.has(club, f"umpire:{key}"):
        values = {"what": kind, "limit": TOLD_A_DAY}
        key, kind = f"more:{kind}:{club.now:%Y-%m-%d}", "more"
    occasion = Occasion(f"umpire:{key}", kind, turn=turn, reply_to=reply_to)
    if club.config.digest and kind in _NOT_URGENT and umpires[0].address == club.config.umpire:
        from referee.mail.compose import SUBJECT_LIMIT
        from referee.mail.letter.text import clean_line

        # What the letter would say, without its end, which is about answering it.
        rendered = _for_umpire(club, umpires[0].address, occasion, values, game)
        told = rendered.text.partition(f"\n{'-' * 40}\n")[0].strip("\n")
        subject = clean_line(rendered.subject, SUBJECT_LIMIT)
        outbox.put_news(club, NewsRow(key=occasion.key, at=club.now, subject=subject, text=told))
        return
    for place, umpire in enumerate(umpires):
        each = occasion.but(key=f"{occasion.key}:to:{umpire.address}") if place else occasion
        cases = choices_of(club, umpire.address, kind, game, values, each.key)
        issue(club, cases)
        each = each.but(cases=cases)
        if row := to_umpire(club, each, values, game, to=umpire.address):
            outbox.put(club, row)


def message_id(club: Club, key: str) -> str:
    """Return the Message-ID of the letter of that key: the same whenever it is asked for, unlike any other club's.

    Nobody can guess it who was not sent the letter: a bounce is believed by it.
    """
    local = re.sub(r"[^a-z0-9]+", ".", key.lower()).strip(".")
    seal = hashlib.blake2b(local.encode(), key=facts.fact(club, "mark").encode(), digest_size=_SEAL).hexdigest()
    return f"<{local}.{seal}@{club.config.address.rpartition('@')[2]}>"


def signed_text(club: Club, rendered: Rendered) -> str:
    """Return the text of a letter with the club's name below it."""
    from referee.report.quoting import one_line

    return f"{rendered.text.rstrip()}\n\n{one_line(club.config.club)}\n"


def _row(
    club: Club, rendered: Rendered, occasion: Occasion, to: Pair, *, game: str | None, player: str | None
) -> OutboxRow:
    from referee.mail.compose import Outgoing, letter_bytes

    answered = occasion.answers
    references = (*answered.references, answered.message_id) if answered else occasion.follows
    outgoing = Outgoing(
        sender=club.config.address,
        sender_name=club.config.sender_name,
        recipient=to[0],
        recipient_name=to[1],
        subject=rendered.subject,
        text=signed_text(club, rendered),
        page=rendered.page,
        language=rendered.language,
        date=club.now,
        message_id=message_id(club, occasion.key),
        auto="auto-replied" if answered else "auto-generated",
        reply_to=address_of(club, occasion.tag) if occasion.tag else occasion.reply_to,
        reply_to_name=f"{occasion.tag.game} {occasion.tag.player}" if occasion.tag else "",
        bulk=occasion.kind == "newsletter",
        unsubscribe=occasion.unsubscribe,
        in_reply_to=references[-1] if references else "",
        references=tuple(reference for reference in references if reference),
        attachments=occasion.attachments,
        game_id=game or "",
    )
    outgoing = letter_out(club, outgoing, occasion.tag, tuple(map(tag_of_code, codes_in(occasion.cases))))
    letter = _unlike_sent(club, outgoing, occasion.key)
    written = letter_bytes(letter)
    return OutboxRow(
        key=occasion.key,
        game=game,
        turn=occasion.turn,
        player=player,
        letter=occasion.letter,
        kind=occasion.kind,
        recipient=to[0],
        message_id=letter.message_id,
        raw=written.words,
        created=letter.date,
        files=written.files,
    )


def _unlike_sent(club: Club, letter: Outgoing, key: str) -> Outgoing:
    """Return the letter under an id under which no other words have left."""
    ids = chain([letter.message_id], (message_id(club, f"{key}:{again}") for again in count(2)))
    free = next(each for name in ids if _may_leave(club, each := letter.but(message_id=name)))
    if not club.unsure or letter.date <= club.unsure or club.sent(free.message_id) is not None:
        return free
    return free.but(message_id=message_id(club, f"{key}:{secrets.token_hex(4)}"))


def _may_leave(club: Club, letter: Outgoing) -> bool:
    from referee.mail.compose import compose

    sent = club.sent(letter.message_id)
    return sent is None or _but_for_date(sent) == _but_for_date(compose(letter))


def _but_for_date(raw: bytes) -> bytes:
    return re.sub(rb"^Date:.*\r\n", b"", raw, count=1, flags=re.M)
