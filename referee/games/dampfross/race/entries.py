"""The entries of a round of races, and which of them can be run on the track as it lies. Rule: D5.6, D6.1, D6.2, D6.5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.core.hexes import Side
from referee.core.orders import Complaint, complaint_of
from referee.core.values import Value
from referee.games.dampfross.position.names import as_written
from referee.games.dampfross.position.orders import Route, Run
from referee.games.dampfross.position.state import DAVID, Race, State
from referee.games.dampfross.route.routes import Train, train_on

Runs = Mapping[str, tuple[Run, ...]]
Track = Mapping[Side, tuple[str, ...]]


class Entry(Value):
    """A train that can run: its alternatives in order of writing. ``runs``: the order of each of ``companies``."""

    companies: tuple[str, ...]
    runs: tuple[Run, ...]
    trains: tuple[Train, ...]


Found = tuple[tuple[Entry, ...], dict[str, Complaint]]  # entries that can be run; why other companies' cannot


@dataclass(slots=True)
class EntryBook:
    """The entries of one racing round, by company in order of writing, and which of them were refused so far.

    For David both players may write an entry for the same race: which of them leads him is known when it comes up.
    """

    runs: Runs
    limit: int  # of the whole round: races that are run must not lower it
    refused: set[tuple[str, int]] = field(default_factory=set)
    ran: dict[int, frozenset[str]] = field(default_factory=dict)  # who ran in the races so far
    entered: Mapping[str, int] = field(
        default_factory=dict
    )  # where only one race's entries are known: races run before

    by_race: dict[tuple[str, int], tuple[Run, ...]] = field(init=False)
    looked_up: dict[int, tuple[Track, Found]] = field(
        default_factory=dict
    )  # by race: what can be run, and the track on which it was looked up

    def __post_init__(self) -> None:
        self.by_race = {}
        for company, runs in self.runs.items():
            for run in runs:
                there = self.by_race.get((company, run.race), ())
                if not there or company == DAVID:
                    self.by_race[company, run.race] = (*there, run)

    def runs_of(self, company: str, race: int) -> tuple[Run, ...]:
        """Return a company's entry for a race, if there is one; of David's that of each player. Rule: R16, D8.1."""
        return self.by_race.get((company, race), ())

    def is_beyond_limit(self, company: str, race: int) -> bool:
        """Return whether an entry is one too many: refused ones do not count, the last as written fall. Rule: D5.6, R3.

        An entry that was hopeless and is so no more, since track was laid, finds those that took its place already run.
        """
        entered = self.entered.get(company, 0)
        if entered + len(self.runs[company]) <= self.limit:
            return False
        races = list(dict.fromkeys(run.race for run in self.runs[company]))
        before = races[: races.index(race)]
        ran = {other for other in races if company in self.ran.get(other, ())}
        counted = ran | {other for other in before if (company, other) not in self.refused}
        return entered + len(counted) >= self.limit

    def settle(self, race: int, ran: frozenset[str], refused: Mapping[str, Complaint]) -> None:
        """Note who runs in a race and whose entry for it fell."""
        self.ran[race] = ran
        self.refused |= {(company, race) for company in refused}


def entry_limit(state: State) -> int:
    """Return how many races a company may enter this round: 2 or 3 carried over give one more, 4 or 5 two more, and so on.

    Rule: D5.6.
    """
    entries = state.table.options.entries
    if isinstance(entries, int):
        return entries + len(state.carried()) // 2
    return len(state.offered()) + len(state.settled)


def poorer(state: State, companies: tuple[str, ...]) -> str:
    """Return the company whose balance speaks for a train. Rule: D6.5."""
    return state.poorest_first(companies)[0] if len(companies) > 1 else companies[0]


def note_hopeless(state: State, book: EntryBook) -> None:
    """Note which entries cannot be run on the track as it lies: they do not count for the limit. Rule: R3."""
    wanted = {run.race for runs in book.runs.values() for run in runs}
    for race in state.races:
        if race.number in wanted:
            entries, hopeless = entries_of(state, book, race)
            runnable = {company for entry in entries for company in entry.companies}
            book.refused |= {(company, race.number) for company in hopeless.keys() - runnable}


def entries_of(state: State, book: EntryBook, race: Race) -> Found:
    """Return the entries for a race that can be run on the track as it lies, and why each other company's cannot.

    Rule: D6.2, D6.5.
    """
    known = book.looked_up.get(race.number)
    if known is None or known[0] is not state.track:  # what can be run depends on nothing else that changes in a round
        known = book.looked_up[race.number] = state.track, _found(state, book, race)
    return known[1]


def _found(state: State, book: EntryBook, race: Race) -> Found:
    entries: list[Entry] = []
    hopeless: dict[str, Complaint] = {}
    paired: set[str] = set()
    for company in book.runs:
        if company in paired:
            continue  # as a partner of one before
        for run in book.runs_of(company, race.number):
            found = _entry(state, book, race, company, run)
            if isinstance(found, Entry):
                entries.append(found)
                paired.update(found.companies)
            else:
                hopeless[company] = found
    return tuple(entries), hopeless


def _entry(state: State, book: EntryBook, race: Race, company: str, run: Run) -> Entry | Complaint:
    """Return the entry with those of its routes that lie on track, or why it has none."""
    runs = {company: run}
    routes = run.routes
    if run.partner:
        if DAVID in (company, run.partner):
            return complaint_of("illegal-david", "D8.1")
        theirs = next((each for each in book.runs_of(run.partner, race.number) if each.partner == company), None)
        if theirs is None:
            return complaint_of("illegal-joint-alone", "D6.5", partner=run.partner, race=race.number)
        runs[run.partner] = theirs
        routes = _common_routes(run, theirs)
        if not routes:
            return complaint_of("illegal-joint-routes", "D6.5", partner=run.partner, race=race.number)
    if not routes:
        return complaint_of("illegal-no-route", "D6.1", race=race.number)
    companies = tuple(code for code in state.table.codes if code in runs)
    # David's track counts nothing for the player who runs him: ``company`` of his order names that player. Rule: R9.
    free = (run.company,) if company == DAVID and run.company else ()
    tried = [train_on(state, companies, race, route, free) for route in routes]
    trains = tuple(train for train in tried if isinstance(train, Train))
    if trains:
        return Entry(companies=companies, runs=tuple(runs[code] for code in companies), trains=trains)
    faults = zip(tried, routes, strict=True)
    return next(as_written(fault, route.writing) for fault, route in faults if isinstance(fault, Complaint))


def _common_routes(run: Run, theirs: Run) -> tuple[Route, ...]:
    """Return the routes of a joint train: either partner may leave them to the other, else they must agree."""
    if not run.routes or not theirs.routes:
        return run.routes or theirs.routes
    return tuple(route for route in run.routes if _same_way(route) in map(_same_way, theirs.routes))


def _same_way(route: Route) -> tuple[object, ...]:
    return route.path, route.over, route.aim, route.most
