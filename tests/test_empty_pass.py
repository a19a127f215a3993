"""What a pass imports: a cron job makes one every five minutes for years, and most find nothing to do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from referee.config import read_config
from referee.service.club.club import make_club, open_club
from referee.service.tick import tick
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Proposal, parse_player

MOST_MODULES = 285  # 282, of them 60 a bare interpreter's and 23 the lock's; 497 when this was not looked at
NOT_NEEDED = ("jinja2", "lark", "referee.report", "referee.games", "referee.orderbook", "referee.mail.letter.message")
MOST_FOR_A_LETTER = 600  # 572; its reader has a process of its own
_UMPIRES = tuple(f"referee.service.umpire.{each}" for each in ("ahead", "commands", "digest", "letters", "overview"))
NOT_FOR_A_LETTER = ("lark", "ssl", "http", "statistics", "referee.report.paper", *_UMPIRES)
_SCRIPT = """
import sys
from referee.cli import main
main(['--club', sys.argv[1], 'tick'], standalone_mode=False)
print(*sorted(sys.modules), file=sys.stderr)
"""


def modules_of_a_pass(club: Path, told: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", _SCRIPT, club], capture_output=True, text=True, check=True)
    assert done.stdout == told
    return done.stderr.split()


def test_a_pass_imports_no_more_than_it_needs(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    make_club(folder, {"mail.address": "referee@example.org", "identity.policy": "address"})
    players = ("GSW:red:Ann <ann@example.org>", "MGW:blue:Bob <bob@example.org>", "BNC:green:Cyd <cyd@example.org>")
    with open_club(read_config(folder)) as club:
        new_game(club, Proposal(kind="dampfross", board="ireland", players=tuple(map(parse_player, players))))
        tick(club)
    modules = modules_of_a_pass(folder, "letters handled: 0, letters sent: 0\n")
    assert [name for name in modules if name.startswith(NOT_NEEDED)] == []
    assert len(modules) <= MOST_MODULES
    for roll in (1, 2):  # the first fills the cache
        letter = f"From: ann@example.org\n\nORDERS RR1 1\nHOME Dublin\n{roll}a) (Dublin) - Dun Laoghaire\nEND\n"
        (folder / "mail" / "in" / "new" / str(roll)).write_text(letter)
        modules = modules_of_a_pass(folder, "letters handled: 1, letters sent: 1\n")
    assert [name for name in modules if name.startswith(NOT_FOR_A_LETTER)] == []
    assert len(modules) <= MOST_FOR_A_LETTER
