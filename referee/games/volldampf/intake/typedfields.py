"""A typed-in position on the desk: cities, links and colours by name, and what is wrong with them."""

from __future__ import annotations

import difflib
from functools import lru_cache
from typing import Any

from referee.core.texts.typedtable import TableReader, meant, shown
from referee.core.texts.wording import N_
from referee.games.volldampf.board.board import ACTION_CARDS, Board
from referee.games.volldampf.board.cities import plain, spellings
from referee.games.volldampf.position.names import PLACE, board_terms
from referee.games.volldampf.position.state import State

MOST = 9999  # marks, spaces, cards: what is more is a slip of the pen

# In the order in which they are read: a later one may lean on an earlier one.
FIELDS = (
    "round", "order", "balances", "bonds", "income", "rounds", "removed", "track_pile", "groups", "hands", "built", "cubes",
    "bag", "owed", "merchandise", "turned", "actions", "action_discards", "action_pile", "bids", "passed", "declined", "bars",
    "subsidised", "rearranged", "scores", "winners", "stage", "number", "asked",
)  # fmt: skip


class PositionReader(TableReader):
    """``state`` is the position as far as it was read; a key with a fault leaves it as it was."""

    def __init__(self, state: State) -> None:
        super().__init__(FIELDS, state.table.codes)
        self.state = state
        self.board = state.table.board

    def city(self, where: str, value: Any) -> str | None:
        """Return the id of a city by name, id or alias."""
        found = _cities(self.board).get(_folded(str(value))) if isinstance(value, str) else None
        if found is None:
            near = difflib.get_close_matches(str(value), [city.name for city in self.board.cities], 1)
            like = f"; {near[0]}?" if near else ""
            self.blame(where, N_("there is no city {value} on this board{like}"), value=shown(value), like=like)
        return found

    def cities(self, where: str, value: Any) -> tuple[str, ...]:
        """Return a list of cities."""
        named = (self.city(where, each) for each in self.words(where, value))
        return tuple(city for city in named if city is not None)

    def link(self, where: str, value: str) -> str | None:
        """Return the id of a printed link: ``Hamburg-Hannover``."""
        known = _cities(self.board)
        parts = value.split("-")
        for at in range(1, len(parts)):
            ends = [known.get(_folded("-".join(side))) for side in (parts[:at], parts[at:])]
            link = self.board.link(*ends) if ends[0] and ends[1] else None  # type: ignore[arg-type]
            if link is not None:
                return link.id
        names = tuple(self.board.link_name(link.id) for link in self.board.links)
        near = difflib.get_close_matches(value, names, 1)
        told = (
            N_("there is no link {value} on this board ({like}?)")
            if near
            else N_("there is no link {value} on this board (as {like})")
        )
        self.blame(where, told, value=shown(value), like=(near or names)[0])
        return None

    def cards(self, where: str, value: Any) -> tuple[str, ...]:
        """Return track cards by colour, in colour order."""
        colours = self.board.colour_ids
        return tuple(sorted(self.some_of(where, value, colours), key=colours.index))

    def action_cards(self, where: str, value: Any) -> tuple[str, ...]:
        """Return action cards by name, in card order."""
        folded = {key: card for card in ACTION_CARDS for key in _keys(card)}
        named = [folded.get(_folded(each), "") for each in self.words(where, value)]
        for word, card in zip(self.words(where, value), named, strict=False):
            if not card:
                known = meant(word, ACTION_CARDS)
                self.blame(where, N_("{value} is no action card ({known})"), value=shown(word), known=known)
        return tuple(sorted(filter(None, named), key=ACTION_CARDS.index))


@lru_cache(maxsize=16)
def _cities(board: Board) -> dict[str, str]:
    places = [term for term in reversed(board_terms(board)) if term.kind == PLACE]
    return {key: term.value for term in places for key in _keys(term.name)}


def _keys(name: str) -> tuple[str, ...]:
    """Return the ways in which a name is written, folded."""
    return tuple(map(_folded, spellings(name)))


def _folded(name: str) -> str:
    """Return a name as it is looked up: without case, accents and signs."""
    return "".join(letter for letter in plain(name) if letter.isalnum())
