"""The keys of a typed-in position of Volldampf: what each of them holds, how it is typed, and what it puts where."""

from __future__ import annotations

import difflib
from functools import lru_cache
from operator import attrgetter
from typing import Any

from msgspec.structs import replace

from referee.core.texts.positiontable import (
    CODE,
    LINES,
    LISTED_NUMBERS,
    Clash,
    Fault,
    Form,
    Given,
    Key,
    PositionReader,
    Unknown,
    by_company,
    codes_of,
    given,
    list_of,
    meant,
    optional,
    rows,
    shown,
    table_of,
    whole,
    word,
)
from referee.core.texts.wording import N_, fold, spellings
from referee.games.volldampf.board.board import ACTION_CARDS, CUBE_COLOURS, Board
from referee.games.volldampf.notation import PLACE, board_terms
from referee.games.volldampf.state import Bar, Item, State

Reader = PositionReader[State]

MOST = 9999  # marks, spaces, cards: what is more is a slip of the pen


def has_begun(state: State) -> bool:
    """Return whether a game is played: then all that a table does not name stays as it is."""
    return bool(state.agenda) or state.is_over


# --- cities and links by name ---


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
        if link is not None:
            return link.id
    names = tuple(board.link_name(link.id) for link in board.links)
    near = difflib.get_close_matches(typed, names, 1)
    there, like = (
        N_("there is no link {value} on this board ({like}?)"),
        N_("there is no link {value} on this board (as {like})"),
    )
    raise Fault(there if near else like, value=shown(typed), like=(near or names)[0])


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


# --- cards and cubes by kind ---


_COLOURS = attrgetter("board.colour_ids")


def _in_order(kinds: Given, form: Form) -> Form:
    """Return how a list of kinds is typed that is kept in their order."""
    listed = list_of(form)
    return Form(
        lambda reader, typed: tuple(sorted(listed.read(reader, typed), key=given(kinds, reader.state).index)),
        lambda state, things: sorted(things, key=given(kinds, state).index),
    )


def _counts(kinds: Given, most: Given) -> Form:
    """Return how it is typed how many there are of each kind; in a game that has not begun, none of those not named."""
    told = N_("{value} is read; a table of numbers expected, as {example}")
    table = table_of(word(kinds), whole(0, most), kinds, 0, told, lambda state: f"{{ {given(kinds, state)[0]} = 2 }}")
    return Form(
        lambda reader, typed: {
            **dict.fromkeys(() if has_begun(reader.state) else given(kinds, reader.state), 0),
            **table.read(reader, typed),
        },
        table.write,
    )


def _read_action(reader: Reader, typed: str) -> str:
    found = next((card for card in ACTION_CARDS if fold(typed) in spellings(card)), "")
    if found:
        return found
    raise Fault(N_("{value} is no action card ({known})"), value=shown(typed), known=meant(typed, ACTION_CARDS))


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


# --- numbers ---


AMOUNT = whole(0, MOST)
_NUMBERS = list_of(whole(1, MOST), LISTED_NUMBERS, object)
_SCORES = by_company(whole(-MOST, MOST))


def _read_merchandise(reader: Reader, typed: Any) -> tuple[int, ...]:
    known = {card.number for card in reader.state.board.merchandise}
    numbers: tuple[int, ...] = _NUMBERS.read(reader, typed)
    for number in numbers:
        if number not in known or numbers.count(number) > 1:
            reader.note(Fault(f"{number} is no merchandise card of this board, or it is there twice"))
    return numbers


MERCHANDISE = Form(_read_merchandise, _NUMBERS.write)


def _read_scores(reader: Reader, typed: Any) -> dict[str, int]:
    """Return scores; they are what income and bonds come to, unless the game has begun and so may be over."""
    told: dict[str, int] = _SCORES.read(reader, typed)
    if told.items() <= _scores(reader.state).items():
        return dict(reader.state.scores)
    if has_begun(reader.state):
        return {**_scores(reader.state), **told}
    raise Fault("they follow from income and bonds")


def _scores(state: State) -> dict[str, int]:
    """Return the scores of a game that is over, else what they would be now."""
    return dict(state.scores) or {code: state.score(code) for code in codes_of(state) if code in state.income}


# --- who and what ---

CODES = list_of(CODE)


def _read_order(reader: Reader, typed: Any) -> tuple[str, ...]:
    order: tuple[str, ...] = CODES.read(reader, typed)
    if sorted(order) == sorted(codes_of(reader.state)):
        return order
    raise Fault(N_("every company once expected: {codes}"), codes=", ".join(codes_of(reader.state)))


def _read_flag(reader: Reader, typed: Any) -> bool:
    if isinstance(typed, bool):
        return typed
    raise Fault(f"{shown(typed)} is read; true or false expected")


def _asked(state: State) -> Item:
    return state.agenda[0] if state.agenda else Item(what="")


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
        put=lambda state, built: replace(state, built=built),
    ),
    Key("cubes", _CUBES_BY_CITY, word="cubes", sparse=True),
    Key("bag", _counts(CUBE_COLOURS, MOST)),
    Key("owed", list_of(CITY)),
    Key(
        "merchandise",
        MERCHANDISE,
        put=lambda state, numbers: replace(state, merchandise=tuple(sorted(numbers))),
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
        put=lambda state, scores: replace(state, scores=scores),
    ),
    Key("winners", CODES),
    Key("stage", Form(lambda reader, typed: typed), put=_leave),
    Key("number", AMOUNT, get=lambda state: _asked(state).number, put=_leave),
    Key("asked", optional(CODE, ""), get=lambda state: _asked(state).player, put=_leave),
)
