"""The page on the dice tells the truth: its example recomputes a throw of a newsletter without the referee."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.core import SeededDice, add_salt, next_seed
from referee.core.texts import canonical
from referee.games.dampfross import GAME
from referee.service.audit.export import GameLog, format_revealed
from referee.service.audit.verify import verify_game
from referee.service.positions import format_setup
from referee.store import LoggedTurn, hash_of_agreement, hash_of_letters, hash_of_turn
from tests.forkedcommands import run_program
from tests.games.dampfross.recordedgames import games, recorded_game
from tests.posthouse import ANN, BOB, PostHouse
from tests.tables import Tables

Export = dict[str, Any]

CASES = Tables(__file__)


DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "dice.md").read_text("utf-8")
EXAMPLE: str
EXAMPLE, _ = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def run(example: str) -> list[str]:
    """Run an example in a Python of its own that sees no module but the standard library's."""
    done = run_program([sys.executable, "-I", "-S", "-c", example], check=True)
    return done.stdout.splitlines()


def filled_in(**values: str) -> str:
    """Return the example with other values for its names."""
    text = EXAMPLE
    for name, value in values.items():
        text, found = re.subn(rf'^{name} = ".*?"', f'{name} = "{value}"', text, flags=re.MULTILINE)
        assert found == 1
    return text


def test_the_example_of_the_page_is_short_and_says_what_it_should() -> None:
    told = dict(re.findall(r'^(\w+) = "(.*?)"', EXAMPLE, re.MULTILINE))
    assert len([line for line in EXAMPLE.splitlines() if line]) <= 10
    assert next_seed(told["seed"]) == told["previous"]
    number = SeededDice(add_salt(told["seed"], told["salts"])).throw("race/7/2/GSW", 6)
    assert run(EXAMPLE) == ["The seed leads to the one before: True", f"The throw: {number}"]


def test_the_example_recomputes_a_throw_from_a_newsletter(race: PostHouse) -> None:
    for more in ("\nSALT pepper", ""):
        race.write(ANN, f"STEP 1{more}")
        race.send(BOB, "STEP 1")
    letter = race.text(ANN)
    told = {
        name: re.sub(r"\s+", " ", re.search(rf"{words}:\s+(.*)", letter)[1])  # type: ignore[index]
        for name, words in {
            "seed": "Seed of this turn",
            "previous": "Its SHA-256 is the seed before it",
            "salts": "The players' salts",
        }.items()
    }
    example = filled_in(**told).replace('"race/7/2/GSW", 6', '"wind/2", 2')
    leads, throw = run(example)
    assert leads == "The seed leads to the one before: True"
    assert throw == f"The throw: {verify_game(race.club, 'RR1').throws[1].number}"


def test_without_salts_the_example_throws_from_the_seed() -> None:
    number = SeededDice("some seed").throw("race/7/2/GSW", 6)
    assert run(filled_in(seed="some seed", salts=""))[1] == f"The throw: {number}"


def checked(game: Path) -> tuple[int, str]:
    """Run the checker over an export, in a Python of its own that sees no module but the standard library's."""
    words = [sys.executable, "-I", "-S", str(DOCS / "check_dice.py"), str(game)]
    done = run_program(words)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_the_checker_without_a_file_says_what_it_is_for() -> None:
    words = [sys.executable, "-I", "-S", str(DOCS / "check_dice.py")]
    told = run_program(words).stderr
    assert told.startswith("Checks the dice of a game")
    assert "Traceback" not in told


def test_the_checker_works_out_a_whole_game_without_the_referee(tmp_path: Path) -> None:
    """A game with salt, typed throws and a turn that was undone; then one throw of it is altered."""
    players = (f"GSW:red:Ann <{ANN}>", f"MGW:blue:Bob <{BOB}>", "BNC:green:Cate <cate@example.org>")
    with PostHouse(tmp_path / "club") as house:
        house.new("dampfross", "ireland", *players)
        house.write(ANN, "SALT pepper")
        house.send(BOB, "SALT dill")
        house.later(days=15)
        house.act("DICE RR1 rolls/3/1=6")
        for _ in range(2):
            house.later(days=15)
        house.act("UNDO RR1 3 PLAY", "a slip")
        (tmp_path / "RR1.json").write_text(house.export(), "utf-8")
    export = json.loads((tmp_path / "RR1.json").read_text("utf-8"))
    assert [bool(each["salts"]) for each in export["turns"]] == [False, True, True, True]
    assert any("typed" in each for each in export["turns"])
    code, told = checked(tmp_path / "RR1.json")
    newest = export["last"]["hash"]
    assert (code, told.splitlines()) == (
        0,
        [
            f"4 turns; 1 throws of the umpire's own dice; the newest hash: {newest}",
            "turn 2: rolls/3/1 is 6",
            "act 2: turn 3 was undone, see verify",
            "All as it should be.",
        ],
    )
    del export["acts"]
    for event in export["turns"][2]["events"]:
        if event["kind"] == "RollsThrown":
            event["rolls"][1] = event["rolls"][1] % 6 + 1
    (tmp_path / "RR1.json").write_text(json.dumps(export), "utf-8")
    code, told = checked(tmp_path / "RR1.json")
    assert code == 1
    assert "turn 2: its hash does not cover what stands there" in told
    assert "turn 2: rolls/3 is [" in told
    assert "turn 3: the act to which its hash goes is missing in the umpire's log" in told


def test_the_checker_is_short() -> None:
    assert len((DOCS / "check_dice.py").read_text("utf-8").splitlines()) <= 150


def recorded(name: str) -> Export:
    """Return the export of a recorded game. Its seeds lead to no end of a chain: that is all that is wrong with it."""
    setup, opening, turns = recorded_game(name)
    seed = games()[name][1]
    rows = [LoggedTurn(turn=0, rules=1, seed=f"{seed}/0", orders="{}", events=GAME.encode(opening.events), hash="")]
    rows += [
        LoggedTurn(
            turn=each.before.turn,
            rules=1,
            seed=f"{seed}/{each.before.turn}",
            orders="{}",
            events=GAME.encode(each.outcome.events),
            hash="",
        )
        for each in turns
    ]
    log = GameLog(game="RR1", setup=format_setup(setup), end="end", turns=tuple(rows), last=(len(rows), ""))
    return hashed(json.loads(format_revealed(log)))


def hashed(plain: Export) -> Export:
    """Return an export with the hashes that fit it, as one who has the umpire's machine can make them."""
    before = hash_of_agreement("RR1", canonical(plain["setup"]), plain["end"])
    for turn in plain["turns"]:
        texts = {name: canonical(turn[name]) for name in ("orders", "events", "typed", "letters") if name in turn}
        before = turn["hash"] = hash_of_turn(before, "RR1", LoggedTurn(**{**turn, **texts}))
    return plain


def wrong(plain: Export, folder: Path) -> list[str]:
    """Return what the checker finds, but for the seeds of a recorded game."""
    (folder / "RR1.json").write_text(json.dumps(plain), "utf-8")
    found = [line for line in checked(folder / "RR1.json")[1].splitlines() if line.startswith("turn ")]
    return [line for line in found if not line.endswith("does not lead to the end of the chain")]


@pytest.mark.parametrize("name", games())
def test_the_checker_finds_nothing_else_in_a_recorded_game(name: str, tmp_path: Path) -> None:
    assert wrong(recorded(name), tmp_path) == []


def first(plain: Export, kind: str) -> tuple[list[Any], int]:
    """Return the events of the first turn after the opening that has one of a kind, and where in them it stands."""
    for turn in plain["turns"][1:]:
        for at, event in enumerate(turn["events"]):
            if event["kind"] == kind:
                return turn["events"], at
    raise AssertionError(kind)


def without(kind: str) -> Callable[[Export], None]:
    def leave_out(plain: Export) -> None:
        events, at = first(plain, kind)
        del events[at]

    return leave_out


def fewer_rolls(plain: Export) -> None:
    events, at = first(plain, "RollsThrown")
    events[at]["rolls"].pop()


def other_ends(plain: Export) -> None:
    events, at = first(plain, "RacesDrawn")
    race = events[at]["races"][0]
    race["start"], race["end"] = race["end"], race["start"]


def race_left_out(plain: Export) -> None:
    events, at = first(plain, "RacesDrawn")
    del events[at]["races"][3]


def ground_salt(plain: Export) -> None:
    plain["turns"][4]["salts"] = "GSW=x1"


def sixes(plain: Export) -> None:
    events, at = first(plain, "RollsThrown")
    events[at]["rolls"] = [6, 6, 6]
    plain["turns"][1]["typed"] = {f"rolls/2/{roll}": 6 for roll in (1, 2, 3)}


def orders_without_a_letter(plain: Export) -> None:
    """As an umpire who moves for somebody and hashes the log anew."""
    plain["turns"][1] |= {
        "orders": {"GSW": []},
        "letters": {"GSW": {"counted": hash_of_letters("RR1", 1, "GSW", "counted", ())}},
    }


@pytest.mark.parametrize(
    ("attack", "name", "found"),
    [
        (orders_without_a_letter, "usual 3 a", r"turn 1: no letter and no act has orders of \['GSW'\]"),
        (ground_salt, "usual 3 a", r"turn 4: its salts are not those before"),
        (without("RollsThrown"), "usual 3 a", r"turn 1: rolls/2 is left out"),
        (fewer_rolls, "usual 3 a", r"turn 1: rolls/2 is \[\d, \d, \d\], not \[\d, \d\]"),
        (without("TrainMoved"), "usual 3 a", r"turn \d+: race/\d+/1: a throw is left out"),
        (other_ends, "usual 3 a", r"turn 6: schedule/1 deals no such races"),
        (race_left_out, "usual 3 a", r"turn 6: schedule/1 deals no such races"),
        (other_ends, "russia laurin together 6", r"turn \d+: draw/1/start is not \d\d"),
        (sixes, "usual 3 a", r"turn 1: rolls/2/1 is 6"),
    ],
)
def test_what_is_ground_left_out_or_typed_is_named_though_all_hashes_fit(
    attack: Callable[[Export], None], name: str, found: str, tmp_path: Path
) -> None:
    plain = recorded(name)
    attack(plain)
    told = wrong(hashed(plain), tmp_path)
    assert any(re.fullmatch(found, line) for line in told), told


def test_no_name_in_an_export_writes_lines_of_its_own_or_steers_the_terminal(tmp_path: Path) -> None:
    plain = recorded("usual 3 a")
    plain["turns"][1]["typed"] = {"\x1b[2J\nAll as it should be.\n\x1b[8m": 6}
    (tmp_path / "RR1.json").write_text(json.dumps(hashed(plain)), "utf-8")
    code, told = checked(tmp_path / "RR1.json")
    assert code == 1
    assert "\x1b" not in told
    assert "All as it should be." not in told.splitlines()


@CASES.rows
def test_what_is_no_export_is_one_sentence_of_the_checker(text: str, tmp_path: Path) -> None:
    (tmp_path / "RR1.json").write_text(text, "utf-8")
    code, told = checked(tmp_path / "RR1.json")
    assert code == 1
    assert re.fullmatch(r"This is no export of a game of Dampfross: .{,150}\n", told)


def test_numbers_out_of_all_measure_do_not_keep_the_checker_busy(tmp_path: Path) -> None:
    plain = recorded("usual 3 a")
    plain["turns"][1]["turn"] = 10**12
    plain["setup"]["options"] = {**dict(plain["setup"]["options"]), "rolls_per_round": 10**12}
    assert wrong(plain, tmp_path)
