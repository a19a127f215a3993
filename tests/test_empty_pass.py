"""What an empty pass imports: a cron job makes one every five minutes for years, and most find nothing to do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from referee.service.club.club import make_club

MOST_MODULES = 320  # 265 when this was written, 60 of them a bare interpreter's; 497 before
NOT_NEEDED = ("jinja2", "lark", "referee.report", "referee.games", "referee.orderbook", "referee.mail.letter.message")
_SCRIPT = """
import sys
from referee.cli import main
main(['--club', sys.argv[1], 'tick'], standalone_mode=False)
print(*sorted(sys.modules), file=sys.stderr)
"""


def test_an_empty_pass_imports_no_more_than_it_needs(tmp_path: Path) -> None:
    make_club(tmp_path / "club", {"mail.address": "referee@example.org"})
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, tmp_path / "club"], capture_output=True, text=True, check=True
    )
    assert done.stdout == "letters handled: 0, letters sent: 0\n"
    modules = done.stderr.split()
    assert [name for name in modules if name.startswith(NOT_NEEDED)] == []
    assert len(modules) <= MOST_MODULES
