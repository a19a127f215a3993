"""A game of a club as the process that reads letters sees it, in ours."""

from __future__ import annotations

from referee.reader.understanding import InPlay
from referee.service.club.positions import Position


def in_play(position: Position) -> InPlay:
    return InPlay(
        id=position.row.id,
        turn=position.row.turn,
        asked=position.asked,
        salt_fixed=position.salt_fixed,
        rules=position.rules,
        state=position.state,
        language=position.order_language,
        terms=position.rules.lexicon(position.state),
    )
