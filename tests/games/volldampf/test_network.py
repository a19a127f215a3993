"""The best route over built links, where a player names none. Rules: V3.6.2, V3.6.3, DIFF 29, 30, 32, 35, R18."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.volldampf.board.board import link_id
from referee.games.volldampf.routing import best_route, by_alphabet
from referee.games.volldampf.state import State
from tests.games.volldampf.roads import cities, city, scene

NAMES = ("Aachen", "Bonn", "Celle", "Düren", "Emden", "Fulda", "Goslar", "Halle", "Ilmenau")


def route(state: State, ends: str, via: str = "", longest: int = 6, colour: str = "blue") -> tuple[str, ...]:
    """Return ANN's best route between ``"Aachen Celle"``."""
    origin, goal = cities(ends)
    return best_route(state, "ANN", colour, origin, goal, cities(via), longest)


def lines(built: dict[str, str], options: dict[str, object] | None = None) -> State:
    """Return a board where Ilmenau and Bonn are blue, Halle red, all others violet."""
    violet = "Aachen Celle Düren Emden Fulda Goslar"
    return scene({"blue": "Ilmenau Bonn", "violet": violet, "red": "Halle Zwickau"}, built, options=options)


@pytest.mark.parametrize(
    ("ann", "bob", "best"),
    [
        # Two own links beat one of another's, even with one of another's between them.
        ("Aachen-Celle Emden-Ilmenau", "Aachen-Ilmenau Celle-Emden", "Aachen Celle Emden Ilmenau"),
        ("Aachen-Celle Aachen-Fulda", "Celle-Emden-Ilmenau Fulda-Ilmenau", "Aachen Fulda Ilmenau"),
    ],
)
def test_most_own_sections_go_before_fewest_of_others(ann: str, bob: str, best: str) -> None:
    """Rule: DIFF 35."""
    assert route(lines({"ANN": ann, "BOB": bob}), "Aachen Ilmenau") == cities(best)


def test_equal_ways_go_by_the_alphabet_with_umlauts_as_their_vowels() -> None:
    """Rule: R18: Düren stands before Emden, Österode between Oldenburg and Passau."""
    state = lines({"BOB": "Aachen-Emden-Ilmenau Aachen-Düren-Ilmenau"})
    assert route(state, "Aachen Ilmenau") == ("AAC", city("Düren"), "ILM")
    named = scene({"violet": "Passau Österode Oldenburg Überlingen Zwickau"}, {})
    assert by_alphabet(named.board) == cities("Oldenburg Österode Passau Überlingen Zwickau")


def test_a_cube_stops_at_the_first_city_of_its_colour() -> None:
    """Rule: V3.6.3, DIFF 29: Bonn is blue and lies on the way; option ``must_stop`` frees it."""
    built = {"ANN": "Aachen-Bonn-Ilmenau"}
    assert route(lines(built), "Aachen Ilmenau") == ()
    assert route(lines(built), "Aachen Bonn") == cities("Aachen Bonn")
    assert route(lines(built, {"must_stop": False}), "Aachen Ilmenau") == cities("Aachen Bonn Ilmenau")


def test_red_cubes_may_pass_red_cities_by_option_and_may_stop_there_too() -> None:
    """Rule: DIFF 30, R25."""
    built = {"ANN": "Aachen-Halle-Zwickau"}
    assert route(lines(built), "Aachen Zwickau", colour="red") == ()
    free = lines(built, {"red_passes_red": True})
    assert route(free, "Aachen Zwickau", colour="red") == cities("Aachen Halle Zwickau")
    assert route(free, "Aachen Halle", colour="red") == cities("Aachen Halle")


def test_red_passes_red_frees_no_other_colour() -> None:
    """Rule: DIFF 30."""
    assert route(lines({"ANN": "Aachen-Bonn-Ilmenau"}, {"red_passes_red": True}), "Aachen Ilmenau") == ()


@pytest.mark.parametrize(("longest", "found"), [(6, False), (7, True)])
def test_seven_links_are_searched_only_when_allowed(longest: int, found: bool) -> None:
    """Rule: V3.6.2, R18: a chain of seven links."""
    state = scene(
        {"violet": "A1a B1b C1c D1d E1e F1f G1g", "blue": "Ilmenau"}, {"ANN": "A1a-B1b-C1c-D1d-E1e-F1f-G1g-Ilm"}
    )
    assert bool(best_route(state, "ANN", "blue", "A1A", "ILM", (), longest)) is found


def test_cities_to_pass_are_passed_in_their_order() -> None:
    """Rule: DIFF 35: VIA outweighs the number of own sections."""
    state = lines({"ANN": "Aachen-Ilmenau Aachen-Celle-Ilmenau", "BOB": "Aachen-Emden-Fulda-Ilmenau"})
    assert route(state, "Aachen Ilmenau", "Emden") == cities("Aachen Emden Fulda Ilmenau")
    assert route(state, "Aachen Ilmenau", "Emden Fulda") == cities("Aachen Emden Fulda Ilmenau")
    assert route(state, "Aachen Ilmenau", "Fulda Emden") == ()


def test_an_own_section_can_be_demanded() -> None:
    """Rule: DIFF 32, option ``own_link_needed``."""
    built = {"BOB": "Aachen-Ilmenau"}
    assert route(lines(built), "Aachen Ilmenau") == cities("Aachen Ilmenau")
    assert route(lines(built, {"own_link_needed": True}), "Aachen Ilmenau") == ()
    longer = {**built, "ANN": "Aachen-Celle", "CID": "Celle-Ilmenau"}
    assert route(lines(longer, {"own_link_needed": True}), "Aachen Ilmenau") == cities("Aachen Celle Ilmenau")


def test_a_cube_does_not_arrive_where_it_lies() -> None:
    """Rule: DIFF 31, V3.6.2: the city of departure counts as visited."""
    assert route(lines({"ANN": "Bonn-Aachen-Celle-Bonn"}), "Bonn Bonn") == ()


@st.composite
def _networks(draw: st.DrawFn) -> tuple[State, tuple[str, ...], int]:
    pairs = [(one, other) for place, one in enumerate(NAMES) for other in NAMES[place + 1 :]]
    built = draw(st.lists(st.sampled_from(pairs), min_size=8, max_size=22, unique=True))
    owners = draw(st.lists(st.sampled_from(("ANN", "BOB")), min_size=len(built), max_size=len(built)))
    blue = draw(st.sets(st.sampled_from(NAMES[1:]), min_size=1, max_size=3))
    options = draw(st.fixed_dictionaries({"must_stop": st.booleans(), "own_link_needed": st.booleans()}))
    places = {"blue": " ".join(sorted(blue)), "violet": " ".join(name for name in NAMES if name not in blue)}
    chains = {
        code: " ".join("-".join(ends) for ends, owner in zip(built, owners, strict=True) if owner == code)
        for code in ("ANN", "BOB")
    }
    via = tuple(city(name) for name in draw(st.lists(st.sampled_from(NAMES), max_size=2, unique=True)))
    return scene(places, chains, options=options), via, draw(st.integers(min_value=1, max_value=7))


@given(_networks())
def test_the_best_route_is_the_best_of_all_that_are_tried_one_by_one(drawn: tuple[State, tuple[str, ...], int]) -> None:
    """Rule: DIFF 35: against a search that leaves nothing out."""
    state, via, longest = drawn
    for goal in (place.id for place in state.board.cities if place.colour == "blue"):
        ways = [
            way for way in _all_ways(state, ("AAC",), goal, longest) if _in_order(way, via) and _is_legal(state, way)
        ]
        best = min(ways, key=lambda way: _merit(state, way), default=())
        assert best_route(state, "ANN", "blue", "AAC", goal, via, longest) == best


def _all_ways(state: State, way: tuple[str, ...], goal: str, left: int) -> Iterator[tuple[str, ...]]:
    if way[-1] == goal:
        yield way
    elif left:
        for place in state.board.cities:
            if place.id not in way and link_id(way[-1], place.id) in state.built:
                yield from _all_ways(state, (*way, place.id), goal, left - 1)


def _in_order(way: tuple[str, ...], via: tuple[str, ...]) -> bool:
    rest = iter(way[1:-1])
    return all(place in rest for place in via)


def _is_legal(state: State, way: tuple[str, ...]) -> bool:
    options, board = state.options, state.board
    stopped = options.must_stop and any(board.city(place).colour == "blue" for place in way[1:-1])
    return not stopped and ("ANN" in _owners(state, way) or not options.own_link_needed)


def _merit(state: State, way: tuple[str, ...]) -> tuple[int, int, list[str]]:
    owners = _owners(state, way)
    names = [state.board.name(place).replace("ü", "u") for place in way]
    return (-owners.count("ANN"), owners.count("BOB"), names)


def _owners(state: State, way: tuple[str, ...]) -> list[str]:
    return [state.built[link_id(one, other)] for one, other in pairwise(way)]
