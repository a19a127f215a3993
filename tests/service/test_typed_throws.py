"""Throws of the umpire's own dice: typed by name, waited for, told to everybody, and checked like everything else."""

import copy
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from referee.core import ConfigError, NotFound, SeededDice, seed_of_turn
from referee.core.game import Option
from referee.service.audit.replay import replay
from referee.service.turns.adjudicate import adjudicate, parse_throw, preview
from referee.service.turns.inputs import Untyped
from referee.store import games, transaction, type_throw, typed_throws
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, line_of, text_of, verdict_on
from tests.tables import Tables

CASES = Tables(__file__)

ROOT = "root of the chain"
PLAYERS = (f"ANN:red:Ann <{ANN}>", f"BOB:blue:Bob <{BOB}>")
CAT = "CAT:green:Cat <cat@example.org>"
Plain = dict[str, Any]


def typed_game(house: PostHouse, kind: str = "tinyrace", board: str = "line", **options: Option) -> str:
    """Make a game of two in which the umpire makes the throws that the rules leave to umpires."""
    chosen = tuple(options.items()) or (("wind", "typed"),)
    throws = tuple((f"rolls/1/{roll}", roll + 4) for roll in (1, 2, 3)) if ("roll", "typed") in chosen else ()
    return house.new(kind, board, *PLAYERS, root=ROOT, rhythm={"days": 7}, options=chosen, throws=throws)


def orders_in(house: PostHouse, text: str = "STEP 1") -> None:
    house.wait(hours=1)
    house.write(ANN, text)
    house.write(BOB, text)


def type_in(house: PostHouse, forget: tuple[str, ...] = (), **throws: int) -> None:
    typed = " ".join(f"{name.replace('__', '/')}={number}" for name, number in throws.items())
    house.act(f"DICE RR1 {typed} FORGET {' '.join(forget)}")


def seeded(turn: int) -> int:
    return SeededDice(seed_of_turn(ROOT, turn)).throw(f"wind/{turn}", 2)


# Held until typed


def test_a_throw_typed_while_the_turn_is_reckoned_is_not_overlooked(race: PostHouse) -> None:
    """What was reckoned without it is thrown away: the next pass plays the turn with it."""
    orders_in(race)
    row = race.row()

    def slow() -> datetime:
        if not typed_throws(race.club, "RR1", 1):
            type_in(race, wind__1=3 - seeded(1))
        return race.clock()

    assert not adjudicate(race.club.but(clock=slow), row)
    assert adjudicate(race.club, row)
    assert json.loads(race.last_turn().typed) == {"wind/1": 3 - seeded(1)}


# Any other throw may be typed


def test_a_typed_throw_takes_the_place_of_the_seeds_and_is_told_to_everybody(race: PostHouse) -> None:
    type_in(race, wind__1=3 - seeded(1))
    orders_in(race)
    race.tick()
    orders_in(race)
    race.tick()
    for reader in (ANN, BOB):
        first, second = (race.text(reader, f"turn {turn}") for turn in (1, 2))
        assert f"ANN stands on {1 + 3 - seeded(1)}" in first
        told = " ".join(first.split())
        assert f"Not from the seed, but typed by the umpire from real dice: wind/1={3 - seeded(1)} Hash" in told
        assert "typed by the umpire" not in second


def test_a_slip_of_the_pen_is_answered_with_the_name_that_may_be_meant(race: PostHouse) -> None:
    seen = race.act("DICE RR1 wimd/1=2")
    assert seen["throws"]["unasked"] == ({"name": "wimd/1", "typed": 2, "meant": "wind/1"},)


def test_a_number_that_fits_no_more_holds_the_turn_instead_of_failing_it(race: PostHouse) -> None:
    """As one may be typed when nothing asks for the throw, so that nobody knows its sides."""
    orders_in(race)
    race.tick()
    with transaction(race.club):
        type_throw(race.club, "RR1", 2, "wind/2", 7, race.clock())
    orders_in(race)
    for _ in range(2):
        done = race.tick()
        assert (done.untyped, done.failed) == (("RR1/2",), ())
    (letter,) = race.post(UMPIRE, "waits for your dice")
    assert "wind/2 = 7: 1 to 2" in text_of(letter)
    assert "referee dice RR1 --forget wind/2" in text_of(letter)
    type_in(race, ("wind/2",))
    assert race.tick().turns == ("RR1/2",)


# What may be typed


@CASES.rows
def test_what_is_no_throw_is_one_sentence(text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        parse_throw(text)


def test_names_of_joint_trains_are_names() -> None:
    assert parse_throw(" race/7/2/GSW+MGW = 5 ") == ("race/7/2/GSW+MGW", 5)


def test_what_was_never_typed_cannot_be_forgotten(race: PostHouse) -> None:
    with pytest.raises(NotFound, match="no throw 'wind/1' was typed for turn 1 of RR1"):
        type_in(race, ("wind/1",))
    type_in(race, wind__1=1)
    with pytest.raises(NotFound, match=r"\(there is wind/1\)"):
        type_in(race, ("wind/9",))
    with pytest.raises(ConfigError, match="typed and forgotten at once"):
        type_in(race, ("wind/1",), wind__1=2)


def test_nothing_is_typed_for_a_game_that_is_over(race: PostHouse) -> None:
    for _ in range(8):
        orders_in(race, "STEP 3")
        race.tick()
    with pytest.raises(ConfigError, match="RR1 is over"):
        type_in(race, wind__1=1)
    with pytest.raises(ConfigError, match="RR1 is over"):
        preview(race.club, "RR1")


# The dry run


def test_a_dry_run_tells_names_and_sides_and_no_result(house: PostHouse) -> None:
    typed_game(house)
    seen = preview(house.club, "rr1")
    (throw,) = seen.throws
    assert (seen.game, seen.turn, seen.lacking) == ("RR1", 1, 1)
    assert (throw.name, throw.sides, throw.typed, throw.needed) == ("wind/1", 2, None, True)
    type_in(house, wind__1=2)
    (throw,) = preview(house.club, "RR1").throws
    assert (throw.typed, preview(house.club, "RR1").lacking) == (2, 0)


def test_a_dry_run_does_not_follow_from_the_seed_of_the_turn(tmp_path: Path) -> None:
    """Else how often a race throws would tell who wins it."""
    seen = []
    for number, root in enumerate((ROOT, "another root")):
        with PostHouse(tmp_path / str(number)) as house:
            chosen = (("roll", "drop-lowest"), ("two_players", "david"))
            house.new("dampfross", "ireland", *PLAYERS, root=root, options=chosen)
            seen.append(preview(house.club, "RR1").throws)
    assert seen[0] == seen[1] != ()


def test_a_dry_run_writes_nothing(house: PostHouse) -> None:
    typed_game(house)
    before = list(house.club.conn.iterdump())
    preview(house.club, "RR1")
    assert list(house.club.conn.iterdump()) == before


# Export, verify, replay


@pytest.fixture
def played(race: PostHouse) -> PostHouse:
    """A game with three turns played: the first and the last with a typed throw that the seed would not give."""
    for turn in (1, 2, 3):
        if turn != 2:
            race.act(f"DICE RR1 wind/{turn}={3 - seeded(turn)}")
        orders_in(race)
        race.tick()
    return race


def exported(house: PostHouse) -> Plain:
    told: Plain = json.loads(house.export())
    return told


def faults(plain: Plain) -> list[tuple[int, str]]:
    try:
        return [(fault.turn, fault.text) for fault in verdict_on(plain).faults]
    except ValueError as error:
        return [(-1, str(error))]


def test_a_game_with_typed_throws_is_in_order_everywhere(played: PostHouse) -> None:
    assert played.faults() == ()
    assert played.differences() == [()] * 4
    found = verdict_on(played.export())
    assert found.faults == ()
    assert [(throw.turn, throw.number, throw.typed) for throw in found.throws] == [
        (1, 3 - seeded(1), True),
        (2, seeded(2), False),
        (3, 3 - seeded(3), True),
    ]


def test_an_export_holds_the_throws_of_turns_that_were_told_and_no_others(played: PostHouse) -> None:
    type_in(played, wind__4=2)
    assert [turn.get("typed") for turn in exported(played)["turns"]] == [
        None,
        {"wind/1": 3 - seeded(1)},
        None,
        {"wind/3": 3 - seeded(3)},
    ]
    assert "wind/4" not in json.dumps(exported(played))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda turn: turn.update(typed={"wind/1": seeded(1)}),
            "its hash does not fit its rules, seed, salts, typed throws",
        ),
        (lambda turn: turn.update(typed={"wind/1": seeded(1)}), "its events differ from what orders and seed give"),
        (lambda turn: turn.pop("typed"), "its events differ from what orders and seed give"),
        (lambda turn: turn["typed"].update({"wind/1": 9}), "it cannot be played: ValueError: throw 'wind/1': 9 given"),
        (lambda turn: turn["typed"].update({"wind/7": 1}), "nothing asks for the typed throws wind/7"),
    ],
)
def test_an_altered_typed_throw_is_named_with_its_turn(played: PostHouse, change: Any, words: str) -> None:
    plain = copy.deepcopy(exported(played))
    change(plain["turns"][1])
    found = faults(plain)
    assert {turn for turn, _ in found} == {1}
    assert any(words in text for _, text in found), found


def test_a_throw_slipped_into_a_turn_without_any_is_named(played: PostHouse) -> None:
    plain = exported(played)
    plain["turns"][2]["typed"] = {"wind/2": 3 - seeded(2)}
    assert {turn for turn, _ in faults(plain)} == {2}


@CASES.rows
def test_damaged_typed_throws_are_told_with_the_place(played: PostHouse, typed: Any, words: str) -> None:
    plain = exported(played)
    plain["turns"][1]["typed"] = typed
    assert faults(plain) == [(-1, words)]


def test_the_club_finds_typed_throws_that_were_altered_in_its_store(played: PostHouse) -> None:
    played.club.execute("DROP TRIGGER turns_unchanged")
    played.club.execute("UPDATE turns SET typed = ? WHERE turn = 3", [json.dumps({"wind/3": seeded(3)})])
    assert {fault.turn for fault in played.faults()} == {3}
    assert [each.turn for each in replay(played.club, "RR1") if "hash" in each.differs] == [3]


def test_seeds_that_stand_in_for_the_umpires_dice_are_named(house: PostHouse) -> None:
    """A log in which the throw was left out, with events and hash to match, is not in order either."""
    typed_game(house)
    type_in(house, wind__1=seeded(1))
    orders_in(house)
    house.tick()
    plain = exported(house)
    assert faults(plain) == []
    del plain["turns"][1]["typed"]
    assert (1, "the throws wind/1 were not typed, as they should be") in faults(plain)


# Dampfross


def rail_game(house: PostHouse, **options: Option) -> None:
    typed_game(house, "dampfross", "ireland", two_players="david", **options)


def test_the_rolls_of_the_next_round_are_waited_for_and_may_be_a_seven(house: PostHouse) -> None:
    rail_game(house, roll="typed")
    seen = preview(house.club, "RR1")
    assert [(throw.name, throw.sides, throw.needed) for throw in seen.throws] == [
        (f"rolls/2/{roll}", 9, True) for roll in (1, 2, 3)
    ]
    orders_in(house, "PASS")
    assert house.tick().untyped == ("RR1/1",)
    type_in(house, rolls__2__1=7, rolls__2__2=4)
    assert house.tick().untyped == ("RR1/1",)
    assert len(house.post(UMPIRE)) == 1
    type_in(house, rolls__2__3=5)
    assert house.tick().turns == ("RR1/1",)
    assert "7, 4, 5" in house.told(ANN)
    assert house.faults() == ()


def test_with_other_options_nothing_is_waited_for_and_a_roll_is_one_to_six(house: PostHouse) -> None:
    rail_game(house, roll="d6")
    with pytest.raises(ConfigError, match="rolls/2/1=7: 1 to 6 possible"):
        type_in(house, rolls__2__1=7)
    type_in(house, rolls__2__1=6)
    orders_in(house, "PASS")
    assert house.tick().turns == ("RR1/1",)
    assert house.last_turn().typed == '{"rolls/2/1":6}'


def test_a_turn_that_throws_no_rolls_is_not_held(house: PostHouse) -> None:
    """When building is over the races are drawn, by the seed."""
    rail_game(house, roll="typed", building_ends="rounds:1")
    orders_in(house, "PASS")
    assert house.tick().turns == ("RR1/1",)


def test_asked_one_by_one_only_the_turn_that_ends_the_round_is_held(house: PostHouse) -> None:
    options = (("roll", "typed"), ("homes", "shared"))
    told = {"preset": "laurin", "options": options, "pace": "one-by-one", "throws": (("rolls/1/1", 7),)}
    house.new("dampfross", "ireland", *PLAYERS, CAT, root=ROOT, **told)
    played = 0
    while preview(house.club, "RR1").lacking == 0:
        assert house.later(days=15).untyped == ()
        played += 1
        assert played < 10
    assert played > 1
    assert house.later(days=15).untyped == (f"RR1/{played + 1}",)
    row = house.row()
    with pytest.raises(Untyped, match="rolls/2/1"):
        adjudicate(house.club, row)
    type_in(house, rolls__2__1=7)
    assert house.tick().turns == (f"RR1/{played + 1}",)


def test_the_throws_of_the_opening_are_given_with_the_game_and_told(house: PostHouse) -> None:
    rail_game(house, roll="typed")
    assert house.last_turn().typed == '{"rolls/1/1":5,"rolls/1/2":6,"rolls/1/3":7}'
    house.tick()
    told = line_of(house.post(ANN)[0])
    assert "typed by the umpire from real dice: rolls/1/1=5 rolls/1/2=6 rolls/1/3=7 Hash" in told
    assert house.faults() == ()
    assert house.differences() == [()]
    plain = exported(house)
    del plain["turns"][0]["typed"]
    assert {turn for turn, _ in faults(plain)} == {0}


@CASES.frozen_rows
def test_a_game_whose_opening_was_not_thrown_is_not_made(
    house: PostHouse, throws: tuple[tuple[str, int], ...], words: str
) -> None:
    with pytest.raises(ConfigError, match=words):
        house.new("dampfross", "ireland", *PLAYERS, CAT, options=(("roll", "typed"),), throws=throws)
    assert games.all_games(house.club) == ()
