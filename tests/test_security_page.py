"""docs/threats.md names for every threat the tests that show what is promised, docs/promises.md those of what stays."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent


def rows() -> list[tuple[str, list[str]]]:
    """Return the number and the cells of each row of the table."""
    text = (ROOT / "docs" / "threats.md").read_text("utf-8")
    cells = [
        [cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines() if line.startswith("| ")
    ]
    return [(number, row) for row in cells[2:] if (number := row[0].strip("| "))]


def named() -> list[tuple[str, str]]:
    """Return (row, test) for every test that the pages name."""
    promised = (ROOT / "docs" / "promises.md").read_text("utf-8")
    return [(number, name) for number, row in rows() for name in re.findall(r"`(tests/[^`]+)`", row[3])] + [
        ("promises.md", name) for name in re.findall(r"`(tests/[^`]+::\w+)`", promised)
    ]


@cache
def functions_of(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def test_every_threat_has_its_row() -> None:
    numbers = [number for number, _ in rows()]
    assert {*map(str, range(1, 34))} <= set(numbers)
    assert [number for number in numbers if numbers.count(number) > 1] == []
    assert all(len(row) == 4 and row[1] and row[2] for _, row in rows())


def test_every_promise_is_shown_by_a_test() -> None:
    assert [number for number, row in rows() if "`tests/" not in row[3]] == []
    promises = re.findall(r"^\| [A-Z`].*", (ROOT / "docs" / "promises.md").read_text("utf-8"), re.MULTILINE)
    assert len(promises) > 10
    assert [row for row in promises if "::test_" not in row] == []


def test_every_test_that_is_named_is_there() -> None:
    missing = []
    for number, name in named():
        path, _, test = name.partition("::")
        if not (ROOT / path).is_file() or test not in functions_of(path):
            missing.append((f"row {number}", name))
    assert missing == []
