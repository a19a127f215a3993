"""Who plays a demo of each game: seats and companies, how they write orders, what slips from their pens, what they print."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import field

from referee.bots import dampfross, volldampf
from referee.core.texts.wording import N_
from referee.core.values import Value

Lines = Callable[[Mapping[str, Any], str], tuple[str, ...]]


class Cast(Value):
    """A company of players. ``companies`` by code; ``slip``: a pattern in a letter, and what stands there when it is mistyped.

    ``press``: with ``{company}`` for the writer's, said in the language of the demo.
    """

    kind: str
    lines: Lines
    board: str = ""
    players: tuple[str, ...] = ()  # as the command line takes them
    companies: Mapping[str, str] = field(default_factory=dict)
    press: tuple[str, ...] = ()
    slip: tuple[str, str]

    def mistyped(self, text: str) -> str:
        """Return a letter with a slip of the pen in it."""
        return re.sub(*self.slip, text, count=1, flags=re.MULTILINE)


DAMPFROSS = Cast(
    kind="dampfross",
    lines=dampfross.answer,
    board="ireland",
    players=(
        "GSW:red:Ann <ann@example.org>",
        "MGW:blue:Bill <bill@example.org>",
        "BNC:green:Cate <cate@example.org>",
        "DSE:black:Dónal <donal@example.org>",
        "GNR:orange:Eva Müller <eva@example.org>",
    ),
    companies={
        "GSW": "Great Southern & Western",
        "MGW": "Midland Great Western",
        "BNC": "Belfast & Northern Counties",
        "DSE": "Dublin & South Eastern",
        "GNR": "Great Northern",
    },
    press=(
        N_("The directors of {company} look back on a satisfying season."),
        N_("{company} denies all rumours about its viaduct."),
        N_("Has anybody seen the gauge we ordered? {company}"),
        N_("Travel by {company}: slowly, but in company!"),
    ),
    slip=(r"\nEND$", r" - ZZ99\nEND"),  # the last line of orders goes on to a hex that is on no map
)

VOLLDAMPF = Cast(
    kind="volldampf",
    lines=volldampf.answer,
    board="deutschland-1925",
    players=(
        "PRE:blue:Anna <anna@example.org>",
        "SAX:red:Bernd <bernd@example.org>",
        "BAY:green:Cläre Möller <claere@example.org>",
        "BAD:orange:Dieter <dieter@example.org>",
    ),
    companies={
        "PRE": "Preußische Staatsbahn",
        "SAX": "Sächsische Staatsbahn",
        "BAY": "Bayerische Staatsbahn",
        "BAD": "Badische Staatsbahn",
    },
    press=(
        N_("The {company} regrets the delay. It was somebody else's cube."),
        N_("{company}: our bonds are as safe as our bridges."),
        N_("Wanted: one fast locomotive, in working order. {company}"),
        N_("The {company} knows nothing of any sand in anybody's axle boxes."),
    ),
    slip=(r"^(BUILD \d: |MOVE \d: |RANK )", r"\1Atlantis-"),  # a city that is on no board
)

CASTS: Mapping[str, Cast] = {cast.kind: cast for cast in (DAMPFROSS, VOLLDAMPF)}
