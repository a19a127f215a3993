"""Who declares when, and whether what an entry depends on has come about. Rule: D5.6, D6.1, D6.5, D8.1, R23."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from referee.core import Amounts, Complaint, Side, Value, complaint_of

from .building import shares_of
from .names import as_written, owner_name
from .network import cap_of
from .routing import Train, train_on
from .state import DAVID, Codes, Condition, Race, Run, State

# The entries of a round of races, and which of them can be run on the track as it lies. Rule: D5.6, D6.1, D6.2, D6.5.

Runs = Mapping[str, tuple[Run, ...]]
Track = Mapping[Side, Codes]


class Entry(Value):
    """A train that can run: its alternatives in order of writing. ``runs``: the order of each of ``companies``."""

    companies: Codes
    runs: tuple[Run, ...]
    trains: tuple[Train, ...]


Entries = tuple[Entry, ...]
Refusals = dict[str, Complaint]  # why companies cannot run
Found = tuple[Entries, Refusals]  # entries that can be run; why other companies' cannot


class EntryBook:
    """The entries of one racing round, by company in order of writing, and which of them were refused so far.

    For David both players may write an entry for the same race: which of them leads David is known when it comes up. Where only
    one race's entries are known, ``entered`` are the races run before. ``looked_up``: by race what can be run, and the track on
    which it was looked up.
    """

    def __init__(self, state: State, runs: Runs) -> None:
        self.runs, self.limit = runs, entry_limit(state)  # of the whole round: races that are run must not lower it
        self.entered: Amounts = state.entered if state.one_by_one else {}
        self.refused = set[tuple[str, int]]()
        self.ran: dict[int, frozenset[str]] = {}  # who ran in the races so far
        self.by_race: dict[tuple[str, int], tuple[Run, ...]] = {}
        self.looked_up: dict[int, tuple[Track, Found]] = {}
        for company, own in runs.items():
            for run in own:
                there = self.runs_of(company, run.race)
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
        return entered + len(ran | {other for other in before if (company, other) not in self.refused}) >= self.limit

    def settle(self, race: int, ran: frozenset[str], refused: Mapping[str, Complaint]) -> None:
        """Note who runs in a race and whose entry for it fell."""
        self.ran[race] = ran
        self.refused |= {(company, race) for company in refused}


def entry_limit(state: State) -> int:
    """Return how many races a company may enter this round: 2 or 3 carried over give one more, 4 or 5 two more, and so on.

    Rule: D5.6.
    """
    entries = state.options.entries
    if isinstance(entries, int):
        return entries + len(state.carried_races()) // 2
    return len(state.offered_races()) + len(state.settled)


def poorer(state: State, companies: Codes) -> str:
    """Return the company whose balance speaks for a train. Rule: D6.5."""
    return state.poorest_first(companies)[0]


def note_hopeless(state: State, book: EntryBook) -> None:
    """Note which entries cannot be run on the track as it lies: they do not count for the limit. Rule: R3."""
    wanted = {number for _, number in book.by_race}
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
    if known and known[0] is state.track:  # what can be run depends on nothing else that changes in a round
        return known[1]
    entries: list[Entry] = []
    hopeless: Refusals = {}
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
    looked_up = tuple(entries), hopeless
    book.looked_up[race.number] = state.track, looked_up
    return looked_up


def _entry(state: State, book: EntryBook, race: Race, company: str, run: Run) -> Entry | Complaint:
    """Return the entry with those of its routes that lie on track, or why it has none."""
    runs = {company: run}
    routes = run.routes
    if run.partner:
        if DAVID in (company, run.partner):
            return complaint_of("illegal-david", "D8.1")
        theirs = next((each for each in book.runs_of(run.partner, race.number) if each.partner == company), None)
        if not theirs:
            return complaint_of("illegal-joint-alone", "D6.5", partner=run.partner, race=race.number)
        runs[run.partner] = theirs
        # Either partner may leave the routes to the other, else they must agree.
        both = tuple(route for route in routes if route in theirs.routes)
        routes = both if routes and theirs.routes else routes or theirs.routes
        if not routes:
            return complaint_of("illegal-joint-routes", "D6.5", partner=run.partner, race=race.number)
    if not routes:
        return complaint_of("illegal-no-route", "D6.1", race=race.number)
    companies = tuple([code for code in state.codes if code in runs])
    # David's track counts nothing for the player who runs David: ``company`` of the order names that player. Rule: R9.
    free = (run.company,) if company == DAVID and run.company else ()
    tried = [train_on(state, companies, race, route, free) for route in routes]
    trains = tuple([train for train in tried if isinstance(train, Train)])
    if trains:
        return Entry(companies=companies, runs=tuple([runs[code] for code in companies]), trains=trains)
    faults = zip(tried, routes, strict=True)
    return next(as_written(fault, route.writing) for fault, route in faults if isinstance(fault, Complaint))


# The trains that want to run, in order of declaring: the alternatives of each in order of writing, the first that may stand
# first.
Running = dict[Codes, list[Train]]


def declaring_order(state: State, trains: tuple[Codes, ...]) -> tuple[Codes, ...]:
    """Return *trains*, each as its companies, richest first; a joint one declares at the poorer partner's balance.

    David waits to see whether there is a lone entrant. Rule: D6.1, D6.5, D8.1.
    """
    if len(trains) < 2:
        return trains
    speakers = {poorer(state, companies): companies for companies in trains}
    order = [speakers[code] for code in state.richest_first(tuple(speakers)) if code != DAVID]
    return (*order, speakers[DAVID]) if DAVID in speakers else tuple(order)


def declarers(
    state: State, book: EntryBook, race: Race, entries: Entries, struck: dict[Codes, Complaint]
) -> tuple[Running, Refusals]:
    """Return who declares an entry, in order, and why each other company does not.

    *struck*: entries known to fall at the tolls: they count as not declared.
    """
    candidates: Running = {}
    fallen: Refusals = {}
    for companies in declaring_order(state, tuple([entry.companies for entry in entries])):
        for entry in entries:
            if entry.companies != companies:
                continue
            fault = struck.get(companies) or _refusal(state, book, race, entry, entries, candidates)
            if fault:
                fallen.update(dict.fromkeys(companies, fault))
                continue
            candidates[companies] = [*entry.trains]
            # Both players may have ordered for David.
            for code in companies:
                fallen.pop(code, None)
            break
    return candidates, fallen


def is_awaited(entries: Entries, race: Race, companies: Codes) -> bool:
    """Return whether somebody else's entry depends on whether these companies run in the race. Rule: R23, D8.1."""
    conditions = [run.condition for entry in entries for run in entry.runs if run.condition]
    return any(each.race == race.number and each.company in companies for each in conditions) or any(
        entry.companies == (DAVID,) for entry in entries
    )


def _refusal(
    state: State,
    book: EntryBook,
    race: Race,
    entry: Entry,
    entries: Entries,
    candidates: Running,
) -> Complaint | None:
    if any(book.is_beyond_limit(code, race.number) for code in entry.companies):
        return complaint_of("illegal-too-many-entries", "D5.6", limit=book.limit)
    if entry.companies == (DAVID,):
        # David runs against a lone entrant, led by the other player.
        others = [company for companies in candidates for company in companies]
        if len(others) != 1 or state.table.company(others[0]).player == entry.runs[0].company:
            return complaint_of("illegal-david", "D8.1")
    conditions = [run.condition for run in entry.runs if run.condition]
    if not conditions:
        return None
    earlier = _before(state, entry, entries)
    faults = [_condition_fault(book, race, condition, earlier, candidates) for condition in conditions]
    return next((fault for fault in faults if fault), None)


def _before(state: State, entry: Entry, entries: Entries) -> frozenset[str]:
    """Return the companies that declare before a train, whether they enter or not. Rule: D6.1, D6.5."""
    trains = {code: each.companies for each in entries for code in each.companies}
    order = declaring_order(state, tuple(dict.fromkeys(trains.get(code, (code,)) for code in state.codes)))
    return frozenset(code for companies in order[: order.index(entry.companies)] for code in companies)


def _condition_fault(
    book: EntryBook, race: Race, condition: Condition, earlier: frozenset[str], candidates: Running
) -> Complaint | None:
    """Return why an entry's condition does not hold: it may look only at those who declared earlier. Rule: D6.1."""

    def fault(code: str) -> Complaint:
        return complaint_of(code, "D6.1", company=condition.company, race=condition.race)

    if condition.race == race.number and condition.company in earlier:
        runs = any(condition.company in companies for companies in candidates)
    elif condition.race in book.ran:
        runs = condition.company in book.ran[condition.race]
    else:
        return fault("illegal-condition-later")
    if runs == condition.runs:
        return None
    return fault("illegal-condition" if condition.runs else "illegal-condition-not")


# Which trains of a race stand: tolls that pairs set off against each other, caps, purses, lengths. Rule: D6.3, D6.4,
# D6.9.


def admitted_trains(state: State, book: EntryBook, race: Race) -> tuple[tuple[Train, ...], Refusals]:
    """Return the trains of a race in order of declaring, richest first, and why each other company's entry fell.

    Where an entry falls at the tolls on which others depend, all declare anew without it: of several first one that would fall
    whoever ran, else the richest. Rule: D6.1-D6.5, D8.1, R5, R23.
    """
    entries, hopeless = entries_of(state, book, race)
    struck: dict[Codes, Complaint] = {}
    while True:
        candidates, fallen = declarers(state, book, race, entries, struck)
        entrants = [*candidates]
        _strike_until_stable(state, candidates, fallen)
        gone = [each for each in entrants if each[0] in fallen and is_awaited(entries, race, each)]
        if not gone:
            break
        lost = _trains_lost(state, entries)
        first = next((each for each in gone if each in lost), gone[0])
        struck[first] = fallen[first[0]]
    ran = frozenset([code for companies in candidates for code in companies])
    fallen = {code: why for code, why in {**hopeless, **fallen}.items() if code not in ran}
    book.settle(race.number, ran, fallen)
    return tuple([own[0] for own in candidates.values()]), fallen


def toll_shares(state: State, train: Train, amount: int) -> dict[str, int]:
    """Return what each company of a train pays of a toll, the odd unit in favour of the poorer. Rule: D6.5."""
    return shares_of(amount, state.poorest_first(train.companies)[::-1])


def _trains_lost(state: State, entries: Entries) -> set[Codes]:
    """Return the trains that fall at the tolls even if every condition holds."""
    everybody: Running = {}
    for entry in entries:
        everybody.setdefault(entry.companies, []).extend(entry.trains)
    _strike_until_stable(state, everybody, {})
    return {entry.companies for entry in entries} - everybody.keys()


def _strike_until_stable(state: State, candidates: Running, fallen: Refusals) -> None:
    """Strike what may not stand, or take its next alternative, until nothing changes. Rule: D6.3, D6.4, D6.9."""
    while failing := _failing(state, candidates):
        for companies, why in failing:
            candidates[companies].pop(0)
            if not candidates[companies]:
                del candidates[companies]
                fallen.update(dict.fromkeys(companies, why))


def _failing(state: State, candidates: Running) -> list[tuple[Codes, Complaint]]:
    """Return the trains that may not run beside the others, and why.

    Lengths are compared only when all can pay: the shortest route must be one that stands. Rule: R6.
    """
    trains = [own[0] for own in candidates.values()]
    failing = [(each.companies, fault) for each in trains if (fault := _unpayable(state, each, trains))]
    if failing or state.options.prizes != "shared":
        return failing
    return [(each.companies, fault) for each in trains if (fault := _too_long(each, trains))]


def _unpayable(state: State, train: Train, trains: list[Train]) -> Complaint | None:
    """Return why a train's tolls may not be paid, None if they may. Rule: D6.3 (``toll_debt``), D6.4."""
    cap = cap_of(state)

    def debt_to(rival: str) -> int:  # what this train owes these companies in the same race. Rule: R17
        theirs = _train_of(rival, trains)
        return sum(theirs.tolls.get(company, 0) for company in train.companies) if theirs else 0

    for rival, toll in train.tolls.items():
        if toll > cap and (net := toll - debt_to(rival)) > cap:
            return complaint_of("illegal-toll-cap", "D6.4", rival=owner_name(rival), toll=toll, net=net, cap=cap)
    poor = sum(train.tolls.values()) > min(state.balance[company] for company in train.companies)
    if poor and state.options.toll_debt == "refused":
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
    owed = Counter[tuple[str, Codes]]()
    received: dict[tuple[str, Codes], int] = {}
    for rival, toll in train.tolls.items():
        theirs = _train_of(rival, trains)
        payees = theirs.companies if theirs else (rival,)
        for company, share in toll_shares(state, train, toll).items():
            owed[company, payees] += share
            received[company, payees] = theirs.tolls.get(company, 0) if theirs else 0
    due = dict.fromkeys(train.companies, 0)
    for (company, payees), amount in owed.items():
        due[company] += max(0, amount - received[company, payees])
    return due


def _train_of(rival: str, trains: list[Train]) -> Train | None:
    return next((other for other in trains if rival in other.companies), None)
