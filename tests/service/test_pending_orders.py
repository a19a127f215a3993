"""What a player has on file leaves no trace in anything that others are sent: two clubs, alike but for orders of one player that
he takes back in time, send everybody else the same bytes, in every face."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Invited, Proposal
from tests.posthouse import ANN, BOB, PostHouse

EVE = "eve@example.org"  # watches
PLAYERS = (
    Invited(code="ANN", colour="red", name="Ann", address=ANN),
    Invited(code="BOB", colour="blue", name="Bob", address=BOB),
    Invited(code="CID", colour="green", name="Cid", address="cid@example.org"),
)
GAMES = [
    ("dampfross", "ireland", "HOME Belfast\n{round}a) (Belfast) - AD9\nRUN 1: FASTEST"),
    (
        "volldampf",
        "deutschland-1925",
        "BONDS 3\nLIMIT 7\nRANK 2, 1, 3\nBUILD Hamburg-Bremen\nTRIP 1: red Essen - Brüssel",
    ),
]
MORE = 5  # turns


def twins(stack: ExitStack, folder: Path, kind: str, board: str) -> Iterator[PostHouse]:
    """Yield two clubs with the same game, as one copy of a folder is like the other."""
    with PostHouse(folder / "one") as house:
        new_game(house.club, Proposal(kind=kind, board=board, players=PLAYERS, rhythm={"days": 7}), "root")
        house.tick()
        house.write(ANN, "ATTACH svg json ics pdf")
        house.write("cid@example.org", "FORMAT TEXT\nATTACH png svg json")
        house.send(EVE, f"WATCH {house.command('game', 'watch', 'RR1').stdout.split()[1]}")
        house.reply(house.last(EVE), "CONFIRM")
        at, dropped = house.clock.now, house._dropped
    shutil.copytree(folder / "one", folder / "two")
    for name in ("one", "two"):
        made = stack.enter_context(PostHouse(folder / name))
        made.clock.now, made._dropped = at, dropped
        yield made


def told(house: PostHouse) -> dict[str, bytes]:
    """Return what was sent to anybody but him, by its Message-ID."""
    return {row.message_id: row.raw for row in house.ours() if row.recipient != BOB}


@pytest.mark.parametrize("turns", [2, pytest.param(MORE, marks=pytest.mark.testlong)])
@pytest.mark.parametrize(("kind", "board", "orders"), GAMES, ids=[game[0] for game in GAMES])
def test_orders_that_were_taken_back_leave_no_trace(
    tmp_path: Path, kind: str, board: str, orders: str, turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But in a turn's hash, which covers all letters under names that nobody can guess."""
    monkeypatch.setattr("referee.service.turns.adjudicate.sealed_letters", lambda *_: {})
    with ExitStack() as stack:
        houses = tuple(twins(stack, tmp_path, kind, board))
        for turn in range(1, turns + 1):
            for house, said in zip(houses, ("PASS", orders.format(round=turn)), strict=True):
                house.send(BOB, f"ORDERS RR1 {turn}\n{said}\nEND")
                house.send(ANN, "STATUS\nMAP")
                house.send(BOB, f"ORDERS RR1 {turn}\nPASS\nEND")
                assert house.later(days=7, hours=9 if turn == 1 else 0).turns == (f"RR1/{turn}",)
        one, two = (told(house) for house in houses)
        letters_to_bob = [[row.raw for row in house.ours() if row.recipient == BOB] for house in houses]
        assert any(row.recipient == EVE for row in houses[0].ours())
        assert letters_to_bob[0] != letters_to_bob[1]
        assert len(one) > 4 * turns
        assert any(b"application/pdf" in raw for raw in one.values())
        assert any(b"text/calendar" in raw for raw in one.values())
        assert list(one) == list(two)
        assert [name for name in one if one[name] != two[name]] == []
