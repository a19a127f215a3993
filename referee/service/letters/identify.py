"""Whose letter is it, and about which game?"""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.regex import regex
from referee.core.values import Value
from referee.mail.letter.message import Letter
from referee.mail.letter.tokens import Tag
from referee.service.club.club import Club
from referee.service.club.positions import Position
from referee.service.post.codes import tags_of
from referee.store import games
from referee.store.database.rows import PlayerRow
from referee.store.fates import Fate

_TAG = regex(r"\[([A-Za-z]{1,6}[0-9]{1,6})\]")
_WORD = regex(r"(?<![\w-])[A-Za-z]{1,6}[0-9]{1,6}(?![\w-])")


class Found(Value):
    """The game and player a letter is from. ``why`` it cannot be taken: the game is over, or it is not known which is meant
    (``named``, if any was); then the position is one of the player's games. ``running``: his games that are not over. ``seats``:
    those held from the address that it bears.
    """

    position: Position
    player: PlayerRow
    why: Fate | None = None
    named: str = ""
    running: tuple[Position, ...] = ()
    seats: tuple[PlayerRow, ...] = ()

    @property
    def choices(self) -> tuple[str, ...]:
        """The ids of the games that he may mean."""
        return tuple(each.row.id for each in self.running)


def why_ignored(club: Club, letter: Letter) -> Fate | None:
    """Return why a letter is kept without a word to anybody: from a machine, from nobody, from ourselves; None if it is read."""
    if letter.robot:
        return Fate.ROBOT
    if not letter.sender:
        return Fate.NO_SENDER
    if is_own(club, letter.sender):
        return Fate.OWN_ADDRESS
    return None if games.seats_of(club.db, letter.sender) else Fate.STRANGER


def reason_ignored(why: Fate, letter: Letter) -> str:
    """Return in the umpire's words why a letter is ignored."""
    return f"{why}: {letter.robot}" if why is Fate.ROBOT else why


def is_own(club: Club, address: str) -> bool:
    """Return whether letters to *address* come to us: ``referee+anything@...`` is the referee's too."""
    local, _, domain = address.lower().rpartition("@")
    own, _, own_domain = club.config.address.lower().rpartition("@")
    return domain == own_domain and own in (local, local.partition("+")[0])


def identify(club: Club, letter: Letter, game_id: str = "") -> Found:
    """Return whose letter it is: by *game_id* if given, the code in address or subject, the tag in the subject, the only running
    game. Nothing of it is proved, and its text is not looked at. The sender must hold a seat in some game.
    """
    seats = games.seats_of(club.db, letter.sender)
    tags = tags_of(club, letter)
    positions = [club.positions.of(club.db, games.game(club.db, seat.game)) for seat in seats]
    running = tuple(position for position in positions if position.row.status == "running")
    asked = (game_id or _named(letter, running, tags)).upper()
    chosen: Sequence[Position] = [position for position in positions if position.row.id == asked]
    if not asked and len(running) == 1:
        chosen = running
    position = (chosen or running or positions)[-1]
    why = None if position.row.status == "running" else Fate.OVER
    if not chosen and (asked or running):
        why = Fate.UNKNOWN_GAME if asked else Fate.WHICH_GAME
    held = [seat for seat in seats if seat.game == position.row.id]
    coded = {tag.player for tag in tags if tag.game == position.row.id}
    player = next((seat for seat in held if seat.code.upper() in coded), held[0])
    player = position.player(player.code)  # as others may know him
    return Found(position=position, player=player, why=why, named=asked, running=running, seats=seats)


def identify_by_text(club: Club, letter: Letter, found: Found) -> Found:
    """Return whose letter it is, where a line ``ORDERS RR7`` names another game than its header."""
    if not letter.text.strip():
        return found
    named = club.reader.games_named(letter, [position.in_play for position in found.running])
    game_id = next(filter(None, named), "")
    same = ("", found.named, found.position.row.id if found.why is None else "")
    return found if game_id.upper() in same else identify(club, letter, game_id)


def _named(letter: Letter, running: Sequence[Position], tags: tuple[Tag, ...]) -> str:
    """Return the game a letter names by a code, else in its subject, in brackets or as a word that names one alone of the
    player's running games; "" if it names none.
    """
    coded = [tag.game for tag in tags]
    own = [game for game in coded if any(position.row.id == game for position in running)]
    plain = _TAG.findall(letter.subject)
    words = {word.upper() for word in _WORD.findall(letter.subject)}
    bare = [position.row.id for position in running if position.row.id in words]
    in_subject = plain[-1:] or (bare if len(bare) == 1 else [])
    return (own or coded or in_subject or [""])[0]
