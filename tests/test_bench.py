"""Each benchmark runs, in its shortest form: what nobody runs rots."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHORTEST = {
    "due": ("--games", "2", "--due", "2"),
    "fastest": ("--map", "ireland", "--seed", "bench"),
    "rounds": ("--map", "ireland"),
    "tick": (),
    "turn": (),
    "volldampf": (),
    "weight": (),
    "mail": ("7",),
    "all_games": ("kentucky_tennessee",),
}
ELSEWHERE = {"__init__", "__main__", "rows", "beside", "year"}  # tests/year lives a short year


def test_all_benchmarks_are_run() -> None:
    assert {path.stem for path in (ROOT / "bench").glob("*.py")} - ELSEWHERE == set(SHORTEST)


@pytest.mark.testlong
@pytest.mark.parametrize("name", SHORTEST)
def test_a_benchmark_prints_a_table(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", f"bench.{name}", *SHORTEST[name]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) > 2
