"""What a built-in player of Dampfross keeps of the rules' answers is what the rules say of every step."""

import json
from typing import Any

from referee.bots import SECOND, THIRD
from referee.bots.dampfross import orders_of, position_seen
from referee.bots.dampfross.building import DEAREST_FEES, WHIM, Steps, building_between_races
from referee.bots.dampfross.seeing import Mind, position_of
from referee.bots.dampfross.trains import Lines
from referee.core import Hex, SeededDice
from referee.games.dampfross import GAME
from referee.games.dampfross.costs import fees_due, points_of, step_refusal
from referee.games.dampfross.state import State
from tests.games.dampfross.wholegame import setup_of
from tests.tables import Tables

CASES = Tables(__file__)


DEAR = 60  # points: more than any step costs


def asked_of_the_rules(mind: Mind, label: Hex) -> dict[Hex, int]:
    """Return what a company's steps from a hex cost by the rules alone, each asked for."""
    state, company = mind.state, mind.company
    board, weight = state.table.board, mind.temper.fee_weight
    costs = {}
    for end in board.steps_from(label):
        if not step_refusal(state, company, label, end, DEAR):
            fees = sum(fee.amount for fee in fees_due(state, company, label, end))
            points = 10 * points_of(board, state.table.options.costs, label, end)
            costs[end] = points + mind.whim(end) * WHIM // 256 + weight * fees
    return costs


def position_after(rounds: int, board: str) -> State:
    """Return the position that four players see after so many rounds of building."""
    setup = setup_of(4, board)
    state: State = GAME.start(GAME.lay_out(setup), SeededDice("steps/0")).state
    for turn in range(rounds):
        seen: dict[str, Any] = json.loads(json.dumps(GAME.view(state, None)))
        known = position_seen(seen)
        orders = {code: tuple(orders_of(known, seen, code, code, SECOND)) for code in state.table.codes}
        state = GAME.adjudicate(state, orders, SeededDice(f"steps/{turn}")).state
    return position_of(json.loads(json.dumps(GAME.view(state, None))), state.table.board)


@CASES.rows
def test_every_step_costs_what_the_rules_say(board: str, rounds: int) -> None:
    """Near track and far from it, at borders and ferries: with fees, and without what may not be laid."""
    state = position_after(rounds, board)
    for company in state.table.codes:
        mind = Mind(state=state, company=company, strength=THIRD, lot="")
        steps = Steps(mind)
        for label in state.table.board.ground:
            assert dict(steps(label)) == asked_of_the_rules(mind, label), (company, label)
            assert steps(label) is steps(label)


def test_a_toll_weighs_more_the_better_its_owner_stands() -> None:
    state: State = GAME.lay_out(setup_of(3, "ireland"))
    lead, middle, last = state.table.codes
    lines = Lines(state.but(balance={lead: 200, middle: 150, last: 100}))
    assert [lines.weight_of({code: 10}) for code in (lead, middle, last)] == [15, 10, 5]
    assert lines.weight_of({lead: 4, last: 6}) == 9


def test_building_between_races_leaves_what_the_tolls_of_entries_may_come_to() -> None:
    state = position_after(7, "ireland")
    minds = [Mind(state=state, company=company, strength=THIRD, lot="") for company in state.table.codes]
    builders = [mind for mind in minds if building_between_races(mind, 20, 0)]
    assert builders
    for mind in builders:
        tolls = state.balance[mind.company] - DEAREST_FEES
        assert not building_between_races(mind, 20, tolls)
