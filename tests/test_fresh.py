"""What is played in bare systems (``.ci/fresh``): every step that is called is there, and each of the promised ones is called."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
STEPS = set(re.findall(r"^(\w+)\(\) \{", (ROOT / ".ci" / "fresh").read_text("utf-8"), re.MULTILINE))
CALLS = re.compile(r"^\s*\.ci/fresh (\w+)((?: \w+)*)", re.MULTILINE)


def called(path: str) -> dict[str, set[str]]:
    """Return the steps that a file calls, by release of Debian."""
    found: dict[str, set[str]] = {}
    for release, steps in CALLS.findall((ROOT / path).read_text("utf-8")):
        found.setdefault(release, set()).update(steps.split())
    return found


def test_every_step_that_is_called_is_there() -> None:
    assert [step for path in ("Makefile", ".ci/run") for each in called(path).values() for step in each - STEPS] == []


def test_before_a_release_everything_is_tried() -> None:
    all_of_it = called("Makefile")
    assert all_of_it["bookworm"] == STEPS - {"build", "lend", "inside", "clone", "short"}
    assert set(all_of_it) == {"bookworm", "trixie", "forky"}
    assert called(".ci/run")["bookworm"] == {"demo", "oldest"}
