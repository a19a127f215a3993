"""Lines as they could be ordered: what newsletters show to those who have never built, or entered a race."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from referee.core.hexes import Hex, Path, distance, neighbours, straight_run
from referee.games.dampfross.costs import points_due, step_refusal
from referee.games.dampfross.fastest import FASTEST, FEW_TRIES, best_route
from referee.games.dampfross.notation import NOTHING, PIECES, format_piece, format_route, roll_label
from referee.games.dampfross.racing import led_by, may_build
from referee.games.dampfross.state import DAVID, Piece, State, all_homes, homes_of

_PIECES = 2
_ROLL = 6


def priced_line(state: State, reader: str | None) -> tuple[str, int]:
    """Return a line of two pieces from the reader's home, or one he may choose, for which the first roll suffices; from elsewhere
    on his network where none can be built from there. Also the points that it costs.

    One piece where no more may leave the home (D1.3).

    *reader*: a player; None stands for the first company.
    """
    company = led_by(state, reader)[0] if reader else state.codes[0]
    paths = priced_paths(state, company)
    pieces = PIECES.join(format_piece(state.board, Piece(path=tuple(path))) for path in paths)
    return f"{roll_label(state, 1)} {pieces or NOTHING}", sum(sum(path.values()) for path in paths)


def priced_paths(state: State, company: str) -> list[dict[Hex, int]]:
    """Return the pieces of such a line of a company: the hexes of each, with the points that it costs to come there."""
    most = min(state.board.first_round_ways or _PIECES, _PIECES)
    ways = (_affordable(state, company, start, most) for start in _starts(state, company))
    return [
        {path[0]: 0} | {end: points_due(state, company, start, end) for start, end in pairwise(path)}
        for path in next(filter(None, ways), ())
    ]


def race_lines(state: State, reader: str | None) -> tuple[str, ...]:
    """Return lines that enter a race on offer: the first one that the reader's company can run, with the route it would take.

    For a company that can run none of them there are no lines, nor where none is on offer.
    *reader*: a player; None stands for the first company.
    """
    races = state.offered() if state.is_racing else ()
    company = led_by(state, reader)[0] if reader else state.codes[0]
    for race in races:
        route = best_route(state, (company,), race, aim=FASTEST, tries=FEW_TRIES)
        if route is not None and route.path:
            return (f"RUN {race.number}: FASTEST", f"RUN {race.number}: {format_route(state.board, route)}")
    return ()


def help_lines(state: State, player: str) -> dict[str, str]:
    """Return by verb a line with names of this position, as HELP shows them; none for a verb that has nothing to name now, "" for
    one that is of no use to this player any more.
    """
    led = led_by(state, player)
    found = {"BUILD": priced_line(state, player)[0]} if may_build(state) else {}
    found |= {} if len(led) > 1 else {"FOR": ""}
    if all(company in state.home for company in led):
        found["HOME"] = ""
    if not state.is_racing or not state.offered():
        return {**found, "RUN": "", "JOINT": ""}
    races = race_lines(state, player) or (f"RUN {state.offered()[0].number}: {NOTHING}",)
    partners = (code for code in state.codes if code not in led and code != DAVID)
    joint = (f"JOINT {state.offered()[0].number} WITH {partner}" for partner in partners)
    return {**found, "RUN": races[-1], "JOINT": next(joint, "")}


def _home(state: State, company: str) -> Hex:
    if company in state.home:
        return state.home[company]
    return (*homes_of(state, company), *all_homes(state))[0]


def _starts(state: State, company: str) -> Iterator[Hex]:
    """Yield where a piece may start: the home, then the other hexes of the company's network."""
    yield _home(state, company)
    yield from sorted({end for laid in state.track_of(company) for end in laid})


def _affordable(state: State, company: str, home: Hex, most: int) -> tuple[Path, ...]:
    """Return up to *most* ways from a hex, no two over one side of it, whose points together are no more than the first roll."""
    left = next(iter(state.rolls_of(company)), _ROLL)
    chosen: dict[Hex, Path] = {}  # by the first hex after home
    for path in (*_stretches(state, company, home), *((home, first) for first in neighbours(home))):
        if len(chosen) < most and path[1] not in chosen and _may_be_built(state, company, path):
            points = sum(points_due(state, company, start, end) for start, end in pairwise(path))
            if points <= left:
                chosen[path[1]] = path
                left -= points
    return tuple(chosen.values())


def _stretches(state: State, company: str, home: Hex) -> Iterator[Path]:
    """Yield straight ways of two hex-sides from *home*, at most one to each side of it."""
    for first in neighbours(home):
        for end in neighbours(first):
            path = (home, first, end)
            if distance(home, end) == 2 and straight_run(home, end) == path:
                yield path


def _may_be_built(state: State, company: str, path: Path) -> bool:
    """Return whether nothing but a low roll may stop the line."""
    return all(step_refusal(state, company, start, end, _ROLL) is None for start, end in pairwise(path))
