"""The handbook is true: it can be built, its commands exist, and its first games are played as they stand there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from referee.cli import main
from referee.config.settings import SETTINGS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
# Indented, in a block of shell lines, or in the midst of a sentence.
CALL = re.compile(
    rf"^ {{4}}(?:\$ )?(referee .*)$|^(referee (?:--club|{'|'.join(main.commands)})\b.*)$|`(referee [a-z][^`]*)`",
    re.MULTILINE,
)
FIRST_GAMES = {
    "first-game.md": ("Round 2 of 12", "All is in order", "newsletter-1"),
    "erste-partie.md": ("Runde 2 von 12", "All is in order", "rundbrief-1"),
}


def calls() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return every call of the referee in the handbook, in a block or in the midst of a sentence: (page, its words)."""
    for page in PAGES:
        for indented, block, inline in CALL.findall(page.read_text("utf-8").replace("\\\n", "")):
            line = re.sub(r"""\"[^"]*\"|'[^']*'""", "WORDS", indented or block or inline.replace("\n", " "))
            yield page.name, tuple(re.split(r" [#|>] ", line)[0].split()[1:])


CALLS = sorted(set(calls()))


def test_every_call_names_a_command_and_options_that_are_there() -> None:
    for page, words in CALLS:
        assert_there(page, words)


def assert_there(page: str, words: tuple[str, ...]) -> None:
    command: click.Command = main
    rest = list(words)
    while rest:
        context = click.Context(command, info_name=page, ignore_unknown_options=False)
        opts = {name for param in command.params if isinstance(param, click.Option) for name in param.opts}
        if isinstance(command, click.Group):
            _, rest, _ = command.make_parser(context).parse_args(rest)
            assert rest, f"{page}: referee {' '.join(words)} ends before a command"
            assert rest[0] in command.commands, f"{page}: there is no command {rest[0]}"
            command, rest = command.commands[rest[0]], rest[1:]
        else:
            unknown = [
                word for word in rest if re.match(r"--?[a-z]", word) and word.split("=")[0] not in opts | {"--help"}
            ]
            assert unknown == [], f"{page}: referee {' '.join(words)}"
            return


def test_the_calls_are_found_at_all() -> None:
    assert len(CALLS) > 150
    assert {page for page, _ in CALLS} >= {
        "year.md",
        "troubleshooting.md",
        "first-game.md",
        "erste-partie.md",
        "desk.md",
    }


def test_every_page_has_its_place_in_the_list_of_pages() -> None:
    listed = set(re.findall(r"^([a-z-]+)$", (DOCS / "index.md").read_text("utf-8"), re.MULTILINE))
    assert {page.stem for page in PAGES} - {"index"} <= listed


@pytest.mark.testlong
def test_the_handbook_is_made_without_a_warning(tmp_path: Path) -> None:
    """Sphinx names whatever is not as it should be: a link to a page, a heading or a file that is not there, above all."""
    words = [sys.executable, "-W", "ignore", "-m", "sphinx", "-q", "-W", "--keep-going", "-n", "-c", str(DOCS)]
    for builder in ("html", "man"):  # the pages are read once for both, as `make docs` does
        done = subprocess.run(
            [*words, "-b", builder, "-d", str(tmp_path / "trees"), str(ROOT), str(tmp_path / builder)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (builder, done.returncode, done.stderr) == (builder, 0, "")
    page = re.sub("<[^>]*>", "", (tmp_path / "html" / "docs" / "settings.html").read_text("utf-8"))
    assert [each.path for each in SETTINGS if f"{each.name} = " not in page] == []
    assert "REFEREE UNDO" in (tmp_path / "man" / "referee.1").read_text("utf-8").upper()


@pytest.mark.testlong
@pytest.mark.parametrize("page", FIRST_GAMES)
def test_the_first_games_come_to_their_second_turn(tmp_path: Path, page: str) -> None:
    """Their lines are run as a reader copies them."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", (DOCS / page).read_text("utf-8"), re.DOTALL | re.MULTILINE)
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-euc", "".join(blocks)], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    turn, order, folder = FIRST_GAMES[page]
    assert turn in done.stdout
    assert order in done.stdout
    assert "turns played: RR1/1," in done.stdout
    assert (tmp_path / folder / "RR1-turn-1.html").is_file()
