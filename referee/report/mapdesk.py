"""The map desk as one HTML file, on which a map is painted: as the order desk it runs its own script, and sends nothing."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from markupsafe import escape

from referee import locale
from referee.resources import shipped

from .desk import as_json, policy

SCRIPTS = ("sheet", "check", "mapfile", "edits", "tools", "paint", "scan", "panel", "desk")
SAID = re.compile(r'\bT\("([^"]+)"')  # what the script says; words that it chooses among stand in sentences.toml

_GAP = re.compile(r'\{\{ (?:_\("([^"]+)"\)|(\w+)) \}\}')


def map_page(told: Mapping[str, Any], language: str) -> str:
    """Return the page of a map. *told*: its file and text, ``doc`` its values, ``kit`` of the game's atlas."""
    script, say = script_of(SCRIPTS), locale.translations(language).gettext
    sentences = tomllib.loads(_source("sentences.toml"))
    words = {*SAID.findall(script), *sentences.pop("words")["others"]}
    kit = {**told["kit"], "says": _said(told["kit"]["says"], say), "types": _said(told["kit"]["types"], say)}
    values = {
        "language": escape(language),
        "title": escape(told["doc"].get("title", told["file"])),
        "csp": escape(policy(script)),
        "style": _source("mapdesk.css"),
        "script": script,
        "told": as_json(
            {**told, "kit": kit, **_said(sentences, say), "words": {each: say(each) for each in sorted(words)}}
        ),
    }
    return _GAP.sub(lambda gap: str(escape(say(gap[1]))) if gap[1] else values[gap[2]], _source("mapdesk.html"))


def _said(told: Any, say: Callable[[str], str]) -> Any:
    """Return tables and lists with what stands in them in a language; keys of the keyboard stay."""
    if isinstance(told, str):
        return say(told) if len(told) > 1 else told
    return (
        {name: _said(each, say) for name, each in told.items()}
        if isinstance(told, Mapping)
        else [_said(each, say) for each in told]
    )


def script_of(scripts: tuple[str, ...]) -> str:
    """Return the whole script, as it is written into the page and hashed."""
    return "\n".join([*(_source(f"{file}.js") for file in scripts), "Desk.start();"])


def _source(file: str) -> str:
    return (shipped("templates") / "mapdesk" / file).read_text("utf-8")
