"""Whether a game's log proves itself: in the club, outside of it, and played again."""

from __future__ import annotations

from referee.service.audit.export import format_revealed, parse_revealed, revealed
from referee.service.audit.replay import replay
from referee.service.audit.verify import verify
from tests.posthouse import PostHouse


def assert_in_order(house: PostHouse, game: str = "RR1") -> None:
    assert house.faults(game) == ()
    assert verify(parse_revealed(format_revealed(revealed(house.club, game)).encode())).faults == ()
    assert not any(each.differs for each in replay(house.club, game))
