"""The umpire rules: a position is changed by his own word, told at once and printed, and provable for ever."""

from __future__ import annotations

import json

import pytest

from referee.core.errors import ConfigError, NotFound
from referee.service.audit.export import format_revealed, parse_revealed, revealed
from referee.service.audit.verify import verify
from referee.service.umpire.rulings import adjust, note, undo, withdraw
from referee.store import games
from tests.posthouse import ANN, BOB, PostHouse, text_of
from tests.provenlog import assert_in_order

WHY = "The fee in turn 1 was mine to refuse."


def turn(house: PostHouse) -> None:
    house.clock.advance(hours=1)
    house.write(ANN, "STEP 1")
    house.write(BOB, "STEP 1")
    assert len(house.tick().turns) == 1


def places(house: PostHouse) -> dict[str, int]:
    row = games.game(house.club.db, "RR1")
    return dict(house.club.positions.of(house.club.db, row).state.places)


@pytest.fixture
def begun(house: PostHouse) -> PostHouse:
    house.game()
    turn(house)
    return house


def test_a_ruling_is_told_at_once_and_printed_with_the_turn(begun: PostHouse) -> None:
    before = places(begun)["ANN"]
    assert adjust(begun.club, "rr1", ["money.ann+=3"], WHY) == "U1"
    assert places(begun)["ANN"] == before + 3
    begun.tick()
    for player in (ANN, BOB):
        letter = begun.last(player)
        assert letter["Subject"] == "[RR1] A ruling of the umpire (U1)"
        assert f"| {WHY}" in text_of(letter)
        assert f"Places: ANN {before + 3}, not {before}" in text_of(letter)
    turn(begun)
    text = begun.text(BOB)
    assert "Rulings of the umpire" in text
    assert f"U1:\n| {WHY}\nPlaces: ANN {before + 3}, not {before}\n" in text
    (ruled, *_) = json.loads(games.last_turn(begun.club.db, "RR1").events)
    assert (ruled["kind"], ruled["paragraph"], ruled["because"]) == ("Ruled", "U1", WHY)
    assert_in_order(begun)
    turn(begun)
    assert "Rulings of the umpire" not in begun.told(BOB)
    assert_in_order(begun)


def test_it_holds_where_its_turn_is_undone_and_can_be_taken_back_then(begun: PostHouse) -> None:
    """The umpire rules against himself: last month's ruling was wrong."""
    adjust(begun.club, "RR1", ["money.ANN+=3"], WHY)
    turn(begun)
    ruled = places(begun)["ANN"]
    with pytest.raises(ConfigError) as refused:
        withdraw(begun.club, "RR1", 1, "I was wrong")
    assert "turn 2 was played with it: rule the contrary, or `referee undo RR1 2` first" in str(refused.value)
    undo(begun.club, "RR1", 2, "My ruling was wrong", play=True)
    assert places(begun)["ANN"] == ruled
    undo(begun.club, "RR1", 2, "My ruling was wrong")
    withdraw(begun.club, "RR1", 1, "BOB is right: the rules allow it.")
    begun.tick()
    assert begun.last(BOB)["Subject"] == "[RR1] The umpire has taken ruling U1 back"
    assert begun.later(days=14).turns == ("RR1/2",)
    assert places(begun)["ANN"] == ruled - 3
    assert f"Places: ANN {ruled - 3}, not {ruled}" in begun.text(BOB)
    assert_in_order(begun)
    with pytest.raises(ConfigError):
        withdraw(begun.club, "RR1", 1, "again")


def test_the_contrary_may_be_ruled(begun: PostHouse) -> None:
    adjust(begun.club, "RR1", ["money.ANN+=3"], WHY)
    turn(begun)
    ruled = places(begun)["ANN"]
    adjust(begun.club, "RR1", ["money.ANN-=3"], "I was wrong: ANN gives the 3 back.")
    assert places(begun)["ANN"] == ruled - 3
    turn(begun)
    assert "ANN gives the 3 back." in begun.told(ANN)
    assert_in_order(begun)


def test_orders_on_file_are_read_again_and_told(begun: PostHouse) -> None:
    begun.clock.advance(hours=1)
    begun.send(ANN, "STEP 2")
    adjust(begun.club, "RR1", ["money.ANN+=1"], WHY)
    begun.tick()
    assert "- STEP 2" in begun.told(ANN)
    assert "stay on file" not in begun.told(BOB)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (["money.CYD+=1"], "nothing was changed: money.CYD: there is no such entry (there is ANN, BOB)"),
        (["track.ANN+=Cork"], "track cannot be changed by a ruling (there is money)"),
        (["money.ANN=+5"], "money.ANN=+5 would set it to 5: write money.ANN+=5 to give that, or money.ANN=5 to set it"),
        (["money.ANN"], "'money.ANN' is no change: write it as money.GSW+=5"),
        (["money.ANN+=much"], "nothing was changed: money.ANN: 'much' is read; a whole number expected"),
        ([], "say what changes"),
    ],
)
def test_what_cannot_be_ruled_is_one_sentence_and_nothing_changes(
    begun: PostHouse, changes: list[str], words: str
) -> None:
    before = places(begun)
    with pytest.raises(ConfigError) as refused:
        adjust(begun.club, "RR1", changes, WHY)
    assert words in str(refused.value)
    assert places(begun) == before
    assert begun.rows("SELECT * FROM acts") == []


def test_a_ruling_that_nobody_logged_is_noticed(begun: PostHouse) -> None:
    adjust(begun.club, "RR1", ["money.ANN+=3"], WHY)
    turn(begun)
    plain = json.loads(format_revealed(revealed(begun.club, "RR1")))
    del plain["acts"]
    texts = [fault.text for fault in verify(parse_revealed(json.dumps(plain).encode())).faults]
    assert "its ruling U1 is not one of the umpire's log" in texts


def test_a_note_stands_in_the_next_newsletter_alone(begun: PostHouse) -> None:
    note(begun.club, "RR1", "I am on holiday.\n\nThe deadline stands.")
    number = note(begun.club, "RR1", "This one not.")
    withdraw(begun.club, "RR1", number, "a slip")
    turn(begun)
    text = begun.text(ANN)
    assert "From the umpire\n---------------\n\nI am on holiday.\n\nThe deadline stands.\n" in text
    assert "This one not." not in text
    turn(begun)
    assert "I am on holiday" not in begun.told(ANN)
    assert_in_order(begun)
    with pytest.raises(ConfigError, match="there is nothing to print"):
        note(begun.club, "RR1", " ")
    with pytest.raises(NotFound, match="act 9 of RR1 is no ruling and no note"):
        withdraw(begun.club, "RR1", 9, "x")


RULED = (
    "U1: the position is changed, and all players will be told with the next pass; "
    '`referee adjust RR1 --withdraw U1 --because "..."` takes it back\n'
)


def test_the_commands_rule_and_note(begun: PostHouse) -> None:
    before = places(begun)["ANN"]
    shown = f"Places: ANN {before + 3}, not {before}\n"
    ruling = ("adjust", "RR1", "money.ANN+=3", "--because", WHY)
    unasked = begun.command(*ruling)
    assert (unasked.returncode, unasked.stdout, unasked.stderr[: len(shown)]) == (2, "", shown)
    assert "nobody can be asked here, so say --yes" in " ".join(unasked.stderr.split())
    assert places(begun)["ANN"] == before
    told = begun.command(*ruling, "--yes")
    assert (told.returncode, told.stdout, told.stderr) == (0, RULED, shown)
    assert begun.command("note", "RR1", "Hello").stdout.startswith("U2: the next newsletter prints it; ")
    assert begun.command("adjust", "RR1", "--withdraw", "U2", "--because", "no").returncode == 0
    assert begun.command("adjust", "RR1", "--withdraw", "x", "--because", "no").returncode == 2
    assert begun.command("adjust", "RR1", "--because", "no").returncode == 2
    lines = [line.split("\t")[4:] for line in begun.command("log", "RR1").stdout.splitlines()]
    assert lines == [["adjust", "U1: money.ANN+=3", WHY], ["note", "U2", "Hello"], ["withdraw", "U2", "no"]]
