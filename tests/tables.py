"""Tables of what is written and what comes of it, in TOML beside the tests that read them: wordings are data."""

import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

Test = TypeVar("Test", bound=Callable[..., object])


each_frame = pytest.mark.parametrize("frame", ["{}", "ORDERS\n{}\nEND"], ids=["loose", "marked"])  # of orders


@cache
def _tables(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text("utf-8"))


class Tables:
    """The tables of a file of tests, each by the name of its test."""

    def __init__(self, tests: str) -> None:
        self._tables = _tables(Path(tests).with_suffix(".toml"))

    def listed(self, name: str) -> Any:
        """Return a table; what stands in a row in brackets is a list."""
        return self._tables[name]

    def frozen(self, name: str) -> Any:
        """Return a table; what stands in a row in brackets is a tuple."""
        return frozen_value(self._tables[name])

    def rows(self, test: Test) -> Test:
        """Give a test the rows of its table, whose first one names the columns: arguments, and *id* if rows have names."""
        return _with_rows(test, self.listed(_table_of(test)))

    def frozen_rows(self, test: Test) -> Test:
        """The same; what stands in a row in brackets is a tuple."""
        return _with_rows(test, self.frozen(_table_of(test)))


def _table_of(test: Callable[..., object]) -> str:
    return test.__name__.removeprefix("test_")


def _with_rows(test: Test, table: Any) -> Test:
    head, *rows = table
    if head[0] == "id":
        head, rows = head[1:], [pytest.param(*row, id=name) for name, *row in rows]
    made: Test = pytest.mark.parametrize(head, rows)(test)
    return made


def frozen_value(value: Any) -> Any:
    """Return a value of TOML with tuples for lists."""
    if isinstance(value, list):
        return tuple(map(frozen_value, value))
    return {name: frozen_value(each) for name, each in value.items()} if isinstance(value, dict) else value


def repeated(text: str, number: str = "#") -> str:
    """Return a text with what stands in ``<<9 times x# >>`` written so often, numbered from 0."""

    def often(said: re.Match[str]) -> str:
        times, parts = int(said[1]), said[2].split(number)
        return "".join(str(each).join(parts) for each in range(times)) if parts[1:] else said[2] * times

    return re.sub(r"<<(\d+) times (.+?)>>(?!>)", often, text, flags=re.DOTALL)
