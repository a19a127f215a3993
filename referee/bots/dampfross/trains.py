"""The races a built-in player enters: those that promise most for their tolls, alone or with a partner."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import combinations

from referee.core import Amounts, Complaint, Hex, Numbers, Texts, cheapest_way, side
from referee.games.dampfross.board import ends_of, points_along, points_to_enter
from referee.games.dampfross.network import cap_of
from referee.games.dampfross.routing import Train, train_on
from referee.games.dampfross.state import DAVID, Race, Route, Run, State

from .. import FIRST, SECOND
from .seeing import Mind, Same, keeps_pacts
from .worth import RUNS, prize

TOLL_WEIGHTS = (2, 9, 20)  # what a unit of toll weighs against ten points of movement, from hurried to mean
LEAST = 0.1  # units that an entry must promise
MOST_SEEN = 4  # times that everybody thinks of what the others will enter
MOST_PACTS = 3  # joint runs of a company in a round

Node = tuple[Hex, str]
Plan = Mapping[str, Numbers]  # races by company


def entries(mind: Mind, limit: int, only: int, offers: Mapping[int, str]) -> tuple[list[Run], int]:
    """Return the entries that promise most, at most *limit* of them, in number order, and the units of their tolls; *only* the
    race asked for, if any; *offers*: who asks for a joint run of a race.
    """
    state, company = mind.state, mind.company
    lines = lines_of(Same(state))
    plan = plan_of(Same(state), limit)
    pacts = [each for each in pacts_of(Same(state), limit) if company in each[1].companies] if not only else []
    runs = [_run(race, train, company) for race, train in pacts]
    purse = state.balance[company] - sum(sum(train.tolls.values()) for _, train in pacts)
    offered = [race for race in state.offered_races() if only in (0, race.number)]
    for race in offered:
        partner = offers.get(race.number, "")
        if partner not in plan or len(runs) >= limit or race.number in {run.race for run in runs}:
            continue
        train = lines.train_by(tuple(code for code in plan if code in (company, partner)), race, TOLL_WEIGHTS[1])
        # Who asks runs in any case.
        beside = {**plan, partner: (*plan[partner], race.number)}
        alone = max([LEAST, *(lines.worth(each, race, beside) for each in lines.trains(company, race))])
        if train and lines.may_pay(train, purse) and lines.worth(train, race, plan) / 2 > alone:
            runs.append(_run(race, train, company))
            purse -= sum(train.tolls.values())
    joined = {run.race for run in runs}
    promising: list[tuple[float, Race, Train]] = []
    for race in offered:
        if race.number in joined:
            continue
        for train in lines.trains(company, race):
            if mind.strength == FIRST:  # looks at nobody else's trains
                worth = 18.0 - lines.moves(train) / 2 - sum(train.tolls.values())
            else:
                worth = lines.worth(train, race, plan)
            if mind.strength == SECOND:
                worth *= 0.2 + mind.whim(str(race.number)) / 160
            promising.append((worth, race, train))
    promising.sort(key=lambda each: (-each[0], each[1].number))
    for worth, race, train in promising:
        toll = sum(train.tolls.values())
        if worth < LEAST or len(runs) >= limit or race.number in joined or toll > max(0, purse):
            continue
        joined.add(race.number)
        purse -= toll
        runs.append(_run(race, train, company))
    return sorted(runs, key=lambda run: run.race), state.balance[company] - purse


def _run(race: Race, train: Train, company: str) -> Run:
    """Return a train as its company would order it, with the owner named wherever track is not its own."""
    over = tuple("" if owner == company and len(train.companies) == 1 else owner for owner in train.owners)
    partner = next((code for code in train.companies if code != company), "")
    return Run(race=race.number, routes=(Route(path=train.path, over=over),), partner=partner)


@lru_cache(maxsize=2)
def plan_of(position: Same, limit: int) -> Plan:
    """Return what everybody may be expected to enter who knows what the others may: each best beside all others' best."""
    state, lines = position.state, lines_of(position)
    plan: dict[str, Numbers] = dict.fromkeys(state.codes, ())
    for _ in range(MOST_SEEN):
        before = dict(plan)
        for code in plan:
            rated = [
                (max((lines.worth(train, race, plan) for train in lines.trains(code, race)), default=0.0), race.number)
                for race in state.offered_races()
            ]
            best = sorted((each for each in rated if each[0] >= LEAST), key=lambda each: (-each[0], each[1]))
            plan[code] = tuple(number for _, number in best[:limit]) if code != DAVID else ()
        if plan == before:
            break
    return plan


@lru_cache(maxsize=2)
def pacts_of(position: Same, limit: int) -> tuple[tuple[Race, Train], ...]:
    """Return the joint trains that suit both partners, where neither has one of its own: each of them comes to the same ones.

    People are asked last, as they may not answer; not by two players, who have two companies each.
    """
    state, lines = position.state, lines_of(position)
    made: list[tuple[Race, Train]] = []
    count = dict.fromkeys(state.codes, 0)
    purse = {code: max(0, state.balance[code]) for code in count}
    plan = plan_of(position, limit)
    sure = {code for code in count if keeps_pacts(state, code)}
    partners = [code for code in count if code != DAVID and (code in sure or len(state.table.players) > 2)]
    found = [
        (-len(sure.intersection(pair)), -lines.worth(train, race, plan), race.number, pair, race, train)
        for race in state.offered_races()
        for pair in combinations(
            [code for code in partners if race.number not in plan[code] and len(plan[code]) < limit], 2
        )
        if sure.intersection(pair) and (train := lines.train_by(pair, race, TOLL_WEIGHTS[1]))
    ]
    for _, worth, _, pair, race, train in sorted(found):
        joined = {code for other, theirs in made if other is race for code in theirs.companies}
        spare = all(
            code not in joined and count[code] < MOST_PACTS and len(plan[code]) + count[code] < limit for code in pair
        )
        if -worth / 2 >= LEAST and spare and lines.may_pay(train, min(purse[code] for code in pair)):
            made.append((race, train))
            for code in pair:
                count[code] += 1
                purse[code] -= sum(train.tolls.values())
    return tuple(made)


class Lines:
    """The track on the board as trains find it; each hex, and each company's train for a race, is looked for once."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._known: dict[Hex, tuple[tuple[Hex, str, int], ...]] = {}
        self._trains: dict[tuple[str, int], tuple[Train, ...]] = {}

    def __getitem__(self, label: Hex) -> tuple[tuple[Hex, str, int], ...]:
        """Return where track leads from a hex, whose it is, and the points of movement."""
        if label not in self._known:
            board = self.state.board
            self._known[label] = tuple(
                (other, owner, points_to_enter(board, label, other))
                for other in board.steps_from(label)
                for owner in self.state.owners(side(label, other))
            )
        return self._known[label]

    def trains(self, company: str, race: Race) -> tuple[Train, ...]:
        """Return the company's trains that may run, from the fastest to the cheapest."""
        key = (company, race.number)
        if key not in self._trains:
            found = (self.train_by((company,), race, weight) for weight in TOLL_WEIGHTS)
            purse = max(0, self.state.balance[company])
            may_run = {train.path: train for train in found if train and self.may_pay(train, purse)}
            self._trains[key] = tuple(may_run.values())
        return self._trains[key]

    def may_pay(self, train: Train, purse: int) -> bool:
        """Return whether no toll is above the cap, nor all of them above what is in a purse."""
        return max(train.tolls.values(), default=0) <= cap_of(self.state) and sum(train.tolls.values()) <= purse

    def worth(self, train: Train, race: Race, plan: Plan) -> float:
        """Return the prize that a train may expect beside those that a plan has run, less what its tolls weigh."""
        rivals = [
            (self.moves(theirs[0]), RUNS)
            for code, races in plan.items()
            if race.number in races and code not in train.companies and (theirs := self.trains(code, race))
        ]
        shared = self.state.options.prizes == "shared"
        return prize(self.moves(train), tuple(sorted(rivals)), shared) - self.weight_of(train.tolls)

    def weight_of(self, tolls: Amounts) -> float:
        """Return what units paid to rivals weigh: half more for who leads, half less for who is last, as ranks decide a game."""
        balance = self.state.balance
        last, lead = min(balance.values()), max(balance.values())
        return sum(units * (0.5 + (balance[owner] - last) / ((lead - last) or 1)) for owner, units in tolls.items())

    def moves(self, train: Train) -> int:
        """Return the points of movement of a train's route."""
        return points_along(self.state.board, train.path)[-1]

    def train_by(self, companies: Texts, race: Race, weight: int) -> Train | None:
        """Return the train of one company or two on the best way for a weight of tolls, None where there is none."""
        state, board = self.state, self.state.board

        def edges(node: Node) -> Iterable[tuple[Node, int]]:
            label, before = node
            if board.is_foreign(label) and before and board.foreign_build != "free":
                return
            for other, owner, points in self[label]:
                toll = 0 if owner in companies else 1 if owner == before else 2
                yield (other, owner), 10 * points + weight * toll

        goals = [(label, code) for label in ends_of(board, race.end) for code in state.codes]
        found = cheapest_way([(label, "") for label in ends_of(board, race.start)], goals, edges)
        if found is None:
            return None
        path = tuple(label for label, _ in found[1])
        train = train_on(state, companies, race, Route(path=path, over=tuple(owner for _, owner in found[1][1:])))
        return None if isinstance(train, Complaint) else train


@lru_cache(maxsize=2)
def lines_of(position: Same) -> Lines:
    """Return the track of a position; all players who see the same object share what one of them has found."""
    return Lines(position.state)
