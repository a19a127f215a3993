"""What mail programs make of bold type and links where they write plain text: ``*1a)* (Dublin<https://maps.example/Dublin>)``."""

from __future__ import annotations

import re

_LINK = re.compile(r"\s?<(?:https?://|mailto:|tel:|x-apple-data-detectors:)[^<>]*>", re.IGNORECASE)
_SMILES = re.compile(
    r"(?<=\S)(?:\s{1,4}[:;][-'^]?[)(DP]{1,3}|\s{0,4}[\u2600-\u26ff\u2764\U0001f300-\U0001f6ff\U0001f900-\U0001faff]){1,9}+\Z"
)
_HALF = re.compile(r"(?<=[^\s*])\*{1,3}\Z")  # of a stretch that begins in a line above


def _pair_pattern(mark: str, before: str, after: str) -> re.Pattern[str]:
    """Return the pattern of words between two of these marks; what stands *before* and *after* tells them from arithmetic."""
    return re.compile(
        rf"(?<!{before})(?<!{mark})({mark}{{1,3}})(?=[^\s{mark}])([^{mark}]*[^\s{mark}])\1(?!{after}|{mark})"
    )


_ALNUM = r"[^\W_]"
_EMPHASES = {
    "*": _pair_pattern(r"\*", _ALNUM, _ALNUM),
    "_": _pair_pattern("_", _ALNUM, _ALNUM),
    "/": _pair_pattern("/", r"\S", r"\S"),
}


def without_markup(line: str) -> str:
    """Return a line without the marks of bold, underlined and slanted type, the targets of links and a smile behind its words."""
    plain = _SMILES.sub("", _LINK.sub("", line) if "<" in line else line)
    for mark, pattern in _EMPHASES.items():
        plain = pattern.sub(r"\2", plain) if plain.count(mark) > 1 else plain
    return _HALF.sub("", plain).strip() if "*" in plain else plain.strip()
