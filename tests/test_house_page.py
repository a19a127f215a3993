"""docs/house.md leads to what is there: every path that it names exists, every room says what lies in it, none is too full."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "house.md").read_text("utf-8")
ROOMS = sorted(path.parent for path in (ROOT / "referee").rglob("__init__.py"))
FOLDERS = (ROOT, ROOT / "referee", ROOT / "docs", *(ROOT / "referee" / "games").iterdir())
ELSEWHERE = {"referee.toml", "rolls/3/1"}  # a file of a club's, the name of a throw

_FULL, _LONG = 24, 400  # modules of a folder, lines of a file
_LISTS = {"referee/cli", "referee/store", "referee/core"}  # one file a command, a table, a kind of value
_PATH = re.compile(r"`([\w*.-]+(?:/[\w*.-]+)+/?|\w+\.(?:py|toml|md))`|\]\(([\w/.-]+\.md)")


def named() -> list[str]:
    """Return every path that the page names."""
    return sorted({one or other for one, other in _PATH.findall(PAGE)} - ELSEWHERE)


def is_there(path: str) -> bool:
    beside = (
        () if "/" in path else (f"referee/**/{path}", f"orders/**/{path}")
    )  # a file that has its folder in the words before
    return any(any(folder.glob(each)) for folder in FOLDERS for each in (path, f"{path}.py", *beside))


def test_every_path_that_is_named_is_there() -> None:
    assert [path for path in named() if not is_there(path)] == []


def test_the_page_can_be_read_in_a_quarter_of_an_hour() -> None:
    assert len(PAGE.split()) <= 1750


def test_every_room_of_the_service_and_of_a_game_stands_on_the_page() -> None:
    section = PAGE.partition("## Inside the rooms")[2].partition("Where would I change")[0]
    rows = {row.partition("`")[2].partition("`")[0]: row for row in section.splitlines() if row.startswith("| `")}
    inside = [room for name in rows for room in ROOMS if room.parent == ROOT / "referee" / name]
    assert len(inside) > 10
    lacking = [room for room in inside if f"`{room.name}`" not in rows[str(room.parent.relative_to(ROOT / "referee"))]]
    assert [str(room.relative_to(ROOT)) for room in lacking] == []


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: str(room.relative_to(ROOT)))
def test_a_room_says_what_lies_in_it_and_is_not_too_full(room: Path) -> None:
    modules = sorted(room.glob("*.py"))
    assert ast.get_docstring(ast.parse((room / "__init__.py").read_text("utf-8")))
    assert str(room.relative_to(ROOT)) in _LISTS or len(modules) - 1 <= _FULL
    assert [each.name for each in modules if len(each.read_text("utf-8").splitlines()) > _LONG] == []
