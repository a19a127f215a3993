"""What is most likely asked about a letter that waits, asked before: while the one before it is answered. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.mail.letter.message import Letter, codeless
from referee.reader import wire
from referee.reader.hearing import may_quote
from referee.reader.values import Likely, Meant, NamedGames, Query, Quoted


def answers(letter: Letter, likely: Likely, ask: Callable[[Query], Any]) -> dict[bytes, bytes]:
    """Return the answers to what is most likely asked about *letter*, by the question, both as they are sent."""
    known: dict[bytes, bytes] = {}

    def asked(query: Query) -> Any:
        answer = ask(query)
        known[wire.dumps(query)] = wire.dumps(answer)
        return answer

    letter = codeless(letter)
    if may_quote(letter):
        letter = asked(Quoted(letter=letter, ours=likely.ours, game=likely.game, broken=likely.broken))
    if letter.text.strip():
        asked(NamedGames(letter=letter, games=(likely.game,)))
    asked(Meant(letter=letter, player=likely.player, game=likely.game, file=likely.file))
    return known
