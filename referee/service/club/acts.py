"""The log of what the umpire did with a game: every act of his is written into it in the transaction that does it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.core.codec import canonical
from referee.core.errors import ConfigError
from referee.core.texts.wording import N_
from referee.mail.letter.tokens import without_tokens
from referee.service.club.club import Club
from referee.store.acts import write_act
from referee.store.database.rows import ActRow

UMPIRE = "umpire"  # by a command on the club's machine
BY_MAIL = "umpire by mail"
BUILT_IN = "built-in player"
REFEREE = "referee"  # what the umpire's settings had done
_LONGEST = 4000  # characters of a reason


def log_act(
    club: Club,
    game: str,
    turn: int,
    kind: str,
    parameters: Mapping[str, Any] | None = None,
    reason: str = "",
    actor: str = "",
) -> ActRow:
    """Write an act into the log of a game. Inside a transaction, that of the act itself.

    *turn* is the one it is about, *kind* the command's word, *actor* else he who acts with this *club*. An export tells everybody
    what stands here: no address, no code and no orders that were not played.
    """
    plain = canonical(parameters or {})
    who, why = actor or club.actor, checked_reason(reason)
    act = ActRow(
        game=game, turn=turn, at=club.clock().replace(microsecond=0), actor=who, kind=kind, parameters=plain, reason=why
    )
    return write_act(club.db, act)


def checked_reason(text: str, *, needed: bool = False) -> str:
    """Return the umpire's own words as they are kept and printed, without codes.

    Raises:
        ConfigError: they are too long or cannot be printed; or there are none where they are *needed*.
    """
    words = without_tokens(text.replace("\r\n", "\n").strip())
    if needed and not words:
        raise ConfigError('say why: --because "the words that the players are to read"')
    if len(words) > _LONGEST:
        told = N_("the reason has {number} characters: at most {most} are possible")
        raise ConfigError(told, number=len(words), most=_LONGEST)
    if not all(char.isprintable() or char == "\n" for char in words):
        raise ConfigError(N_("the reason holds characters that cannot be printed"))
    return words
