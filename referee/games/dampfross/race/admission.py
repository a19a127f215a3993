"""Which trains of a race stand: tolls that pairs set off against each other, caps, purses, lengths. Rule: D6.3, D6.4, D6.9."""

from __future__ import annotations

from referee.core.orders import Complaint, complaint_of
from referee.games.dampfross.build.building import shares_of
from referee.games.dampfross.position.names import owner_name
from referee.games.dampfross.position.state import Race, State
from referee.games.dampfross.race.declaring import Candidate, declared, declaring_order, is_awaited
from referee.games.dampfross.race.entries import Entry, EntryBook, entries_of
from referee.games.dampfross.route.routes import Train
from referee.games.dampfross.route.tolls import cap_of


def admitted_trains(state: State, book: EntryBook, race: Race) -> tuple[tuple[Train, ...], dict[str, Complaint]]:
    """Return the trains of a race in order of declaring, richest first, and why each other company's entry fell.

    Where an entry falls at the tolls on which others depend, all declare anew without it: of several first one that would fall
    whoever ran, else the richest. Rule: D6.1-D6.5, D8.1, R5, R23.
    """
    entries, hopeless = entries_of(state, book, race)
    struck: dict[tuple[str, ...], Complaint] = {}
    while True:
        candidates, fallen = declared(state, book, race, entries, struck)
        entrants = [candidate.companies for candidate in candidates]
        _strike_until_stable(state, candidates, fallen)
        gone = [each for each in entrants if each[0] in fallen and is_awaited(entries, race, each)]
        if not gone:
            break
        lost = _lost(state, entries)
        first = next((each for each in gone if each in lost), gone[0])
        struck[first] = fallen[first[0]]
    trains = {candidate.companies: candidate.train for candidate in candidates}
    ran = frozenset(code for companies in trains for code in companies)
    fallen = {code: why for code, why in {**hopeless, **fallen}.items() if code not in ran}
    book.settle(race.number, ran, fallen)
    return tuple(trains[companies] for companies in declaring_order(state, tuple(trains))), fallen


def toll_shares(state: State, train: Train, amount: int) -> dict[str, int]:
    """Return what each company of a train pays of a toll, the odd unit in favour of the poorer. Rule: D6.5."""
    return shares_of(amount, tuple(reversed(state.poorest_first(train.companies))))


def _lost(state: State, entries: tuple[Entry, ...]) -> set[tuple[str, ...]]:
    """Return the trains that fall at the tolls even if every condition holds."""
    everybody = [Candidate(companies=entry.companies, trains=list(entry.trains)) for entry in entries]
    _strike_until_stable(state, everybody, {})
    return {entry.companies for entry in entries} - {candidate.companies for candidate in everybody}


def _strike_until_stable(state: State, candidates: list[Candidate], fallen: dict[str, Complaint]) -> None:
    """Strike what may not stand, or take its next alternative, until nothing changes. Rule: D6.3, D6.4, D6.9."""
    while failing := _failing(state, candidates):
        for candidate, why in failing:
            candidate.trains.pop(0)
            if not candidate.trains:
                candidates.remove(candidate)
                fallen.update(dict.fromkeys(candidate.companies, why))


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
        if toll > cap and (net := toll - _set_off(train, _train_of(rival, trains))) > cap:
            return complaint_of("illegal-toll-cap", "D6.4", rival=owner_name(rival), toll=toll, net=net, cap=cap)
    poor = sum(train.tolls.values()) > min(state.balance[company] for company in train.companies)
    if poor and state.table.options.toll_debt == "refused":
        for company, due in _to_find(state, train, trains).items():
            if due > max(0, state.balance[company]):
                return complaint_of("illegal-toll-debt", "D6.3", toll=due, balance=state.balance[company])
    return None


def _too_long(train: Train, trains: list[Train]) -> Complaint | None:
    """Return why a route is too long beside the shortest one, None if it is not. Rule: D6.9, R6."""
    length, shortest = len(train.path) - 1, min(len(other.path) - 1 for other in trains)
    return complaint_of("illegal-too-long", "D6.9", length=length, shortest=shortest) if length > 2 * shortest else None


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
