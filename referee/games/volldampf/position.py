"""Positions of running games as tables that umpires type in and change by rulings."""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import chain
from operator import attrgetter
from typing import Any

from referee.core import N_, Dice, Fields, fold, spellings
from referee.core.game import Changes, Outcome
from referee.core.record import Ruled, after_ruled
from referee.core.texts.positiontable import (
    CODE,
    LINES,
    LISTED_NUMBERS,
    Clash,
    Form,
    Given,
    Key,
    PositionFault,
    PositionReader,
    Unknown,
    by_company,
    codes_of,
    list_of,
    optional,
    read_keys,
    resolve,
    rows,
    show_value,
    suggest,
    table_of,
    whole,
    word,
    write_keys,
)

from .board import ACTION_CARDS, CUBE_COLOURS, Board, Codes, shortage
from .changes import CHANGES, Play, change
from .events import GameStarted, PositionTaken
from .notation import ASKED, PLACE, SECOND_EXTRA, board_terms
from .round import ask_for_first, is_question, later_agenda, opening_agenda, set_out
from .state import Bar, Item, State

# The keys of a typed-in position: what each of them holds, how it is typed, and what it puts where.

Reader = PositionReader[State]

MOST = 9999  # marks, spaces, cards: what is more is a slip of the pen


# Cities and links by name.


@lru_cache(maxsize=16)
def _cities(board: Board) -> dict[str, str]:
    places = [term for term in reversed(board_terms(board)) if term.kind == PLACE]
    return {key: term.value for term in places for key in spellings(term.name)}


def _read_city(reader: Reader, typed: Any) -> str:
    board = reader.state.board
    found = _cities(board).get(fold(typed)) if isinstance(typed, str) else None
    if found is not None:
        return found
    raise Unknown(N_("there is no city {value} on this board{like}"), typed, [city.name for city in board.cities])


def _read_link(reader: Reader, typed: str) -> str:
    """Return the id of a printed link: ``Hamburg-Hannover``."""
    board = reader.state.board
    known, parts = _cities(board), typed.split("-")
    for at in range(1, len(parts)):
        one, other = (known.get(fold("-".join(side)), "") for side in (parts[:at], parts[at:]))
        link = board.link(one, other)
        if link:
            return link.id
    names = tuple(board.link_name(link.id) for link in board.links)
    near = difflib.get_close_matches(typed, names, 1)
    likely, other = (
        N_("there is no link {value} on this board ({like}?)"),
        N_("there is no link {value} on this board (as {like})"),
    )
    raise PositionFault(likely if near else other, value=show_value(typed), like=(near or names)[0])


CITY = Form(_read_city, lambda state, city: state.board.name(city))
_LINKS = list_of(Form(_read_link, lambda state, link: state.board.link_name(link)), LINES, example="Hamburg-Hannover")
_SECTIONS = by_company(_LINKS)


def _read_built(reader: Reader, typed: Any) -> dict[str, str]:
    """Return who has built each link: companies' sections are laid anew; one that is not named keeps its own."""
    built, table = dict(reader.state.built), reader.state.table
    for code, links in _SECTIONS.read(reader, typed).items():
        where = f"built.{code}"
        built = {link: owner for link, owner in built.items() if owner != code}
        for link in links:
            if link in built:
                told = N_("{link} has a section of {code}")
                reader.note(Clash(told, link=table.board.link_name(link), code=built[link]), where)
            built[link] = code
        if list(built.values()).count(code) > table.numbers.sections:
            reader.note(Clash(N_("a company has {sections} sections"), sections=table.numbers.sections), where)
    return built


# Cards and cubes by kind.

_COLOURS = attrgetter("board.colour_ids")


def _in_order(kinds: Given, form: Form) -> Form:
    """Return how a list of kinds is typed that is kept in their order."""
    listed = list_of(form)
    return Form(
        lambda reader, typed: tuple(sorted(listed.read(reader, typed), key=resolve(kinds, reader.state).index)),
        lambda state, things: sorted(things, key=resolve(kinds, state).index),
    )


def _counts(kinds: Given, most: Given) -> Form:
    """Return how it is typed how many there are of each kind; in a game that has not begun, none of those not named."""
    told = N_("{value} is read; a table of numbers expected, as {example}")
    table = table_of(word(kinds), whole(0, most), kinds, 0, told, lambda state: f"{{ {resolve(kinds, state)[0]} = 2 }}")
    return Form(
        lambda reader, typed: {
            **dict.fromkeys(() if reader.state.has_begun else resolve(kinds, reader.state), 0),
            **table.read(reader, typed),
        },
        table.write,
    )


def _read_action(reader: Reader, typed: str) -> str:
    found = next((card for card in ACTION_CARDS if fold(typed) in spellings(card)), "")
    if found:
        return found
    raise PositionFault(
        N_("{value} is no action card ({known})"), value=show_value(typed), known=suggest(typed, ACTION_CARDS)
    )


CARDS, CUBES, ACTIONS = (
    _in_order(_COLOURS, word(_COLOURS)),
    _in_order(CUBE_COLOURS, word(CUBE_COLOURS)),
    _in_order(ACTION_CARDS, Form(_read_action)),
)
_ACTION_COUNTS = _counts(ACTION_CARDS, attrgetter("board.action_cards"))
_CUBES_BY_CITY = table_of(
    CITY,
    CUBES,
    lambda state: tuple(city.id for city in state.board.cities),
    (),
    N_("a table by cities expected, as {example}"),
    '{ Hamburg = ["blue", "red"] }',
)


# Numbers.

AMOUNT = whole(0, MOST)
_NUMBERS = list_of(whole(1, MOST), LISTED_NUMBERS, object)
_SCORES = by_company(whole(-MOST, MOST))


def _read_merchandise(reader: Reader, typed: Any) -> tuple[int, ...]:
    known = {card.number for card in reader.state.board.merchandise}
    numbers: tuple[int, ...] = _NUMBERS.read(reader, typed)
    for number in numbers:
        if number not in known or numbers.count(number) > 1:
            reader.note(PositionFault(f"{number} is no merchandise card of this board, or it is there twice"))
    return numbers


MERCHANDISE = Form(_read_merchandise, _NUMBERS.write)


def _read_scores(reader: Reader, typed: Any) -> dict[str, int]:
    """Return scores; they are what income and bonds come to, unless the game has begun and so may be over."""
    told: dict[str, int] = _SCORES.read(reader, typed)
    if told.items() <= _scores(reader.state).items():
        return dict(reader.state.scores)
    if reader.state.has_begun:
        return {**_scores(reader.state), **told}
    raise PositionFault("they follow from income and bonds")


def _scores(state: State) -> dict[str, int]:
    """Return the scores of a game that is over, else what they would be now."""
    return dict(state.scores) or {code: state.score(code) for code in codes_of(state) if code in state.income}


# Who and what.

CODES = list_of(CODE)


def _read_order(reader: Reader, typed: Any) -> Codes:
    order: Codes = CODES.read(reader, typed)
    if sorted(order) == sorted(codes_of(reader.state)):
        return order
    raise PositionFault(N_("every company once expected: {codes}"), codes=", ".join(codes_of(reader.state)))


def _read_flag(reader: Reader, typed: Any) -> bool:
    if isinstance(typed, bool):
        return typed
    raise PositionFault(f"{show_value(typed)} is read; true or false expected")


def _leave(state: State, thing: object) -> State:
    """Leave the position as it is: a question hangs on all other keys."""
    return state


# In the order in which they are read: a later one may lean on an earlier one. Bag and action pile follow where they are not told.
KEYS = (
    Key("round", whole(1, attrgetter("numbers.rounds"))),
    Key("order", Form(_read_order, CODES.write), word="sequence"),
    Key("balances", by_company(AMOUNT, 0), "cash", "money"),
    Key("bonds", by_company(AMOUNT, 0), word="bonds"),
    Key("income", by_company(AMOUNT, 0), word="income"),
    Key("rounds", by_company(list_of(AMOUNT, LISTED_NUMBERS, object), ())),
    Key("removed", CARDS),
    Key("track_pile", _counts(_COLOURS, MOST), word="track_pile"),
    Key(
        "groups",
        list_of(CARDS, 'a list of lists expected, as [["green", "pink"], ["grey", "grey"]]', object, numbered=True),
    ),
    Key("hands", by_company(CARDS, ()), word="cards"),
    Key(
        "built",
        Form(_read_built, _SECTIONS.write),
        word="track",
        get=lambda state: {
            code: [link.id for link in state.board.links if state.built.get(link.id) == code]
            for code in codes_of(state)
        },
        put=lambda state, built: state.but(built=built),
    ),
    Key("cubes", _CUBES_BY_CITY, word="cubes", sparse=True),
    Key("bag", _counts(CUBE_COLOURS, MOST)),
    Key("owed", list_of(CITY)),
    Key(
        "merchandise",
        MERCHANDISE,
        put=lambda state, numbers: state.but(merchandise=tuple(sorted(numbers))),
    ),
    Key("turned", MERCHANDISE),
    Key("actions", by_company(ACTIONS, ()), word="actions"),
    Key("action_discards", _ACTION_COUNTS, word="action_discards"),
    Key("action_pile", _ACTION_COUNTS),
    Key("bids", by_company(AMOUNT)),
    Key("passed", CODES),
    Key("declined", CODES),
    Key("bars", rows(Bar, company=CODE, colour=word(CUBE_COLOURS), city=optional(CITY, ""))),
    Key("subsidised", CODES),
    Key("rearranged", Form(_read_flag)),
    Key(
        "scores",
        Form(_read_scores, _SCORES.write),
        get=_scores,
        put=lambda state, scores: state.but(scores=scores),
    ),
    Key("winners", CODES),
    Key("stage", Form(lambda reader, typed: typed), put=_leave),
    Key("number", AMOUNT, get=lambda state: state.asked.number, put=_leave),
    Key("asked", optional(CODE, ""), get=lambda state: state.asked.player, put=_leave),
)


def start(state: State, dice: Dice) -> Outcome:
    """Open the game: anew, or at the position that was typed in. Raises PositionError."""
    if not state.table.position:
        return set_out(state, dice)
    play = Play(state, {}, dice, ALL_CHANGES)
    play.add(PositionTaken(told=state.table.position))
    return ask_for_first(play)


def place(state: State, told: Fields) -> State:
    """Return *state* with everything the table says; what it does not say stays, or is as at the beginning of round 1 with
    nothing on the board. Bag and action pile that are not told are what the board and the hands leave of the box.

    Raises:
        PositionError: with every fault that was found, each beginning with its key.
    """
    # A position that has none gets open accounts and full piles. Rule: V2.1, V2.4
    started = GameStarted(cash=state.board.start_money, order=state.codes)
    reader = PositionReader(state if state.order else change(started, state).but(round=1))
    read_keys(reader, KEYS, told)
    reader.stop_if_faulty()
    begun = state.has_begun
    _fill_up(reader, told, begun)
    _set_agenda(reader, told, begun)
    if not begun:
        _check_piles(reader)
    reader.stop_if_faulty()
    return reader.state


facts = partial(write_keys, keys=KEYS)  # the position as the table that ``place`` reads, in one canonical form


def _fill_up(reader: Reader, told: Fields, begun: bool) -> None:
    """Reckon the piles that were not told from what lies elsewhere; note more than the box holds. Rule: V1.2, V1.3."""
    state, board = reader.state, reader.state.board
    cards = chain(Counter(state.action_discards).elements(), *state.actions.values())
    cubes_told = N_("there are {most} {kind} cubes, {used} were put on the board")
    cards_told = N_("there are {most} cards {kind}, {used} were named")
    for pile, keys, kinds, most, used, sentence in (
        ("bag", ("cubes",), CUBE_COLOURS, board.cubes, chain(*state.cubes.values()), cubes_told),
        ("action_pile", ("actions", "action_discards"), ACTION_CARDS, board.action_cards, cards, cards_told),
    ):
        if pile not in told and not told.keys().isdisjoint(keys):
            left = Counter(dict.fromkeys(kinds, most))
            left.subtract(used)
            for kind in (kind for kind in kinds if left[kind] < 0):
                reader.note(Clash(sentence, most=most, kind=kind, used=most - left[kind]), keys[0])
            reader.state = reader.state.but(**{pile: dict(left)})
    if "income" in told and "rounds" not in told and not begun:
        reader.state = reader.state.but(rounds={code: (state.income[code],) for code in state.codes})


def _check_piles(reader: Reader) -> None:
    """Note piles that would not last to the end of the game. Rule: V8.1, V8.3, R32."""
    state, numbers = reader.state, reader.state.numbers
    whats = {item.what for item in state.agenda}
    deals, draws = (numbers.rounds - state.round + (what in whats) for what in ("deal", "goods"))
    group = len(state.codes) * numbers.group_size
    for key, what, there, needed in (
        ("track_pile", "track cards", sum(state.track_pile.values()), deals * group),
        ("merchandise", "merchandise cards", len(state.merchandise), draws * numbers.round_cards),
    ):
        if there < needed:
            reader.note(Clash(shortage(what, there, needed)), key)


def _set_agenda(reader: Reader, told: Fields, begun: bool) -> None:
    """Lay out what is left of the round: from the question that was told, else the whole of it, if the game has not begun."""
    state = reader.state
    stage, number, player = asked = (told.get("stage", state.stage), told.get("number", 0), told.get("asked") or "")
    if told.keys().isdisjoint(("stage", "number", "asked")):
        agenda = state.agenda if begun else tuple(opening_agenda(state))
    elif begun and _is_asked(state.asked, *asked):
        agenda = state.agenda
    elif begun and stage == "over":
        agenda = ()
    else:
        rests = tuple(_rests_of_round(state, player if stage == "bid" else ""))
        agenda = next((rest for rest in rests if _is_asked(rest[0], *asked)), ())
        if agenda:
            last = (*state.subsidy_for, *state.last_places(), agenda[0].player)
            # What is asked is not over; who makes a second extra trip was in last place before the first. Rule: V4.4, R11
            made = tuple(dict.fromkeys(last)) if agenda[0].number == SECOND_EXTRA else state.subsidy_for
            state = state.but(winners=(), subsidy_for=made)
        else:
            known = ", ".join(dict.fromkeys(rest[0].stage or rest[0].what for rest in rests))
            kind = Clash if stage in ASKED else PositionFault
            asked_for = f"{stage!r} {number}" if number else repr(stage)
            reader.note(kind(f"{asked_for} is not asked for in this game (there is {known})"), "stage")
    reader.state = state.but(agenda=agenda)


def _rests_of_round(state: State, bidder: str) -> Iterator[tuple[Item, ...]]:
    """Yield what is left of a round at each of its questions; in a live auction it is the *bidder*'s turn."""
    early = opening_agenda(state)
    if bidder and state.is_live:
        early = [item.but(player=bidder) if item.what == "bid" else item for item in early]
    for agenda in (early, later_agenda(state)):
        for at, item in enumerate(agenda):
            if is_question(state, item):
                yield tuple(agenda[at:])
            if item.what == "subsidy" and state.options.subvention_stack:
                yield (item.but(number=SECOND_EXTRA), *agenda[at + 1 :])


def _is_asked(item: Item, stage: str, number: int, player: str) -> bool:
    """Return whether an item is the one that is meant; number 0 and no player fit all."""
    return stage == (item.stage or item.what) and number in (0, item.number) and player in ("", item.player)


ALL_CHANGES: Changes = {
    **CHANGES,
    PositionTaken: lambda event, state: place(state, json.loads(event.told)),
    Ruled: lambda event, state: after_ruled(event, state, facts, place),
}
