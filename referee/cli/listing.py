"""Listings: on a terminal a table under a heading, in a pipe a line each with tabs, with ``--json`` objects for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from wcwidth import wcswidth

from referee.cli.base import utc
from referee.cli.printing import is_terminal, say, say_coloured, say_row, visible

Row = Mapping[str, Any]  # a text, number, truth or time by name, None where there is nothing

_GAP = "  "
COLOURS = {"ok": "green"} | dict.fromkeys(("held", "refused", "warning"), "yellow")
COLOURS |= dict.fromkeys(("parked", "failed", "fault"), "red")


def list_rows(rows: Iterable[Row], heads: Mapping[str, str], zone: str, *, as_json: bool) -> None:
    """Print rows; *heads*: the heading of each column by its name, in their order. As JSON the whole of each row is printed.

    Times are local (*zone*) on a terminal, else in UTC as scripts like them.
    """
    if as_json:
        say_json([dict(row) for row in rows])
    elif is_terminal():
        _table([[_shown(row[name], zone) for name in heads] for row in rows], [*heads.values()])
    else:
        for row in rows:
            say_row(*(_plain(row[name]) for name in heads))


def say_json(value: object) -> None:
    """Print something as JSON, its times as ``2026-12-04T20:00:00Z``."""
    say(json.dumps(value, default=utc, ensure_ascii=False, indent=1))


def _table(rows: list[list[str]], heads: list[str]) -> None:
    """Print lines whose columns stand below one another; words for trouble have a colour."""
    shown = [[visible(cell, "") for cell in row] for row in (heads, *rows)]
    widths = [max(_width(row[at]) for row in shown) for at in range(len(heads))]
    for row in shown:
        padded = [cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
        cells = [f"{cell}{_GAP}" for cell in padded[:-1]] + [padded[-1].rstrip()]
        colours = ["bold" if row is shown[0] else COLOURS.get(cell) for cell in row]
        say_coloured(*zip(cells, colours, strict=True))


def _width(text: str) -> int:
    return max(0, wcswidth(text))


def _shown(value: Any, zone: str) -> str:
    if isinstance(value, datetime):
        return f"{value.astimezone(ZoneInfo(zone)):%a %Y-%m-%d %H:%M}"
    return _plain(value)


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        return utc(value)
    return "-" if value in (None, "") else str(value)
