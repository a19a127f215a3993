"""Each benchmark runs, in its shortest form: what nobody runs rots."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers.dovecot import why_no_dovecot, why_no_lmtp

ROOT = Path(__file__).parents[1]
SHORTEST = {
    "bots": ("--games", "1", "--map", "ireland", "--table", "third,first,before"),
    "due": ("--games", "2", "--due", "2"),
    "fastest": ("--map", "ireland", "--seed", "bench"),
    "hosting": ("--short",),
    "rounds": ("--map", "ireland"),
    "tick": ("--short",),
    "tried": ("--games", "1", "-o", "/dev/null"),
    "turn": (),
    "volldampf": ("1",),
    "weight": (),
    "mail": ("7",),
}
ELSEWHERE = {"__init__", "__main__", "rows", "beside"}
ELSEWHERE |= {"all_games", "year"}  # of which tests play a part: tests/games/dampfross/test_every_map.py, tests/year


def test_all_benchmarks_are_run() -> None:
    assert {path.stem for path in (ROOT / "bench").glob("*.py")} - ELSEWHERE == set(SHORTEST)


@pytest.mark.testlong
@pytest.mark.parametrize("name", SHORTEST)
def test_a_benchmark_prints_a_table(name: str) -> None:
    if name == "mail" and (why := why_no_dovecot() or why_no_lmtp()):
        pytest.skip(why)
    done = subprocess.run(
        [sys.executable, "-m", f"bench.{name}", *SHORTEST[name]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) > 2
