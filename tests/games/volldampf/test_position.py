"""Positions of Volldampf that people type in: what a table says is placed, and each fault is told with its key."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from referee.core import MapError, PositionError, SeededDice, Texts, View
from referee.core.game import ONE_BY_ONE, TOGETHER, Option, Player, Setup
from referee.games.volldampf import GAME, notation
from referee.games.volldampf.events import CubeDelivered
from referee.games.volldampf.report import plain
from referee.games.volldampf.state import Delivery, State, Subsidy
from referee.service.turns.gamefile import read_proposal
from referee.service.turns.newgames import new_game
from tests.posthouse import ROOT, PostHouse, text_of
from tests.tables import Tables

CASES = Tables(__file__)


SKETCH = {
    "cities": "Ardee blue\nBoyle violet\nDörry violet\nEnnis red",
    "links": "Ardee - Boyle purple 3\nBoyle - Dörry green 4\nDörry - Ennis orange 4",
}


def setup(position: View | None = None, pace: str = TOGETHER, **options: Option) -> Setup:
    """Return what is agreed for three players on the sketch."""
    return Setup(
        game="volldampf",
        board_name="sketch",
        board=json.dumps(SKETCH),
        preset="referee",
        options=tuple(options.items()),
        players=tuple(
            Player(code=code, colour=colour, name=code)
            for code, colour in (("GSW", "red"), ("MGW", "blue"), ("BNC", "green"))
        ),
        pace=pace,
        position=json.dumps(position) if position else "",
    )


def placed(pace: str = TOGETHER, /, **told: Any) -> State:
    """Return the position of a table, in a game that has not begun."""
    state: State = GAME.place(GAME.lay_out(setup(pace=pace)), told)
    return state


def faults(**told: Any) -> Texts:
    """Return what is wrong with a table."""
    with pytest.raises(PositionError) as fault:
        placed(**told)
    return fault.value.faults


@CASES.rows
def test_a_position_is_as_its_table_says(told: View, wanted: View) -> None:
    state = placed(stage="trip", **told)
    assert plain({name: getattr(state, name) for name in wanted}) == wanted


def test_a_position_without_a_stage_begins_with_its_rounds_goods_and_groups() -> None:
    state = GAME.start(GAME.lay_out(setup({"round": 2})), SeededDice("goods")).state
    assert (state.stage, len(state.turned), len(state.groups)) == ("bonds", 2, 3)


def test_names_may_be_written_in_any_way_that_orders_know() -> None:
    wanted = placed(stage="trip", built={"GSW": ["Boyle-Dörry"]}, cubes={"Dörry": ["red"]}, owed=["Dörry"])
    for name in ("doerry", "DORRY", "Dörry", "dor"):
        told = placed(stage="trip", built={"GSW": [f"{name} - boyle"]}, cubes={name: ["red"]}, owed=[name])
        assert GAME.facts(told) == GAME.facts(wanted)
    for card in ("günstige gelegenheit", "Guenstige Gelegenheit", "GUNSTIGE GELEGENHEIT"):
        assert placed(stage="trip", actions={"GSW": [card]}).actions["GSW"] == ("Günstige Gelegenheit",)


def test_telling_some_leaves_the_others() -> None:
    state = placed(
        stage="trip", built={"GSW": ["Ardee-Boyle"], "MGW": ["Boyle-Dörry"]}, cubes={"Ardee": ["red"], "Boyle": ["red"]}
    )
    after = GAME.facts(GAME.place(state, {"built": {"GSW": ["Dörry-Ennis"]}, "cubes": {"Ardee": []}}))
    assert after["built"] == {"GSW": ["Dörry-Ennis"], "MGW": ["Boyle-Dörry"], "BNC": []}
    assert after["cubes"] == {"Ardee": [], "Boyle": ["red"], "Dörry": [], "Ennis": []}


@CASES.rows
def test_what_is_asked_for_is_told_by_stage_number_and_player(options: View, told: View, wanted: View) -> None:
    facts = GAME.facts(GAME.start(GAME.lay_out(setup(told, **options)), SeededDice("x")).state)
    assert {name: facts[name] for name in wanted} == wanted


def test_a_position_awaits_the_second_extra_trip_where_there_is_one() -> None:
    """Rule: V4.4, R11: after it the others are asked for their first; without subvention_stack there is none."""
    told = {
        "round": 2,
        "stage": "subsidy",
        "number": 4,
        "asked": "MGW",
        "balances": {"GSW": 5, "MGW": 5, "BNC": 5},
        "income": {"GSW": 3, "MGW": 1, "BNC": 3},
        "actions": {"MGW": ["Subvention"]},
        "built": {"MGW": ["Ardee-Boyle"]},
        "cubes": {"Ardee": ["violet"]},
        "groups": [],
        "track_pile": {"purple": 30},
        "merchandise": [1, 2, 3, 4, 5, 6, 7, 8],
    }
    agreed = setup(told, ONE_BY_ONE, subvention_stack=True)
    state = GAME.start(GAME.lay_out(agreed), SeededDice("extra")).state
    asked = state.agenda[0]
    assert (asked.what, asked.number, asked.player) == ("subsidy", notation.SECOND_EXTRA, "MGW")
    assert state.subsidy_for == ("MGW",)  # who was in last place before the first one
    assert GAME.place(state, GAME.facts(state)) == state
    order = Subsidy(deliveries=(Delivery(colour="violet", origin="ARD", goal="BOY"),), trip=notation.SECOND_EXTRA)
    outcome = GAME.adjudicate(state, {"MGW": (order,)}, SeededDice("extra"))
    assert [event.trip for event in outcome.events if isinstance(event, CubeDelivered)] == [notation.SECOND_EXTRA]
    with pytest.raises(PositionError, match="'subsidy' 4 is not asked for in this game"):
        GAME.place(GAME.lay_out(setup(pace=ONE_BY_ONE)), told)


@CASES.rows  # fmt: skip
def test_a_fault_names_its_key(told: View, sentence: str) -> None:
    assert any(fault.startswith(sentence) for fault in faults(**told)), faults(**told)


@CASES.rows
def test_a_stage_of_other_games_clashes_and_no_stage_at_all_is_misspelt(stage: str, well_written: bool) -> None:
    with pytest.raises(PositionError) as fault:
        placed(stage=stage)
    assert bool(fault.value.clashes) == well_written


def test_a_player_has_so_many_sections() -> None:
    board = {**SKETCH, "numbers": {"sections": 1}}
    state = GAME.lay_out(setup().but(board=json.dumps(board)))
    with pytest.raises(PositionError, match=r"built\.GSW: a company has 1 sections"):
        GAME.place(state, {"built": {"GSW": ["Ardee-Boyle", "Dörry-Ennis"]}})


def test_a_sketch_has_cards_to_the_end_of_the_game() -> None:
    few = setup().but(board=json.dumps({**SKETCH, "cards": ["Ardee"] * 13, "track_cards": 7}))
    with pytest.raises(MapError) as fault:
        GAME.lay_out(few)
    assert [sentence for _, sentence in fault.value.faults] == [
        "there are 39 track cards; the rest of the game needs 45",
        "there are 13 merchandise cards; the rest of the game needs 14",
    ]


def test_all_faults_are_told_at_once() -> None:
    assert len(faults(rond=1, balances={"XYZ": 1, "GSW": "x"}, built={"GSW": ["B1"]}, cubes={"Ardee": ["mauve"]})) == 5


# A running game of Volldampf comes to the referee in a file, and goes on by post from there.

DOCS = (ROOT / "docs" / "scenarios.md").read_text("utf-8")
BROUGHT = next(
    block
    for block in re.findall(r"^```toml\n(.*?)^```$", DOCS, re.DOTALL | re.MULTILINE)
    if "deutschland" in block and "address" in block
)
ANN, BOB, CYD = "ann@example.org", "bob@example.org", "cyd@example.org"


def brought(folder: Path) -> PostHouse:
    """Return a club to which the game was brought, and whose letters were sent."""
    house = PostHouse(folder / "club")
    file = folder / "position.toml"
    file.write_text(BROUGHT, "utf-8")
    new_game(house.club, read_proposal(file))
    house.tick()
    return house


def test_the_command_makes_the_game(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club") as house:
        file = tmp_path / "position.toml"
        file.write_text(BROUGHT, "utf-8")
        made = house.command("game", "new", "--from", str(file))
        assert (made.returncode, made.stderr) == (0, "")
        assert len(house.rows("SELECT id FROM games")) == 1


def test_everybody_gets_a_letter_with_the_position(tmp_path: Path) -> None:
    with brought(tmp_path) as house:
        for player in (ANN, BOB, CYD):
            (letter,) = house.post(player)
            assert "goes on from round 2" in str(letter["Subject"])
            assert "CYD: Erfurt-Leipzig" in text_of(letter)


def test_a_letter_shows_nobody_elses_cards(tmp_path: Path) -> None:
    with brought(tmp_path) as house:
        for player, code in ((ANN, "ANN"), (BOB, "BOB"), (CYD, "CYD")):
            (letter,) = house.post(player)
            assert [card in text_of(letter) for card in ("Zusatzfracht", "Sabotage")] == [code == "ANN", code == "CYD"]
            (told,) = (
                part.get_content() for part in letter.iter_attachments() if str(part.get_filename()).endswith(".json")
            )
            view = json.loads(told)
            seen = {each["code"]: each["actions"] for each in view["players"]}
            hands = {"ANN": ["Zusatzfracht"], "BOB": [], "CYD": ["Sabotage"]}
            assert seen == {each: hands[each] if each == code else None for each in hands}


def test_orders_are_for_the_letter_that_the_position_names(tmp_path: Path) -> None:
    with brought(tmp_path) as house:
        game = house.value("SELECT id FROM games")
        house.send(ANN, "BUILD 1: Berlin-Stettin\n", f"Re: [{game}] build")
        (answer,) = house.post(ANN)[1:]
        assert "BUILD 1: Stettin-Berlin" in text_of(answer)


def test_a_position_with_faults_makes_no_game(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club") as house:
        file = tmp_path / "position.toml"
        file.write_text(
            BROUGHT.replace('"Hamburg-Hannover"', '"Hamburg-Hanover"').replace("Hamburg-Berlin", "Hamburg-Wien"),
            "utf-8",
        )
        made = house.command("game", "new", "--from", str(file))
        assert made.returncode != 0
        assert "there is no link 'Hamburg-Wien'" in made.stderr
        assert house.rows("SELECT id FROM games") == []
