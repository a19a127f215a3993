"""Letters of Volldampf, and those of an umpire's own, find every part in parts.txt.j2, whichever file it is written in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.report.templates import Stationery

TEMPLATES = Path(__file__).parents[3] / "templates"
STATIONERY = Stationery(lambda _: (TEMPLATES / "volldampf", TEMPLATES / "common"), strict=True)


def parts_of(name: str) -> dict[str, Any]:
    """Return the macros and values of a file by name, a macro as the name it was written under."""
    module = STATIONERY._environment("volldampf", "en", "UTC").get_template(f"{name}.txt.j2").make_module()
    return {part: getattr(it, "name", it) for part, it in vars(module).items() if not part.startswith("_")}


@pytest.mark.parametrize("name", ["scenes", "phases", "position"])
def test_what_a_file_of_parts_has_is_handed_on_under_its_name(name: str) -> None:
    assert parts_of(name).items() <= parts_of("parts").items()
