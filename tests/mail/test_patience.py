"""A server that fails is left alone for longer and longer."""

from __future__ import annotations

from referee.mail.servers.backoff import Patience


def test_waits_double_from_five_seconds_to_a_quarter_of_an_hour() -> None:
    patience = Patience(lambda: 0.0, lambda: 100.0)
    assert patience.left() == 0
    waits = []
    for _ in range(12):
        patience.failed()
        waits.append(patience.left())
    assert waits == [5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900, 900]
    patience.succeeded()
    assert patience.left() == 0


def test_chance_adds_up_to_a_quarter() -> None:
    patience = Patience(lambda: 0.5, lambda: 100.0)
    patience.failed()
    assert patience.left() == 5 * 1.125


def test_time_that_passes_counts() -> None:
    now = [0.0]
    patience = Patience(lambda: 0.0, lambda: now[0])
    patience.failed()
    now[0] = 4
    assert patience.left() == 1
    now[0] = 6
    assert patience.left() == 0
