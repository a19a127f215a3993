"""Says how much a commit's work takes beside another's: python -m bench --beside REV [--table turn]

Of the other commit a worktree is made for the time; each table is a command by itself (``python -m bench.turn``), run here and
there by turns, and the middle of its figures counts: what else the machine does meets both alike.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from statistics import median

from bench.rows import Row

ROOT = Path(__file__).parents[1]
TURNS = 3
QUICK = {"rounds": ("--map", "ireland"), "fastest": ("--map", "ireland", "--seed", "bench")}
TABLES = ("tick", "mail", "rounds", "fastest", "turn")

Found = Mapping[tuple[str, str], list[Row]]  # the runs of a row, by table and work


def rows(revision: str, tables: Iterable[str], *, quick: bool) -> Iterator[Row]:
    """Measure. The ratio of each row is to the same one of *revision*; rows that it does not have, have none."""
    with tempfile.TemporaryDirectory() as made:
        there = Path(made) / "there"
        _git("worktree", "add", "--quiet", "--detach", str(there), revision)
        try:
            for table in tables:
                yield from _compared(*_by_turns(table, there, QUICK.get(table, ()) if quick else ()), revision)
        finally:
            _git("worktree", "remove", "--force", str(there))


def _by_turns(table: str, there: Path, more: tuple[str, ...]) -> tuple[Found, Found]:
    found: tuple[dict[tuple[str, str], list[Row]], ...] = ({}, {})
    for _ in range(TURNS):
        for folder, kept in zip((ROOT, there), found, strict=True):
            command = [sys.executable, "-m", f"bench.{table}", "--json", *more]
            done = subprocess.run(command, cwd=folder, check=folder == ROOT, stdout=subprocess.PIPE, text=True)  # noqa: S603
            if done.returncode:  # the other commit cannot print this table so: it has nothing of it
                continue
            for row in (Row(**json.loads(line)) for line in done.stdout.splitlines()):
                kept.setdefault((row.table, row.work), []).append(row)
    here, before = found
    return here, before


def _compared(here: Found, before: Found, revision: str) -> Iterator[Row]:
    for key, runs in here.items():
        figure = median(row.figure for row in runs)
        if key not in before:
            yield runs[0].but(figure=figure, beside=f"nothing in {revision}", ratio=None)
            continue
        other = median(row.figure for row in before[key])
        words = f"{revision}'s {other:,.2f} {runs[0].unit}"
        yield runs[0].but(figure=figure, beside=words, ratio=figure / other if other else None)


def _git(*words: str) -> None:
    subprocess.run(("git", *words), cwd=ROOT, check=True)  # noqa: S603, S607
