"""The map desk as one HTML file, on which a map is painted: as the order desk it runs its own script, and sends nothing.

It is in English, as everything that ``referee map`` says.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from markupsafe import escape

from referee.report.desk import as_json, policy
from referee.resources import shipped

SCRIPTS = ("sheet", "check", "mapfile", "edits", "tools", "paint", "scan", "panel", "desk")

_GAP = re.compile(r"\{\{ (\w+) \}\}")


def map_page(told: Mapping[str, Any]) -> str:
    """Return the page of a map. *told*: its file and text, ``doc`` its values, ``kit`` of the game's atlas."""
    script = script_of(SCRIPTS)
    values = {
        "title": escape(told["doc"].get("title", told["file"])),
        "csp": escape(policy(script)),
        "style": _source("mapdesk.css"),
        "script": script,
        "told": as_json({**told, **tomllib.loads(_source("sentences.toml"))}),
    }
    return _GAP.sub(lambda gap: values[gap[1]], _source("mapdesk.html"))


def script_of(scripts: tuple[str, ...]) -> str:
    """Return the whole script, as it is written into the page and hashed."""
    return "\n".join([*(_source(f"{file}.js") for file in scripts), "Desk.start();"])


def _source(file: str) -> str:
    return (shipped("templates") / "mapdesk" / file).read_text("utf-8")
