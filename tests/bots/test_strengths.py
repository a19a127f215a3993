"""The built-in players: three strengths, none of whose orders is refused."""

from functools import partial

import pytest

from bench.bots import BEFORE, rows, setup_of
from referee.bots import FIRST, SECOND, STRENGTHS, THIRD
from referee.bots.dampfross.seeing import Mind
from referee.bots.dampfross.trains import entries
from referee.bots.dampfross.worth import loss, prize
from referee.core.game import Setup
from referee.games import game_named
from referee.games.volldampf.events import OrderRefused
from tests.games.dampfross import wholegame
from tests.games.dampfross.recordedgames import recorded_game
from tests.games.lines import order_language

from referee.bots import dampfross, volldampf  # isort: skip
from referee.bots.trial import MapTrial, play  # isort: skip


def figures(board: str, table: str, games: int, preset: str = "postal", game: str = "dampfross") -> dict[str, float]:
    """Return the figures of a bench by what they are of."""
    found = rows(game, board, table, games, "strengths", preset)
    return {row.work.partition(" ±")[0].partition(" (")[0]: row.figure for row in found}


def test_a_prize_may_be_expected_by_the_dice() -> None:
    assert prize(12, (), shared=False) == 20
    assert prize(12, ((12, 1.0),), shared=False) == pytest.approx(15)
    assert prize(12, ((12, 1.0),) * 2, shared=False) == pytest.approx(10)
    assert prize(12, ((12, 1.0),) * 2, shared=True) == pytest.approx(10, abs=0.1)
    assert prize(10, ((14, 1.0),), shared=False) + prize(14, ((10, 1.0),), shared=False) == pytest.approx(30)
    assert sum(chance for chance, _ in loss(20, 7)) == pytest.approx(1)


@pytest.mark.parametrize(
    ("board", "preset", "players"),
    [
        ("ireland", "postal", 5),
        pytest.param("bavaria", "schmidt", 3, marks=pytest.mark.testlong),
        pytest.param("russia", "laurin", 4, marks=pytest.mark.testlong),
        pytest.param("kentucky_tennessee", "postal", 6, marks=pytest.mark.testlong),
        pytest.param("russia", "postal", 2, marks=pytest.mark.testlong),
        pytest.param("ireland", "laurin", 2, marks=pytest.mark.testlong),
    ],
)
def test_no_order_of_theirs_is_refused(board: str, preset: str, players: int) -> None:
    """Of any strength, on any map, under any preset."""
    setup: Setup = wholegame.setup_of(players, board, preset)
    codes = [each.code for each in setup.players]
    faults = []
    for seed in range(2):

        def answer(seen, code, seed=seed):  # type: ignore[no-untyped-def]
            return dampfross.answer(seen, code, STRENGTHS[(codes.index(code) + seed) % 3])

        turns = play(
            game_named("dampfross"), order_language("dampfross"), setup, f"refused/{seed}", dict.fromkeys(codes, answer)
        )
        faults += [fault for turn in turns for fault in turn.faults]
    assert not faults


@pytest.mark.testlong
def test_an_extra_trip_for_which_no_cube_is_left_is_not_refused() -> None:
    setup = setup_of("volldampf", "deutschland-1925", [THIRD, THIRD, SECOND, SECOND], "post")
    strengths = zip((each.code for each in setup.players), (THIRD, THIRD, SECOND, SECOND), strict=True)
    answers = {code: partial(volldampf.answer, strength=strength) for code, strength in strengths}
    turns = [*play(game_named("volldampf"), order_language("volldampf"), setup, "n4/48", answers)]
    told = [event.complaint.code for turn in turns for event in turn.outcome.events if isinstance(event, OrderRefused)]
    assert "note-subsidy-kept" in told
    assert not [fault for turn in turns for fault in turn.faults]


@pytest.mark.testlong
def test_no_ring_goes_on_from_a_hex_abroad() -> None:
    """A game of Russia in which a second way to such a hex would pay."""
    setup = setup_of("dampfross", "russia", [THIRD] * 5, "postal")
    answers = dict.fromkeys((each.code for each in setup.players), partial(dampfross.answer, strength=THIRD))
    turns = play(game_named("dampfross"), order_language("dampfross"), setup, "33/34", answers)
    assert not [fault for turn in turns for fault in turn.faults]


@pytest.mark.testlong
@pytest.mark.parametrize(("stronger", "weaker"), [(SECOND, FIRST), (THIRD, SECOND), (THIRD, BEFORE)])
def test_each_strength_is_beaten_by_a_higher_one(stronger: str, weaker: str) -> None:
    found = figures("ireland", f"{stronger},{stronger},{weaker},{weaker}", 10)
    assert found[f"{stronger}: mean rank"] < found[f"{weaker}: mean rank"]


def test_a_bench_gives_what_is_asked_of_games() -> None:
    found = figures("ireland", "first,first,first", 1)
    assert found["rounds of building, at most"] == 6
    assert found["most wins of a home"] > 0
    assert found["scores of 196-321"] <= 100


def test_a_home_of_few_games_has_no_share_of_wins() -> None:
    homes = {"Paducah": [True] * 2, "Nashville": [True] * 5 + [False] * 15}
    trial = MapTrial(homes=homes, seats={"ANN": [True, False]})
    assert trial.means()["most_wins_home"] == 25
    assert "most_wins_seat" not in trial.means()


def test_who_is_asked_for_one_race_joins_nobody_in_another() -> None:
    """Rule: D6.1, where companies declare race by race: an offer for another race waits for that."""
    _, _, turns = recorded_game("usual 6 d")
    state = next(turn.before for turn in turns if len(turn.before.offered_races()) > 3 and turn.before.track)
    races = [race.number for race in state.offered_races()]
    for company in state.codes:
        mind = Mind(state=state, company=company, strength=THIRD, lot="")
        for partner in {*state.codes} - {company}:
            for only in races:
                runs, _ = entries(mind, 4, only, dict.fromkeys(races, partner))
                assert {run.race for run in runs} <= {only}
