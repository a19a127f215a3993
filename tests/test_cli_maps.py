"""Maps, dice and scenarios on the command line."""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest
from click.testing import Result
from msgspec.structs import fields

from referee.bots.trial import TRACK
from referee.games.volldampf import GAME
from referee.orderbook import OrderLanguage
from referee.resources import order_texts
from referee.scenario import run_scenario, verdict_lines
from referee.scenario.file import Scenario, is_paragraph, read_scenarios
from tests.forkedcommands import run_here
from tests.games.dampfross.wanted import WANTED as DAMPFROSS
from tests.games.volldampf.wanted import WANTED as VOLLDAMPF
from tests.posthouse import ANN, BOB, PostHouse
from tests.scenario.wanted import Wanted
from tests.tables import Tables

CASES = Tables(__file__)

# The commands for maps, run as commands: no club is needed.


FEATURES = Path(__file__).parent / "games" / "dampfross" / "maps" / "features.toml"


def run(*arguments: str | Path | int) -> Result:
    return run_here("map", *arguments)


def test_a_good_map_is_summed_up_with_remarks() -> None:
    told = run("check", FEATURES, "ireland")
    assert told.exit_code == 0, told.output
    assert f"{FEATURES}: Features, 19 towns, 2 junctions, 88 hexes (7 mountains, 9 foreign), " in told.stdout
    assert "6 specials, 2 bridges, 2 ferries, 21 races: in order\n" in told.stdout
    assert "  remark: Special 5 (Abroad): no way to K5, K6, L5, L6.\n" in told.stdout
    assert "ireland.toml: Ireland, 34 towns, 667 hexes (147 mountains), 18 races: in order\n" in told.stdout


@pytest.mark.parametrize(
    ("board", "figures"),
    [
        ("ireland", {"rolls", "score_first", "races_nobody", "rings", "towns_never", "hexes_never"}),
        (FEATURES, {"rolls", "score_first", "rings"}),
        ("deutschland-1925", {"links_built", "score_last", "towns_never"}),
    ],
)
def test_a_map_is_tried_by_built_in_players(board: str | Path, figures: set[str], tmp_path: Path) -> None:
    """Also one that nobody has seen; its figures stand beside those of the maps that come with the game."""
    picture = tmp_path / "heat.svg"
    told = json.loads(run("try", board, "--games", 1, "--json", "-o", picture).stdout)
    assert figures <= set(told["figures"])
    assert sum(won for won, _ in told["seats"].values()) >= 1
    assert all(figures <= set(each) for each in told["shipped"].values())
    assert TRACK in picture.read_text("utf-8")


def test_all_faults_of_all_files_are_named_at_once(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    text = FEATURES.read_text("utf-8")
    bad.write_text(
        text.replace("numbers = [34]", "numbers = [37]").replace('ends = "E3-I3"', 'ends = "E3-E4"'), "utf-8"
    )
    told = run("check", bad, "ireland", bad)
    assert told.exit_code == 78
    faults = [line for line in told.stdout.splitlines() if line.startswith(f"{bad}:")]
    assert len(faults) == 6
    assert any("Station Jura has the key 37" in line for line in faults)
    assert any("No station has the key 34: each of 11 to 66 expected." in line for line in faults)
    assert any("E3-E4 are neighbours" in line for line in faults)
    assert "ireland.toml: Ireland" in told.stdout


@CASES.frozen_rows
def test_a_wrong_argument_is_a_sentence(
    arguments: tuple[str, ...], code: int, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = run(*arguments)
    assert (told.exit_code, told.stdout) == (code, "")
    assert says in told.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("suffix", "begins"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_map_is_drawn_in_three_kinds(suffix: str, begins: bytes, tmp_path: Path) -> None:
    board = tmp_path / f"board.{suffix}"
    told = run("draw", FEATURES, "-o", board, "--width", "400")
    assert told.exit_code == 0, told.output
    assert board.read_bytes().startswith(begins)


def test_an_unfinished_map_is_drawn_with_its_faults(tmp_path: Path) -> None:
    bad, board = tmp_path / "bad.toml", tmp_path / "board.svg"
    text = Path(FEATURES).read_text("utf-8")
    bad.write_text(
        text.replace('hex = "A5"', 'hex = "A99"', 1).replace("title =", "titel =", 1) + "\n[spare]\n", "utf-8"
    )
    told = run("draw", bad, "-o", board)
    assert told.exit_code == 78
    checked = run("check", bad).stdout.splitlines()
    assert told.stdout.splitlines() == checked
    drawn = board.read_text("utf-8")
    for number, fault in enumerate(checked, 1):
        assert f">{number}<" in drawn
        assert f">{escape(fault.removeprefix(f'{bad}:').strip()[:20])}" in drawn


def test_an_empty_sheet_is_drawn(tmp_path: Path) -> None:
    sheet = tmp_path / "mine.toml"
    assert run("new", "--cols", 8, "--rows", 6, "-o", sheet).exit_code == 0
    assert run("draw", sheet, "-o", tmp_path / "mine.svg").exit_code == 78
    assert "[home_terminals] is empty" in (tmp_path / "mine.svg").read_text("utf-8")


def test_a_map_without_hexes_is_not_drawn(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("cols = 0", "utf-8")
    told = run("draw", bad, "-o", tmp_path / "board.svg")
    assert told.exit_code == 78
    assert f"{bad}:1: " in told.stderr
    assert not (tmp_path / "board.svg").exists()


@pytest.mark.parametrize(("cols", "rows"), [(20, 15), (40, 3)])
def test_a_new_sheet_lacks_only_towns_and_homes(cols: int, rows: int, tmp_path: Path) -> None:
    sheet = tmp_path / "Größe 7.toml"
    assert run("new", "--cols", cols, "--rows", rows, "-o", sheet).exit_code == 0
    faults = run("check", sheet).stdout.splitlines()
    assert [fault.split(": ", 1)[1] for fault in faults] == [
        '"station" is missing in the map: one or more [[blocks]] (at most 1000) expected.',
        "[home_terminals] is empty: cities to start from expected.",
    ]
    text = sheet.read_text("utf-8")
    assert 'title = "Größe 7"' in text
    assert 'id = "grosse_7"' in text
    assert ("\nnumbered_grid" in text) == (cols > 26)


def test_a_new_sheet_overwrites_nothing(tmp_path: Path) -> None:
    sheet = tmp_path / "x.toml"
    sheet.write_text("mine", "utf-8")
    told = run("new", "--cols", "4", "--rows", "4", "-o", sheet)
    assert told.exit_code == 78
    assert "is there already" in told.stderr
    assert sheet.read_text("utf-8") == "mine"


def test_the_words_of_an_empty_sheet_are_a_map_when_their_marks_are_taken_away(tmp_path: Path) -> None:
    """What the comments of the sheet show is right: without the # it is read."""
    sheet = tmp_path / "x.toml"
    run("new", "--cols", "5", "--rows", "5", "-o", sheet)
    shown: tuple[str, ...] = (
        "[[",
        "numbers",
        "name",
        "hex",
        "alt",
        "minor",
        "bonus",
        "number ",
        "title",
        "towns",
        "edges",
        "wide",
    )
    shown += ("closed", "open", "points", "toll", "single", "ends", "owners", "moves", "any", "hexes")
    lines = [
        line.removeprefix("# ") if line.startswith(tuple(f"# {word}" for word in shown)) else line
        for line in sheet.read_text("utf-8").splitlines()
    ]
    text = "\n".join(lines).replace('any = ["Northtown", "Southtown"]', 'any = ["Northtown"]')
    keys = ", ".join(str(tens + ones) for tens in range(10, 70, 10) for ones in range(1, 7))
    sheet.write_text(text.replace("numbers = [11, 12]", f"numbers = [{keys}]"), "utf-8")
    faults = run("check", sheet).stdout
    assert "Unknown field" not in faults
    assert "no TOML" not in faults
    assert "not neighbours" not in faults


BOARD = GAME.board_text("deutschland-1925")


def test_a_file_is_checked_by_the_rules_of_the_game_whose_format_it_names(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(BOARD, "utf-8")
    told = run("check", mine, FEATURES, "deutschland-1925")
    assert told.exit_code == 0, told.output
    assert f"{mine}: Deutschland, um 1925," in told.stdout
    assert "deutschland-1925.toml: Deutschland, um 1925," in told.stdout
    assert run("draw", mine, "-o", tmp_path / "mine.svg").exit_code == 0
    assert "<title>Hamburg-Hannover: purple, 5</title>" in (tmp_path / "mine.svg").read_text("utf-8")


@pytest.mark.parametrize("format_", ["volldampf-1", "volldampf-2"])
def test_a_file_that_is_no_toml_or_of_another_version_is_known_all_the_same(tmp_path: Path, format_: str) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(
        BOARD.replace("volldampf-1", format_).replace("Hamburg - Hannover 5", "Hamburg - Hannofer 5"), "utf-8"
    )
    told = run("check", mine)
    assert told.exit_code == 78
    assert len(told.stdout.splitlines()) == (1 if format_ == "volldampf-1" else 2)
    mine.write_text(f'format = "{format_}"\ntitle = [', "utf-8")
    assert "This is no TOML" in run("check", mine).stdout


def test_the_game_that_is_named_overrules_the_file(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(BOARD, "utf-8")
    told = run("check", mine, "--game", "dampfross")
    assert told.exit_code == 78
    assert 'format is "volldampf-1"' in told.stdout


def test_what_is_shipped_with_every_game_is_named() -> None:
    told = run("check", "atlantis")
    assert "shipped with Volldampf: deutschland-1925" in told.output


def test_the_desk_is_a_page_beside_the_map_and_its_download_takes_the_map_s_place(tmp_path: Path) -> None:
    land, made = tmp_path / "land.toml", tmp_path / "downloaded.toml"
    land.write_bytes(FEATURES.read_bytes())
    told = run("edit", land, "--no-browser")
    assert told.stdout == f"map desk: {tmp_path / 'land.desk.html'}\n"
    assert (tmp_path / "land.desk.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    made.write_bytes(land.read_bytes())
    assert run("edit", land, "--take", made).stdout.startswith(f"{land}: nothing was changed\n{land}: Features, ")
    for n, kept in enumerate(("land.old.toml", "land.old1.toml")):
        before = land.read_bytes()
        made.write_text(made.read_text("utf-8").replace("Jura", f"Jura{n}"), "utf-8")
        told = run("edit", land, "--take", made)
        assert told.stdout.startswith(f"{land}: what was there is kept as {tmp_path / kept}\n")
        assert land.read_bytes() == made.read_bytes()
        assert (tmp_path / kept).read_bytes() == before


def test_a_download_with_faults_is_taken_and_told_what_is_no_map_is_not(tmp_path: Path) -> None:
    land, made = tmp_path / "land.toml", tmp_path / "downloaded.toml"
    land.write_bytes(FEATURES.read_bytes())
    made.write_text(FEATURES.read_text("utf-8").replace("numbers = [34]", "numbers = [37]"), "utf-8")
    told = run("edit", land, "--take", made)
    assert told.exit_code == 0
    assert f"{land}:80: Station Jura has the key 37: two digits from 1 to 6 expected.\n" in told.stdout
    before = land.read_bytes()
    made.write_text("[areas", "utf-8")
    refused = run("edit", land, "--take", made)
    assert refused.exit_code == 78
    assert "This is no TOML" in refused.stderr
    made.write_text('format = "volldampf-1"\n', "utf-8")
    assert "is no map of the same game" in run("edit", land, "--take", made).stderr
    assert land.read_bytes() == before
    assert run("edit", land, "--take", tmp_path / "none.toml").exit_code == 78
    assert "name what the browser downloaded, as ~/Downloads/land.toml" in run("edit", land, "--take", land).stderr
    assert "the map desk is for maps of Dampfross" in run("edit", "deutschland-1925", "--no-browser").stderr


def test_a_page_of_a_pdf_becomes_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    sheet = tmp_path / "sheet.pdf"
    assert run("draw", FEATURES, "-o", sheet).exit_code == 0
    made = tmp_path / "sheet.png"
    assert run("scan", sheet, "-o", made).exit_code == 0
    assert made.read_bytes().startswith(b"\x89PNG")
    assert "has 1 pages: there is no page 2" in run("scan", sheet, "--page", "2", "-o", made).stderr
    assert f"{FEATURES} is no PDF that can be read" in run("scan", FEATURES, "-o", made).stderr
    assert run("scan", tmp_path / "none.pdf", "-o", made).exit_code == 78


def test_one_line_says_what_is_missing_before_a_game_can_begin(tmp_path: Path) -> None:
    land = tmp_path / "land.toml"
    run("new", "--cols", "6", "--rows", "5", "-o", land)
    lines = run("check", land).stderr.splitlines()
    lacking = "towns, home terminals must be there, and 2 faults must be put right"
    assert lines[-1] == f"{land}: before a game can begin, {lacking}"
    land.write_text(FEATURES.read_text("utf-8").replace("numbers = [34]", "numbers = [35]"), "utf-8")
    last = run("check", land).stderr.splitlines()[-1]
    assert last == f"{land}: before a game can begin, keys (34) must be there, and 1 fault must be put right"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('name = "Jura"', f'name = "{"x" * 400_000}"', 'is "xxxx'),
        (
            'name = "Jura"',
            'name = { a = { b = [1, { c = "x" }] } }',
            "is {'a': {'b': [1, {'c': 'x'}]}}: words in quotes",
        ),
        ("numbers = [34]", f"numbers = [{'9' * 1_000_000}]", "a number of more than 40 digits"),
        ("pitch_km = 5", f"pitch_km = {'9' * 40}", f"pitch_km is {'9' * 40}: at most 999 expected"),
    ],
    ids=["name", "nested", "digits", "large"],
)
def test_what_nobody_would_write_is_one_sentence(tmp_path: Path, old: str, new: str, says: str) -> None:
    land = tmp_path / "land.toml"
    text = FEATURES.read_text("utf-8").replace("rows = 9\n", "rows = 9\npitch_km = 5\n")
    land.write_text(text.replace(old, new), "utf-8")
    told = run("check", land)
    assert told.exit_code == 78
    assert [says in line and len(line) < 400 for line in told.stdout.splitlines()] == [True]


# The command ``referee dice``: what is asked for, what was typed, and nothing of what the seeds will show.


PLAYERS = ("--player", f"ANN:red:Ann <{ANN}>", "--player", f"BOB:blue:Bob <{BOB}>")
Run = Callable[..., Result]


@pytest.fixture
def dice(house: PostHouse) -> Run:
    return lambda *arguments: run_here("--club", house.folder, *arguments)


def new_game(run: Run, *options: str) -> None:
    chosen = [part for option in ("two_players=david", *options) for part in ("--option", option)]
    if "roll=typed" in options:
        chosen += [part for roll in (1, 2, 3) for part in ("--throw", f"rolls/1/{roll}={roll + 4}")]
    assert run("game", "new", "dampfross", "--map", "ireland", *PLAYERS, *chosen).exit_code == 0


def test_a_turn_s_throws_are_listed_and_typed_by_name(dice: Run) -> None:
    new_game(dice, "roll=typed")
    assert dice("dice", "RR1").stdout == (
        "RR1, turn 1: throws still to be typed: 3\n- rolls/2/1 (1 to 9)\n- rolls/2/2 (1 to 9)\n- rolls/2/3 (1 to 9)\n"
    )
    told = dice("dice", "rr1", "rolls/2/1=7", "rolls/2/3=4")
    assert told.stdout == (
        "RR1, turn 1: throws still to be typed: 1\n- rolls/2/1=7 (1 to 9)\n- rolls/2/2 (1 to 9)\n- rolls/2/3=4 (1 to 9)\n"
    )
    assert dice("dice", "RR1").stdout == told.stdout
    dice("dice", "RR1", "rolls/2/2=1", "rols/3/1=2", "--forget", "rolls/2/1")
    assert dice("dice", "RR1").stdout.splitlines()[1:] == [
        "- rolls/2/1 (1 to 9)",
        "- rolls/2/2=1 (1 to 9)",
        "- rolls/2/3=4 (1 to 9)",
        "- rols/3/1=2: with today's orders nothing asks for it (did you mean",
        "  rolls/2/1?)",
    ]
    dice("dice", "RR1", "rolls/2/1=6")
    assert dice("dice", "RR1").stdout.startswith("RR1, turn 1: throws still to be typed: 0\n")


def test_of_what_seeds_make_the_names_are_listed_and_not_the_numbers(dice: Run) -> None:
    new_game(dice)
    assert dice("dice", "RR1").stdout == (
        "RR1, turn 1: throws still to be typed: 0\n"
        "- rolls/2/1 (1 to 6): by the seed\n- rolls/2/2 (1 to 6): by the seed\n- rolls/2/3 (1 to 6): by the seed\n"
    )


def test_a_long_list_of_seeded_throws_is_cut(dice: Run) -> None:
    """The draw of all races asks for hundreds of throws."""
    new_game(dice, "building_ends=rounds:1")
    lines = dice("dice", "RR1").stdout.splitlines()
    assert len(lines) < 30
    assert [line.split(":")[0] for line in lines if "more by the seed" in line] == [
        "- schedule/1/...",
        "- schedule/2/...",
    ]


@CASES.frozen_rows
def test_what_cannot_be_typed_is_one_sentence(dice: Run, arguments: tuple[str, ...], code: int, words: str) -> None:
    new_game(dice, "roll=typed")
    told = dice("dice", *arguments)
    assert (told.exit_code, told.stdout) == (code, "")
    assert words in told.stderr


def test_a_pass_names_the_turns_that_wait_and_verify_the_throws_that_were_typed(
    dice: Run, house: PostHouse, tmp_path: Path
) -> None:
    new_game(dice, "roll=typed")
    for sender in (ANN, BOB):
        os.utime(house.write(sender, "ORDERS RR1 1\nPASS\nEND"))  # commands go by the machine's clock
    told = dice("tick")
    assert told.exit_code == 0
    assert "turn RR1/1 waits for throws that you type: see `referee dice RR1`\n" in told.stdout
    dice("dice", "RR1", "rolls/2/1=7", "rolls/2/2=3", "rolls/2/3=3")
    assert "turns played: RR1/1" in dice("tick").stdout
    listed = dice("verify", "RR1", "--throws")
    assert listed.exit_code == 0
    assert "turn 1\trolls/2/1\td9\t7\ttyped\n" in listed.stdout
    assert "turn 0\trolls/1/1\td9\t5\ttyped\n" in listed.stdout
    assert "\nTyped: 6 throws of the umpire's own dice, which no seed can prove; by turn: 0, 1.\n" in listed.stdout
    file = tmp_path / "game.json"
    dice("game", "export", "RR1", "-o", str(file))
    assert dice("verify", str(file)).stdout == dice("verify", "RR1").stdout


# Every scenario file comes out as it says, and there is one for each paragraph, option value, verb and kind of event.


GAMES = Path(__file__).parent / "games"
FILES = sorted(GAMES.glob("*/scenarios/*.toml"))

each_game = pytest.mark.parametrize("wanted", [DAMPFROSS, VOLLDAMPF], ids=lambda wanted: wanted.game.name)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.parent.name}-{file.stem}")
def test_a_scenario_comes_out_as_its_file_says(file: Path) -> None:
    for scenario in read_scenarios(file):
        result = run_scenario(scenario)
        assert not result.differences, "\n".join(verdict_lines(result))
        every = [
            event for told in result.turns for event in told.events if event["kind"] != "Ruled"
        ]  # its own paragraph
        printed = {event["paragraph"] for event in every if event["paragraph"]}
        assert {name for name in printed if not is_paragraph(name, scenario.game.paragraphs())} == set()


@cache
def scenarios(game: str) -> tuple[Scenario, ...]:
    """Return the scenarios of a game."""
    files = (file for file in FILES if file.parent.parent.name == game)
    return tuple(scenario for file in files for scenario in read_scenarios(file))


def expected_events(game: str) -> Iterator[Mapping[str, Any]]:
    """Yield every event that some scenario expects."""
    for scenario in scenarios(game):
        for expect in (scenario.expect, *(turn.expect for turn in scenario.turns)):
            yield from expect.get("events", [])
            yield from ({"kind": kind} for kind, listed in expect.get("exactly", {}).items() if listed)


def option_values(wanted: Wanted) -> set[str]:
    """Return the values of options that some scenario sets itself, as ``name=form``."""
    chosen = {(name, str(value)) for each in scenarios(wanted.game.name) for name, value in each.setup.options}
    return {
        f"{name}={form}"
        for name, forms in wanted.option_values.items()
        for form in forms
        if any(option == name and fnmatchcase(value, form) for option, value in chosen)
    }


def verbs(game: str) -> set[str]:
    """Return the verbs with which some line of some scenario's letters begins."""
    language = OrderLanguage.of(**order_texts(game))
    lines = [
        line
        for each in scenarios(game)
        for turn in each.turns
        for text in turn.orders.values()
        for line in text.split("\n")
    ]
    return {
        verb.name
        for verb in language.of_kind("order")
        for line in lines
        if re.match(rf"({'|'.join(map(re.escape, verb.aliases))})\b", line)
    }


def missing(wanted: Wanted) -> set[str]:
    """Return everything that no scenario of a game shows."""
    game = wanted.game
    language = OrderLanguage.of(**order_texts(game.name))
    covered = {paragraph for scenario in scenarios(game.name) for paragraph in scenario.paragraphs}
    needed = {*wanted.paragraphs, *wanted.rulings}
    needed |= {f"{name}={form}" for name, forms in wanted.option_values.items() for form in forms}
    needed |= {f"preset {name}" for name in game.presets}
    needed |= {f"event {kind.__name__}" for kind in game.event_kinds}
    needed |= {f"verb {verb.name}" for verb in language.of_kind("order")}
    covered |= option_values(wanted)
    covered |= {f"preset {scenario.setup.preset}" for scenario in scenarios(game.name)}
    covered |= {f"event {event['kind']}" for event in expected_events(game.name)}
    covered |= {f"verb {name}" for name in verbs(game.name)}
    return needed - covered


@each_game
def test_everything_has_a_scenario(wanted: Wanted) -> None:
    assert missing(wanted) - set(wanted.pending) == set()


@each_game
def test_what_is_pending_has_no_scenario_yet(wanted: Wanted) -> None:
    assert set(wanted.pending) - missing(wanted) == set(), "these are covered now: take them out of what is pending"


@each_game
def test_the_paragraphs_of_scenarios_exist(wanted: Wanted) -> None:
    known = wanted.game.paragraphs()
    wrong = {
        f"{each.file}: {name}" for each in scenarios(wanted.game.name) for name in each.paragraphs if name not in known
    }
    assert wrong == set()


@each_game
def test_the_table_of_option_values_is_that_of_the_code(wanted: Wanted) -> None:
    assert set(wanted.option_values) == {field.name for field in fields(wanted.options)}


@each_game
def test_each_file_begins_with_the_paragraph_it_is_about(wanted: Wanted) -> None:
    """``d3_2_each_entry.toml`` proves D3.2, ``r1_bent_run.toml`` R1, ``v3_4_3_half_bids_….toml`` V3.4.3."""
    for scenario in scenarios(wanted.game.name):
        match = re.match(r"([drv])((?:\d+_)+)", Path(scenario.file).name)
        if match:
            told = [paragraph.split()[0] for paragraph in scenario.paragraphs]
            whole = f"{match[1].upper()}{match[2].rstrip('_').replace('_', '.')}"
            assert whole in told, scenario.file


def test_every_scenario_belongs_to_a_game_that_is_checked() -> None:
    assert {file.parent.parent.name for file in FILES} == {DAMPFROSS.game.name, VOLLDAMPF.game.name}
