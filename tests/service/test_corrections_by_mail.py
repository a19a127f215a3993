"""Two situations of postal practice, played by mail: last month's report is corrected, and the umpire rules against himself.

Every letter is answered as mail programs do, with its code; what players read stands here as they read it.
"""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.service.audit.export import format_revealed, parse_revealed, revealed
from referee.service.audit.verify import verify, verify_game
from referee.service.deadlines.rescheduling import order_play
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Invited, Proposal
from referee.service.umpire.explain import dry_run
from referee.service.umpire.filing import file_orders
from referee.service.umpire.rulings import adjust, note, undo
from referee.store import games
from tests.posthouse import PostHouse, line_of, text_of
from tests.provenlog import assert_in_order
from tests.service.test_running_games import BUILDING, brought

CODES = ("GSW", "MGW", "BNC")


def last(house: PostHouse, code: str) -> EmailMessage:
    return house.last(f"{code.lower()}@")


def write(house: PostHouse, code: str, text: str) -> None:
    house.answer(last(house, code), text)


@pytest.fixture
def played(tmp_path: Path) -> Iterator[PostHouse]:
    """A game by the month, of which round 4 was played: MGW's line was read wrong."""
    with PostHouse(tmp_path / "club", identity__policy="token", deadlines__days=30) as house:
        brought(house, BUILDING)
        house.tick()
        house.clock.advance(days=20)
        write(house, "GSW", "4a) (Dundalk) - Z13")
        write(house, "MGW", "4a) (Dublin) - AA18\n4b) (AA18) - Z17")
        write(house, "BNC", "PASS")
        assert house.later(hours=1).turns == ("RR1/4",)
        yield house


def everybody_is_told_once(house: PostHouse) -> None:
    """No Message-ID is used twice, the log proves itself, and no letter was refused or lost."""
    ids = [row["message_id"] for row in house.rows("SELECT message_id FROM outbox")]
    assert len(ids) == len(set(ids))
    assert_in_order(house)
    assert {row["status"] for row in house.rows("SELECT status FROM letters")} == {"done"}


def test_a_correction_of_last_month_s_report(played: PostHouse) -> None:
    """A month later MGW complains; meanwhile two have written for the next round. Nothing of it is lost."""
    house, wrong = played, {code: last(played, code) for code in CODES}
    house.clock.advance(days=25)
    write(house, "GSW", "5a) (Z13) - Y13")
    write(house, "MGW", "5a) (Z17) - Y17")
    house.tick()

    undo(house.club, "RR1", 4, "MGW wrote AB17, and I read AA18: my mistake.")
    house.tick()
    for code in CODES:
        letter = last(house, code)
        assert str(letter["Subject"]).endswith("] Turn 4 does not count")
        assert letter["In-Reply-To"] == wrong[code]["Message-ID"]
        assert "The game stands as the opening newsletter told it. He writes: | MGW wrote AB17" in line_of(letter)

    file_orders(house.club, "RR1", "MGW", "4a) (Dublin) - AB17\n4b) (AB17) - AA17\n", "You wrote AB17.")
    house.tick()
    assert "The umpire has corrected your orders for turn 4. He writes: | You wrote AB17." in line_of(
        last(house, "MGW")
    )
    seen = dry_run(house.club, "RR1", "MGW")
    assert (seen.real, seen.doubtful) == (True, ())

    house.clock.advance(hours=1)
    order_play(house.club, "RR1", 4)
    assert house.tick().turns == ("RR1/4",)
    for code in CODES:
        letter = last(house, code)
        assert str(letter["Subject"]).endswith("] Corrected: Ireland: round 4 of 12")
        assert letter["Message-ID"] != wrong[code]["Message-ID"]
        assert letter["In-Reply-To"] == wrong[code]["Message-ID"]
        text = text_of(letter)
        head = text[: text.index("Builds")]
        assert "THIS IS A CORRECTION. It replaces the newsletter of turn 4 that was written on" in line_of(letter)
        assert "| MGW wrote AB17, and I read AA18: my mistake." in head
        assert "Units: GSW 34, not 31; MGW 14, not 17\n" in head
        assert "Track: MGW now also AA17-AB17, AB17-Dublin, no longer AA18-Dublin, Z17-AA18\n" in head
        names = [part.get_filename() for part in letter.iter_attachments()]
        assert "RR1-turn-4-edition-2.json" in names
        page = letter.get_body(("html",))
        assert page is not None
        html = " ".join(str(page.get_content()).split())
        assert html.index("THIS IS A CORRECTION.") < html.index("Builds")
        assert "MGW wrote AB17, and I read AA18: my mistake." in html
    # Of what came for round 5 each is told how it reads now: GSW's stands, MGW's line has no beginning any more.
    assert "In the corrected position they read: - 5a) (Z13) - Y13 " in line_of(last(house, "GSW"))
    assert "line 1: Z17 is not on your network" in line_of(last(house, "MGW"))
    assert "stay on file" not in line_of(last(house, "BNC"))

    write(house, "MGW", "5a) (AA17) - Z17")
    write(house, "BNC", "PASS")
    assert house.later(hours=1).turns == ("RR1/5",)
    assert "Corrected" not in str(last(house, "MGW")["Subject"])
    assert games.last_turn(house.club.db, "RR1").edition == 2
    everybody_is_told_once(house)


def test_an_umpire_s_ruling_against_himself(played: PostHouse) -> None:
    """He charges MGW by a ruling, is shown the paragraph a month later, and takes it back by another one."""
    house = played
    adjust(house.club, "RR1", ["money.MGW-=3", "money.GSW+=3"], "MGW owes GSW 3 for running beside it in round 4.")
    house.tick()
    for code in CODES:
        letter = last(house, code)
        assert str(letter["Subject"]).endswith("] A ruling of the umpire (U1)")
        assert "Units: GSW 34, not 31; MGW 14, not 17" in line_of(letter)
    for code in CODES:
        write(house, code, "PASS")
    assert house.later(hours=1).turns == ("RR1/5",)
    charged = line_of(last(house, "MGW"))
    assert "Rulings of the umpire" in charged
    assert "U1: | MGW owes GSW 3 for running beside it in round 4. Units: GSW 34, not 31; MGW 14, not 17" in charged

    house.clock.advance(days=29)
    adjust(
        house.club,
        "RR1",
        ["money.MGW+=3", "money.GSW-=3"],
        "I was wrong last month: cities are free (D3.4). The 3 go back to MGW, with my apologies.",
    )
    note(house.club, "RR1", "My thanks to MGW for reading the rules better than I do.")
    house.tick()
    assert "Units: GSW 31, not 34; MGW 17, not 14" in line_of(last(house, "GSW"))
    for code in CODES:
        write(house, code, "PASS")
    assert house.later(hours=1).turns == ("RR1/6",)
    reversed_ = line_of(last(house, "MGW"))
    assert "From the umpire --------------- My thanks to MGW" in reversed_
    assert "U2: | I was wrong last month: cities are free (D3.4)." in reversed_
    assert reversed_.index("Rulings of the umpire") < reversed_.index("Accounts")
    assert "Column check: fees sum to zero, every line adds up." in reversed_
    everybody_is_told_once(house)


def test_a_game_with_secrets_is_corrected_without_telling_them(tmp_path: Path) -> None:
    """Volldampf: no seed, no hand and no order leaves the club by an undo, a ruling or an export before the game is over."""
    players = tuple(
        Invited(code=code, colour=colour, name=code.title(), address=f"{code.lower()}@example.org")
        for code, colour in (("ANN", "red"), ("BOB", "blue"), ("CYD", "green"))
    )
    with PostHouse(tmp_path / "club") as house:
        new_game(house.club, Proposal(kind="volldampf", board="deutschland-1925", players=players))
        for _ in range(2):
            house.clock.advance(days=20)
            assert len(house.tick().turns) == 1
        turn = games.last_turn(house.club.db, "RR1").turn
        adjust(house.club, "RR1", ["actions.ANN+=Sabotage"], "ANN was dealt one card too few.")
        house.tick()
        assert "Action cards: ANN now also Sabotage" in house.told("ann@")
        told = house.told("bob@")
        assert "Action cards in hand: ANN 1, not 0" in told
        assert "Sabotage" not in told
        adjust(house.club, "RR1", ["track_pile.green-=1"], "A card was torn.")
        house.tick()
        assert "Nothing on the board, on the accounts or in open hands." in house.told("bob@")
        undo(house.club, "RR1", turn, "I dealt wrong.", play=True)
        house.tick()
        seeds = [row["seed"] for row in house.rows("SELECT seed FROM turns")]
        for letter in house.post():
            assert not [seed for seed in seeds if seed in text_of(letter)]
        text = format_revealed(revealed(house.club, "RR1"))
        assert "Sabotage" not in text
        assert not [seed for seed in seeds if seed in text]
        assert verify(parse_revealed(text.encode())).faults == ()
        assert verify_game(house.club, "RR1").faults == ()
