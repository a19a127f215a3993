"""The races of a postal game, drawn in one go: sectors meet sectors evenly. Rule: D5.6.

The keys of a sector (first digit) form a class, the specials, where a map has them, one more. In each round every class
comes up twice and no pair of classes twice; each half of the schedule uses every key and special once and lets every pair
of classes meet. That is Laurin's game twice over: 18 races without specials, 21 with them. Fewer specials than six come up
oftener (R30).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, cycle, islice, pairwise, permutations

from referee.core.dice import Dice, shuffled
from referee.core.errors import OptionError
from referee.core.hexes import distance
from referee.games.dampfross.board.railmap import RailMap, ends_of
from referee.games.dampfross.position.state import Race

ROUNDS_OF_A_HALF = 3
MEMBERS = 6  # of a class, each once in a half
SPECIALS = 0  # the class of the specials; the others are the sectors 1..6
MOST_TRIES = 500

_KEYS = tuple(10 * sector + place for sector in range(1, 7) for place in range(1, MEMBERS + 1))

Pair = tuple[int, int]
Meeting = tuple[Pair, ...]  # the pairs of classes that meet in one round


def draw_races(board: RailMap, dice: Dice, first_round: int, shortest: int) -> tuple[Race, ...]:
    """Return all races, numbered from 1 through six rounds; every key and special is used twice.

    *shortest*: hex-sides as the crow flies between the nearest ends. Should a map leave no draw without a shorter race, the
    one with the fewest of them stands. Rule: D5.6.

    Raises:
        OptionError: a key is missing, as only a scenario's sketch may lack it.
    """
    missing = [str(key) for key in _KEYS if key not in board.ends_of]
    if missing:
        says = f"{len(missing)} are missing, the first of them {missing[0]}"
        raise OptionError(f"race_schedule = sectors draws its races from all 36 keys; in {board.title!r} {says}")
    races: list[Race] = []
    used: frozenset[Pair] = frozenset()
    for half in (1, 2):
        pairs_by_round = _draw_half(board, dice, half, shortest, used)
        used |= {_in_order(pair) for pairs in pairs_by_round for pair in pairs}
        for index, pairs in enumerate(pairs_by_round):
            round_number = first_round + (half - 1) * ROUNDS_OF_A_HALF + index
            races += [
                Race(number=len(races) + place, start=start, end=end, round=round_number)
                for place, (start, end) in enumerate(pairs, start=1)
            ]
    return tuple(races)


@lru_cache(maxsize=4096)
def crow_flies(board: RailMap, start: int, end: int) -> int:
    """Return the hex-sides between the nearest ends of a race as the crow flies. Rule: D5.4, D5.6."""
    return min(distance(one, other) for one in ends_of(board, start) for other in ends_of(board, end))


def _draw_half(
    board: RailMap, dice: Dice, half: int, shortest: int, used: frozenset[Pair]
) -> tuple[tuple[Pair, ...], ...]:
    """Return the (start, end) pairs of three rounds: the first draw without a race too short or run before."""
    best: tuple[int, tuple[tuple[Pair, ...], ...]] | None = None
    for attempt in range(1, MOST_TRIES + 1):
        rounds = _deal(board, dice, half, f"schedule/{half}/{attempt}")
        pairs = [pair for meeting in rounds for pair in meeting]
        faults = sum(crow_flies(board, *pair) < shortest or _in_order(pair) in used for pair in pairs)
        if best is None or faults < best[0]:
            best = (faults, rounds)
        if not faults:
            break
    assert best is not None
    return best[1]


def _deal(board: RailMap, dice: Dice, half: int, name: str) -> tuple[tuple[Pair, ...], ...]:
    """Draw who meets whom, deal every class's members out over the rounds, and shuffle order and direction."""
    classes = (SPECIALS, 1, 2, 3, 4, 5, 6) if board.specials else (1, 2, 3, 4, 5, 6)
    meetings = _draw_meetings(classes, dice, f"{name}/meetings")
    waiting = {each: list(shuffled(_members(board, each, half), dice, f"{name}/class/{each}")) for each in classes}
    rounds = []
    for index, meeting in enumerate(meetings, start=1):
        pairs = tuple((waiting[one].pop(), waiting[other].pop()) for one, other in meeting)
        turned = tuple(
            pair if dice.throw(f"{name}/turn/{index}/{place}", 2) == 1 else pair[::-1]
            for place, pair in enumerate(pairs, start=1)
        )
        rounds.append(shuffled(turned, dice, f"{name}/order/{index}"))
    return tuple(rounds)


@lru_cache(maxsize=64)
def _members(board: RailMap, each: int, half: int) -> tuple[int, ...]:
    """Return the six members of a class: of fewer specials those whose turn it is come up again. Rule: R30."""
    if each == SPECIALS:
        specials = cycle(special.number for special in board.specials)
        return tuple(islice(specials, (half - 1) * MEMBERS, half * MEMBERS))
    return tuple(key for key in sorted(board.ends_of) if key // 10 == each)


def _draw_meetings(classes: tuple[int, ...], dice: Dice, name: str) -> tuple[Meeting, ...]:
    """Return three meetings in which every pair of classes comes up, and none three times.

    Seven classes: each pair exactly once. Six: each once, three of them twice. The dice choose where the search begins.
    """
    every = _marked_meetings(classes)
    pairs = len(classes) * (len(classes) - 1) // 2
    begin = [dice.throw(f"{name}/{index}", len(every)) - 1 for index in (1, 2, 3)]
    turned = [every[start:] + every[:start] for start in begin]
    one, first = turned[0][0]
    for other, second in turned[1]:
        both = one | other
        if both.bit_count() + len(classes) < pairs:
            continue
        for last, third in turned[2]:
            if (both | last).bit_count() == pairs:
                return first, second, third
    raise AssertionError("some three meetings cover all pairs of six or seven classes")


@lru_cache(maxsize=4)
def _marked_meetings(classes: tuple[int, ...]) -> tuple[tuple[int, Meeting], ...]:
    """Return every meeting, each with a bit for every pair in it."""
    bits = {pair: 1 << place for place, pair in enumerate(combinations(classes, 2))}
    return tuple((sum(bits[pair] for pair in meeting), meeting) for meeting in all_meetings(classes))


@lru_cache(maxsize=4)
def all_meetings(classes: tuple[int, ...]) -> tuple[Meeting, ...]:
    """Return every way in which each class meets exactly two others: rings of three or more, all classes in some ring."""
    if not classes:
        return ((),)
    found = []
    first, rest = classes[0], classes[1:]
    for size in range(2, len(rest) + 1):
        if 0 < len(rest) - size < 3:
            continue
        for others in combinations(rest, size):
            left = tuple(each for each in rest if each not in others)
            for ring in permutations(others):
                if ring[0] < ring[-1]:  # a ring read backwards is the same ring
                    found += [tuple(sorted((*_ring(first, ring), *more))) for more in all_meetings(left)]
    return tuple(sorted(found))


def _ring(first: int, others: tuple[int, ...]) -> Meeting:
    around = (first, *others, first)
    return tuple(_in_order(pair) for pair in pairwise(around))


def _in_order(pair: Pair) -> Pair:
    return pair if pair[0] < pair[1] else pair[::-1]
