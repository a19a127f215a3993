"""What all benches print: a figure, beside it the ratio to something that was measured in the same run."""

from __future__ import annotations

import json
from collections.abc import Iterable

from msgspec.structs import asdict

from referee.core import Value


class Row(Value):
    """A line of a table. ``ratio`` is to what ``beside`` names, which was measured in the same run; None where there is none."""

    table: str
    work: str
    figure: float
    unit: str
    beside: str = ""
    ratio: float | None = None


def print_rows(rows: Iterable[Row], *, as_json: bool) -> None:
    """Print rows as they come, under a heading for each table; or as one JSON object a line."""
    table = ""
    for row in rows:
        if as_json:
            print(json.dumps(asdict(row)), flush=True)
            continue
        if row.table != table:
            table = row.table
            print(f"\n{table}\n{'-' * len(table)}")
        ratio = "" if row.ratio is None else f"{row.ratio:10.2f} times {row.beside}"
        print(f"{row.work:<44}{row.figure:>12,.2f} {row.unit:<10}{ratio}", flush=True)
