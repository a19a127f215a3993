"""Who declares when, and whether what an entry depends on has come about. Rule: D5.6, D6.1, D6.5, D8.1, R23."""

from __future__ import annotations

from referee.core.orders import Complaint, complaint_of
from referee.core.values import Mutable
from referee.games.dampfross.build.building import shares_of
from referee.games.dampfross.position.names import owner_name
from referee.games.dampfross.position.orders import Condition
from referee.games.dampfross.position.state import DAVID, Race, State
from referee.games.dampfross.race.entries import Entry, EntryBook, entries_of, poorer
from referee.games.dampfross.route.routes import Train
from referee.games.dampfross.route.tolls import cap_of


class Candidate(Mutable, kw_only=False):
    """A train that wants to run: its alternatives in order of writing, the first that may stand first."""

    companies: tuple[str, ...]
    trains: list[Train]

    @property
    def train(self) -> Train:
        """The alternative now in question."""
        return self.trains[0]


def declaring_order(state: State, trains: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """Return *trains*, each as its companies, richest first; a joint one declares at the poorer partner's balance.

    David waits to see whether there is a lone entrant. Rule: D6.1, D6.5, D8.1.
    """
    if len(trains) < 2:
        return trains
    speakers = {poorer(state, companies): companies for companies in trains}
    order = [speakers[code] for code in state.richest_first(tuple(speakers)) if code != DAVID]
    return (*order, speakers[DAVID]) if DAVID in speakers else tuple(order)


def declared(
    state: State, book: EntryBook, race: Race, entries: tuple[Entry, ...], struck: dict[tuple[str, ...], Complaint]
) -> tuple[list[Candidate], dict[str, Complaint]]:
    """Return who declares an entry, in order, and why each other company does not.

    *struck*: entries known to fall at the tolls: they count as not declared.
    """
    candidates: list[Candidate] = []
    fallen: dict[str, Complaint] = {}
    for companies in declaring_order(state, tuple(entry.companies for entry in entries)):
        for entry in entries:
            if entry.companies != companies:
                continue
            fault = struck.get(companies) or _refusal(state, book, race, entry, entries, candidates)
            if fault is not None:
                fallen.update(dict.fromkeys(companies, fault))
                continue
            candidates.append(Candidate(companies=companies, trains=list(entry.trains)))
            # Both players may have ordered for David.
            for code in companies:
                fallen.pop(code, None)
            break
    return candidates, fallen


def is_awaited(entries: tuple[Entry, ...], race: Race, companies: tuple[str, ...]) -> bool:
    """Return whether somebody else's entry depends on whether these companies run in the race. Rule: R23, D8.1."""
    conditions = [run.condition for entry in entries for run in entry.runs if run.condition is not None]
    return any(each.race == race.number and each.company in companies for each in conditions) or any(
        entry.companies == (DAVID,) for entry in entries
    )


def _refusal(
    state: State,
    book: EntryBook,
    race: Race,
    entry: Entry,
    entries: tuple[Entry, ...],
    candidates: list[Candidate],
) -> Complaint | None:
    if any(book.is_beyond_limit(code, race.number) for code in entry.companies):
        return complaint_of("illegal-too-many-entries", "D5.6", limit=book.limit)
    if entry.companies == (DAVID,) and not _may_run_david(state, entry, candidates):
        return complaint_of("illegal-david", "D8.1")
    conditions = [run.condition for run in entry.runs if run.condition is not None]
    earlier = _before(state, entry, entries) if conditions else frozenset()
    faults = [_unfulfilled(book, race, condition, earlier, candidates) for condition in conditions]
    return next((fault for fault in faults if fault is not None), None)


def _may_run_david(state: State, entry: Entry, candidates: list[Candidate]) -> bool:
    """Return whether David runs against a lone entrant, led by the other player. Rule: D8.1."""
    others = [company for candidate in candidates for company in candidate.companies]
    return len(others) == 1 and state.table.company(others[0]).player != entry.runs[0].company


def _before(state: State, entry: Entry, entries: tuple[Entry, ...]) -> frozenset[str]:
    """Return the companies that declare before a train, whether they enter or not. Rule: D6.1, D6.5."""
    trains = {code: each.companies for each in entries for code in each.companies}
    every = dict.fromkeys(trains.get(code, (code,)) for code in state.table.codes)
    order = declaring_order(state, tuple(every))
    return frozenset(code for companies in order[: order.index(entry.companies)] for code in companies)


def _unfulfilled(
    book: EntryBook, race: Race, condition: Condition, earlier: frozenset[str], candidates: list[Candidate]
) -> Complaint | None:
    """Return why an entry's condition does not hold: it may look only at those who declared earlier. Rule: D6.1."""

    def refused(code: str) -> Complaint:
        return complaint_of(code, "D6.1", company=condition.company, race=condition.race)

    if condition.race == race.number and condition.company in earlier:
        runs = any(condition.company in candidate.companies for candidate in candidates)
    elif condition.race in book.ran:
        runs = condition.company in book.ran[condition.race]
    else:
        return refused("illegal-condition-later")
    if runs == condition.runs:
        return None
    return refused("illegal-condition" if condition.runs else "illegal-condition-not")


# Which trains of a race stand: tolls that pairs set off against each other, caps, purses, lengths. Rule: D6.3, D6.4,
# D6.9.


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
