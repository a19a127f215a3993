"""The races of a round: tolls, movement, placings, prizes. Rule: D6."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping

from referee.core import Numbers, complaint_of

from .board import points_along
from .building import shares_of
from .changes import Record
from .declaring import (
    EntryBook,
    Runs,
    admitted_trains,
    note_hopeless,
    poorer,
    toll_shares,
)
from .events import (
    EntryRefused,
    OrderRefused,
    PrizePaid,
    RaceCarried,
    RaceDropped,
    RaceRun,
    TollPaid,
    TrainEntered,
    TrainMoved,
    TrainPlaced,
)
from .routing import Train
from .state import (
    DAVID,
    NEUTRAL,
    Order,
    Race,
    Run,
    State,
)

PRIZES = (20, 10)  # Rule: D6.7
SHARED_PRIZES = {  # by number of trains. Rule: D6.9
    1: (20,),
    2: (20, 10),
    3: (16, 9, 5),
    4: (13, 8, 5, 4),
    5: (11, 7, 5, 4, 3),
    6: (10, 6, 5, 4, 3, 2),
}


class Races:
    """The races of a round, run one after another in number order. Rule: D6.10."""

    def __init__(self, record: Record, runs: Runs) -> None:
        """*runs*: entries by company in order of writing; of one race alone when companies are asked one by one."""
        self._record, self._book = record, EntryBook(record.state, runs)
        note_hopeless(record.state, self._book)

    def run(self, number: int) -> None:
        """Run a race, or carry it over, or drop it where nobody's entry stands. Rule: D5.6, D6."""
        record = self._record
        race = record.state.race(number)
        trains, fallen = admitted_trains(record.state, self._book, race)
        for company, complaint in fallen.items():
            record.add(EntryRefused(race=number, company=company, complaint=complaint, paragraph=complaint.paragraph))
        if trains:
            _run_race(record, race, trains)
        elif record.state.is_last_round or record.state.options.race_schedule == "dice":
            record.add(RaceDropped(race=number))
        else:
            record.add(RaceCarried(race=number))

    def call_off(self, number: int) -> None:
        """Refuse all entries for a race that is not run: the game is over before it comes up. Rule: R21."""
        for company, runs in self._book.runs.items():
            if any(run.race == number for run in runs):
                complaint = complaint_of("illegal-game-over", "R21", text=f"RUN {number}")
                self._record.add(OrderRefused(company=company, complaint=complaint, paragraph="R21"))


def lone_entrant(state: State, race: int) -> str:
    """Return the company against which David may run in a race, by what was declared so far; "" where there is none.

    Rule: D8.1.
    """
    runs = {each.company: (each.run,) for each in state.declared}
    trains, _ = admitted_trains(state, EntryBook(state, runs), state.race(race))
    # Where nobody stands without David, netting with David may yet help.
    entrants = tuple(company for train in trains for company in train.companies) or tuple(runs)
    return entrants[0] if len(entrants) == 1 else ""


def advance(way: Numbers, points: int) -> tuple[int, int]:
    """Return how many hex-sides of its route a train has behind it that *points* were thrown for in all, and the points left over
    (-1 unless it has come in).

    *way*: the points of movement from its start to the end of each hex-side of its route.

    A climb (onto a mountain from a hex that is none) costs 2; with 1 point left the train stops on the hex-side and needs 1
    more the next time. A ferry costs its own points, paid in the same way. Rule: D6.6.
    """
    return bisect(way, points), max(-1, points - way[-1])


def _run_race(record: Record, race: Race, trains: tuple[Train, ...]) -> None:
    for train in trains:
        record.add(
            TrainEntered(
                race=race.number, train=train.code, companies=train.companies, route=train.path, owners=train.owners
            )
        )
    for train in trains:
        for rival, toll in train.tolls.items():
            hexes, paragraph = train.hexes_over(rival), "D2.6" if rival == NEUTRAL else "D6.3"
            for company, share in toll_shares(record.state, train, toll).items():
                if share:
                    record.add(
                        TollPaid(
                            race=race.number, company=company, to=rival, amount=share, hexes=hexes, paragraph=paragraph
                        )
                    )
    # A lone entrant gets the first prize without running. Rule: D6.8.
    _pay(record, race, _placings(record, race, trains) if len(trains) > 1 else [[*trains]], len(trains))
    record.add(RaceRun(race=race.number))


def _placings(record: Record, race: Race, trains: tuple[Train, ...]) -> list[list[Train]]:
    """Run the trains until the prizes are settled; return who came in, equal ones together. Rule: D6.6-D6.8."""
    state = record.state
    speakers = {poorer(state, train.companies): train for train in trains}
    order = [speakers[code] for code in state.richest_first(tuple(speakers))]
    running = {train.code: (train, points_along(state.board, train.path)) for train in order}
    wanted = len(trains) if state.options.prizes == "shared" else min(len(PRIZES), len(trains))
    thrown = dict.fromkeys(running, 0)
    finishes: dict[tuple[int, int], list[Train]] = {}  # by round, and points left over, the most first
    race_round = 0
    while len(order) - len(running) < wanted:
        race_round += 1
        for code, (train, way) in [*running.items()]:
            throw = record.dice.throw(f"race/{race.number}/{race_round}/{code}", 6)
            thrown[code] += throw
            at, left = advance(way, thrown[code])
            record.add(TrainMoved(race=race.number, train=code, round=race_round, throw=throw, at=at, left=left))
            if left >= 0:
                finishes.setdefault((race_round, -left), []).append(train)
                del running[code]
    return [finishes[rank] for rank in sorted(finishes)]


def _pay(record: Record, race: Race, placings: list[list[Train]], entrants: int) -> None:
    """Tell the places and pay the prizes; equal trains pool those of the places they take. Rule: D6.7-D6.9."""
    shared = record.state.options.prizes == "shared"
    prizes = SHARED_PRIZES[entrants] if shared else PRIZES
    place = 1
    for finishes in placings:
        pool = sum(prizes[place - 1 : place - 1 + len(finishes)])
        trains = {poorer(record.state, train.companies): train for train in finishes}
        amounts = shares_of(pool, record.state.poorest_first(tuple(trains)))
        paragraph = "D6.8" if entrants == 1 or len(finishes) > 1 else "D6.9" if shared else "D6.7"
        for speaker in amounts:
            record.add(TrainPlaced(race=race.number, train=trains[speaker].code, place=place, paragraph=paragraph))
        balances = record.state
        for speaker, amount in amounts.items():
            train = trains[speaker]
            for code, share in shares_of(amount, balances.poorest_first(train.companies)).items():
                if share:
                    record.add(
                        PrizePaid(
                            race=race.number,
                            company=code,
                            train=train.code,
                            place=place,
                            amount=share,
                            paragraph=paragraph,
                        )
                    )
        place += len(finishes)


# Whose orders and decisions are a company's, also with two players. Rule: D8.


def by_company(state: State, orders: Mapping[str, tuple[Order, ...]]) -> dict[str, tuple[Order, ...]]:
    """Return players' orders by company. David's builds come from the player who leads David in that roll. Rule: D8.1."""
    found: dict[str, list[Order]] = {}
    for player, own in orders.items():
        for order in own:
            company = order.company or player
            if company != DAVID:
                found.setdefault(company, []).append(order)
            elif isinstance(order, Run) or player == state.david_leader(getattr(order, "roll", 1)):
                # David's orders name the player who gave them: that player's track is free to David then. Rule: R9.
                found.setdefault(company, []).append(order.but(company=player))
    return {code: tuple(found[code]) for code in state.codes if code in found}


def decider(state: State) -> str:
    """Return the player whose decision the agenda asks for, when companies are asked one by one."""
    item = state.agenda[0]
    if item.company != DAVID:
        return state.table.company(item.company).player
    if item.what == "declare":
        entrant = state.table.company(lone_entrant(state, item.number)).player
        return next(player.code for player in state.table.players if player.code != entrant)
    return state.david_leader(max(1, item.number))
