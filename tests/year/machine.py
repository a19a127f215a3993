"""A machine with a club: the commands that the umpire and cron type there, in this process, by the clock of the year."""

import random
import secrets
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from unittest.mock import patch

from referee.reader.wire import Reader
from referee.service.club import open_club
from tests.forkedcommands import run_here

UNREACHABLE = 'host = "127.0.0.1"\nport = 9\nsecurity = "none"'  # the port of discard: nothing listens there


class Machine:
    """A club's folder, and what is typed about it. ``typed`` counts the commands by their names."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.typed: Counter[str] = Counter()
        self.code = 0  # with which the last command ended

    def run(self, *arguments: str, codes: tuple[int, ...] = (0,)) -> str:
        """Run ``referee`` with *arguments*; return what it printed. It must end with one of *codes*."""
        self.typed[_command(arguments)] += 1
        told = run_here("--club", self.folder, *arguments)
        if told.exception is not None and not isinstance(told.exception, SystemExit):
            raise told.exception
        self.code = told.exit_code
        assert told.exit_code in codes, f"referee {' '.join(arguments)}: {told.exit_code}, {told.output}"
        return str(told.stdout)

    def move(self, to: Path) -> None:
        """Move the club as docs/setup.md says: a backup, carried over, with the old mail and tally beside it."""
        backup = to.with_name(f"{to.name}-backup")
        self.run("backup", str(backup))
        shutil.copytree(backup, to)
        for name in ("mail", "tally.json"):
            old = self.folder / name
            shutil.copytree(old, to / name, copy_function=shutil.copy2) if old.is_dir() else shutil.copy2(old, to)
        shutil.rmtree(self.folder)
        self.folder = to
        self.run("init", str(to))
        self.run("doctor", "--local", codes=(0, 1))

    def lose_database(self) -> None:
        """Lose the disk with the database, and put the copy of the last backup in its place (docs/setup.md)."""
        backup = self.folder.with_name("nightly")
        for path in self.folder.glob("referee.db*"):
            path.unlink()
        shutil.copytree(backup, self.folder, dirs_exist_ok=True)
        self.run("init", str(self.folder))

    def back_up(self) -> None:
        """Make the backup of the night."""
        backup = self.folder.with_name("nightly")
        if backup.exists():
            shutil.rmtree(backup)
        self.run("backup", str(backup))

    @contextmanager
    def mail_server_away(self) -> Iterator[None]:
        """While this lasts letters are to leave through a server that is not there."""
        settings = self.folder / "referee.toml"
        before = settings.read_text("utf-8")
        kept = [
            line for line in before.split("[smtp]")[1].splitlines() if not line.startswith(("host", "port", "security"))
        ]
        settings.write_text(f"{before.split('[smtp]')[0]}[smtp]\n{UNREACHABLE}\n" + "\n".join(kept), "utf-8")
        yield
        settings.write_text(before, "utf-8")


@contextmanager
def simulated(clock: Callable[[], datetime], seed: str) -> Iterator[None]:
    """Let all commands go by *clock*, and their secrets be those of *seed*: a year comes out the same each time."""
    drawn = random.Random(seed)  # noqa: S311 (of a test)
    with (
        closing(Reader()) as reader,
        patch("referee.cli.base.open_club", partial(open_club, clock=clock, reader=reader)),
        patch.object(secrets, "token_hex", lambda size=32: drawn.randbytes(size).hex()),
    ):
        yield


def _command(arguments: tuple[str, ...]) -> str:
    return " ".join(arguments[:2]) if arguments[0] in ("game", "outbox") and len(arguments) > 1 else arguments[0]
