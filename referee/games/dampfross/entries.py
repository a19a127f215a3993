"""Which entries stand in a race: limits, joint trains, tolls that pairs set off against each other. Rule: D5.6, D6.1-D6.5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.core.orders import Complaint
from referee.games.dampfross.building import shares_of
from referee.games.dampfross.caps import cap_of
from referee.games.dampfross.orders import Route, Run
from referee.games.dampfross.routes import Train, train_on
from referee.games.dampfross.state import DAVID, Race, State

Runs = Mapping[str, tuple[Run, ...]]


@dataclass(slots=True)
class EntryBook:
    """The entries of one racing round, by company in order of writing, and which of them were refused so far."""

    runs: Runs
    limit: int  # of the whole round: races that are run must not lower it
    refused: set[tuple[str, int]] = field(default_factory=set)
    ran: dict[int, frozenset[str]] = field(default_factory=dict)  # who ran in the races so far
    entered: Mapping[str, int] = field(
        default_factory=dict
    )  # where only one race's entries are known: races run before

    def run_of(self, company: str, race: int) -> Run | None:
        """Return a company's entry for a race."""
        return next((run for run in self.runs.get(company, ()) if run.race == race), None)

    def is_beyond_limit(self, company: str, race: int) -> bool:
        """Return whether an entry is one too many: refused ones do not count, the last as written fall. Rule: D5.6, R3."""
        standing = self.entered.get(company, 0)
        for run in self.runs[company]:
            if run.race == race:
                return standing >= self.limit
            standing += (company, run.race) not in self.refused
        return False


@dataclass(slots=True)
class Candidate:
    """A train that wants to run: its alternatives in order of writing, the first that may stand first."""

    companies: tuple[str, ...]
    trains: list[Train]

    @property
    def train(self) -> Train:
        """The alternative now in question."""
        return self.trains[0]


def entry_limit(state: State) -> int:
    """Return how many races a company may enter this round: 2 or 3 carried over give one more, 4 or 5 two more, and so on.

    Rule: D5.6.
    """
    entries = state.table.options.entries
    return entries + len(state.carried()) // 2 if isinstance(entries, int) else len(state.races)


def refuse_hopeless(state: State, book: EntryBook) -> dict[tuple[str, int], Complaint]:
    """Return the entries that cannot stand on the track as it lies, and note them: they do not count for the limit."""
    hopeless: dict[tuple[str, int], Complaint] = {}
    for company, runs in book.runs.items():
        for run in runs:
            race = state.race(run.race)
            assert race is not None
            candidate = _candidate(state, book, race, company, run)
            if isinstance(candidate, Complaint):
                hopeless[company, run.race] = candidate
    book.refused |= set(hopeless)
    return hopeless


def standing_trains(state: State, book: EntryBook, race: Race) -> tuple[tuple[Train, ...], dict[str, Complaint]]:
    """Return the trains of a race in order of declaring, richest first, and why each other company's entry fell.

    Rule: D6.1, D6.4, D6.5, D8.1, R5.
    """
    candidates: list[Candidate] = []
    fallen: dict[str, Complaint] = {}
    for company in _declaring_order(state):
        run = book.run_of(company, race.number)
        if run is None or (company, race.number) in book.refused:
            continue
        if any(company in candidate.companies for candidate in candidates):
            continue
        partners = (company, run.partner) if run.partner else (company,)
        complaint = _too_many(state, book, race, partners) or _unfulfilled(state, book, race, run, company, candidates)
        complaint = complaint or (_david_must_wait(state, run, candidates) if company == DAVID else None)
        if complaint is not None:
            fallen.update(dict.fromkeys(partners, complaint))
            continue
        candidate = _candidate(state, book, race, company, run)
        assert isinstance(candidate, Candidate)
        candidates.append(candidate)
    _strike_until_stable(state, candidates, fallen)
    book.refused |= {(company, race.number) for company in fallen}
    trains = {candidate.companies: candidate.train for candidate in candidates}
    book.ran[race.number] = frozenset(code for companies in trains for code in companies)
    return tuple(trains[companies] for companies in _declaring(state, tuple(trains))), fallen


def _declaring_order(state: State) -> tuple[str, ...]:
    """Richest first; David waits to see whether there is a lone entrant. Rule: D6.1, D8.1."""
    codes = state.richest_first(tuple(code for code in state.table.codes if code != DAVID))
    return (*codes, DAVID) if DAVID in state.table.codes else codes


def _too_many(state: State, book: EntryBook, race: Race, partners: tuple[str, ...]) -> Complaint | None:
    late = [code for code in partners if book.is_beyond_limit(code, race.number)]
    return _complaint("illegal-too-many-entries", "D5.6", limit=book.limit) if late else None


def _unfulfilled(
    state: State, book: EntryBook, race: Race, run: Run, company: str, candidates: list[Candidate]
) -> Complaint | None:
    """Return why an entry's condition does not hold: it may look only at those who declared earlier. Rule: D6.1."""
    condition = run.condition
    if condition is None:
        return None
    told: dict[str, str | int] = {"company": condition.company, "race": condition.race}
    if condition.race == race.number:
        order = _declaring_order(state)
        if order.index(condition.company) > order.index(company):
            return _complaint("illegal-condition-later", "D6.1", **told)
        runs = any(condition.company in candidate.companies for candidate in candidates)
    elif condition.race in book.ran:
        runs = condition.company in book.ran[condition.race]
    else:
        return _complaint("illegal-condition-later", "D6.1", **told)
    if runs == condition.runs:
        return None
    return _complaint("illegal-condition" if condition.runs else "illegal-condition-not", "D6.1", **told)


def _david_must_wait(state: State, run: Run, candidates: list[Candidate]) -> Complaint | None:
    """David runs against a lone entrant, led by the other player. Rule: D8.1."""
    others = [company for candidate in candidates for company in candidate.companies]
    if len(others) == 1 and state.table.company(others[0]).player != run.company:
        return None
    return _complaint("illegal-david", "D8.1")


def poorer(state: State, companies: tuple[str, ...]) -> str:
    """Return the company whose balance speaks for a train. Rule: D6.5."""
    return state.poorest_first(companies)[0]


def toll_shares(state: State, train: Train, amount: int) -> dict[str, int]:
    """Return what each company of a train pays of a toll, the odd unit in favour of the poorer. Rule: D6.5."""
    return shares_of(amount, tuple(reversed(state.poorest_first(train.companies))))


def _declaring(state: State, trains: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    speakers = {poorer(state, companies): companies for companies in trains}
    return tuple(speakers[code] for code in state.richest_first(tuple(speakers)))


def _candidate(state: State, book: EntryBook, race: Race, company: str, run: Run) -> Candidate | Complaint:
    """Return the entry with those of its routes that lie on track, or why it has none. Rule: D6.2, D6.5."""
    companies: tuple[str, ...] = (company,)
    routes = run.routes
    if run.partner:
        theirs = book.run_of(run.partner, race.number)
        if theirs is None or theirs.partner != company:
            return _complaint("illegal-joint-alone", "D6.5", partner=run.partner, race=race.number)
        companies = tuple(code for code in state.table.codes if code in (company, run.partner))
        routes = _common_routes(run, theirs)
        if not routes:
            return _complaint("illegal-joint-routes", "D6.5", partner=run.partner, race=race.number)
    if not routes:
        return _complaint("illegal-no-route", "D6.1", race=race.number)
    # David's track counts nothing for the player who runs him: ``company`` of his order names that player. Rule: R9.
    free = (run.company,) if company == DAVID and run.company else ()
    tried = [train_on(state, companies, race, route, free) for route in routes]
    trains = [train for train in tried if isinstance(train, Train)]
    if trains:
        return Candidate(companies=companies, trains=trains)
    return next(complaint for complaint in tried if isinstance(complaint, Complaint))


def _common_routes(run: Run, theirs: Run) -> tuple[Route, ...]:
    """Return the routes of a joint train: either partner may leave them to the other, else they must agree."""
    if not run.routes or not theirs.routes:
        return run.routes or theirs.routes
    return tuple(route for route in run.routes if _same_way(route) in map(_same_way, theirs.routes))


def _same_way(route: Route) -> tuple[object, ...]:
    return route.path, route.over, route.aim, route.most


def _strike_until_stable(state: State, candidates: list[Candidate], fallen: dict[str, Complaint]) -> None:
    """Strike what may not stand, or take its next alternative, until nothing changes. Rule: D6.3, D6.4, D6.9."""
    while failing := _failing(state, candidates):
        for candidate, complaint in failing:
            candidate.trains.pop(0)
            if not candidate.trains:
                candidates.remove(candidate)
                fallen.update(dict.fromkeys(candidate.companies, complaint))


def _failing(state: State, candidates: list[Candidate]) -> list[tuple[Candidate, Complaint]]:
    """Return the trains that may not run beside the others, and why.

    Lengths are compared only when all can pay: the shortest route must be one that stands. Rule: R6.
    """
    trains = [candidate.train for candidate in candidates]
    failing = [(each, fault) for each in candidates if (fault := _unpayable(state, each.train, trains)) is not None]
    if failing or state.table.options.prizes != "shared":
        return failing
    return [(each, fault) for each in candidates if (fault := _too_long(each.train, trains)) is not None]


def _unpayable(state: State, train: Train, trains: list[Train]) -> Complaint | None:
    """Return why a train's tolls may not be paid, None if they may. Rule: D6.3 (``toll_debt``), D6.4."""
    cap = cap_of(state)
    for rival, toll in train.tolls.items():
        net = toll - _set_off(train, _train_of(rival, trains))
        if toll > cap and net > cap:
            return _complaint("illegal-toll-cap", "D6.4", rival=rival, toll=toll, net=net, cap=cap)
    if state.table.options.toll_debt == "refused":
        for company, due in _to_find(state, train, trains).items():
            if due > max(0, state.balance[company]):
                return _complaint("illegal-toll-debt", "D6.3", toll=due, balance=state.balance[company])
    return None


def _too_long(train: Train, trains: list[Train]) -> Complaint | None:
    """Return why a route is too long beside the shortest one, None if it is not. Rule: D6.9, R6."""
    length, shortest = len(train.path) - 1, min(len(other.path) - 1 for other in trains)
    return _complaint("illegal-too-long", "D6.9", length=length, shortest=shortest) if length > 2 * shortest else None


def _to_find(state: State, train: Train, trains: list[Train]) -> dict[str, int]:
    """Return what each company of a train must have in hand: its tolls to each other train, less what that train pays it.

    Rule: D6.3 (after netting, before other income of that race), D6.5 (what is paid for a partner's track is that partner's).
    """
    owed: dict[tuple[str, tuple[str, ...]], int] = {}
    received: dict[tuple[str, tuple[str, ...]], int] = {}
    for rival, toll in train.tolls.items():
        theirs = _train_of(rival, trains)
        payees = theirs.companies if theirs else (rival,)
        for company, share in toll_shares(state, train, toll).items():
            owed[company, payees] = owed.get((company, payees), 0) + share
            received[company, payees] = theirs.tolls.get(company, 0) if theirs else 0
    due = dict.fromkeys(train.companies, 0)
    for (company, payees), amount in owed.items():
        due[company] += max(0, amount - received[company, payees])
    return due


def _train_of(rival: str, trains: list[Train]) -> Train | None:
    return next((other for other in trains if rival in other.companies), None)


def _set_off(train: Train, theirs: Train | None) -> int:
    """Return what a rival's own train owes the companies of *train* in the same race. Rule: D6.4, R17."""
    return sum(theirs.tolls.get(company, 0) for company in train.companies) if theirs else 0


def _complaint(code: str, paragraph: str, **params: str | int) -> Complaint:
    return Complaint(code=code, paragraph=paragraph, params=tuple(params.items()))
