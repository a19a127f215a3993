"""The README's tour works by copy and paste: a test runs exactly its lines."""

import os
import re
import sys
from pathlib import Path

import click
import pytest

from referee import __version__
from referee.cli import main
from referee.cli.base import PLACES, leaves
from tests.forkedcommands import run_here, run_program
from tests.posthouse import ANN, PostHouse
from tests.tables import Tables

CASES = Tables(__file__)


ROOT = Path(__file__).parent.parent


def tour() -> str:
    """Return the shell lines of the README."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 1
    return str(blocks[0])


@pytest.mark.testlong
def test_the_tour_of_the_readme_plays_a_round(tmp_path: Path) -> None:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    bin_folder = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"}
    done = run_program(["bash", "-euc", tour()], cwd=tmp_path, env=environment, check=True)
    assert "RR1/1" in done.stdout
    assert "Round 1 of 12" in done.stdout
    assert "Dún Laoghaire [+6]" in done.stdout
    assert "The Great Southern & Western wishes all rivals a slow train." in done.stdout
    assert "stopped" not in done.stdout
    sent = list((tmp_path / "club" / "mail" / "out" / "new").iterdir())
    assert len(sent) == 9  # for each player the opening, an acknowledgement and the newsletter


def test_the_build_order_of_the_readme_fits_every_roll(tmp_path: Path) -> None:
    """The lowest roll is 1."""
    sample = re.findall(
        r"^    (ORDERS RR1 1\n(?:    .*\n)*?    END)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE
    )
    with PostHouse(tmp_path) as house:
        house.ireland()
        told = house.says(ANN, sample[0])
    assert re.findall(r"roll \d: costs (\d)", told)[0] == "1"
    assert "Your orders are in." in told


def test_every_command_is_explained_in_the_docs() -> None:
    """A command without help or without its paragraph in docs/commands.md is a bug."""
    told = (ROOT / "docs" / "commands.md").read_text("utf-8")
    for words, command in leaves("", main):
        assert command.help, f"{words} has no help"
        assert f"`referee {words}" in told, f"docs/commands.md does not tell of referee {words}"


def test_help_and_docs_have_the_commands_in_the_same_groups() -> None:
    """A command names its group where it is declared (referee/cli); the everyday ones stand first."""
    text = (ROOT / "docs" / "commands.md").read_text("utf-8")
    docs = {}
    for title, table in re.findall(r"^## (.+)\n\n\| command \|.*\n\| --- .*\n((?:\|.*\n)+)", text, re.MULTILINE):
        docs[title] = list(dict.fromkeys(re.findall(r"^\| `referee ([a-z]+)", table, re.MULTILINE)))
    assert docs == {title: list(names) for title, names in PLACES.items()}
    assert next(iter(docs)) == "Each day"
    told = run_here("--help").output
    helped = {}
    for title, table in re.findall(r"^([A-Z][a-z -]+):\n((?:  .*\n)+)", told, re.MULTILINE):
        helped[title] = re.findall(r"^  ([a-z]+(?: [a-z]+)?)  ", table, re.MULTILINE)
    helped.pop("Options")
    assert told.count("...") < 10  # whole clauses, as far as there is room
    assert list(helped) == list(docs)
    assert sorted(words for group in helped.values() for words in group) == sorted(
        words for words, _ in leaves("", main)
    )


@CASES.rows
def test_a_mistyped_command_is_told_what_was_probably_meant(typed: str, meant: str) -> None:
    told = run_here(*typed.split())
    assert (told.exit_code, meant in told.output) == (2, True), told.output


def test_practice_and_demo_take_the_game_alike() -> None:
    for name in ("practice", "demo"):
        game = main.commands[name].params[0]
        assert (game.name, game.make_metavar(click.Context(main))) == ("kind", "[dampfross|volldampf]")


def test_the_game_file_of_the_docs_makes_a_game(tmp_path: Path) -> None:
    told = (ROOT / "docs" / "commands.md").read_text("utf-8")
    (file,) = re.findall(r"^```toml\n(.*?)^```$", told, re.DOTALL | re.MULTILINE)
    proposal = tmp_path / "game.toml"
    others = "".join(
        f'[[player]]\ncode = "{code}"\ncolour = "{colour}"\nname = "{code}"\naddress = "{code}@example.org"\n'
        for code, colour in (("MGW", "blue"), ("BNC", "green"))
    )
    proposal.write_text(f"{file}\n{others}", "utf-8")
    club = tmp_path / "club"
    assert run_here("init", club).exit_code == 0
    made = run_here("--club", club, "game", "new", "--from", proposal)
    assert (made.exit_code, made.output) == (0, "RR1\n")


def test_the_changelog_says_in_sixty_lines_what_a_release_is_and_keeps_what_comes_after_apart() -> None:
    versions = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
    assert versions[0].startswith("Unreleased\n")
    assert re.match(rf"{re.escape(__version__)} - \d{{4}}-\d\d-\d\d\n", versions[1])
    assert len(versions[1].splitlines()) <= 60
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert {*re.findall(r"^### (.+)$", versions[1], re.MULTILINE)} <= kinds


def test_readme_and_handbook_begin_with_a_picture_of_the_program() -> None:
    picture = ROOT / "docs" / "pictures" / "hero.jpg"
    assert 50_000 < picture.stat().st_size <= 300_000
    for page in ("README.md", "docs/index.md"):
        first = (ROOT / page).read_text("utf-8").split("\n\n")[1]
        assert first.startswith("![")
        assert ((ROOT / page).parent / first.rpartition("(")[2].rstrip(")")).resolve() == picture
