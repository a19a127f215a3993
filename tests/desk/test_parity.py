"""The desk and the referee say the same of the same orders: costs, fees, tolls, complaints; and what it writes is read."""

from __future__ import annotations

import json
import re
from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from referee.games.dampfross import GAME
from referee.games.dampfross.board import RailMap, points_along
from referee.games.dampfross.events import TrainEntered
from referee.games.dampfross.racing import advance
from referee.games.dampfross.state import State
from tests.desk.both import asked_of_desk, differences, rules_script
from tests.desk.positions import Case, bridge_paid_for_thrice, cases, grown, neutral_beyond_the_cap
from tests.games.dampfross.recordedgames import recorded_game
from tests.games.lines import understood

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Chances = dict[tuple[int, int], Fraction]

pytestmark = pytest.mark.browser

# What comes up in every run of the short comparison, and in the long one besides.
USUAL = {
    "illegal-off-network", "illegal-no-land", "illegal-not-adjacent", "illegal-closed",
    "illegal-own-track", "illegal-from-abroad",
    "illegal-over-budget", "illegal-over-hexes", "illegal-unpaid", "illegal-no-jumps", "illegal-jump", "illegal-not-leading",
    "illegal-building-over", "warning-building-over", "warning-unpaid-later", "illegal-wrong-start", "illegal-wrong-end",
    "illegal-no-own-track", "illegal-toll-cap", "warning-toll-cap", "warning-toll-debt", "note-needs-partner",
    "illegal-side-twice", "fee-connection", "fee-parallel", "fee-jump", "bonuses", "jumps", "banked", "tolls-rival",
}  # fmt: skip
RARE = {
    "illegal-abroad", "illegal-taken", "illegal-one-way", "illegal-jumps-used", "illegal-through-abroad",
    "illegal-not-their-track",
    "illegal-no-track", "warning-no-route-yet", "warning-too-many-entries", "fee-adjacent", "banked",
    "tolls-*",
}  # fmt: skip
RECORDED = ("usual 3 a", "usual 6 d", "russia postal together 4")
# Each number, word or sign of the player's half of the rules, and what it must not be.
MUTATIONS = (
    ("amount: 1, why", "amount: 2, why"),
    ("halves * pos.options.parallel_fee", "2 * pos.options.parallel_fee"),
    ("pos.adjacent[home]", "pos.adjacent[1]"),
    ("owners.length >= most", "owners.length > most"),
    ("used.length >= pos.ways", "used.length > pos.ways"),
    ("cost > left ?", "cost >= left ?"),
    ("due <= balance", "due < balance"),
    ("world.home[company] !== city", "true"),
    ("length <= pos.left", "length < pos.left"),
    ("Math.min(1, cost)", "cost"),
    ("left < 1", "left < 0"),
    ("under ? 1 : 1 + pos.again", "under ? 1 : pos.again"),
    ("toll > pos.cap", "toll >= pos.cap"),
    ("2 * own > owners.length", "2 * own >= owners.length"),
    ("Math.floor(Object.values(found.tolls)", "Math.ceil(Object.values(found.tolls)"),
    ("< pos.options.jumps)", "<= pos.options.jumps)"),
    ("far >= within", "far > within"),
    ("const CITY = 1, FOREIGN = 2, HIGH = 4", "const CITY = 1, FOREIGN = 2, HIGH = 2"),
    ("const CITY = 1, FOREIGN = 2, HIGH = 4", "const CITY = 1, FOREIGN = 4, HIGH = 4"),
    ("const CITY = 1, FOREIGN = 2, HIGH = 4", "const CITY = 2, FOREIGN = 2, HIGH = 4"),
    ('has(end) && pos.options.connection_fee === "once"', 'has(end) && pos.options.connection_fee !== "once"'),
    ('pos.abroad === "none"', 'pos.abroad === "stop"'),
    ("own[bridge] || 0) + points_", "own[bridge] || 0) + 1"),
    ("- ((world.banked[company]", "+ ((world.banked[company]"),
)


def page_with(browser: Browser, script: str) -> Page:
    page = browser.new_page()
    page.add_script_tag(content=f"{script}\nglobalThis.Script = Script; globalThis.Rules = Rules;")
    return page


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Page:
    return page_with(chromium, rules_script())


def asked(seed: str, positions: int, each: int) -> list[Case]:
    """Return orders in random positions; of each position they stand beside each other."""
    rng = Random(seed)  # noqa: S311 (no secret)
    hand_made = [bridge_paid_for_thrice(), neutral_beyond_the_cap()]
    return [*hand_made, *(case for _ in range(positions) for case in cases(rng, each, [grown(rng)]))]


def test_random_orders_come_to_the_same(page: Page) -> None:
    wrong, seen = differences(asked("desk", 60, 6), page)
    assert wrong == []
    assert {name for name in USUAL if not seen[name]} == set()


@pytest.mark.testdesk
def test_twenty_thousand_random_orders_come_to_the_same(page: Page) -> None:
    found: Counter[str] = Counter()
    for part in range(10):
        wrong, seen = differences(asked(f"long {part}", 100, 20), page)
        assert wrong == []
        found += seen
    assert {name for name in USUAL | RARE if not found[name]} == set()


@pytest.mark.testdesk
def test_whatever_number_is_changed_in_the_script_somebody_pays_otherwise(browser: Browser) -> None:
    script, orders = rules_script(), asked("mutants", 300, 12)
    alive = []
    right = asked_of_desk(page_with(browser, script), orders)
    for before, after in MUTATIONS:
        assert before in script, before
        changed = page_with(browser, script.replace(before, after))
        if asked_of_desk(changed, orders) == right:
            alive.append(f"{before} -> {after}")
        changed.close()
    assert alive == []


def test_recorded_orders_come_to_the_same_and_their_text_gives_them_back(page: Page) -> None:
    rng = Random("recorded")  # noqa: S311 (no secret)
    turns = [turn for name in RECORDED for turn in recorded_game(name)[2]]
    chosen = [turn for turn in rng.sample(turns, 25) if turn.before.phase != "over"]
    orders = [Case(state=turn.before, player=code, orders=own) for turn in chosen for code, own in turn.orders.items()]
    orders = [
        case for case in orders if not any(route.aim for each in case.orders for route in getattr(each, "routes", ()))
    ]
    assert len(orders) > 50
    wrong, _ = differences(orders, page)
    assert wrong == []
    for case, said in zip(orders, asked_of_desk(page, orders), strict=True):
        read = read_back(case.state, case.player, said["lines"])
        assert (
            GAME.forecast(case.state, case.player, read).lines
            == GAME.forecast(case.state, case.player, case.orders).lines
        )


# Somebody who takes any of the steps that are offered, and what that text is read as by the desk itself.
CLICKS = """text => {
  const {position, reader, clicks} = JSON.parse(text);
  const word = key => key;
  let plan = Script.blank(position, reader), at = "";
  for (const [tab, step] of clicks) {
    const view = Script.show(position, reader, plan, at, word);
    if (tab < 0.15 && view.tabs.length) at = view.tabs[Math.floor(tab / 0.15 * view.tabs.length)].id;
    const now = Script.show(position, reader, plan, at, word);
    at = now.at;
    const steps = now.steps.filter(each => each.label !== "no-entry");
    if (steps.length) plan = steps[Math.floor(step * steps.length)].go;
  }
  const lines = Script.write(position, reader, plan), again = Script.read(position, reader, lines, word);
  const found = Script.reckon(position, reader, plan), reread = Script.reckon(position, reader, again.plan);
  const sums = each => each.rolls.filter(one => one.laid.length).map(one => [one.company, one.roll, one.left]);
  return JSON.stringify({lines, again: Script.write(position, reader, again.plan), faults: again.faults,
    codes: found.complaints.map(each => each.code), rolls: sums(found), reread: sums(reread)});
}"""


def clicked(page: Page, state: State, player: str, rng: Random, count: int = 25) -> dict[str, Any]:
    clicks = [[rng.random(), rng.random()] for _ in range(count)]
    asked_ = json.dumps({"position": GAME.desk(state), "reader": player, "clicks": clicks})
    found: dict[str, Any] = json.loads(page.evaluate(CLICKS, asked_))
    return found


def read_back(state: State, player: str, lines: list[str]) -> tuple[Any, ...]:
    """Return what the referee understands of lines; nothing in them is unclear."""
    found, complaints = understood(GAME, state, player, tuple(lines))
    assert [each for each in complaints if each.is_error] == [], lines
    return found


def check_clicks(page: Page, seed: str, count: int) -> int:
    rng, steps = Random(seed), 0  # noqa: S311 (no secret)
    for _ in range(count):
        state = grown(rng)
        if rng.random() < 0.2:
            state = recorded_game("usual 4 b")[2][rng.randrange(3)].before
        player = rng.choice(state.table.players).code
        said = clicked(page, state, player, rng)
        assert (said["faults"], said["again"], said["reread"]) == ([], said["lines"], said["rolls"]), said
        seen = GAME.forecast(state, player, read_back(state, player, said["lines"]))
        errors = [each.code for each in seen.complaints if each.is_error]
        aims = any(re.search("FASTEST|CHEAPEST", line) for line in said["lines"])  # those the referee finds
        found = {code for code in said["codes"] if re.match("illegal-|invalid-", code)}
        assert aims or found == {*errors}, (
            said["lines"],
            errors,
        )
        left = [
            [company["code"], number, roll["left"]]
            for company in seen.told["companies"]
            for number, roll in enumerate(company["rolls"], start=1)
            if roll["text"]
        ]
        assert [each for each in said["rolls"] if each in left] == left, said["lines"]
        steps += len(said["lines"])
    return steps


def test_whatever_is_clicked_the_referee_reads_it_and_it_costs_the_same(page: Page) -> None:
    assert check_clicks(page, "clicks", 60) > 100


@pytest.mark.testdesk
def test_two_thousand_plans_that_were_clicked_are_read_and_cost_the_same(page: Page) -> None:
    assert check_clicks(page, "many clicks", 2000) > 4000


def test_the_chance_to_win_is_that_of_the_dice(page: Page) -> None:
    """By all throws there are, and the referee's own way of moving trains."""
    turns = recorded_game("switzerland postal together 3")[2]
    entered = [each for turn in turns for each in turn.outcome.events if isinstance(each, TrainEntered)]
    board = turns[0].before.table.board
    by_length = sorted({each.route for each in entered}, key=lambda route: (len(route), route))
    climbing = [route for route in by_length if points_along(board, route)[-1] >= len(route)]
    short = [*by_length[:2], *climbing[:2]]
    assert len(short) == 4
    for one, other in product(short, repeat=2):
        right = chance_of(*(finishes_of(board, route) for route in (one, other)))
        points = [points_along(board, route)[-1] for route in (one, other)]
        assert page.evaluate("([own, rival]) => Trains.chance(own, [rival])", points) == pytest.approx(float(right))
    found = page.evaluate(
        "([one, other]) => Trains.movement(one, other)", [GAME.desk(turns[0].before), list(short[-1])]
    )
    assert found == points_along(board, short[-1])[-1]


def finishes_of(board: RailMap, route: tuple[str, ...]) -> Chances:
    """Return how likely a train comes in by rank: (race-round, minus the points left over)."""
    way = points_along(board, route)
    found: Chances = {}
    running = {0: Fraction(1)}
    for race_round in range(1, way[-1] + 1):
        ahead: dict[int, Fraction] = {}
        for (thrown, share), throw in product(running.items(), range(1, 7)):
            _, left = advance(way, thrown + throw)
            if left >= 0:
                found[race_round, -left] = found.get((race_round, -left), Fraction(0)) + share / 6
            else:
                ahead[thrown + throw] = ahead.get(thrown + throw, Fraction(0)) + share / 6
        running = ahead
    return found


def chance_of(own: Chances, rival: Chances) -> Fraction:
    return sum(
        (share * other for (at, share), (then, other) in product(own.items(), rival.items()) if at <= then), Fraction(0)
    )
