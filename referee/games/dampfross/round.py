"""A round as an agenda of things to do and decisions to take; a turn plays it whole, or up to the next decision.

A company's orders answer its decisions as they come up, whether everybody's are in (``together``) or one company after the
other is asked (``one-by-one``): the same code plays both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.core import Dice, complaint_of, of_kind
from referee.core.game import Changes, Outcome

from .building import Gang, break_off, build, building_is_over, end_building
from .changes import CHANGES, Record
from .draws import counts_for_building, draw_for_round, draw_races, may_draw, spending_after, throw_rolls
from .events import (
    Asked,
    EntryDeclared,
    GameEnded,
    GameStarted,
    HomeChosen,
    NothingReceived,
    OrderRefused,
    RacesDrawn,
    RoundEnded,
)
from .names import place_name
from .options import AFTER_A_ROUND, TARGETS, allowed_building, number, word
from .racing import Races, by_company, decider, lone_entrant
from .state import (
    DAVID,
    START_BALANCE,
    Build,
    ChooseHome,
    Codes,
    Item,
    Order,
    Phase,
    Piece,
    Race,
    Run,
    State,
    all_homes,
    homes_of,
)

Orders = Mapping[str, tuple[Order, ...]]

IDLE_ROUNDS = 3  # building rounds without any track after which building ends. Rule: R20


# What is to do in a round: decisions to take, races to run, and how often companies build among them. Rule: D4, D5.6, D7.1.


def agenda_of(state: State) -> list[Item]:
    """Return what is to do in a round that begins. Rule: D4.1, D4.2, D5.6, D7.1."""
    homes = [
        Item(what="home", company=code) for code in state.codes if code not in state.home and homes_of(state, code)
    ]
    if state.is_building:
        rolls = range(1, state.options.rolls_per_round + 1)
        if state.options.order_of_building == "simultaneous":
            return [*homes, *(Item(what="roll", number=roll) for roll in rolls)]
        return [
            *homes,
            *(Item(what="build", number=roll, company=code) for roll in rolls for code in _turn_order(state, roll)),
        ]
    agenda = []
    for race in state.races:
        due = race.status == "open" and race.round <= state.round
        if due:
            agenda.append(Item(what="race", number=race.number))
        counts = due or (race.round == state.round and counts_for_building(state, race))
        if counts and spending_after(state, race.number):
            agenda.append(Item(what="spending", number=race.number))
    if allowed_building(state.options).by in AFTER_A_ROUND:
        agenda.append(Item(what="spending"))
    if state.is_last_round and agenda and agenda[-1].what == "spending":
        del agenda[-1]
    return [*homes, *agenda]


def spendings(state: State, before: int = 0) -> int:
    """Return how often companies build among this round's races, or *before* one of them. Rule: D7.1."""
    agenda = agenda_of(state)
    race = Item(what="race", number=before)
    due = agenda[: agenda.index(race)] if race in agenda else agenda
    return sum(item.what == "spending" for item in due)


def builds_before(state: State, race: Race) -> bool:
    """Return whether track may be laid between today and a race of this round. Rule: D7.1."""
    return not state.one_by_one and spendings(state, race.number) > 0


def builds_after_a_race(state: State) -> bool:
    """Return whether companies build after one of this round's races, run or cancelled. Rule: D7.1, R34."""
    return any(item.what == "spending" and item.number for item in agenda_of(state))


def allowance(state: State) -> int:
    """Return the points (or hexes) that each company may spend at a time this round, 0 where there is no building.

    Where the allowance is a race's income it is not known before: then 0, too. Rule: D7.1.
    """
    return allowed_building(state.options).most if state.is_racing and spendings(state) else 0


def may_build(state: State) -> bool:
    """Return whether building may be ordered for what is still to come of this round."""
    to_do = state.agenda or agenda_of(state)
    return state.is_building or (state.is_racing and any(item.what in ("spending", "spend") for item in to_do))


def _turn_order(state: State, roll: int) -> Codes:
    """Return the companies in the order in which they build: the first moves on by one place each roll. Rule: D4.1."""
    codes = state.codes
    first = ((state.round - 1) * state.options.rolls_per_round + roll - 1) % len(codes)
    return codes[first:] + codes[:first]


def start(state: State, dice: Dice) -> Outcome:
    """Open the accounts and throw the rolls of the first round. Rule: D1.2, D4.4."""
    record = Record(state, CHANGES, dice)
    record.add(GameStarted(balance=START_BALANCE))
    throw_rolls(record, 1)
    for code in record.state.codes:
        # Where a company has no choice its home is opened at once (Russia: Moskwa for all). Rule: D1.3.
        homes = all_homes(record.state)
        if len(homes) == 1 and homes_of(record.state, code):
            record.add(HomeChosen(company=code, hex=homes[0]))
    if state.one_by_one:
        record.add(Asked(agenda=tuple(agenda_of(record.state))))
    return record.outcome()


def adjudicate(state: State, orders: Orders, dice: Dice) -> Outcome:
    """Play one turn: the whole round, or the decision that was asked for and on to the next one."""
    played, one_by_one = Round(state, by_company(state, orders), dice), state.one_by_one
    for asked in [decider(state)] if one_by_one else [player.code for player in state.table.players]:
        if asked not in orders:
            played.add(NothingReceived(company=asked, round=state.round))
    played.play([*state.agenda] if one_by_one else agenda_of(state), decisions=1 if one_by_one else -1)
    return played.outcome()


class Round(Record):
    """A round being played: the agenda is worked off; a decision takes its company's orders."""

    def __init__(
        self,
        state: State,
        orders: Orders,
        dice: Dice,
        changes: Changes = CHANGES,
    ) -> None:
        super().__init__(state, changes, dice)
        self.orders = orders
        self.agenda: list[Item] = []
        self.is_building = False  # in a round for building alone
        self.is_won = False  # the race run last brought somebody the target
        self.begun: dict[str, dict[int, int]] = {}  # how far a company's pieces have come. Rule: R32
        together = not state.one_by_one
        self.running = "race" if together else "run"  # the thing to do with which a race is run
        self.builds = {code: of_kind(Build, own) for code, own in orders.items()}
        self.races = Races(self, {code: of_kind(Run, own) for code, own in orders.items()} if together else {})

    def ask_for_first(self) -> Outcome:
        """Ask for the first decision of a round that begins, when companies are asked one by one."""
        if self.state.phase != "over" and self.state.one_by_one:
            self.play(agenda_of(self.state), decisions=0)
        return self.outcome()

    def play(self, agenda: list[Item], decisions: int) -> None:
        """Work off *agenda*; after that many *decisions* (-1: all) stop at the next one and ask for it."""
        self.agenda = agenda
        self.is_building = self.state.is_building
        while agenda:
            item = agenda[0]
            if item.company and decisions == 0 and self._is_open(item):
                self.add(Asked(agenda=tuple(agenda)))
                return
            del agenda[0]
            if item.company and self._is_open(item):
                decisions -= 1
            agenda[:0] = self._do(item)
            if self._is_cut_short(item):
                self._tell_void()
                agenda.clear()
        self._close()

    def _do(self, item: Item) -> list[Item]:
        """Do one thing; return what it leaves to do at once."""
        return _DOERS[item.what](self, item) or []

    def _is_open(self, item: Item) -> bool:
        """Return whether a decision is still to be taken: David runs only against a lone entrant. Rule: D8.1."""
        if item.company == DAVID and item.what == "declare":
            return bool(lone_entrant(self.state, item.number))
        return not (item.company == DAVID and item.what == "spend")

    def _is_cut_short(self, done: Item) -> bool:
        """Return whether the rest of the round is not played. The target is looked at after a race alone. Rule: D2.7, R21."""
        if self.is_building:
            return building_is_over(self.state)
        self.is_won = done.what == self.running and target_reached(self.state)
        return self.is_won

    def _tell_void(self) -> None:
        """Tell what was ordered for the rest of the round, which is not played. Rule: D2.7, R21."""
        if self.state.one_by_one:
            return  # nobody has been asked yet
        for item in self.agenda:
            if item.what in ("roll", "build"):
                self._do(item)  # nothing is laid any more
            elif item.what == "race":
                self.races.call_off(item.number)
        if any(item.what == "spending" for item in self.agenda):
            for code in self.state.codes:
                gang = Gang(code, self._pieces(code, None), 0, begun=self.begun.get(code, {}))
                break_off(self, gang, complaint_of("illegal-game-over", "R21", text="BUILD"))

    def _home(self, item: Item) -> None:
        """Open the home terminal a company chose: the first of those it named that it may have. Rule: D1.3."""
        code, state = item.company, self.state
        for order in of_kind(ChooseHome, self.orders.get(code, ()))[:1]:
            allowed = [city for city in order.cities if city in homes_of(state, code)]
            if allowed:
                self.add(HomeChosen(company=code, hex=allowed[0]))
            else:
                names = " / ".join(place_name(state.board, city) for city in order.cities)
                complaint = complaint_of("illegal-home-taken", "D1.3", names)
                self.add(OrderRefused(company=code, complaint=complaint, paragraph="D1.3"))

    def _roll(self, item: Item) -> None:
        """Play a roll, a company's or everybody's, step by step; David pays its leader no fees. Rule: D4.1, D4.2, D8.1."""
        state, roll, gangs = self.state, item.number, list[Gang]()
        for code in (item.company,) if item.company else state.codes:
            if pieces := self._pieces(code, roll):
                exempt = state.david_leader(roll) if code == DAVID else ""
                gangs.append(Gang(code, pieces, state.rolls_of(code)[roll - 1], exempt=exempt))
        build(self, roll, *gangs)

    def _race(self, item: Item) -> list[Item]:
        """Run a race with everybody's entries, or ask for them, richest first. Rule: D6.1."""
        state = self.state
        if not state.one_by_one:
            self.races.run(item.number)
            return []
        codes = [code for code in state.richest_first(state.codes) if code != DAVID and code in state.home]
        david = [DAVID] if DAVID in state.home else []
        asked = [Item(what="declare", number=item.number, company=code) for code in (*codes, *david)]
        return [*asked, Item(what="run", number=item.number)]

    def _declare(self, item: Item) -> None:
        runs = [run for run in of_kind(Run, self.orders.get(item.company, ())) if run.race == item.number]
        if runs and self._is_open(item):
            self.add(EntryDeclared(company=item.company, run=runs[0]))

    def _run(self, item: Item) -> None:
        Races(self, {each.company: (each.run,) for each in self.state.declared}).run(item.number)

    def _spending(self, item: Item) -> list[Item]:
        """Ask the companies in order, the poorest first. Rule: D7.1."""
        state = self.state
        codes = state.poorest_first(tuple(code for code in state.codes if code != DAVID))
        if state.options.race_build_order == "clockwise-from-poorest":
            order = tuple(code for code in state.codes if code != DAVID)
            first = order.index(codes[0])
            codes = order[first:] + order[:first]
        return [Item(what="spend", number=item.number, company=code) for code in codes]

    def _spend(self, item: Item) -> None:
        """Let a company build from its account; what it cannot pay waits for a later building of the turn.

        Rule: D7.1, R32.
        """
        code = item.company
        pieces = self._pieces(code, None)
        if not pieces:
            return
        state = self.state
        allowed = allowed_building(state.options)
        gang = Gang(
            company=code,
            pieces=pieces,
            left=state.income.get(code, 0) if allowed.by == "race-income" else allowed.most,
            pays=True,
            by_hexes=allowed.by == "hexes",
            begun=self.begun.setdefault(code, {}),
            goes_on=not state.one_by_one and any(each.what == "spending" for each in self.agenda),
        )
        build(self, 1, gang)

    def _pieces(self, code: str, roll: int | None) -> tuple[Piece, ...]:
        builds = self.builds.get(code, ())
        return tuple([piece for order in builds if roll in (None, order.roll) for piece in order.pieces])

    def _close(self) -> None:
        """Go on to the next round: its rolls are thrown, its races drawn, or the game ends."""
        state = self.state
        if state.is_building:
            _close_building(self)
        elif state.is_last_round or self.is_won or not _more_races(self):
            self.add(RoundEnded(round=state.round, phase="over"))
            _end_game(self)
        else:
            self.add(RoundEnded(round=state.round, phase="race"))
        if self.state.phase != "over" and state.one_by_one:
            agenda = agenda_of(self.state)
            if agenda and agenda[0].company:
                self.add(Asked(agenda=tuple(agenda)))
            else:
                self.play(agenda, decisions=0)


_DOERS: Mapping[str, Callable[[Round, Item], list[Item] | None]] = {
    "home": Round._home,
    "roll": Round._roll,
    "build": Round._roll,
    "race": Round._race,
    "declare": Round._declare,
    "run": Round._run,
    "spending": Round._spending,
    "spend": Round._spend,
}


def target_reached(state: State) -> bool:
    """Return whether somebody has the money that ends the game. Rule: D8.2, options (``game_ends``)."""
    option = state.options.game_ends
    if word(option) != "target" or not state.is_racing:
        return False
    target = number(option) if ":" in option else TARGETS[len(state.table.players)]
    return max(_earnings(state).values()) >= target


def _more_races(record: Record) -> bool:
    """Return whether there is something to do in the next round; with dice its races are drawn now. Rule: D5.2, R34."""
    if record.state.options.race_schedule == "sectors":
        return True
    following = record.state.round + 1
    draw_for_round(record, following)
    drawn = [race for race in record.state.races if race.round == following]
    # Where all were cancelled the round is for the building that is due, if a race comes after it.
    return bool(drawn) and (any(race.status == "open" for race in drawn) or may_draw(record.state))


def _end_game(record: Record) -> None:
    """Name the winners. Rule: D9."""
    earnings = _earnings(record.state)
    best = max(earnings.values())
    record.add(GameEnded(winners=tuple(code for code, amount in earnings.items() if amount == best)))


def _earnings(state: State) -> dict[str, int]:
    """Return what counts: each company's balance; where players have two companies, the sum of each player's. Rule: D8.2."""
    if any(player.second_code for player in state.table.players):
        return {player.code: state.earning(player.code) for player in state.table.players}
    return {code: state.balance[code] for code in state.codes}


def _close_building(record: Record) -> None:
    state = record.state
    following = state.round + 1
    over_now = building_is_over(state) or state.idle + 1 >= IDLE_ROUNDS
    if over_now and word(state.options.building_ends) == "cities-left":
        end_building(record)
    done = following > state.building_rounds > 0 or bool(record.state.racing_from)
    rolls = state.rolls or (0,) * state.options.rolls_per_round
    phase: Phase = "build" if not done else "race" if _more_races(record) else "over"
    record.add(RoundEnded(round=state.round, phase=phase, rolls=rolls, own_rolls=state.own_rolls))
    if phase == "build":
        throw_rolls(record, following)
    elif phase == "over":
        _end_game(record)
    elif state.options.race_schedule == "sectors":
        races = draw_races(state.board, record.dice, following, state.options.shortest_race)
        wanted = state.options.races
        record.add(RacesDrawn(races=races[:wanted] if isinstance(wanted, int) else races, round=following))
