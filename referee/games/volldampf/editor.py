"""For people who make boards: an empty sheet, remarks on a board that has no faults, and its picture."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations

from referee.core import Texts, cheapest_costs, count_of, first_of
from referee.core.game import Atlas
from referee.core.picture import Point
from referee.core.texts.shipped import shipped_sheet

from .board import CUBE_COLOURS, FORMAT, Board, City, Link, deck
from .board.boardfile import draft_of_board, read_board
from .report.drawing import draw_board
from .report.picture import lay_out

# A boardmaker's eye on a board that has no faults: what is on it, and what may play badly. None of it is a fault.

LINKS_OF_A_COLOUR = 10  # covers 8 track cards and both Günstige Gelegenheit. Rule: V8.7
CARDS = 18  # Rule: V1.2
NEAR = 6  # links within which a city of every colour should lie. Rule: V3.6.2

_SHOWN = 6  # things named in a remark


def summary(board: Board) -> str:
    """Return what is on the board: ``Deutschland, um 1925, 27 cities (…), 60 links in 6 colours, 18 merchandise cards``."""
    counts = Counter(city.colour for city in board.cities)
    colours = ", ".join(f"{counts[colour]} {colour}" for colour in CUBE_COLOURS if counts[colour])
    costs = [link.cost for link in board.links]
    return ", ".join(
        (
            board.title,
            f"{count_of(len(board.cities), 'city', 'cities')} ({colours})",
            f"{count_of(len(board.links), 'link')} for {min(costs)} to {max(costs)} in {count_of(len(board.colours), 'colour')}",
            count_of(len(board.merchandise), "merchandise card"),
        )
    )


def remarks(board: Board) -> Texts:
    """Return a sentence for everything a boardmaker would look at again."""
    return (*_contents(board), *_network(board), *_lasting(board), *_paper(board))


def _contents(board: Board) -> Iterator[str]:
    """A cube needs somewhere to go, a track card something to build; merchandise cards name all cities alike."""
    for colour in CUBE_COLOURS:
        count = sum(city.colour == colour for city in board.cities)
        if count < 2:
            yield f"{count_of(count, 'city is', 'cities are')} {colour}: {colour} cubes have hardly anywhere to go."
    for colour_id in board.colour_ids:
        count = sum(link.colour == colour_id for link in board.links)
        if count < LINKS_OF_A_COLOUR:
            yield (
                f"{count_of(count, 'link is', 'links are')} {colour_id}: with fewer than {LINKS_OF_A_COLOUR} a track card "
                "may find no free link."
            )
    if len(board.merchandise) != CARDS:
        yield f"There are {count_of(len(board.merchandise), 'merchandise card')}; in the box there are {CARDS}."
    named = Counter(city for card in board.merchandise for city in card.cities)
    missing = [city.name for city in board.cities if not named[city.id]]
    if missing:
        yield f"No merchandise card names {first_of(missing, _SHOWN)}."
    if len({named[city.id] for city in board.cities}) > 1:
        most = max(board.cities, key=lambda city: named[city.id])
        yield f"Cities do not stand on the same number of cards: {most.name} stands on {named[most.id]}."
    seen: dict[frozenset[str], int] = {}
    for card in board.merchandise:
        twin = seen.setdefault(frozenset(card.cities), card.number)
        if twin != card.number:
            yield f"Merchandise cards {twin} and {card.number} name the same cities."


def _network(board: Board) -> Iterator[str]:
    """All cities should hang together, and from each a city of every colour lie within a delivery.

    A city with one link is easily cut off. The links of a colour make a region, and cost about the same in all.
    """
    reached = _distances(board.links, board.cities[0].id)
    lost = [city.name for city in board.cities if city.id not in reached]
    if lost:
        yield f"No links lead from {board.cities[0].name} to {first_of(lost, _SHOWN)}."
    ends = [city.name for city in board.cities if len(board.neighbours(city.id)) == 1]
    if ends:
        yield f"Only one link each touches {first_of(ends, _SHOWN)}."
    abroad = [link for link in board.links if not (board.city(link.a).is_home or board.city(link.b).is_home)]
    if abroad:
        yield f"Both ends lie abroad: {first_of([board.link_name(link.id) for link in abroad], _SHOWN)}."
    for city in board.cities:
        distances = _distances(board.links, city.id)
        for colour in CUBE_COLOURS:
            ways = [steps for other, steps in distances.items() if steps and board.city(other).colour == colour]
            if not ways or min(ways) > min(NEAR, board.max_links):
                yield f"No {colour} cube can leave {city.name}: the nearest {colour} city is too far away."
    for colour in board.colour_ids:
        links = [link for link in board.links if link.colour == colour]
        if links and {link.a for link in links} - _distances(links, links[0].a).keys():
            yield f"The {colour} links do not hang together."
    sums = {colour: sum(link.cost for link in board.links if link.colour == colour) for colour in board.colour_ids}
    if max(sums.values()) > min(sums.values()) * 5 // 4:
        yield "The colours cost differently in all: " + ", ".join(f"{name} {cost}" for name, cost in sums.items()) + "."


def _lasting(board: Board) -> Iterator[str]:
    """The track cards should be used up in the last round, the bag last for the setup and for round 1. Rule: V8.1, V8.4."""
    for count, numbers in board.numbers.items():
        left = deck(board, numbers) - count * numbers.group_size * numbers.rounds
        if left:
            yield f"With {count} players {count_of(left, 'track card is', 'track cards are')} left after the last round."
    bag, homes = board.cubes * len(CUBE_COLOURS), sum(city.is_home for city in board.cities)
    for count, numbers in board.numbers.items():
        wanted = homes + 3 * (numbers.setup_cards + numbers.round_cards)
        if wanted > bag:
            yield f"With {count} players {wanted} cubes are wanted by round 1, {bag} are in the bag."


def _paper(board: Board) -> Iterator[str]:
    for one, other in combinations(board.links, 2):
        if _cross(board, one, other):
            yield f"{board.link_name(one.id)} and {board.link_name(other.id)} cross where they are drawn."
    spots = Counter(city.at for city in board.cities)
    for city in board.cities:
        if spots[city.at] > 1:
            yield f"{city.name} is drawn on top of another city, at {city.at[0]}, {city.at[1]}."


def _cross(board: Board, one: Link, other: Link) -> bool:
    """Return whether two links without a common end cross on paper."""
    if {one.a, one.b} & {other.a, other.b}:
        return False
    a, b, c, d = (board.city(code) for code in (one.a, one.b, other.a, other.b))
    return _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0


def _turn(a: City, b: City, c: City) -> int:
    """Return more than 0 if *c* lies to the right of the way from *a* to *b*, less than 0 if to the left."""
    return (b.at[0] - a.at[0]) * (c.at[1] - a.at[1]) - (b.at[1] - a.at[1]) * (c.at[0] - a.at[0])


def _distances(links: Iterable[Link], start: str) -> dict[str, int]:
    """Return how many links away every city lies that can be reached."""
    return cheapest_costs(
        (start,),
        lambda here: [(link.b if link.a == here else link.a, 1) for link in links if here in (link.a, link.b)],
    )


# An empty board file to fill in, with a word on every section.

LARGEST = (9999, 9999)  # of a printed board, in millimetres or any other unit


def empty_board(columns: int, rows: int, name: str, title: str) -> str:
    """Return the text of a board with two cities, every section explained.

    *columns*, *rows*: the size of the sheet in the units of ``at``; *title*: without quotes, backslashes, control characters.
    """
    return shipped_sheet(__package__).format(
        title=title,
        name=name,
        width=columns,
        height=rows,
        left=columns // 4,
        right=columns * 3 // 4,
        top=rows // 4,
        bottom=rows * 3 // 4,
    )


# What Volldampf offers to boardmakers: a survey of a board, its picture, an empty board file.


def spots(board: Board, words: str) -> tuple[Point, ...]:
    """Return where the cities lie that the sentence of a fault names."""
    sheet = lay_out(board)
    return tuple(
        sheet.spots[city.id]
        for city in board.cities
        if any(name and re.search(rf"\b{re.escape(name)}\b", words) for name in (city.name, city.id))
    )


ATLAS = Atlas(
    read=read_board,
    summary=summary,
    remarks=remarks,
    draw=draw_board,
    sheet=empty_board,
    largest=LARGEST,
    draft=draft_of_board,
    spots=spots,
    format=FORMAT,
    unit="millimetres",
)
