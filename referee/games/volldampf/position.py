"""Positions of running games as tables that umpires type in and change by rulings."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Any

from msgspec.structs import replace

from referee.core.dice import Dice
from referee.core.game import Changes, Outcome
from referee.core.record import Ruled, after_ruled
from referee.core.texts.positiontable import Clash, Fault, PositionReader, read_keys, write_keys
from referee.core.texts.wording import N_
from referee.games.volldampf import schedule
from referee.games.volldampf.board.board import ACTION_CARDS, CUBE_COLOURS
from referee.games.volldampf.board.boardfile import shortage
from referee.games.volldampf.changes import CHANGES, change
from referee.games.volldampf.events import GameStarted, PositionTaken
from referee.games.volldampf.letters import Play
from referee.games.volldampf.positionkeys import KEYS, Reader, has_begun
from referee.games.volldampf.round import ask_for_first, is_question, later_agenda, opening_agenda
from referee.games.volldampf.schedule import is_live
from referee.games.volldampf.state import OVER, Item, State


def take_position(state: State, told: str, dice: Dice) -> Outcome:
    """Return the opening of a game that begins at the position *told*, a table as JSON.

    Raises:
        PositionError: as ``place``.
    """
    play = Play(state, {}, dice, ALL_CHANGES)
    play.add(PositionTaken(told=told))
    return ask_for_first(play)


def place(state: State, told: Mapping[str, Any]) -> State:
    """Return *state* with everything the table says; what it does not say stays, or is as at the beginning of round 1 with
    nothing on the board. Bag and action pile that are not told are what the board and the hands leave of the box.

    Raises:
        PositionError: with every fault that was found, each beginning with its key.
    """
    reader = PositionReader(_opened(state))
    read_keys(reader, KEYS, told)
    reader.stop_if_faulty()
    begun = has_begun(state)
    _fill_up(reader, told, begun)
    _set_agenda(reader, told, begun)
    if not begun:
        _check_piles(reader)
    reader.stop_if_faulty()
    return reader.state


facts = partial(write_keys, keys=KEYS)  # the position as the table that ``place`` reads, in one canonical form


def _opened(state: State) -> State:
    """Return *state* with open accounts and full piles, if it has none. Rule: V2.1, V2.4."""
    if state.order:
        return state
    started = GameStarted(cash=state.board.start_money, order=state.codes)
    return replace(change(started, state), round=1)


def _fill_up(reader: Reader, told: Mapping[str, Any], begun: bool) -> None:
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
            reader.state = replace(reader.state, **{pile: dict(left)})
    if "income" in told and "rounds" not in told and not begun:
        reader.state = replace(reader.state, rounds={code: (state.income[code],) for code in state.codes})


def _check_piles(reader: Reader) -> None:
    """Note piles that would not last to the end of the game. Rule: V8.1, V8.3, R32."""
    state, numbers = reader.state, reader.state.numbers
    whats = {item.what for item in state.agenda}
    later, group = numbers.rounds - state.round, len(state.codes) * numbers.group_size
    for key, what, there, needed in (
        ("track_pile", "track cards", sum(state.track_pile.values()), (later + (schedule.DEAL in whats)) * group),
        (
            "merchandise",
            "merchandise cards",
            len(state.merchandise),
            (later + (schedule.GOODS in whats)) * numbers.round_cards,
        ),
    ):
        if there < needed:
            reader.note(Clash(shortage(what, there, needed)), key)


def _set_agenda(reader: Reader, told: Mapping[str, Any], begun: bool) -> None:
    """Lay out what is left of the round: from the question that was told, else the whole of it, if the game has not begun."""
    state = reader.state
    stage, number, player = asked = (told.get("stage", state.stage), told.get("number", 0), told.get("asked") or "")
    if told.keys().isdisjoint(("stage", "number", "asked")):
        agenda = state.agenda if begun else tuple(opening_agenda(state))
    elif begun and _is_asked(state.agenda[0] if state.agenda else Item(what=state.stage), *asked):
        agenda = state.agenda
    elif begun and stage == OVER:
        agenda = ()
    else:
        rests = tuple(_rests_of_round(state, player if stage == schedule.BID else ""))
        agenda = next((rest for rest in rests if _is_asked(rest[0], *asked)), ())
        if agenda:
            last = (*state.subsidy_for, *state.last_places(), agenda[0].player)
            # What is asked is not over; who makes his second extra trip was in last place before the first. Rule: V4.4, R11
            made = tuple(dict.fromkeys(last)) if agenda[0].number == schedule.SECOND_EXTRA else state.subsidy_for
            state = replace(state, winners=(), subsidy_for=made)
        else:
            known = ", ".join(dict.fromkeys(rest[0].stage or rest[0].what for rest in rests))
            kind = Clash if stage in schedule.ASKED else Fault
            asked_for = f"{stage!r} {number}" if number else repr(stage)
            reader.note(kind(f"{asked_for} is not asked for in this game (there is {known})"), "stage")
    reader.state = replace(state, agenda=agenda)


def _rests_of_round(state: State, bidder: str) -> Iterator[tuple[Item, ...]]:
    """Yield what is left of a round at each of its questions; in a live auction it is the *bidder*'s turn."""
    early = opening_agenda(state)
    if bidder and is_live(state):
        early = [replace(item, player=bidder) if item.what == schedule.BID else item for item in early]
    for agenda in (early, later_agenda(state)):
        for at, item in enumerate(agenda):
            if is_question(state, item):
                yield tuple(agenda[at:])
            if item.what == schedule.SUBSIDY and state.options.subvention_stack:
                yield (replace(item, number=schedule.SECOND_EXTRA), *agenda[at + 1 :])


def _is_asked(item: Item, stage: str, number: int, player: str) -> bool:
    """Return whether an item is the one that is meant; number 0 and no player fit all."""
    return stage == (item.stage or item.what) and number in (0, item.number) and player in ("", item.player)


ALL_CHANGES: Changes = {
    **CHANGES,
    PositionTaken: lambda event, state: place(state, json.loads(event.told)),
    Ruled: lambda event, state: after_ruled(event, state, facts, place),
}
