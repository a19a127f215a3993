"""Of whom a mail server speaks that does not take a letter: known by ``refusals.toml``."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

from referee.core.regex import regex

_STATUS = regex(r"[45](\.[0-9]{1,3}){2}")


def speaks_of(words: str) -> str:
    """Return ``us``, ``reader`` (of the letter's own reader or size), or "" where that is not clear."""
    known, said = _known(), words.lower()
    codes = {f"5{found[0][1:]}" for found in _STATUS.finditer(said)}
    if codes.intersection(known["reader"]["codes"]):
        return "reader"
    for whom in ("us", "reader"):
        if codes.intersection(known[whom]["codes"]) or any(each in said for each in known[whom]["words"]):
            return whom
    return ""


def alike(words: str) -> str:
    """Return what is left of a refusal without what differs from letter to letter: addresses, numbers, names of queues."""
    return " ".join(re.findall(r"(?<!\S)[a-z.,:;'-]+(?!\S)", re.sub(r"<[^>]*>|\S+@\S+", " ", words.lower())))


@cache
def _known() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
