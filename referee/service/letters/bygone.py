"""Of what a letter speaks that is no more, or not yet: turns that were played or are to come, letters that wait for a word."""

from __future__ import annotations

from referee.reader.understanding import Understanding
from referee.service.club.club import Club
from referee.service.letters.interpretation import awaits_standby
from referee.service.letters.verdict import Case, Note
from referee.store import games, letters
from referee.store.database.rows import HeldRow, LaterRow, LetterRow, TurnRow

# What a complaint of orders for another turn or round calls that, and the awaited one.
_OTHERS = (("written", "awaited"), ("read", "round"))


def turns_back(read: Understanding) -> int:
    """Return for how many turns before the awaited one orders are that were not taken, 0 where there are none."""
    told = (dict(each.params) for each in read.complaints if each.is_error)
    found = (int(each[now]) - int(each[then]) for each in told for then, now in _OTHERS if {then, now} <= {*each})
    return max(0, *found, 0)


def played_before(club: Club, case: Case) -> TurnRow | None:
    """Return the turn for which a letter has orders and that was played before it came, None if there is none."""
    row, back = case.found.position.row, turns_back(case.read) if case.read else 0
    turn = next((each for each in games.turns(club.db, row.id) if back and each.turn == row.turn - back), None)
    return turn if turn and turn.turn and case.arrived > turn.adjudicated_at else None


def bygone_note(case: Case, turn: TurnRow) -> Note:
    """Return what the umpire is told of that, once for each player and turn."""
    game, player = case.found.position.row.id, case.found.player.code
    values = {"player": player, "letter": case.row.id, "of": turn.turn, "played": turn.adjudicated_at}
    values |= {"arrived": case.arrived}
    key = f"bygone:{game}:{turn.turn}:{player}"
    return Note(key=key, kind="bygone", values=values, game=game, turn=case.found.position.row.turn)


def awaiting_word(club: Club, case: Case) -> tuple[HeldRow, LetterRow] | None:
    """Return the held letter to which a letter answers and which it does not let count, though it still could; None if none."""
    held, found = case.proved.held if case.proved else None, case.found
    if held is None or held.released_by is not None or (case.read and case.read.gives_orders):
        return None
    if (held.player, held.turn) != (found.player.code, found.position.row.turn):
        return None
    return held, letters.letter(club.db, held.letter)


def kept_for_later(case: Case, row: LetterRow) -> tuple[LaterRow, ...]:
    """Return a letter with orders for a turn that has not come, or for a stand-by: it is read again when they are due."""
    position, player, read = case.found.position, case.found.player, case.read
    standby = read is not None and awaits_standby(position, read)
    if read is None or not (read.later or standby):
        return ()
    game, turn = position.row.id, position.row.turn if standby else read.reading.turn
    kept = LaterRow(letter=row.id, game=game, player=player.code, turn=turn, arrived=case.arrived, if_standby=standby)
    return (kept,)
