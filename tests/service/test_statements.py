"""How many statements of SQL a letter takes: each fact about it is asked for once."""

from __future__ import annotations

from referee.service.post.collect import collect
from referee.service.receive import handle_waiting
from referee.service.umpire.letters import commanded
from tests.posthouse import ANN, PostHouse

MOST_STATEMENTS = (
    39  # with those of its pass, and whether somebody waits; 46 when each fact was asked for where it was needed
)
QUOTED = "\n".join(f"> line {number} of the newsletter, which he quotes whole" for number in range(20))


def test_a_letter_of_orders_takes_no_more_statements_than_it_needs(house: PostHouse) -> None:
    house.game()
    house.tick()
    house.write(ANN, f"STEP 1\n\n{QUOTED}")
    collect(house.club)
    asked: list[str] = []
    house.club.db.conn.set_trace_callback(asked.append)
    handle_waiting(house.club, commanded)
    house.club.db.conn.set_trace_callback(None)
    assert house.rows("SELECT text FROM order_sets")
    begun = [statement for statement in asked if not statement.startswith("--")]  # those of triggers
    assert len(begun) <= MOST_STATEMENTS, begun
