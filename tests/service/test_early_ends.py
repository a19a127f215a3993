"""A game that ends before its last turn: by the umpire, or because all people who play it agree, each by a letter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.service.audit.verify import verify_game
from referee.service.site.games import shown, winners
from referee.service.site.parts import records
from referee.service.umpire.colleagues import seat_anew
from referee.store import games
from referee.store.games import acts
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse

WHY = "Nobody has written for a month."


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    """A game of which a turn was played: ANN has 3, BOB 2."""
    with PostHouse(tmp_path / "club", identity__policy="token") as made:
        made.begin()
        made.answer(made.last(ANN), "STEP 2")
        made.answer(made.last(BOB), "STEP 1")
        made.later(hours=1)
        yield made


def status(house: PostHouse) -> str:
    return games.game(house.club.db, "RR1").status


def says(house: PostHouse, address: str, text: str) -> str:
    """Answer the last letter that carries a code, and return what is answered, in one line."""
    house.clock.advance(minutes=1)
    house.reply(next(each for each in reversed(house.post(address)) if "-" in str(each["Subject"]).split("]")[0]), text)
    return house.told(address)


def fame(house: PostHouse) -> tuple[list[str], str]:
    game = shown(house.club, games.game(house.club.db, "RR1"))
    (told,) = records(house.club, [game])["fame"]
    return [each["code"] for each in winners(game)], told["ending"]["how"]


def test_the_umpire_ends_a_game_as_it_stands_and_undo_takes_it_back(house: PostHouse) -> None:
    result = house.command("game", "end", "RR1", "--because", WHY)
    assert result.stdout == "RR1 is over; all will be told with the next pass; `referee undo RR1 2` takes it back\n"
    house.tick()
    for address in (ANN, BOB):
        told = house.text(address)
        assert f"| {WHY}" in told
        assert "ANN  3\nBOB  2" in told
        assert "Closing statements" in told
    assert status(house) == "finished"
    assert fame(house) == (["ANN"], "umpire")
    assert verify_game(house.club, "RR1").faults == ()
    back = house.command("undo", "RR1", "2", "--because", "They have.", "--deadline", "2026-12-20 20:00")
    assert "RR1: goes on; turn 2 is due" in back.stdout
    house.tick()
    assert "turn 2 is awaited again. He writes: | They have." in house.told(ANN)
    assert status(house) == "running"
    assert "STEP 1" in says(house, ANN, "STEP 1")
    assert verify_game(house.club, "RR1").faults == ()


def test_statements_are_asked_for_and_mailed_and_the_game_can_be_put_away(house: PostHouse) -> None:
    house.command("game", "end", "RR1", "--because", WHY)
    house.tick()
    assert "It is kept, and is mailed to all" in says(house, ANN, "PRESS: It was fun.")
    house.later(days=20)
    assert "It was fun." in house.told(BOB)
    assert house.command("game", "archive", "RR1").returncode == 0


def test_the_umpire_ends_a_game_by_mail_and_takes_it_back(house: PostHouse) -> None:
    house.says(UMPIRE, f"END RR1\n{WHY}")
    house.reply(house.last(UMPIRE), "CONFIRM")
    assert "RR1 is over; all are told" in house.told(UMPIRE)
    house.clock.advance(minutes=1)
    house.reply(house.last(UMPIRE), "UNDO RR1 2\nI was too fast.")
    assert "RR1 goes on: turn 2 is awaited again" in house.told(UMPIRE)
    assert status(house) == "running"


@pytest.mark.parametrize(
    ("proposal", "how", "winner"),
    [("PROPOSE END", "draw", ["ANN", "BOB"]), ("PROPOSE WINNER BOB", "won", ["BOB"]), ("CONCEDE", "conceded", ["BOB"])],
)
def test_a_game_ends_when_all_people_agree_by_mail(
    house: PostHouse, proposal: str, how: str, winner: list[str]
) -> None:
    assert "These have not agreed yet: BOB. Silence agrees to nothing" in says(house, ANN, proposal)
    assert "ANN proposes to end the game" in str(house.last(BOB)["Subject"])
    assert status(house) == "running"
    assert "All people who play have agreed: the game is over" in says(house, BOB, "AGREE")
    assert status(house) == "finished"
    assert sorted(fame(house)[0]) == winner
    assert fame(house)[1] == how
    assert "All people who play have agreed to end the game" in house.told(ANN)
    assert "The game is over, as all have agreed" in str(house.last(UMPIRE)["Subject"])
    assert [act.kind for act in acts(house.club.db, "RR1")] == ["propose", "agree", "end"]
    assert verify_game(house.club, "RR1").faults == ()


def test_a_proposal_is_dropped_by_a_no_and_with_the_turn(house: PostHouse) -> None:
    says(house, ANN, "PROPOSE END")
    assert "The proposal is dropped" in says(house, BOB, "DISAGREE")
    assert "BOB) does not agree: the game goes on." in house.told(ANN)
    assert "Nothing is proposed now" in says(house, ANN, "AGREE")
    says(house, ANN, "PROPOSE END")
    house.later(days=8)
    assert games.game(house.club.db, "RR1").turn == 3
    assert "Nothing is proposed now" in says(house, BOB, "AGREE")
    assert status(house) == "running"


def test_a_built_in_seat_goes_with_the_people(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", identity__policy="token") as house:
        new = house.command(
            *("game", "new", "dampfross", "--map", "ireland"),
            *("--player", f"GSW:red:Ann <{ANN}>", "--player", f"MGW:blue:Bob <{BOB}>"),
            *("--player", "BNC:green:Cyd <cyd@example.com>"),
        )
        assert new.stdout == "RR1\n"
        house.tick()
        seat_anew(house.club, "RR1", "BNC", "", "Cyd left.", built_in="second")
        house.tick()
        says(house, ANN, "PROPOSE END")
        says(house, BOB, "AGREE")
        assert status(house) == "finished"
        assert house.post("bnc@") == []


def test_a_vote_from_an_unproved_address_is_held_as_orders_are(house: PostHouse) -> None:
    says(house, ANN, "PROPOSE END")
    house.send(BOB, "AGREE", "Re: [RR1] x")
    assert "Is this letter yours?" in str(house.last(BOB)["Subject"])
    assert status(house) == "running"
    house.reply(house.last(BOB), "CONFIRM")
    assert status(house) == "finished"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("AGREE", "Nothing is proposed now that you could agree to."),
        ("PROPOSE WINNER XYZ", "Nobody plays XYZ here; there is ANN and BOB."),
        ("EINVERSTANDEN", "Nothing is proposed now"),
    ],
)
def test_what_is_wrong_is_named_and_nobody_is_told(house: PostHouse, text: str, said: str) -> None:
    assert said in says(house, ANN, text)
    assert acts(house.club.db, "RR1") == ()


def test_one_proposal_at_a_time(house: PostHouse) -> None:
    says(house, ANN, "PROPOSE END")
    assert "There is a proposal of ANN already" in says(house, BOB, "PROPOSE WINNER BOB")
    assert "These have not agreed yet: BOB" in says(house, ANN, "AGREE")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("RR1",), "--because"), (("RR9", "--because", WHY), "there is no game RR9")],
)
def test_a_wrong_command_ends_nothing(house: PostHouse, arguments: tuple[str, ...], said: str) -> None:
    assert said in house.command("game", "end", *arguments).stderr
    assert status(house) == "running"


def test_a_game_without_a_turn_is_given_up_instead(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club") as house:
        house.game()
        assert "`referee game close RR1` gives it up" in house.command("game", "end", "RR1", "--because", WHY).stderr
