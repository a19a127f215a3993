"""Who declares when, and whether what an entry depends on has come about. Rule: D5.6, D6.1, D6.5, D8.1, R23."""

from __future__ import annotations

from referee.core.orders import Complaint, complaint_of
from referee.core.values import Mutable
from referee.games.dampfross.position.orders import Condition
from referee.games.dampfross.position.state import DAVID, Race, State
from referee.games.dampfross.race.entries import Entry, EntryBook, poorer
from referee.games.dampfross.route.routes import Train


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
