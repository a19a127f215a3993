"""The races a built-in player enters: those it can win, on the way with the best of movement and tolls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from referee.core import Complaint, Hex, Value, cheapest_way, side
from referee.games.dampfross.board import ends_of, points_to_enter
from referee.games.dampfross.network import cap_of
from referee.games.dampfross.routing import Train, train_on
from referee.games.dampfross.state import DAVID, Race, Route, Run, State

TOLL_WEIGHTS = (0, 3, 8, 20)  # what a unit of toll weighs against ten points of movement, from hurried to mean

Node = tuple[Hex, str]


def entries(state: State, company: str, limit: int, only: int) -> list[Run]:
    """Return the entries that promise most, at most *limit* of them, in number order; *only* the race asked for, if any."""
    promising: list[tuple[int, Run]] = []
    lines = _lines_of(Same(state))
    for race in state.offered_races():
        if only and race.number != only:
            continue
        mine = lines.best_train(company, race)
        if not mine:
            continue
        rivals = [
            train
            for code in state.table.codes
            if code not in (company, DAVID) and (train := lines.best_train(code, race))
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
    """The track on the board as trains find it; each hex, and each company's train for a race, is looked for once."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._known: dict[Hex, tuple[tuple[Hex, str, int], ...]] = {}
        self._trains: dict[tuple[str, int], Train | None] = {}

    def __getitem__(self, label: Hex) -> tuple[tuple[Hex, str, int], ...]:
        """Return where track leads from a hex, whose it is, and the points of movement."""
        if label not in self._known:
            self._known[label] = tuple(self._ahead(label))
        return self._known[label]

    def best_train(self, company: str, race: Race) -> Train | None:
        """Return the company's train with the best of movement and tolls that may run, None where none may."""
        key = (company, race.number)
        if key not in self._trains:
            self._trains[key] = _best_train(self, company, race)
        return self._trains[key]

    def _ahead(self, label: Hex) -> Iterator[tuple[Hex, str, int]]:
        board = self.state.table.board
        for other in board.steps_from(label):
            for owner in self.state.owners(side(label, other)):
                yield other, owner, points_to_enter(board, label, other)


class Same(Value, kw_only=False, eq=False):
    """A position that is the same only if it is the same object: to compare two takes longer than to forget one."""

    state: State

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.state is other.state

    def __hash__(self) -> int:
        return id(self.state)


@lru_cache(maxsize=2)
def _lines_of(position: Same) -> Lines:
    """Return the track of a position; all players who see the same object share what one of them has found."""
    return Lines(position.state)


def _best_train(lines: Lines, company: str, race: Race) -> Train | None:
    state = lines.state
    best: tuple[int, Train] | None = None
    for weight in TOLL_WEIGHTS:
        train = _train_by(lines, company, race, weight)
        if not train or any(toll > cap_of(state) for toll in train.tolls.values()):
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
