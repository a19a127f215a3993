"""Whether the cards last to the end of the game, in a sketch or a position that people wrote. Rule: V8.1, V8.3, R32."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.core.errors import MapError
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.state import Item, State, Table


def check_stock(table: Table) -> None:
    """Raise MapError where a board has too few cards for that number of players; of board files it is known."""
    board, numbers = table.board, table.numbers
    colours = len(board.colour_ids) * (board.track_cards - numbers.remove_per_colour)
    faults = [
        *_short("track cards", colours - numbers.remove_random, numbers.rounds * _dealt(table)),
        *_short(
            "merchandise cards", len(board.merchandise), numbers.setup_cards + numbers.rounds * numbers.round_cards
        ),
    ]
    if faults:
        raise MapError(board.id, tuple((0, fault) for fault in faults))


def shortages(state: State, agenda: Iterable[Item]) -> Iterator[tuple[str, str]]:
    """Yield (key of a position, sentence) for each pile that would not last. *agenda*: what is left of this round."""
    whats = {item.what for item in agenda}
    later = state.table.numbers.rounds - state.round
    cards = later + (stages.DEAL in whats)
    for fault in _short("track cards", sum(state.track_pile.values()), cards * _dealt(state.table)):
        yield "track_pile", fault
    goods = later + (stages.GOODS in whats)
    for fault in _short("merchandise cards", len(state.merchandise), goods * state.table.numbers.round_cards):
        yield "merchandise", fault


def _dealt(table: Table) -> int:
    """Return the track cards of a round. Rule: V3.2.1."""
    return len(table.codes) * table.numbers.group_size


def _short(what: str, there: int, needed: int) -> Iterator[str]:
    if there < needed:
        yield f"there are {there} {what}; the rest of the game needs {needed}"
