"""A closing statement: press of a player whose game is over, while such are awaited."""

from __future__ import annotations

from referee.mail.letter.tokens import without_tokens
from referee.service.club.club import Club
from referee.service.letters.limits import Last, answered
from referee.service.letters.verdict import Case, Verdict
from referee.service.post.writing import answer_to, render, to_player
from referee.store.database.rows import OutboxRow, PressRow
from referee.store.fates import Fate

STATEMENT = "statement"  # a kind of press


def statement(club: Club, case: Case) -> Verdict | None:
    """Return the verdict on a letter that holds a closing statement, None if it holds none, or none is awaited any more. The last
    one counts.
    """
    text = case.read.reading.press if case.read is not None and case.why is Fate.OVER else ""
    position, player = case.found.position, case.found.player
    row = position.row
    if not text or row.statements_due is None or case.arrived > row.statements_due:
        return None
    long = len(text) > club.config.press_limit
    kept = PressRow(
        game=row.id,
        turn=row.turn,
        player=player.code,
        letter=case.row.id,
        kind=STATEMENT,
        text=without_tokens(text),
        arrived=case.arrived,
    )
    values = {
        "until": row.statements_due,
        "text": kept.text,
        "length": len(text) if long else 0,
        "limit": club.config.press_limit,
        "finished": True,
    }

    def answer(_: Last) -> OutboxRow:
        rendered = render(club, "statement", position, player, values)
        return to_player(club, position, player, rendered, answer_to(case.row, case.letter, "statement", row.turn))

    fate = Fate.NOTHING_NEW if long else Fate.STATEMENT
    verdict = case.verdict(fate, effects=() if long else (kept,))
    return answered(club, case.letter, verdict, position, player, answer)
