"""Every name that may stand in an order."""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter

from referee.core.hexes import label_to_numbered
from referee.core.orders import Term
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.position.names import NEUTRALS_NAME
from referee.games.dampfross.position.state import NEUTRAL, State

PLACE = "PLACE"
COMPANY = "COMPANY"


def lexicon(state: State) -> tuple[Term, ...]:
    """Return towns, junctions and hexes (water, too: a step into the sea is refused, not misread), and the companies by
    acronym, colour and name; where there may be track of a neutral railway, that, too."""
    every = [state.table.company(code) for code in state.table.codes]
    # Of two companies that share a word the first is meant: an acronym goes before a full name, that before a colour.
    companies = [
        Term(kind=COMPANY, name=name, value=company.code)
        for named in (attrgetter("code"), attrgetter("name"), attrgetter("colour"))
        for company in every
        if (name := named(company))
    ]
    neutral = [Term(kind=COMPANY, name=NEUTRALS_NAME, value=NEUTRAL)] if state.table.board.permitted else []
    return (*places(state.table.board), *companies, *neutral)


@lru_cache(maxsize=16)
def places(board: RailMap) -> tuple[Term, ...]:
    """Return the terms of a map: each hex by its label and, where the map declares it, by its number on the postal grid."""
    terms = []
    for label in (*board.ground, *board.water):
        names = [board.hex_name(label), label]  # that of the game first: it is suggested for a slip
        if board.grid_letters:
            names.append(label_to_numbered(label, board.grid_letters, board.rows))
        terms += [Term(kind=PLACE, name=name, value=label) for name in dict.fromkeys(names)]
    for place in board.named:
        terms += [Term(kind=PLACE, name=name, value=place.hex) for name in (place.name, *place.also)]
    return tuple(terms)
