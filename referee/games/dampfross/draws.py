"""Drawing races with two dice, a turn's worth at a time, on the networks as they lie. Rule: D5.1-D5.4."""

from __future__ import annotations

from collections.abc import Collection, Set
from functools import lru_cache
from itertools import chain, combinations, count, cycle, islice

from referee.core import Dice, Numbers, OptionError, Texts, View, distance, shuffle

from .board import RailMap, ends_of
from .changes import Record
from .events import RaceCancelled, RacesDrawn, RollsThrown
from .options import allowed_building, number, word
from .routing import track_distances
from .state import Race, State

# The races of a postal game, drawn in one go: sectors meet sectors evenly. Rule: D5.6.
#
# The keys of a sector (first digit) form a class, the specials, where a map has them, one more. In each round every class comes
# up twice and no pair of classes twice; each half of the schedule uses every key and special once and lets every pair of
# classes meet. That is Laurin's game twice over: 18 races without specials, 21 with them. Fewer specials than six come up
# oftener (R30).

ROUNDS_OF_A_HALF = 3
MEMBERS = 6  # of a class, each once in a half
SPECIALS = 0  # the class of the specials; the others are the sectors 1..6
MOST_TRIES = 500

_KEYS = tuple(10 * sector + place for sector in range(1, 7) for place in range(1, MEMBERS + 1))

Match = tuple[int, int]
Meeting = tuple[Match, ...]  # the pairs of classes that meet in one round


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
    used = set[frozenset[int]]()
    for half in (1, 2):
        pairs_by_round = _draw_half(board, dice, half, shortest, used)
        used |= {frozenset(pair) for pairs in pairs_by_round for pair in pairs}
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
    board: RailMap, dice: Dice, half: int, shortest: int, used: Set[frozenset[int]]
) -> tuple[tuple[Match, ...], ...]:
    """Return the (start, end) pairs of three rounds: the first draw without a race too short or run before."""

    def faults(rounds: tuple[tuple[Match, ...], ...]) -> int:
        pairs = chain.from_iterable(rounds)
        return sum(crow_flies(board, *pair) < shortest or frozenset(pair) in used for pair in pairs)

    tried = []
    for attempt in range(1, MOST_TRIES + 1):
        tried.append(_deal(board, dice, half, f"schedule/{half}/{attempt}"))
        if not faults(tried[-1]):
            return tried[-1]
    return min(tried, key=faults)


def _deal(board: RailMap, dice: Dice, half: int, name: str) -> tuple[tuple[Match, ...], ...]:
    """Draw who meets whom, deal every class's members out over the rounds, and shuffle order and direction."""
    classes = (SPECIALS, 1, 2, 3, 4, 5, 6) if board.specials else (1, 2, 3, 4, 5, 6)
    meetings = _draw_meetings(classes, dice, f"{name}/meetings")
    waiting = {each: list(shuffle(_members(board, each, half), dice, f"{name}/class/{each}")) for each in classes}
    rounds = []
    for index, meeting in enumerate(meetings, start=1):
        pairs = tuple((waiting[one].pop(), waiting[other].pop()) for one, other in meeting)
        turned = tuple(
            pair if dice.throw(f"{name}/turn/{index}/{place}", 2) == 1 else pair[::-1]
            for place, pair in enumerate(pairs, start=1)
        )
        rounds.append(shuffle(turned, dice, f"{name}/order/{index}"))
    return tuple(rounds)


@lru_cache(maxsize=64)
def _members(board: RailMap, each: int, half: int) -> Numbers:
    """Return the six members of a class: of fewer specials those whose turn it is come up again. Rule: R30."""
    if each == SPECIALS:
        specials = cycle(special.number for special in board.specials)
        return tuple(islice(specials, (half - 1) * MEMBERS, half * MEMBERS))
    return tuple(key for key in sorted(board.ends_of) if key // 10 == each)


def _draw_meetings(classes: Numbers, dice: Dice, name: str) -> tuple[Meeting, ...]:
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
def _marked_meetings(classes: Numbers) -> tuple[tuple[int, Meeting], ...]:
    """Return every meeting, each with a bit for every pair in it."""
    bits = {pair: 1 << place for place, pair in enumerate(combinations(classes, 2))}
    return tuple((sum(bits[pair] for pair in meeting), meeting) for meeting in all_meetings(classes))


@lru_cache(maxsize=4)
def all_meetings(classes: Numbers) -> tuple[Meeting, ...]:
    """Return every way in which each class meets exactly two others."""
    every = combinations(combinations(classes, 2), len(classes))
    twice = sorted(2 * classes)
    return tuple(meeting for meeting in every if sorted(chain.from_iterable(meeting)) == twice)


MOST_RACES = 144  # a game for a target of money ends here at the latest: every key four times twice. Rule: R21


def races_in_all(state: State) -> int:
    """Return how many races the game has; with a target of money, how many it has at the most. Rule: D5.1."""
    options = state.options
    if word(options.game_ends) == "target":
        return MOST_RACES
    return options.races if isinstance(options.races, int) else state.board.race_count


def is_special(state: State, race: int) -> bool:
    """Return whether a race goes to a special. Rule: D5.1."""
    board, option = state.board, state.options.specials
    if not board.specials:
        return False
    return race in board.special_races if option == "numbers" else race % number(option) == 0


def draws_view(state: State) -> View:
    """Return how races are drawn by dice: {races (in all), drawn, special (numbers), free (keys), struck (keys)}."""
    most, free = races_in_all(state), free_keys(state)
    return {
        "races": most,
        "drawn": len(state.races),
        "special": [race for race in range(1, most + 1) if is_special(state, race)],
        "free": list(free),
        "struck": [key for key in sorted(state.board.ends_of) if key not in free],
    }


def spending_after(state: State, race: int) -> bool:
    """Return whether companies build after that race. Rule: D7.1 (cancelled races count, not after the last)."""
    by = allowed_building(state.options).by
    if state.options.race_schedule != "dice":
        return by == "race-income"
    if race >= races_in_all(state):
        return False
    return by == "race-income" or (by == "per 2 races" and race % 2 == 0)


def counts_for_building(state: State, race: Race) -> bool:
    """Return whether a race is followed by building, if one after it is due: a cancelled one brings no income. Rule: R32."""
    return race.status == "open" or allowed_building(state.options).by == "per 2 races"


def draw_for_round(record: Record, round_number: int) -> None:
    """Draw the races that are offered in *round_number*, and on while all of them are cancelled and no building is due.

    Rule: D5.2, R34.
    """
    per_turn = record.state.options.races_per_turn
    assert isinstance(per_turn, int)
    drawn = 0
    while may_draw(record.state):
        offered = any(race.status == "open" and race.round == round_number for race in record.state.races)
        if (drawn >= per_turn) if offered else _is_built_in(record.state, round_number):
            return
        _draw(record, round_number)
        drawn += 1


def may_draw(state: State) -> bool:
    """Return whether there are numbers and keys for another race. Rule: D5.1."""
    following = len(state.races) + 1
    return following <= races_in_all(state) and len(free_keys(state)) >= (1 if is_special(state, following) else 2)


def _is_built_in(state: State, round_number: int) -> bool:
    """Return whether companies build after a race already drawn for a round, cancelled or not. Rule: D7.1."""
    return any(
        race.round == round_number and counts_for_building(state, race) and spending_after(state, race.number)
        for race in state.races
    )


def free_keys(state: State) -> Numbers:
    """Return the keys that are still to be drawn. In a game for money all are free again when they are used up. Rule: R21."""
    every = tuple(sorted(state.board.ends_of))
    used: set[int] = set()
    for race in state.races:
        used |= {race.start, race.end} & set(every)
        if word(state.options.game_ends) == "target" and len(every) - len(used) < 2:
            used.clear()
    return tuple(key for key in every if key not in used)


def _draw(record: Record, round_number: int) -> None:
    """Draw one race; what cannot be run is cancelled and its number used up.

    Where companies build before it comes up, the track it needs may be laid then. Rule: D5.2-D5.4, R34.
    """
    state = record.state
    race_number = len(state.races) + 1
    name, special = f"draw/{race_number}", is_special(state, race_number)
    start = _draw_key(record, f"{name}/start", free_keys(state))
    ends = [each.number for each in state.board.specials] if special else [*free_keys(state)]
    built_before = _is_built_in(state, round_number)
    refused: set[int] = set()
    why, end = "", 0
    while True:
        choice = tuple(number for number in ends if number != start and number not in refused)
        if not choice:
            # The only destination there was is struck off with the start. Rule: D5.4
            why, end = "too-near", next(iter(refused)) if len(refused) == 1 and not special else 0
            break
        thrown = (record.dice.throw(f"{name}/special/{attempt}", 6) for attempt in count(1)) if special else ()
        end = next((each for each in thrown if each in choice), 0) or _draw_key(record, f"{name}/end", choice, refused)
        distance = _track_distance(state, start, end)
        if distance is None and built_before:
            distance = crow_flies(state.board, start, end)
        if distance is None:
            why = "unconnected"
            break
        if distance >= state.options.shortest_race:
            break
        refused.add(end)
    race = Race(number=race_number, start=start, end=end, round=round_number)
    record.add(RacesDrawn(races=(race,), round=round_number, paragraph="D5.2"))
    if why:
        record.add(RaceCancelled(race=race_number, why=why, paragraph="D5.3" if why == "unconnected" else "D5.4"))


def _draw_key(record: Record, name: str, choice: Numbers, refused: Collection[int] = frozenset()) -> int:
    """Throw a red and a black die until the key may be had; for one that is used take the next that may, for one *refused* as too
    near throw anew. Rule: D5.2, D5.4.
    """
    state, throw = record.state, record.dice.throw
    run = sum(race.status != "open" for race in state.races)
    takes_next = state.options.redraw == "next" and 2 * run > races_in_all(state)
    names = (f"{name}/{attempt}" for attempt in count(1))
    keys = (10 * throw(f"{each}/red", 6) + throw(f"{each}/black", 6) for each in names)
    key = next(key for key in keys if key in choice or (takes_next and key not in refused))
    return key if key in choice else next((other for other in choice if other > key), choice[0])


def _track_distance(state: State, start: int, end: int) -> int | None:
    """Return the hex-sides of the shortest existing connection between the nearest ends, over anybody's track.

    None where no track joins them. Rule: D5.3, D5.4.
    """
    board = state.board
    reached = track_distances(board, (*state.track, *board.permitted), ends_of(board, start))
    return min((reached[label] for label in ends_of(board, end) if label in reached), default=None)


# The rolls of a building round: which dice, how many, and whether the umpire throws them.

ROLLS = "rolls"  # how the names of these throws begin
TYPED_SIDES = 9  # rolls of 7 were played; what lay on those dice nobody knows, so no digit is refused


def needs_typed(state: State) -> Texts:
    """Return how the names of throws begin that the umpire must type. Rule: D4.4."""
    return (f"{ROLLS}/",) if state.options.roll == "typed" else ()


def throw_rolls(record: Record, round_number: int) -> None:
    """Throw the rolls of a round: one for everybody, or each company's own. Rule: D2.1, D4.4."""
    state = record.state
    for company in state.codes if state.options.roll_per == "company" else ("",):
        rolls = _rolls(state, record.dice, f"{ROLLS}/{round_number}" + (f"/{company}" if company else ""))
        record.add(RollsThrown(round=round_number, rolls=rolls, company=company))


def _rolls(state: State, dice: Dice, name: str) -> Numbers:
    """Return the rolls; ``drop-lowest`` throws one die more and drops the lowest, the others in order; two ones: anew."""
    options = state.options
    if options.roll != "drop-lowest":
        sides = TYPED_SIDES if options.roll == "typed" else 6
        return tuple(dice.throw(f"{name}/{roll}", sides) for roll in range(1, options.rolls_per_round + 1))
    dropping = range(1, options.rolls_per_round + 2)
    tries = ([dice.throw(f"{name}/{attempt}/{roll}", 6) for roll in dropping] for attempt in count(1))
    rolls = next(rolls for rolls in tries if rolls.count(1) < 2)
    rolls.remove(min(rolls))
    return tuple(rolls)
