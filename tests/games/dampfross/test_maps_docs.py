"""Every example in docs/maps.md is a map, or a part that fits into the whole map it begins with."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from referee.games.dampfross.board.mapfile import read_map
from referee.games.dampfross.board.places import WAYS
from referee.games.dampfross.board.railmap import (
    BRIDGE,
    CAUSEWAY,
    FERRY,
    FORBIDDEN,
    JUNCTION,
    PERMITTED,
    PRICED,
    RIVER,
    SPECIAL,
    STATION,
    TOP,
)

DOCS = (Path(__file__).parents[3] / "docs" / "maps.md").read_text(encoding="utf-8")
EXAMPLES: list[str] = re.findall(r"```toml\n(.*?)```", DOCS, flags=re.DOTALL)
WHOLE, *PARTS = EXAMPLES


def merged(part: str) -> str:
    """Return the whole map with the part in it: its top fields and tables take the place of those that are there."""
    text = WHOLE
    values = tomllib.loads(part)
    table = min((match.start() for match in re.finditer(r"^\[", part, flags=re.MULTILINE)), default=len(part))
    for key, value in values.items():
        if isinstance(value, dict) and f"\n[{key}]" in text:
            text = re.sub(rf"^\[{key}\]\n.*?(?=^\[)", "", text, flags=re.DOTALL | re.MULTILINE)
        elif not isinstance(value, (dict, list)) or key == "home_areas":
            text = re.sub(rf"^{key} = .*\n", "", text, flags=re.MULTILINE)
    return part[:table] + text.replace("[cells]", f"{part[table:]}\n[cells]")


def test_the_whole_map_is_in_order() -> None:
    assert read_map(WHOLE, "maps.md").title == "The Strait"


@pytest.mark.parametrize("part", PARTS, ids=[part.strip().splitlines()[0] for part in PARTS])
def test_a_part_fits_into_the_whole_map(part: str) -> None:
    read_map(merged(part), "maps.md")


@pytest.mark.parametrize(
    "fields",
    [TOP, STATION, JUNCTION, SPECIAL, PERMITTED, RIVER, FORBIDDEN, PRICED, BRIDGE, CAUSEWAY, FERRY, {WAYS: ()}],
    ids=[
        "top",
        "station",
        "junction",
        "special",
        "permitted",
        "river",
        "forbidden",
        "priced",
        "bridge",
        "causeway",
        "ferry",
        "homes",
    ],
)
def test_every_field_is_described(fields: dict[str, tuple[str, bool]]) -> None:
    missing = [
        name for name in fields if f"`{name}`" not in DOCS and not re.search(rf"\b{name} = |\[\[?{name}\]", DOCS)
    ]
    assert missing == []
