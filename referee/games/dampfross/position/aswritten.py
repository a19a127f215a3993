"""How a player wrote the hexes that he named: complaints show him his own words, with ours in brackets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from referee.core.hexes import Hex
from referee.core.orders import Complaint, Param
from referee.core.regex import regex
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.position.names import DASH, place_name

Writing = tuple[tuple[str, str], ...]  # (what we call it, as it was written)

_HEX = regex(r"\s*([A-Z]{1,2})\s*0*([1-9][0-9]*)\s*", re.IGNORECASE)


def writing_of(board: RailMap, words: Iterable[tuple[Hex, str]]) -> Writing:
    """Return those of *words* (a hex, as it was written) that name a hex otherwise than we do: on the other grid, or a town's by
    its hex. What was written both ways is told our way."""
    found: dict[str, str] = {}
    ours = set()
    for label, text in words:
        name, match = place_name(board, label), _HEX.fullmatch(text)
        if match is None or (match[1] + match[2]).upper() == name:
            ours.add(name)
        else:
            found.setdefault(name, text.strip())
    return tuple((name, text) for name, text in found.items() if name not in ours)


def as_written(complaint: Complaint, writing: Writing) -> Complaint:
    """Return a complaint that names each hex as the player wrote it, our name in brackets behind it: ``E41 (AE5) - E42``."""
    if not writing:
        return complaint
    named = {name: f"{text} ({name})" for name, text in writing}
    alone = {text: named[name] for name, text in writing} | named

    def said(words: Param) -> Param:
        if not isinstance(words, str) or words in alone:
            return alone.get(str(words), words)
        return DASH.join(_place_or_side(part, named) for part in words.split(DASH))

    params = tuple((name, said(value)) for name, value in complaint.params)
    return replace(complaint, text=str(said(complaint.text)), params=params)


def _place_or_side(words: str, named: Mapping[str, str]) -> str:
    """Return a place, or the two hexes of a hex-side, by their names in *named*."""
    return named.get(words) or "-".join(named.get(part, part) for part in words.split("-"))
