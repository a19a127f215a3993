"""Which deliveries are legal and why others are not. Rules: V3.6.1-V3.6.3, V4.3, V4.6, DIFF 29-32, 35, 44, R1, R8."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from referee.core import Complaint, Texts, View
from referee.games.volldampf.board import link_id
from referee.games.volldampf.routing import best_route, legal_deliveries, route_of
from referee.games.volldampf.state import Bar, Delivery, State
from tests.games.volldampf.roads import cities, city, delivery, scene
from tests.tables import Tables

CASES = Tables(__file__)


PLACES = {"blue": "Aachen Bonn Xanten", "violet": "Celle Emden Fulda", "red": "Goslar"}


def position(built: str = "Celle-Emden-Bonn-Fulda-Xanten", **details: Any) -> State:
    """Return a position with a blue cube in Celle; ANN owns all that is built, Aachen-Celle is printed only."""
    cubes = {"Celle": "blue", "Bonn": "blue"}
    return scene(PLACES, {"ANN": built}, cubes=cubes, printed="Aachen-Celle Celle-Goslar", **details)


def refused(state: State, order: Delivery, in_force: int = 0) -> tuple[str, str]:
    """Return code and paragraph of the complaint about a delivery of ANN's."""
    found = route_of(state, "ANN", order, in_force)
    assert isinstance(found, Complaint), found
    return found.code, found.paragraph


@CASES.rows
def test_what_is_wrong_is_told_with_its_paragraph(cube: str, more: View, code: str, paragraph: str) -> None:
    assert refused(position(), delivery(cube, **more)) == (code, paragraph)


def test_all_legal_deliveries_are_found_each_over_its_best_route() -> None:
    """Emden's red cube has no way to Goslar; Bonn's blue one may go on to Xanten."""
    state = position("Celle-Emden-Bonn-Fulda-Xanten Celle-Fulda")
    found = legal_deliveries(state.but(cubes={**state.cubes, "EMD": ("red", "violet")}), "ANN", 6)
    assert [(each.colour, each.route) for each in found] == [
        ("blue", cities("Bonn Emden Celle Fulda Xanten")),
        ("blue", cities("Celle Emden Bonn")),
        ("blue", cities("Celle Fulda Xanten")),
        ("violet", cities("Emden Celle")),
        ("violet", cities("Emden Bonn Fulda")),
    ]


def test_what_is_found_legal_is_legal_and_bars_are_left_out() -> None:
    state = position("Celle-Emden-Bonn-Fulda-Xanten Celle-Fulda", bars=(Bar(player="ANN", colour="blue", city="CEL"),))
    found = legal_deliveries(state, "ANN", 6)
    assert {each.origin for each in found} == {"BON"}
    assert all(route_of(state, "ANN", each) == each.route for each in found)
    assert {each.origin for each in legal_deliveries(state, "BOB", 6)} == {"BON", "CEL"}


# The best route over built links, where a player names none. Rules: V3.6.2, V3.6.3, DIFF 29, 30, 32, 35, R18.

NAMES = ("Aachen", "Bonn", "Celle", "Düren", "Emden", "Fulda", "Goslar", "Halle", "Ilmenau")


def route(state: State, ends: str, via: str = "", longest: int = 6, colour: str = "blue") -> Texts:
    """Return ANN's best route between ``"Aachen Celle"``."""
    origin, goal = cities(ends)
    wanted = Delivery(colour=colour, origin=origin, goal=goal, via=cities(via))
    return best_route(state, "ANN", wanted, longest)


def lines(built: dict[str, str], options: dict[str, object] | None = None) -> State:
    """Return a board where Ilmenau and Bonn are blue, Halle red, all others violet."""
    violet = "Aachen Celle Düren Emden Fulda Goslar"
    return scene({"blue": "Ilmenau Bonn", "violet": violet, "red": "Halle Zwickau"}, built, options=options)


@CASES.rows
def test_most_own_sections_go_before_fewest_of_others(ann: str, bob: str, best: str) -> None:
    """Rule: DIFF 35."""
    assert route(lines({"ANN": ann, "BOB": bob}), "Aachen Ilmenau") == cities(best)


@st.composite
def _networks(draw: st.DrawFn) -> tuple[State, Texts, int]:
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
def test_the_best_route_is_the_best_of_all_that_are_tried_one_by_one(drawn: tuple[State, Texts, int]) -> None:
    """Rule: DIFF 35: against a search that leaves nothing out."""
    state, via, longest = drawn
    for goal in (place.id for place in state.board.cities if place.colour == "blue"):
        ways = [
            way for way in _all_ways(state, ("AAC",), goal, longest) if _in_order(way, via) and _is_legal(state, way)
        ]
        best = min(ways, key=lambda way: _merit(state, way), default=())
        assert best_route(state, "ANN", Delivery("blue", "AAC", goal, via=via), longest) == best


def _all_ways(state: State, way: Texts, goal: str, left: int) -> Iterator[Texts]:
    if way[-1] == goal:
        yield way
    elif left:
        for place in state.board.cities:
            if place.id not in way and link_id(way[-1], place.id) in state.built:
                yield from _all_ways(state, (*way, place.id), goal, left - 1)


def _in_order(way: Texts, via: Texts) -> bool:
    rest = iter(way[1:-1])
    return all(place in rest for place in via)


def _is_legal(state: State, way: Texts) -> bool:
    options, board = state.options, state.board
    stopped = options.must_stop and any(board.city(place).colour == "blue" for place in way[1:-1])
    return not stopped and ("ANN" in _owners(state, way) or not options.own_link_needed)


def _merit(state: State, way: Texts) -> tuple[int, int, list[str]]:
    owners = _owners(state, way)
    names = [state.board.name(place).replace("ü", "u") for place in way]
    return (-owners.count("ANN"), owners.count("BOB"), names)


def _owners(state: State, way: Texts) -> list[str]:
    return [state.built[link_id(one, other)] for one, other in pairwise(way)]
