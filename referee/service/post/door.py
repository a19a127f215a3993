"""The last door: no words of what leaves hold a code; a reader's own stands in his subject and the address that he answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.mail.letter.tokens import Tag, squeeze, without_spelt, without_tokens
from referee.service.club.club import Club
from referee.service.post.codes import given_by, worth_of
from referee.store import games
from referee.store.database.rows import GameRow, PlayerRow

if TYPE_CHECKING:
    from referee.mail.compose import Outgoing

_PACKED = (b"\x89PNG", b"%PDF", b"GIF8")  # how files begin in which no word can be looked for


def letter_out(club: Club, letter: Outgoing, own: Tag | None, buttons: tuple[Tag, ...] = ()) -> Outgoing:
    """Return a letter as it may leave; *own*: what its reader's answers carry; *buttons*: what links of its page
    carry, each for one command of his.
    """
    is_given, plain = given_by(club), _plain(club)
    paged = _plain(club, buttons) if buttons else plain
    return replace(
        letter,
        subject=without_tokens(letter.subject, lambda tag: tag != own and is_given(tag)),
        recipient_name=without_tokens(letter.recipient_name, is_given),
        text=plain(letter.text),
        page=paged(letter.page),
        attachments=tuple(replace(each, content=_file(each.content, plain)) for each in letter.attachments),
    )


def files_out(club: Club, files: dict[str, bytes]) -> dict[str, bytes]:
    """Return files for everybody as they may leave."""
    plain = _plain(club)
    return {place: _file(content, plain) for place, content in files.items()}


def _plain(club: Club, left: tuple[Tag, ...] = ()) -> Callable[[str], str]:
    """Return what takes the codes out of a text but those *left*: what looks like one, and those that were given out however they
    are spelt.
    """
    given, running = given_by(club), games.running_ids(club.db)
    is_given = (lambda tag: tag not in left and given(tag)) if left else given
    seats = cache(lambda game: games.players(club.db, game))

    def plain(text: str) -> str:
        text = without_tokens(text, is_given) if _may_hold(text) else text
        letters = _squeezed(text)
        for game in (each for each in running if each in letters):
            for player in (each for each in seats(game) if f"{game}{each.code}".upper() in letters):
                was_his = cache(partial(_was_his, club, games.game(club.db, game), player))
                text = without_spelt(text, game, player.code.upper(), was_his)
        return text

    return plain


def _was_his(club: Club, game: GameRow, player: PlayerRow, tag: Tag) -> bool:
    return worth_of(club, tag, game, player).word != "wrong"


@lru_cache(maxsize=64)  # the newsletters of a turn have their files in common
def _may_hold(text: str) -> bool:
    return without_tokens(text) != text


_squeezed = lru_cache(maxsize=64)(squeeze)


def _file(content: bytes, plain: Callable[[str], str]) -> bytes:
    return content if content.startswith(_PACKED) else plain(content.decode("latin-1")).encode("latin-1")
