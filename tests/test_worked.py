"""A game that is not ours, and the changes that CONTRIBUTING.md works through."""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from referee.core.game import ONE_BY_ONE
from tests.forkedcommands import run_here, run_program
from tests.posthouse import ANN, BOB, PostHouse

# What CONTRIBUTING.md says is done by somebody: its worked examples are applied to a copy of this house and proved there.


ROOT = Path(__file__).parents[1]
WORKED = ROOT / "tests" / "worked"
PARTS = ("referee", "templates", "orders", "tests", "docs", "bench")
PAGES = ("pyproject.toml", "Makefile", "CHANGELOG.md", "README.md", "CONTRIBUTING.md")


@dataclass(frozen=True, slots=True)
class Worked:
    """An example: its diff, the tests that prove it, what of them is meant, and the one that it brings or changes."""

    diff: str
    proofs: tuple[str, ...]
    chosen: str
    added: str


EXAMPLES = (
    Worked(
        "option",
        ("tests/test_cli_maps.py", "tests/games/dampfross/test_options.py", "tests/games/test_prices.py"),
        "start_balance or option or price",
        "[dampfross-d1_2_start_balance]",
    ),
    Worked("word", ("tests/orderbook/test_letters.py",), "quickest", "[quickest]"),
    Worked("command", ("tests/test_cli_seats.py", "tests/test_cli.py"), "seats or docs", "test_cli_seats.py"),
    Worked(
        "event",
        ("tests/test_cli_maps.py", "tests/games/test_events.py"),
        "fees_and_debt or event",
        "[dampfross-d3_6_fees_and_debt]",
    ),
)
each_example = pytest.mark.parametrize("worked", EXAMPLES, ids=lambda worked: worked.diff)


def git_apply(diff: Path, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = ["git", "apply", "--unidiff-zero", "--directory", "", *options, str(diff)]
    return run_program(command, cwd=folder)


@pytest.fixture(autouse=True)
def git() -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not installed: it applies the worked examples")


@each_example
def test_a_worked_example_fits_the_house_as_it_is(worked: Worked) -> None:
    told = git_apply(WORKED / f"{worked.diff}.diff", ROOT, "--check")
    assert told.returncode == 0, f"tests/worked/{worked.diff}.diff is out of date: {told.stderr}"


@pytest.mark.testlong
@each_example
def test_a_worked_example_does_what_its_walk_promises(worked: Worked, tmp_path: Path) -> None:
    for part in PARTS:
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__", "recorded"))
    for page in PAGES:
        shutil.copy(ROOT / page, tmp_path)
    told = git_apply(WORKED / f"{worked.diff}.diff", tmp_path)
    assert told.returncode == 0, told.stderr
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-rp",
        "-n0",
        "-p",
        "no:cacheprovider",
        *worked.proofs,
        "-k",
        worked.chosen,
    ]
    proof = run_program(command, cwd=tmp_path)
    assert proof.returncode == 0, proof.stdout[-4000:]
    assert worked.added in proof.stdout  # what the example adds is among what was run


def test_the_worked_map_is_in_order_and_played_on() -> None:
    for command in (("map", "check", "strait.toml"), ("scenario", "strait_first_round.toml")):
        told = run_here(*command[:-1], WORKED / command[-1])
        assert told.exit_code == 0, told.output


def test_the_walks_name_every_example_and_no_other() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    files = {path.name for path in WORKED.iterdir()}
    assert set(re.findall(r"\]\(tests/worked/([\w.]+)\)", text)) == files
    assert {f"{worked.diff}.diff" for worked in EXAMPLES} <= files


# The tiny game is the worked example of a game that is not ours: one small folder, played by mail like any other.


FOLDER = Path(__file__).parent / "tinygame"
MOST_LINES = 300  # that docs/house.md promises, "a few hundred", with templates and order language


def test_a_game_is_one_folder_of_few_lines() -> None:
    files = [path for path in sorted(FOLDER.rglob("*")) if path.suffix in (".py", ".toml", ".lark", ".j2")]
    assert {path.parent.name for path in files} == {"tinygame", "orders", "templates"}
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) < MOST_LINES


def test_it_is_played_by_mail_to_its_end(race: PostHouse) -> None:
    """Both write a letter a turn; the last newsletter says that it is over, and a replay gives the same events."""
    turns = 0
    while race.value("SELECT status FROM games") != "finished":
        turns += 1
        assert turns <= 12, "even a step of one place a turn comes to the goal"
        race.write(ANN, "STEP 2")
        assert race.send(BOB, "ORDERS\nSTEP 3\nEND").turns == (f"RR1/{turns}",)
    for player in (ANN, BOB):
        last = race.text(player, containing="The race is over.")
        assert "BOB stands on " in last
    assert race.differences() == [()] * (turns + 1)


def test_it_is_played_one_by_one_to_its_end(house: PostHouse) -> None:
    house.game(pace=ONE_BY_ONE)
    turn = 0
    while house.value("SELECT status FROM games") != "finished":
        turn += 1
        assert turn <= 24
        assert house.send(ANN if turn % 2 else BOB, "STEP 3").turns == (f"RR1/{turn}",)
    assert "The race is over." in house.text(BOB)
