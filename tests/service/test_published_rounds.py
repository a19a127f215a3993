"""The four situations that postal practice tells of, played by mail in a game of Dampfross: a round held over, a stand-by taking
over, a report of last month corrected, and an umpire's ruling against himself.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.service.audit.verify import verify_game
from referee.service.deadlines.rescheduling import order_play
from referee.service.seats import add_standby
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Invited, Proposal
from referee.service.umpire.filing import file_orders
from referee.service.umpire.rulings import adjust, undo
from tests.posthouse import UMPIRE, PostHouse, line_of, text_of

ANN, BOB, CYD, DORA = (f"{name}@example.org" for name in ("ann", "bob", "cyd", "dora"))
SEATS = {"GSW": ("red", "Ann", ANN), "MGW": ("blue", "Bob", BOB), "BNC": ("green", "Cyd", CYD)}
RHYTHM: dict[str, str | int | bool] = {
    "every": "2 weeks",
    "weekday": "Friday",
    "zone": "Europe/Dublin",
    "missing": "stand-by",
    "outlook": 24,
}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    """Monday 7 December; the first deadline is on Friday 25, and Bob writes nothing."""
    with PostHouse(tmp_path / "club", identity__policy="token") as made:
        players = tuple(
            Invited(code=code, colour=colour, name=name, address=address, zone="Europe/Dublin")
            for code, (colour, name, address) in SEATS.items()
        )
        proposal = Proposal(kind="dampfross", board="ireland", players=players, rhythm=RHYTHM | {"reminders": "72, 24"})
        new_game(made.club, proposal, "root of the chain")
        add_standby(made.club, f"Dora <{DORA}>")
        made.tick()
        made.answer(made.last(ANN), "ORDERS RR1 1\nHOME Dublin\nPASS\nEND")
        made.reply(made.last(CYD), "ORDERS RR1 1\nHOME Belfast\nPASS\nEND")
        yield made


def pass_days(house: PostHouse, days: int) -> None:
    """Let days pass with four passes each."""
    for _ in range(4 * days):
        house.later(hours=6)


def subjects(house: PostHouse, reader: str) -> list[str]:
    return [str(each["Subject"]).partition("] ")[2] for each in house.post(reader)]


def test_a_round_is_held_over(house: PostHouse) -> None:
    pass_days(house, 12)
    missing = "Turn 1: your orders are missing"
    assert subjects(house, BOB) == ["Ireland: the game opens", missing, missing, "Turn 1 is held over"]
    assert subjects(house, ANN)[1:] == ["Orders for turn 1 received", "Turn 1 is held over"]
    notice = house.told(ANN, "is held over")
    assert "Orders came from: GSW and BNC Missing: MGW" in notice
    assert "Yours are on file and stand." in notice
    assert "Deadline: Friday 1 January 2027, 20:00 (Europe/Dublin)" in notice
    assert "From you nothing has come." in house.told(BOB, "is held over")
    assert subjects(house, UMPIRE) == ["Turn 1 before its deadline: 1 missing", "Turn 1: orders are missing"]
    assert "the turn is held over for everybody, once" in house.told(UMPIRE, "before its deadline")
    assert house.reply(house.last(BOB), "ORDERS RR1 1\nHOME Dublin\nPASS\nEND").turns == ("RR1/1",)


def test_a_stand_by_takes_over(house: PostHouse) -> None:
    pass_days(house, 26)
    assert "a stand-by has your seat for good" in house.told(BOB, "your orders are missing")
    assert "That was your seat." in house.told(BOB, "MGW has a new player")
    assert "Dora plays MGW from now on, in the place of Bob." in house.told(CYD, "MGW has a new player")
    briefing = house.told(DORA, "You play MGW from now on")
    assert "Turn 1 is awaited, and your orders for it." in briefing
    assert "Deadline: Friday 15 January 2027, 20:00 UTC" in briefing
    assert house.reply(house.last(DORA), "ORDERS RR1 1\nHOME Dublin\n1a) (Dublin) - Y17\nEND").turns == ("RR1/1",)
    newsletter = house.told(ANN, "Round 1 of 12")
    assert "MGW (blue), Dora" in newsletter
    assert "Bob" not in newsletter
    assert verify_game(house.club, "RR1").faults == ()


def all_order(house: PostHouse, turn: int, **lines: str) -> None:
    """Have all three answer their newest letters, with PASS who has no lines; the turn is played."""
    for address in (ANN, BOB, CYD):
        text = lines.get(address.partition("@")[0], "PASS")
        house.clock.advance(minutes=1)
        house.answer(house.last(address), f"ORDERS RR1 {turn}\n{text}\nEND")
    assert house.tick().turns == (f"RR1/{turn}",)


def test_last_month_s_report_is_corrected(house: PostHouse) -> None:
    all_order(house, 1, ann="HOME Dublin\n1a) (Dublin) - Z17 - Z16", bob="HOME Dublin\nPASS", cyd="HOME Belfast\nPASS")
    all_order(house, 2, ann="2a) (Z16) - Y16")
    wrong = house.last(BOB)
    undo(house.club, "RR1", 2, "Ann's letter said Z15. I read Y16: my mistake.")
    file_orders(house.club, "RR1", "GSW", "2a) (Z16) - Z15", "Your letter said Z15.")
    house.tick()
    assert "| Ann's letter said Z15. I read Y16: my mistake." in text_of(house.post(BOB, "Turn 2 does not count")[0])
    assert "- 2a) (Z16) - Z15" in house.told(ANN, "the umpire has corrected your orders")
    order_play(house.club, "RR1", 2)
    assert house.tick().turns == ("RR1/2",)
    right = house.last(BOB)
    assert str(right["Subject"]).endswith("] Corrected: Ireland: round 2 of 12")
    assert right["Message-ID"] != wrong["Message-ID"]
    assert str(right["In-Reply-To"]) == str(wrong["Message-ID"])
    assert "THIS IS A CORRECTION. It replaces the newsletter of turn 2" in text_of(right)
    assert "Track: GSW now also Z15-Z16, no longer Y16-Z16" in text_of(right)
    assert verify_game(house.club, "RR1").faults == ()


def test_an_umpire_rules_against_himself(house: PostHouse) -> None:
    all_order(house, 1, ann="HOME Dublin\n1a) (Dublin) - Z17 - Z16", bob="HOME Dublin\nPASS", cyd="HOME Belfast\nPASS")
    adjust(house.club, "RR1", ["money.GSW+=5"], "The fee was not due: GSW gets it back.")
    adjust(house.club, "RR1", ["money.GSW-=5"], "I ruled wrongly: it was due after all [D3.2].")
    house.tick()
    first, second = (line_of(each) for each in house.post(BOB, "A ruling of the umpire"))
    assert "| The fee was not due: GSW gets it back." in first
    assert "Units: GSW 25, not 20" in first
    assert "| I ruled wrongly: it was due after all [D3.2]." in second
    assert "Units: GSW 20, not 25" in second
    all_order(house, 2)
    newsletter = house.told(CYD, "round 2 of 12")
    assert newsletter.index("U1: | The fee was not due") < newsletter.index("U2: | I ruled wrongly")
    assert verify_game(house.club, "RR1").faults == ()
