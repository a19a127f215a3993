"""Scenario files: what they may say, how faults are told, what differs, and the commands and examples of the docs."""

import re
from itertools import product
from pathlib import Path

import pytest
from click.testing import Result

from referee.core import ScenarioError
from referee.games import game_named
from referee.scenario import run_scenario
from referee.scenario.file import read_scenarios
from referee.service.turns.gamefile import read_proposal
from referee.service.turns.newgames import new_game
from tests.forkedcommands import run_here
from tests.posthouse import ROOT, PostHouse, text_of
from tests.tables import Tables

CASES = Tables(__file__)


BLOCKS = re.findall(
    r"^```toml\n(.*?)^```$", (ROOT / "docs" / "scenarios.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
)
EXAMPLES = [block for block in BLOCKS if "title = " in block]
QUARREL = EXAMPLES[0]

TINY = """
title = "Three steps and the wind"
paragraphs = ["T1"]
game = "tinyrace"
map = "line"

[[player]]
code = "ANN"

[[player]]
code = "BOB"

[position]
balances = { ANN = 4 }

[throws]
"wind/1" = 2

[[turn]]
[turn.orders]
ANN = "STEP 3"

[turn.expect]
balances = { ANN = 9, BOB = 0 }
events = [{ kind = "Step", player = "ANN", length = 5 }]
"""


def written(folder: Path, text: str) -> Path:
    """Return a file with this text."""
    file = folder / "quarrel.toml"
    file.write_text(text, "utf-8")
    return file


def told(folder: Path, text: str, *options: str) -> Result:
    """Run the command on a file with this text."""
    return run_here("scenario", written(folder, text), *options)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: str(text).split('"')[1])
def test_an_example_of_the_docs_comes_out_as_it_says(tmp_path: Path, example: str) -> None:
    result = told(tmp_path, example)
    assert (result.exit_code, result.stderr) == (0, ""), result.output


def test_a_scenario_is_told_with_its_paragraphs_if_it_names_any(tmp_path: Path) -> None:
    file = tmp_path / "quarrel.toml"
    assert told(tmp_path, TINY).stdout == f"{file}: Three steps and the wind [T1]: as expected\n"
    assert told(tmp_path, TINY.replace('paragraphs = ["T1"]', "")).stdout == (
        f"{file}: Three steps and the wind: as expected\n"
    )


def test_faults_of_sketch_preset_and_options_come_together(tmp_path: Path) -> None:
    result = told(
        tmp_path,
        """
title = "Nothing is right"
game = "volldampf"
preset = "prussian"
options = { money_visble = false, opening_min = 7, must_stop = true }

[sketch]
cities = "Ardee blue\\nBoyle mauve"
links = "Ardee - Boyle purple 5"
""",
    )
    assert result.exit_code == 78
    words = ("mauve", "preset 'prussian' is not known", "option 'money_visble' is not known", "option opening_min = 7")
    assert [sum(word in line for line in result.stderr.splitlines()) for word in words] == [1, 1, 1, 1]
    assert "must_stop" not in result.stderr.partition("option opening_min")[2]


@pytest.mark.parametrize(
    ("game", "words"),
    [("dampfross", "The position at the beginning of round 4"), ("volldampf", "The referee takes this game over")],
)
def test_the_running_game_of_the_docs_is_taken_over(house: PostHouse, game: str, words: str) -> None:
    (example,) = (block for block in set(BLOCKS) - set(EXAMPLES) if f'game = "{game}"' in block)
    new_game(house.club, read_proposal(written(house.folder, example)))
    house.tick()
    (letter,) = house.post("bob@example.org")
    assert words in text_of(letter)


@CASES.rows
def test_what_differs_in_a_game_with_scores_is_told(tmp_path: Path, old: str, new: str) -> None:
    """Places go by scores, cubes are compared city by city, a table within an event by the keys that are named."""
    (example,) = (block for block in EXAMPLES if block.startswith('title = "Sabotage'))
    assert told(tmp_path, example).exit_code == 0
    assert old in example
    assert told(tmp_path, example.replace(old, new)).exit_code == 1


@pytest.mark.parametrize(
    ("new", "where", "found"),
    [
        ('actions = { GSW = ["Sabotage", "Sabotage", "Sabotage"], MGW = [] }', "actions.GSW", []),
        ('actions = { GSW = ["subvention"], MGW = ["Sabotage", "Sabotage"], BNC = ["Sabotage"] }', "actions.BNC", []),
        (f"cubes = {{ BOY = ['blue'], Ardee = {11 * ['blue']} }}", "cubes.Ardee", []),
        ("balances = { GSW = -1 }", "balances.GSW", 10),
        ('built = { GSW = ["Ardee-Boyle"] }', "built.GSW", []),
        ('stage = "bonds"', "stage", "over"),
    ],
)
def test_what_cannot_be_a_position_is_not_met_and_no_fault(tmp_path: Path, new: str, where: str, found: object) -> None:
    """More cards and cubes than there are, marks that nobody has, a section where another one lies, a letter never asked for."""
    (example,) = (block for block in EXAMPLES if block.startswith('title = "Sabotage'))
    head, expect, _ = example.partition("[turn.expect]")
    text = f"{head}{expect}\n{new}\n"
    result = told(tmp_path, text)
    assert (result.exit_code, result.stderr) == (1, "")
    (scenario,) = read_scenarios(written(tmp_path, text))
    differences = {each.where: each for each in run_scenario(scenario).differences}
    assert differences[f"turn[1].expect.{where}"].found == found
    assert not any("BOY" in name for name in differences)


@CASES.rows
def test_what_no_railway_can_come_to_is_not_met_and_no_fault(tmp_path: Path, old: str, new: str, where: str) -> None:
    assert old in QUARREL
    result = told(tmp_path, QUARREL.replace(old, new))
    assert (result.exit_code, result.stderr) == (1, "")
    assert f"turn[1].expect.{where}" in result.stdout


def test_a_city_may_be_named_as_in_orders_in_what_must_come(tmp_path: Path) -> None:
    (example,) = (block for block in EXAMPLES if block.startswith('title = "Sabotage'))
    for found in ('{ ARD = ["blue"] }', "{ boyle = [], Clare = [] }"):
        assert told(tmp_path, example.replace('{ Boyle = ["blue"], Clare = [] }', found)).exit_code == 1
    assert (
        told(tmp_path, example.replace('{ Boyle = ["blue"], Clare = [] }', '{ boyle = ["blue"], ARD = [] }')).exit_code
        == 0
    )


def test_a_game_that_is_not_ours_has_scenarios_too(tmp_path: Path) -> None:
    (scenario,) = read_scenarios(written(tmp_path, TINY))
    assert run_scenario(scenario).differences == ()


def test_what_differs_is_told_key_by_key(tmp_path: Path) -> None:
    text = (
        QUARREL.replace("MGW = 17 }", "MGW = 18 }")
        .replace('- A2"] }', '- C1"] }')
        .replace('why = "parallel"', 'why = "x"')
    )
    result = told(tmp_path, text)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0].endswith("[D3.2 D3.3]: 3 differences")
    assert lines[1:4] == ["  turn[1].expect.balances.MGW", "    expected 18", "    found    17"]
    assert lines[4:7] == [
        "  turn[1].expect.track.MGW",
        '    expected ["Ardee - B1 - C1"]',
        '    found    ["Ardee - B1 - A2"]',
    ]
    assert lines[7] == "  turn[1].expect.events[2], after FeePaid"


def test_a_phase_that_differs_is_a_difference_of_that_key(tmp_path: Path) -> None:
    """A building round has rolls and a racing round races: what lacks for the phase expected is no key of the file."""
    result = told(tmp_path, QUARREL.replace("rolls = [5]\n", 'phase = "race"\n'))
    assert result.exit_code == 1
    assert result.stdout.splitlines()[1:] == ["  turn[1].expect.phase", "    expected race", "    found    build"]


def test_a_table_within_an_entry_is_compared_in_full(tmp_path: Path) -> None:
    """``{}`` says that a company has banked nothing, not that anything will do."""
    file = ROOT / "tests" / "games" / "dampfross" / "scenarios" / "r28_banked_points.toml"
    old = 'banked = { GSW = { "B1-C1" = 6 }'
    text = file.read_text("utf-8")
    assert old in text
    result = told(tmp_path, text.replace(old, "banked = { GSW = {}"))
    assert result.exit_code == 1
    assert result.stdout.splitlines()[1:] == [
        "  turn[1].expect.banked.GSW.B1-C1",
        "    expected nothing",
        "    found    6",
    ]


def test_a_list_that_is_refused_and_an_event_that_must_not_come_are_told(tmp_path: Path) -> None:
    text = QUARREL.replace(
        "refused = { MGW = [] }", 'refused = { MGW = ["illegal-own-track"] }\nno_events = [{ kind = "TrackLaid" }]'
    )
    lines = told(tmp_path, text).stdout.splitlines()
    assert "  turn[1].expect.refused.MGW" in lines
    assert "  turn[1].expect.no_events[1]" in lines


def test_events_must_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = re.sub(
        r"events = \[.*\n\]",
        'events = [{ kind = "FeePaid", amount = 2 }, { kind = "FeePaid", amount = 1 }]',
        QUARREL,
        flags=re.DOTALL,
    )
    assert told(tmp_path, text).exit_code == 1


def test_explain_prints_every_event_with_its_paragraph(tmp_path: Path) -> None:
    lines = told(tmp_path, QUARREL, "--explain").stdout.splitlines()
    assert "  opening" in lines
    assert "  turn[1]" in lines
    (fee,) = (line for line in lines if "Fee paid" in line and "connection" in line)
    assert "company MGW" in fee
    assert fee.endswith("[D3.2]")


def test_orders_that_are_not_understood_are_a_difference(tmp_path: Path) -> None:
    result = told(tmp_path, QUARREL.replace("(Ardee) - B1", "(Ardeee) - B1"))
    assert result.exit_code == 1
    assert "turn[1].expect.complaints.MGW" in result.stdout


PARAGRAPHS = [
    *product(["D3", "D3.2", "D10", "D10 Ireland", "D9"], [0]),
    *product(["D", "D3.", "D99", "3.2", "D1 Ireland"], [78]),
]


@pytest.mark.parametrize(("name", "code"), PARAGRAPHS)
def test_a_paragraph_with_others_below_it_may_be_named_and_none_that_there_is_not(
    tmp_path: Path, name: str, code: int
) -> None:
    assert told(tmp_path, QUARREL.replace('"D3.2", "D3.3"', f'"{name}"')).exit_code == code


def test_a_letter_that_is_dropped_for_an_error_is_told_and_is_a_difference(tmp_path: Path) -> None:
    text = QUARREL.replace("2) (Ardee) - B1 - A2", "RUN 36: Ardee - Boyle").split("[turn.expect]")[0]
    result = told(tmp_path, text, "--explain")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert "  turn[1].expect.complaints.MGW" in lines
    at = lines.index("    Letter of MGW: dropped, there is nothing in it that can be ordered now")
    assert lines[at + 1] == "      line 1: illegal-no-races RUN 36: Ardee - Boyle (race 36)"
    spoken = f'{text}[turn.expect]\ncomplaints = {{ MGW = ["illegal-no-races"] }}\n'
    assert told(tmp_path, spoken).exit_code == 0


def test_a_line_that_is_left_out_of_a_letter_is_a_difference(tmp_path: Path) -> None:
    result = told(tmp_path, QUARREL.replace("2) (Ardee)", "RUN 36: Ardee - Boyle\n2) (Ardee)"), "--explain")
    assert result.exit_code == 1
    assert "    Letter of MGW\n      line 1: illegal-no-races RUN 36: Ardee - Boyle (race 36)\n    " in result.stdout


def test_a_letter_of_somebody_who_is_not_asked_is_dropped(tmp_path: Path) -> None:
    """As the service does it: orders are taken of the one who is asked."""
    text = QUARREL.replace("[options]", 'pace = "one-by-one"\n[options]\norder_of_building = "in-turn"')
    text = text.split("[turn.expect]")[0].replace('"rolls/3" = [5]', 'otherwise = "seed:words"')
    result = told(tmp_path, text, "--explain")
    assert result.exit_code == 1
    assert "dropped" in result.stdout
    assert "illegal-not-your-turn" in result.stdout
    assert "Track laid" not in result.stdout


def test_a_letter_with_pass_is_a_word_and_no_letter_is_none(tmp_path: Path) -> None:
    text = QUARREL.split("[[turn]]")[0] + (
        '[[turn]]\n[turn.orders]\nGSW = "PASS"\nMGW = "Nothing this time."\n[turn.expect]\n'
        'events = [{ kind = "NothingReceived", company = "MGW" }]\n'
        'no_events = [{ kind = "NothingReceived", company = "GSW" }]\n'
    )
    assert told(tmp_path, text).exit_code == 0


def test_a_turn_after_the_end_of_the_game_is_a_fault(tmp_path: Path) -> None:
    (last,) = [example for example in EXAMPLES if "RUN 36" in example]
    result = told(tmp_path, f"{last}\n[[turn]]\n")
    assert result.exit_code == 78
    assert "quarrel.toml: turn[2]: the game is over before this turn" in result.output


def test_throws_may_follow_from_a_seed(tmp_path: Path) -> None:
    text = QUARREL.replace('"rolls/3" = [5]', 'otherwise = "seed:words"').replace("rolls = [5]\n", "")
    assert told(tmp_path, text).exit_code == 0
    seeded = text.replace('[throws]\notherwise = "seed:words"\n', "").replace(
        "[options]", 'throws = "seed:words"\n[options]'
    )
    assert told(tmp_path, seeded).exit_code == 0


def test_a_turns_own_throws_go_before_those_of_the_file(tmp_path: Path) -> None:
    text = QUARREL.replace("[turn.expect]", '[turn.throws]\n"rolls/3/1" = 2\n[turn.expect]').replace(
        "rolls = [5]", "rolls = [2]"
    )
    assert told(tmp_path, text).exit_code == 0


@CASES.rows
def test_a_damaged_file_is_told_by_the_thing_and_the_file(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    assert old in QUARREL
    result = told(tmp_path, QUARREL.replace(old, new, 1))
    assert result.exit_code == 78
    assert sentence in result.stderr
    assert "quarrel.toml" in result.stderr


def test_a_throw_that_nothing_asks_for_is_named_together_with_the_events_and_the_differences(tmp_path: Path) -> None:
    text = QUARREL.replace('"rolls/3" = [5]', '"rolls/3" = [5, 6]').replace("GSW = 23", "GSW = 22")
    result = told(tmp_path, text, "--explain")
    assert result.exit_code == 78
    assert "throws: nothing asks for 'rolls/3/2'" in result.stderr
    assert "  turn[1].expect.balances.GSW" in result.stdout.splitlines()
    assert "Fee paid: amount 1, company MGW" in result.stdout
    assert "Fee paid" not in told(tmp_path, text).stdout


def test_where_a_throw_is_missing_the_events_say_that_it_was_made_up(tmp_path: Path) -> None:
    text = QUARREL.replace('"rolls/3" = [5]', "").replace("GSW = 23", "GSW = 22")
    result = told(tmp_path, text, "--explain")
    assert result.exit_code == 78
    assert "Not given, and made up for this run: rolls/3/1" in result.stdout
    assert "Fee paid: amount 1, company MGW" in result.stdout
    assert "expected" not in result.stdout


def test_what_was_played_before_a_fault_is_told(tmp_path: Path) -> None:
    (last,) = [example for example in EXAMPLES if "RUN 36" in example]
    result = told(tmp_path, f"{last}\n[[turn]]\n", "--explain")
    assert result.exit_code == 78
    assert "Game ended" in result.stdout


MAPPED = """
title = "On a map of one's own"
game = "dampfross"
map = "maps/isle.toml"

[[turn]]
[turn.orders]
GSW = "HOME Dublin"

[expect]
homes = { GSW = "Dublin" }
"""


def test_a_map_file_is_named_from_the_scenarios_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f'throws = "seed:words"\n{MAPPED}'
    result = told(tmp_path, text)
    assert result.exit_code == 78
    assert "map: maps/isle.toml cannot be read: No such file or directory" in result.stderr
    (tmp_path / "maps").mkdir()
    isle = tmp_path / "maps" / "isle.toml"
    isle.write_text(game_named("dampfross").board_text("ireland"), "utf-8")
    monkeypatch.chdir("/")
    assert told(tmp_path, text).exit_code == 0


def test_the_faults_of_a_map_file_are_told_with_their_lines(tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    isle = tmp_path / "maps" / "isle.toml"
    isle.write_text(game_named("dampfross").board_text("ireland").replace("Dublin", ""), "utf-8")
    result = told(tmp_path, MAPPED)
    assert result.exit_code == 78
    assert re.search(r"maps/isle\.toml:\d+: ", result.stderr)
    isle.write_bytes(b"\xff")
    assert "map: maps/isle.toml is not UTF-8" in told(tmp_path, MAPPED).stderr


FEES = """exactly = { FeePaid = [
  { company = "MGW", to = "GSW", amount = 1, why = "connection" },
  { company = "MGW", to = "GSW", amount = 2, why = "parallel" },
], TollPaid = [] }
"""


def test_exactly_these_charges_can_be_said(tmp_path: Path) -> None:
    head, _, _ = QUARREL.partition("events = [")
    assert told(tmp_path, head + FEES).exit_code == 0
    for new in (
        FEES.replace("amount = 2", "amount = 3"),
        FEES.replace('  { company = "MGW", to = "GSW", amount = 2, why = "parallel" },\n', ""),
        FEES.replace('why = "parallel" },', 'why = "parallel" },\n{ company = "GSW" },'),
        'exactly = { FeePaid = [{ why = "parallel" }, { why = "connection" }] }',
        "exactly = { FeePaid = [] }",
        "exactly = { TrackLaid = [] }",
    ):
        result = told(tmp_path, head + new)
        assert (result.exit_code, result.stderr) == (1, "")
        assert result.stdout.count("turn[1].expect.exactly.") == 1


VARIED = """
[[variant]]
options = { parallel_fee = 1 }
expect.balances = { GSW = 22, MGW = 18 }

[[variant]]
options = { costs = "rostherne-3", parallel_fee = 0 }
[variant.expect]
balances = { GSW = 21, MGW = 19 }
"""


def test_the_variants_of_a_file_are_run_one_by_one_each_with_its_expectation(tmp_path: Path) -> None:
    text = QUARREL.replace("balances = { GSW = 23, MGW = 17 }\n", "").partition("events = [")[0] + VARIED
    result = told(tmp_path, text)
    assert (result.exit_code, result.stderr) == (0, "")
    heads = [line.split(": ", 1)[1] for line in result.stdout.splitlines()]
    title = "Joining a rival's line costs 1, building beside it 2 for each half-hex"
    assert heads == [
        f"{title} (parallel_fee = 1) [D3.2 D3.3]: as expected",
        f"{title} (costs = rostherne-3, parallel_fee = 0) [D3.2 D3.3]: as expected",
    ]
    result = told(tmp_path, text.replace("GSW = 21", "GSW = 20"))
    assert result.exit_code == 1
    assert "  variant[2].expect.balances.GSW\n    expected 20\n    found    21" in result.stdout
    assert result.stdout.count("as expected") == 1


def test_what_a_variant_expects_goes_before_what_the_file_does(tmp_path: Path) -> None:
    """What the file says of the end holds for each variant that says nothing else of the same key."""
    text = QUARREL.partition("[turn.expect]")[0] + "[expect]\nbalances = { GSW = 23 }\nrolls = [5]\n" + VARIED
    assert told(tmp_path, text).exit_code == 0
    result = told(tmp_path, text.replace("rolls = [5]", "rolls = [6]"))
    assert [line for line in result.stdout.splitlines() if line.startswith("  ") and "expect." in line] == [
        "  expect.rolls",
        "  expect.rolls",
    ]


def test_a_variant_has_throws_a_preset_and_faults_of_its_own(tmp_path: Path) -> None:
    head, _, _ = QUARREL.replace('"rolls/3" = [5]', "").partition("[turn.expect]")
    text = f"""{head}
[[variant]]
throws = {{ "rolls/3" = [1] }}
expect.rolls = [1]

[[variant]]
preset = "laurin"
throws = {{ otherwise = "seed:words" }}

[[variant]]
options = {{ building_ends = "never" }}
throws = {{ otherwise = "seed:words" }}
expect.fault = "building_ends"
"""
    result = told(tmp_path, text)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "(variant 1)" in result.stdout
    assert "(preset = laurin)" in result.stdout
    result = told(tmp_path, text.replace('fault = "building_ends"', 'fault = "bridges"'))
    assert result.exit_code == 1
    assert "  variant[3].expect.fault" in result.stdout
    result = told(tmp_path, text.replace('"rolls/3" = [1]', '"rolls/3" = [1, 2]'))
    assert result.exit_code == 78
    assert "quarrel.toml (variant 1): throws: nothing asks for 'rolls/3/2'" in result.stderr
    assert result.stdout.count("as expected") == 2


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"nowhere\.toml: cannot be read"):
        read_scenarios(tmp_path / "nowhere.toml")


def test_one_damaged_file_does_not_hide_the_others(tmp_path: Path) -> None:
    good = written(tmp_path, QUARREL)
    result = run_here("scenario", tmp_path / "nowhere.toml", good)
    assert result.exit_code == 78
    assert "as expected" in result.stdout


def test_a_fault_that_is_expected_and_does_not_come_is_a_difference(tmp_path: Path) -> None:
    text = f'{QUARREL}\n[expect]\nfault = "cannot be played"\n'
    result = told(tmp_path, text)
    assert result.exit_code == 1
    assert "no fault" in result.stdout
