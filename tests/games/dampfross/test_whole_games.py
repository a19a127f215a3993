"""Whole postal games on Ireland: what holds for every turn, whoever plays and however badly."""

import json
import random
from functools import reduce
from itertools import groupby, pairwise, product

import pytest

from referee.core import Hex, SeededDice, neighbours, side, straight_run
from referee.core.game import Outcome, Setup
from referee.games.dampfross import GAME
from referee.games.dampfross.changes import CHANGES, Record
from referee.games.dampfross.declaring import entry_limit
from referee.games.dampfross.events import (
    CityConnected,
    EntryRefused,
    Event,
    HomeChosen,
    PieceStopped,
    PrizePaid,
    RaceRun,
    TollPaid,
    TrackLaid,
    TrainEntered,
)
from referee.games.dampfross.state import START_BALANCE, Build, ChooseHome, Order, Piece, Race, Route, Run, State
from tests.games.dampfross.everymap import check_charges
from tests.games.dampfross.recordedgames import USUAL, recorded_game, usual_game
from tests.games.dampfross.wholegame import Spoil, Turn, play_game, setup_of
from tests.games.lines import understood, unnumbered
from tests.games.recorded import read_recording

every_game = pytest.mark.parametrize(("companies", "seed"), USUAL)


# --- what holds for every turn ---


def check_turn(setup: Setup, turn: Turn) -> None:
    """Everything that is true of a turn whatever was ordered."""
    before, outcome = turn.before, turn.outcome
    folded = reduce(lambda state, event: GAME.apply(state, event), outcome.events, before)
    assert folded == outcome.state
    check_money(before, outcome)
    check_track(outcome.state)
    check_races(before, outcome)
    check_storage(setup, turn)
    told = GAME.story(outcome.state, outcome.events, None)
    check_charges(setup, told)
    assert told["table"]["balanced"]
    assert [row["cells"][-1] for row in told["table"]["rows"]] == list(outcome.state.balance.values())
    json.dumps(GAME.view(outcome.state, None))


def check_money(before: State, outcome: Outcome) -> None:
    """Money comes from bonuses and prizes, goes for track, and never comes or goes otherwise."""
    events = outcome.events
    bonuses = sum(event.bonus for event in events if isinstance(event, CityConnected))
    prizes = sum(event.amount for event in events if isinstance(event, PrizePaid))
    track = sum(event.units for event in events if isinstance(event, TrackLaid))
    assert sum(outcome.state.balance.values()) == sum(before.balance.values()) + bonuses + prizes - track


def check_track(state: State) -> None:
    """Rule: D2.2, D2.4, D2.5: each network hangs together, lies on land, and has no side twice."""
    for laid, owners in state.track.items():
        assert len(set(owners)) == len(owners)
        assert all(label in state.table.board.ground for label in laid)
        assert laid not in state.table.board.closed
    for code in state.table.codes:
        home = state.home.get(code)
        assert state.reached[code] == (reachable(state, code, home) if home else frozenset())


def reachable(state: State, code: str, home: Hex) -> frozenset[Hex]:
    """Return the hexes that a company's own track joins to its home; there is no other track of its own."""
    beside: dict[Hex, set[Hex]] = {home: set()}
    for (one, other), owners in state.track.items():
        if code in owners:
            beside.setdefault(one, set()).add(other)
            beside.setdefault(other, set()).add(one)
    found, todo = {home}, [home]
    while todo:
        new = beside[todo.pop()] - found
        found |= new
        todo += new
    assert found == set(beside)
    return frozenset(found)


def check_races(before: State, outcome: Outcome) -> None:
    """Rule: D5.6, D6.3, D6.4, D6.7: limits, the cap, nobody below zero by tolls, 20 or 30 in prizes."""
    entries: dict[str, int] = {}
    state = before
    for event in outcome.events:
        after = GAME.apply(state, event)
        if isinstance(event, TrainEntered):
            for company in event.companies:
                entries[company] = entries.get(company, 0) + 1
        state = after
    assert all(count <= entry_limit(before) for count in entries.values())
    racing = [event for event in outcome.events if hasattr(event, "race")]
    for number, group in groupby(racing, key=lambda event: event.race):
        events = tuple(group)
        tolls = [event for event in events if isinstance(event, TollPaid)]
        trains = [event for event in events if isinstance(event, TrainEntered)]
        if any(isinstance(event, RaceRun) for event in events):
            prizes = sum(event.amount for event in events if isinstance(event, PrizePaid))
            assert prizes == (30 if len(trains) > 1 else 20), number
        for train in trains:
            check_cap(train.companies, trains, tolls)
    check_tolls(before, outcome)


def check_cap(companies: tuple[str, ...], trains: list[TrainEntered], tolls: list[TollPaid]) -> None:
    """Rule: D6.4, D6.5: at most 10 from one train to one rival, or a net of at most 10."""
    rivals = {toll.to for toll in tolls if toll.company in companies}
    for rival in rivals:
        gross = sum(toll.amount for toll in tolls if toll.company in companies and toll.to == rival)
        theirs = next((train.companies for train in trains if rival in train.companies), ())
        back = sum(toll.amount for toll in tolls if toll.company in theirs and toll.to in companies)
        assert gross <= 10 or gross - back <= 10


def check_tolls(before: State, outcome: Outcome) -> None:
    """Rule: D6.3: when all tolls of a race are booked, nobody who paid stands below zero."""
    state = before
    payers: set[str] = set()
    for event in outcome.events:
        if isinstance(event, TollPaid):
            payers.add(event.company)
        elif payers:
            assert all(state.balance[code] >= 0 for code in payers)
            payers = set()
        state = GAME.apply(state, event)


def check_storage(setup: Setup, turn: Turn) -> None:
    """What is stored comes back as it was."""
    state = GAME.decode(GAME.encode(turn.outcome.state), setup)
    assert state == turn.outcome.state
    assert state.table.options == turn.before.table.options
    assert GAME.decode(GAME.encode(turn.outcome.events), setup) == turn.outcome.events
    for orders in turn.orders.values():
        assert GAME.decode(GAME.encode(orders), setup) == orders


# --- games of the built-in players ---


@every_game
def test_every_turn_of_a_game(companies: int, seed: str) -> None:
    setup, _, turns = usual_game(companies, seed)
    for turn in turns:
        check_turn(setup, turn)


@every_game
def test_the_frame_of_a_game(companies: int, seed: str) -> None:
    """Six rounds of building, six of racing; three rolls known before each; every race is run or dropped."""
    _, opening, turns = usual_game(companies, seed)
    assert [turn.before.phase for turn in turns] == ["build"] * 6 + ["race"] * 6
    assert opening.state.balance == dict.fromkeys(opening.state.table.codes, START_BALANCE)
    assert all(len(turn.before.rolls) == 3 for turn in turns[:6])
    end = turns[-1].outcome.state
    assert end.phase == "over"
    assert end.winners
    assert {race.status for race in end.races} <= {"run", "dropped"}
    assert all(len(totals) == 13 for totals in end.totals.values())


@every_game
def test_what_the_built_in_players_write_is_understood_without_a_complaint(companies: int, seed: str) -> None:
    _, _, turns = usual_game(companies, seed)
    for turn in turns:
        assert [each for each in turn.complaints if each.is_error] == []
        stopped = [event for event in turn.outcome.events if isinstance(event, PieceStopped)]
        assert len(stopped) < 10  # a rival may have been there first


@every_game
def test_an_order_in_canonical_form_is_read_back_as_the_same_order(companies: int, seed: str) -> None:
    _, _, turns = usual_game(companies, seed)
    for turn in turns:
        for code, orders in turn.orders.items():
            lines = GAME.forecast(turn.before, code, orders).lines
            again, complaints = understood(GAME, turn.before, code, lines)
            assert unnumbered(again) == unnumbered(orders)
            assert [each for each in complaints if each.is_error] == []


@every_game
def test_a_forecast_of_good_orders_finds_no_error(companies: int, seed: str) -> None:
    _, _, turns = usual_game(companies, seed)
    for turn in turns:
        for code, orders in turn.orders.items():
            assert [each for each in GAME.forecast(turn.before, code, orders).complaints if each.is_error] == []


def test_the_same_seed_gives_the_same_bytes() -> None:
    setup, opening, turns = usual_game(3, "a")
    again_opening, again = play_game(setup, "a", read_recording("dampfross", "usual 3 a"))
    assert GAME.encode(opening.events) == GAME.encode(again_opening.events)
    assert [GAME.encode(turn.outcome.events) for turn in turns] == [GAME.encode(turn.outcome.events) for turn in again]
    assert [GAME.encode(turn.outcome.state) for turn in turns] == [GAME.encode(turn.outcome.state) for turn in again]


def test_another_seed_throws_other_rolls() -> None:
    empty = GAME.lay_out(setup_of(3))
    rolls = {GAME.start(empty, SeededDice(seed)).state.rolls for seed in ("a", "b", "c")}
    assert len(rolls) > 1


# --- players who write nonsense ---


def spoiler(seed: str) -> Spoil:
    """Return what spoils a player's orders: random walks over land, sea and rivals' lines, entries beyond the limit, joint
    trains with a neighbour in the order of play, some agreed and some not."""
    chance = random.Random(seed)  # noqa: S311 - a test's own choices, the same each time

    def walk(start: Hex, length: int) -> tuple[Hex, ...]:
        path = [start]
        for _ in range(length):
            path.append(chance.choice(neighbours(path[-1])))
        return tuple(path)

    def spoilt_build(state: State, code: str, order: Build) -> Build:
        starts = sorted(state.reached[code]) or [chance.choice(sorted(state.table.board.ground))]
        strays = tuple(Piece(path=walk(chance.choice(starts), chance.randint(1, 8))) for _ in range(2))
        pieces = [*order.pieces, *strays]
        chance.shuffle(pieces)
        return Build(roll=order.roll, pieces=tuple(pieces))

    def entry(state: State, code: str, race: Race, written: Run | None) -> Run:
        start = chance.choice(state.table.board.ends_of[race.start])
        path = walk(start, chance.randint(1, 5))
        routes = written.routes if written else (Route(path=path, over=("",) * (len(path) - 1)),)
        place = state.table.codes.index(code)
        if race.number % 3 or place ^ 1 >= len(state.table.codes):
            return Run(race=race.number, routes=routes)
        # The second of a pair mostly leaves the route to the first.
        quiet = place % 2 == 1 and chance.random() < 0.8
        return Run(race=race.number, routes=() if quiet else routes, partner=state.table.codes[place ^ 1])

    def spoil(state: State, code: str, orders: tuple[Order, ...]) -> tuple[Order, ...]:
        written = {order.race: order for order in orders if isinstance(order, Run)}
        spoilt: list[Order] = [order for order in orders if isinstance(order, ChooseHome)]
        spoilt += [spoilt_build(state, code, order) for order in orders if isinstance(order, Build)]
        spoilt += [entry(state, code, race, written.get(race.number)) for race in state.offered_races()]
        chance.shuffle(spoilt)
        return tuple(spoilt)

    return spoil


@every_game
def test_nonsense_never_breaks_a_turn(companies: int, seed: str) -> None:
    """Whatever is illegal is refused by name and paragraph; what holds for every turn still holds."""
    setup, _, turns = usual_game(companies, seed)
    events: list[Event] = []
    for turn, attempt in product(turns, range(3)):
        spoil = spoiler(f"{seed}/{turn.before.round}/{attempt}")
        orders = {code: spoil(turn.before, code, own) for code, own in turn.orders.items()}
        outcome = GAME.adjudicate(turn.before, orders, SeededDice(f"{seed}/{turn.before.round}"))
        check_turn(setup, turn.but(orders=orders, outcome=outcome))
        for code, own in orders.items():
            assert len(GAME.forecast(turn.before, code, own).lines) == len(own)
        events += outcome.events
    refused = [event for event in events if isinstance(event, EntryRefused | PieceStopped)]
    assert {event.paragraph for event in refused} >= {"D2.2", "D2.5", "D4.3", "D5.5", "D6.5"}
    assert all(event.complaint.is_error for event in refused)
    assert any(isinstance(event, TrainEntered) and len(event.companies) == 2 for event in events)


def test_a_whole_game_of_nonsense_comes_to_its_end() -> None:
    setup = setup_of(3)
    _, turns = play_game(setup, "p", spoil=spoiler("p"))
    for turn in turns:
        check_turn(setup, turn)
    assert turns[-1].outcome.state.phase == "over"


# --- reading back ---


@pytest.mark.parametrize("seed", ["u", "v", "w"])
def test_any_piece_over_land_and_water_is_read_back_hex_by_hex(seed: str) -> None:
    """Straight runs, bends, towns, water, the way back: the canonical form leaves nothing open."""
    chance = random.Random(seed)  # noqa: S311 - a test's own choices, the same each time
    state = reduce(GAME.apply, (HomeChosen(company="GSW", hex="AB18"),), opened())
    board = state.table.board
    sheet = {**board.ground, **board.water}
    for _ in range(60):
        path = [chance.choice(sorted(sheet))]
        while len(path) < chance.randint(2, 9):
            ahead = [label for label in neighbours(path[-1]) if label in sheet]
            straight = [label for label in ahead if len(path) > 1 and straight_run(path[-2], label) is not None]
            path.append(chance.choice(straight if straight and chance.random() < 0.7 else ahead))
        order = Build(roll=2, pieces=(Piece(path=tuple(path)),))
        lines = GAME.forecast(state, "GSW", (order,)).lines
        again, complaints = understood(GAME, state, "GSW", lines)
        assert unnumbered(again) == (order,), lines
        assert [each for each in complaints if each.is_error] == []


def opened() -> State:
    """Return the position after the opening of a game of three."""
    state: State = GAME.start(GAME.lay_out(setup_of(3)), SeededDice("x")).state
    return state


@every_game
def test_any_route_over_the_track_is_read_back_with_its_owners(companies: int, seed: str) -> None:
    """Named owners at random: each leg keeps its company, and its way."""
    chance = random.Random(seed)  # noqa: S311 - a test's own choices, the same each time
    _, _, turns = usual_game(companies, seed)
    state = turns[6].before
    for race in state.offered_races() * 5:
        path = [chance.choice(state.table.board.ends_of[race.start])]
        while len(path) < 12:
            ahead = [label for label in neighbours(path[-1]) if state.owners(side(path[-1], label))]
            if not ahead:
                break
            path.append(chance.choice(ahead))
        if len(path) < 2:
            continue
        over = tuple(chance.choice(("", *state.owners(side(*step)))) for step in pairwise(path))
        order = Run(race=race.number, routes=(Route(path=tuple(path), over=over),))
        lines = GAME.forecast(state, "GSW", (order,)).lines
        again, complaints = understood(GAME, state, "GSW", lines)
        if [each.code for each in complaints if each.code == "note-turned-round"]:
            continue
        assert unnumbered(again) == (order,), lines
        assert [each for each in complaints if each.is_error] == []


def test_a_record_changes_no_position_that_somebody_has_seen() -> None:
    """Whether it is looked at after every event or at the end alone, the position is the fold of the events."""
    for turn in recorded_game("usual 6 d")[2]:
        events, position = turn.outcome.events, turn.before
        folded = [position := GAME.apply(position, event) for event in events]
        looked = Record(turn.before, CHANGES)
        quiet = Record(turn.before, CHANGES)
        quiet.add_all(events)
        seen = []
        for event in events:
            looked.add(event)
            seen.append(looked.state)
        assert seen == folded
        assert quiet.state == turn.outcome.state == folded[-1]
