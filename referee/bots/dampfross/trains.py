"""The races a built-in player enters: those it can win, on the way with the best of movement and tolls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from referee.core.graph import cheapest_way
from referee.core.hexes import Hex, side
from referee.core.orders import Complaint
from referee.games.dampfross.board.railmap import ends_of
from referee.games.dampfross.position.orders import Route, Run
from referee.games.dampfross.position.state import DAVID, Race, State
from referee.games.dampfross.route.caps import cap_of
from referee.games.dampfross.route.movement import points_to_enter
from referee.games.dampfross.route.routes import Train, train_on

TOLL_WEIGHTS = (0, 3, 8, 20)  # what a unit of toll weighs against ten points of movement, from hurried to mean

Node = tuple[Hex, str]


def entries(state: State, company: str, limit: int, only: int) -> list[Run]:
    """Return the entries that promise most, at most *limit* of them, in number order; *only* the race asked for, if any."""
    promising: list[tuple[int, Run]] = []
    lines = Lines(state)
    for race in state.offered():
        if only and race.number != only:
            continue
        mine = _best_train(lines, company, race)
        if mine is None:
            continue
        rivals = [
            train
            for code in state.table.codes
            if code not in (company, DAVID) and (train := _best_train(lines, code, race))
        ]
        faster = sum(_moves(state, train) < _moves(state, mine) for train in rivals)
        equal = sum(_moves(state, train) == _moves(state, mine) for train in rivals)
        prize = {0: 20, 1: 10}.get(faster, 0) - 3 * equal
        worth = prize - sum(mine.tolls.values())
        if worth > 0:
            over = tuple("" if owner == company else owner for owner in mine.owners)
            promising.append((worth, Run(race=race.number, routes=(Route(path=mine.path, over=over),))))
    promising.sort(key=lambda entry: (-entry[0], entry[1].race))
    return sorted((run for _, run in promising[:limit]), key=lambda run: run.race)


class Lines:
    """The track on the board as a train finds it; each hex is looked at once."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._known: dict[Hex, tuple[tuple[Hex, str, int], ...]] = {}

    def __getitem__(self, label: Hex) -> tuple[tuple[Hex, str, int], ...]:
        """Return where track leads from a hex, whose it is, and the points of movement."""
        if label not in self._known:
            self._known[label] = tuple(self._ahead(label))
        return self._known[label]

    def _ahead(self, label: Hex) -> Iterator[tuple[Hex, str, int]]:
        board = self.state.table.board
        for other in board.linked(label):
            for owner in self.state.owners(side(label, other)):
                yield other, owner, points_to_enter(board, label, other)


def _best_train(lines: Lines, company: str, race: Race) -> Train | None:
    """Return the company's train with the best of movement and tolls that may run, None where none may."""
    state = lines.state
    best: tuple[int, Train] | None = None
    for weight in TOLL_WEIGHTS:
        train = _train_by(lines, company, race, weight)
        if train is None or any(toll > cap_of(state) for toll in train.tolls.values()):
            continue
        if sum(train.tolls.values()) > max(0, state.balance[company]):
            continue
        worth = 10 * _moves(state, train) + 6 * sum(train.tolls.values())
        if best is None or worth < best[0]:
            best = (worth, train)
    return best[1] if best else None


def _train_by(lines: Lines, company: str, race: Race, weight: int) -> Train | None:
    state, board = lines.state, lines.state.table.board

    def edges(node: Node) -> Iterable[tuple[Node, int]]:
        label, before = node
        if board.is_foreign(label) and before and board.foreign_build != "free":
            return
        for other, owner, points in lines[label]:
            toll = 0 if owner == company else 1 if owner == before else 2
            yield (other, owner), 10 * points + weight * toll

    starts = [(label, "") for label in ends_of(board, race.start)]
    goals = [(label, code) for label in ends_of(board, race.end) for code in state.table.codes]
    found = cheapest_way(starts, goals, edges)
    if found is None:
        return None
    path = tuple(label for label, _ in found[1])
    over = tuple(owner for _, owner in found[1][1:])
    train = train_on(state, (company,), race, Route(path=path, over=over))
    return None if isinstance(train, Complaint) else train


def _moves(state: State, train: Train) -> int:
    """Return the points of movement of a train's route."""
    board = state.table.board
    return sum(points_to_enter(board, one, other) for one, other in pairwise(train.path))
