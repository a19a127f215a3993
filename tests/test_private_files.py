"""What a club keeps is its owner's alone: orders are secret, and so are the dice to come."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.service.upkeep.backup import back_up
from tests.posthouse import ANN, BOB, PostHouse

GAME = ("game", "new", "tinyrace", "--map", "line", "--deadline", "2099-07-03T20:00", "--option", "speed=6")
PLAYERS = ("--player", f"ANN:red:Ann <{ANN}>", "--player", f"BOB:blue:Bob <{BOB}>")
LARGE = 2_100_000  # bytes: parked, and only its beginning kept


@pytest.fixture
def careless() -> Iterator[None]:
    """A shell whose new files everybody can read and write."""
    before = os.umask(0)
    yield
    os.umask(before)


def referee(folder: Path, *arguments: str) -> str:
    result = CliRunner().invoke(main, ["--club", str(folder), *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def write(folder: Path, sender: str, text: str, number: int) -> None:
    head = (
        f"From: {sender}\r\nTo: referee@localhost\r\nSubject: [RR1] orders\r\nMessage-ID: <{number}.{sender}>\r\n\r\n"
    )
    (folder / "mail" / "in" / "new" / f"{number}.{sender}").write_text(f"{head}{text}\r\n")


@pytest.mark.usefixtures("careless")
def test_after_a_whole_game_nobody_else_can_read_anything_of_the_club(tmp_path: Path) -> None:
    """Folders are 0700 and files 0600, whatever the umask: settings, database, locks, letters that came and that left."""
    folder = tmp_path / "club"
    init = ["init", str(folder), "--early-delay", "0", "--umpire", "umpire@example.org"]
    assert CliRunner().invoke(main, init).exit_code == 0
    settings = folder / "referee.toml"
    settings.write_text(settings.read_text().replace('policy = "token"', 'policy = "address"'))
    referee(folder, *GAME, *PLAYERS)
    for turn in range(1, 10):
        for sender in (ANN, BOB):
            write(folder, sender, f"ORDERS RR1 {turn}\r\nSTEP 3\r\nEND", turn)
        if turn == 1:
            write(folder, ANN, "x" * LARGE, 99)
        referee(folder, "tick")
        if "finished" in referee(folder, "game", "list"):
            break
    referee(folder, "backup", str(folder / "copies" / "monday"))
    paths = [folder, *(path for path in folder.rglob("*") if not came_by_hand(path, folder))]
    open_to_others = {
        str(path.relative_to(tmp_path)): oct(mode)
        for path in paths
        if (mode := stat.S_IMODE(path.stat().st_mode)) != (0o700 if path.is_dir() else 0o600)
    }
    assert open_to_others == {}
    names = {path.name for path in paths}
    assert {"referee.db", "referee.toml", "tick.lock", ".Parked", "monday"} <= names
    assert len(list((folder / "mail" / "out" / "new").iterdir())) >= 4


@pytest.mark.usefixtures("careless")
def test_a_club_is_closed_to_others_by_whoever_makes_it(tmp_path: Path) -> None:
    """Not only by the commands, which narrow the umask besides: with folders above it, Maildirs elsewhere, a backup."""
    with PostHouse(tmp_path / "new" / "club", mail__out="../post/out") as house:
        house.game()
        house.drop(b"x" * LARGE)
        house.tick()
        back_up(house.club.config, tmp_path / "copies" / "monday")
        paths = [path for path in tmp_path.rglob("*") if not came_by_hand(path, house.folder)]
        modes = {str(path): stat.S_IMODE(path.stat().st_mode) for path in paths}
    assert {name: oct(mode) for name, mode in modes.items() if mode != (0o700 if Path(name).is_dir() else 0o600)} == {}
    assert {"post", "copies", "out", "referee.db", "maildirfolder"} <= {path.name for path in paths}


def came_by_hand(path: Path, folder: Path) -> bool:
    """Letters that came are files of whoever delivered them; the folder around them is closed."""
    return path.is_file() and path.is_relative_to(folder / "mail" / "in") and path.parent.name in ("new", "cur")
