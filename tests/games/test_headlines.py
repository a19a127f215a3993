"""The line above a newsletter: in the recorded games it says what is rare, in every language, and not what the standings show."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest

from referee.core.game import Outcome
from referee.games.dampfross import GAME as DAMPFROSS
from referee.games.dampfross.events import CityConnected, TollPaid, TrackLaid
from referee.games.dampfross.report import summary as dampfross
from referee.games.volldampf import GAME as VOLLDAMPF
from referee.games.volldampf.report import summary as volldampf
from referee.locale import translations
from referee.report.templates import Stationery
from referee.resources import template_folders
from tests.games.dampfross import recordedgames as dampfross_games
from tests.games.volldampf import wholegame as volldampf_games
from tests.pages import STATIONERY

SELDOM = 0.03  # of all turns, at the most
COMMON = 3  # so many times oftener than another line that could stand there as well, at the most
KINDS = {"dampfross": dampfross.KINDS, "volldampf": volldampf.KINDS}

Lines = list[dict[str, Any]]


def _dampfross() -> Iterator[tuple[Outcome, Lines]]:
    for name in dampfross_games.games():
        for turn in dampfross_games.recorded_game(name)[2]:
            state, events = turn.outcome.state, turn.outcome.events
            races = DAMPFROSS.story(state, events, None)["races"]
            yield turn.outcome, [*dampfross.headlines(state, events, races, turn.before.balance)]


def _volldampf() -> Iterator[tuple[Outcome, Lines]]:
    for name in volldampf_games.games():
        for turn in volldampf_games.recorded_game(name)[2]:
            yield turn.outcome, [*volldampf.headlines(turn.outcome.state, turn.outcome.events)]


@cache
def lines_of(game: str) -> list[tuple[Outcome, Lines]]:
    """Return the turns of all recorded games with all lines that could stand above them, the rarest first."""
    return list(_dampfross() if game == "dampfross" else _volldampf())


def words_of(game: str) -> Mapping[str, str]:
    return STATIONERY.table(game, "words.toml")["headline"]


@pytest.fixture
def stationery(tmp_path: Path) -> Stationery:
    """Writes a line alone."""
    source = '{% import "macros.txt.j2" as post %}{{ post.headline(one) }}'
    tmp_path.joinpath("line.txt.j2").write_text(source, "utf-8")
    return Stationery(lambda game: (tmp_path, *template_folders(game, None)), strict=True)


@pytest.mark.parametrize("game", KINDS)
def test_of_all_that_could_be_said_of_a_turn_the_rarest_is(game: str) -> None:
    turns = lines_of(game)
    often = Counter(line["kind"] for _, lines in turns for line in lines)
    ends = ("win", "shared-win")  # which a game has once
    passed_over = [
        (lines[0]["kind"], other["kind"])
        for _, lines in turns
        for other in lines[1:]
        if often[lines[0]["kind"]] > COMMON * often[other["kind"]] and lines[0]["kind"] not in ends
    ]
    assert set(passed_over) == set()
    assert len({lines[0]["kind"] for _, lines in turns}) >= 12


@pytest.mark.parametrize("game", KINDS)
def test_two_letters_in_a_row_seldom_say_the_same_where_something_else_could_be_said(game: str) -> None:
    turns = lines_of(game)
    again = [
        lines[0]["kind"]
        for (before, earlier), (after, lines) in pairwise(turns)
        if after.state.turn == before.state.turn + 1 and earlier[0]["kind"] == lines[0]["kind"] and len(lines) > 2
    ]
    assert len(again) < SELDOM * len(turns)


@pytest.mark.parametrize("game", KINDS)
def test_every_line_is_said_in_every_language(game: str, stationery: Stationery) -> None:
    words = words_of(game)
    assert list(words) == list(KINDS[game])
    assert all(translations("de").gettext(each) != each for each in words.values())
    seen = {line["kind"]: line for _, lines in lines_of(game) for line in lines}
    for language, line in product(("en", "de", "fr", "nl"), seen.values()):
        said = stationery.text("line.txt.j2", game, language, "UTC", {"one": line}).strip()
        assert 10 < len(said) < 120
        assert "{" not in said


@pytest.mark.parametrize("game", KINDS)
def test_no_line_repeats_what_the_standings_show(game: str) -> None:
    """How much a company has, by how much that is more than before, and who has come to the head."""
    words = words_of(game)
    assert not [kind for kind, said in words.items() if re.search("(takes|in) the lead|[Ee]qual in|between them", said)]
    story = (DAMPFROSS if game == "dampfross" else VOLLDAMPF).story
    for outcome, (line, *_) in lines_of(game):
        figures = {
            abs(value)
            for one in story(outcome.state, outcome.events, None)["ranking"]
            for name, value in one.items()
            if one["code"] == line["told"].get("name") and name in ("balance", "score", "change")
        }
        if line["kind"] in ("tolls", "led-long"):
            continue  # who does nothing else in a round has so much less than before; rounds are no units
        assert "{number}" not in words[line["kind"]] or line["told"]["number"] not in figures, line


def test_who_has_laid_the_most_track_has_laid_more_than_all_others() -> None:
    for outcome, lines in lines_of("dampfross"):
        laid = Counter(event.company for event in outcome.events if isinstance(event, TrackLaid))
        first, second, *_ = *(number for _, number in laid.most_common(2)), 0, 0
        assert any(line["kind"] == "track" for line in lines) == (first > second)


def test_a_headline_names_both_of_a_joint_train_and_all_who_are_level(stationery: Stationery) -> None:
    outcome, _ = lines_of("dampfross")[-1]
    codes = outcome.state.codes
    train = {"place": 1, "throws": [3], "round": 1, "left": 0, "behind": 0}
    ends = {"start": {"name": "Westport"}, "end": {"name": "Cork"}}

    def said(kind: str, *companies: list[str], language: str = "en") -> str:
        trains = [{**train, "train": "+".join(each), "companies": each} for each in companies]
        races = [{"status": "run", "trains": trains, **ends}]
        lines = dampfross.headlines(outcome.state, (), races, dict.fromkeys(codes, 0))
        one = next(line for line in lines if line["kind"] == kind)
        return stationery.text("line.txt.j2", "dampfross", language, "UTC", {"one": one}).strip()

    first, second, third = (outcome.state.table.company(code).name or code for code in codes[:3])
    assert said("alone", [*codes[:2]]) == f"Nobody follows {first} + {second} from Westport to Cork"
    assert said("duel", [*codes[:2]], [codes[2]]) == f"First from Westport to Cork: {first} + {second} and {third}"
    three = [[code] for code in codes[:3]]
    assert said("dead-heat", *three) == f"Dead heat in Cork: {first}, {second} and {third}"
    assert said("dead-heat", *three, [codes[3]]) == f"Dead heat in Cork: {first}, {second} and 2 others"
    assert said("dead-heat", *three, [codes[3]], language="de").endswith(f" {second} und 2 weitere")
    assert said("dead-heat", *three[1:]) == f"Dead heat in Cork: {second} and {third}"


def test_who_is_as_much_in_debt_or_as_far_behind_is_named_as_well(stationery: Stationery) -> None:
    outcome, _ = lines_of("dampfross")[-1]
    state, codes = outcome.state, outcome.state.codes
    first, second = (state.table.company(code).name or code for code in codes[:2])

    def said(kind: str, balance: int = 0, events: tuple[Any, ...] = (), **train: object) -> list[str]:
        train = {"throws": [6, 6], "round": 1, "left": 0, "behind": 0, "place": 1, **train}
        trains = [{**train, "train": code, "companies": [code]} for code in codes[:2]]
        races = [{"status": "run", "trains": trains, "start": {"name": "Cork"}, "end": {"name": "Sligo"}}]
        after = state.but(balance={**state.balance, **dict.fromkeys(codes[:2], balance)})
        lines = dampfross.headlines(after, events, races, dict.fromkeys(codes, 0))
        told = ({"one": line} for line in lines if line["kind"] == kind)
        return [stationery.text("line.txt.j2", "dampfross", "en", "UTC", each).strip() for each in told]

    assert said("debt", -1) == [f"In debt: {first} and {second}"]
    assert said("stranded", place=0, behind=3) == [f"Sligo waits in vain for {first} and {second}"]
    assert said("sixes") == [f"Six and six carry {first} and {second} away towards Sligo"]
    assert said("duel") == [f"First from Cork to Sligo: {first} and {second}"]
    tolls = tuple(
        TollPaid(race=1, company=one, to=other, amount=15, hexes=()) for one, other in [codes[:2], codes[1::-1]]
    )
    assert said("tolls", events=tolls[:1]) == [f"{first} pays {second} 15 units in one round"]
    assert said("tolls", events=tolls) == []


def test_who_came_in_first_in_every_race_is_said_of_nobody_who_lost_one() -> None:
    """Nor of a company that won all alone and lost one with a partner."""
    outcome, _ = lines_of("dampfross")[-1]
    codes = outcome.state.codes

    def kinds(*trains: tuple[str, int]) -> set[str]:
        races = [
            {
                "status": "run",
                "start": {"name": "Cork"},
                "end": {"name": "Westport"},
                "trains": [
                    {"place": place, "train": name, "companies": name.split("+")}
                    | {"throws": [3], "round": 1, "left": 0, "behind": 0}
                ],
            }
            for name, place in trains
        ]
        lines = dampfross.headlines(outcome.state, (), races, dict.fromkeys(codes, 0))
        return {line["kind"] for line in lines}

    won = [(codes[0], 1)] * 3
    assert "hat-trick" in kinds(*won)
    assert "hat-trick" not in kinds(*won, (codes[0], 2))
    assert "hat-trick" not in kinds(*won, ("+".join(codes[:2]), 2))


def test_who_reaches_cities_alone_is_named_and_nobody_where_others_do_so_too() -> None:
    outcome, _ = lines_of("dampfross")[-1]
    codes, hexes = outcome.state.codes, [each.hex for each in outcome.state.board.stations[:3]]

    def kinds(shared: int) -> set[str]:
        events = tuple(
            CityConnected(company=codes[0], hex=each, bonus=6, shared=shared, roll=1, step=1) for each in hexes
        )
        return {line["kind"] for line in dampfross.headlines(outcome.state, events, [], dict.fromkeys(codes, 0))}

    assert {"spree", "city"} <= kinds(1)
    assert not {"spree", "city"} & kinds(2)


def test_the_last_city_of_all_may_be_reached_by_two_at_once() -> None:
    outcome, _ = lines_of("dampfross")[-1]
    state = outcome.state.but(connected=frozenset(each.hex for each in outcome.state.board.stations))
    last = CityConnected(company=state.codes[0], hex=state.board.stations[0].hex, bonus=3, shared=2, roll=1, step=1)
    lines = dampfross.headlines(state, (last,), [], dict.fromkeys(state.codes, 0))
    assert "all-cities" in {line["kind"] for line in lines}
