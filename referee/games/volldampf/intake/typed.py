"""The position of a running game as a table that people type: ``place`` reads it, ``facts`` writes it back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args

from msgspec.structs import replace

from referee.core.dice import Dice
from referee.core.game import Outcome
from referee.core.record import complete
from referee.core.rulings import Ruled
from referee.core.texts.wording import N_
from referee.games.volldampf.adjudicate import ask_for_first
from referee.games.volldampf.board.board import ACTION_CARDS, CUBE_COLOURS
from referee.games.volldampf.intake.typedfields import MOST, PositionReader
from referee.games.volldampf.intake.typedkeys import PLACERS, scores_of
from referee.games.volldampf.phase.agenda import later_agenda, opening_agenda
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.changes import CHANGES, Record
from referee.games.volldampf.position.events import Event, GameStarted, PositionTaken
from referee.games.volldampf.position.schedule import is_live
from referee.games.volldampf.position.state import Item, State
from referee.games.volldampf.position.stock import shortages


def _after_position_taken(event: PositionTaken, state: State) -> State:
    return place(state, json.loads(event.told))


# A ruling is applied by what reads its changes.
TYPED_CHANGES = complete(get_args(Event), {**CHANGES, PositionTaken: _after_position_taken}, but=(Ruled,))


def take_position(state: State, told: str, dice: Dice) -> Outcome:
    """Return the opening of a game that begins at the position *told*, a table as JSON.

    Raises:
        PositionError: as ``place``.
    """
    record = Record(state, TYPED_CHANGES)
    record.add(PositionTaken(told=told))
    ask_for_first(record, list(record.state.agenda), dice)
    return record.outcome()


def place(state: State, told: Mapping[str, Any]) -> State:
    """Return *state* with everything the table says; what it does not say stays, or is as at the beginning of round 1 with
    nothing on the board. Bag and action pile that are not told are what the board and the hands leave of the box.

    Raises:
        PositionError: with every fault that was found, each beginning with its key.
    """
    reader = PositionReader(_opened(state))
    reader.read(told, PLACERS)
    if not reader.faults:
        _fill_up(reader, told)
        begun = bool(state.agenda) or state.is_over
        _set_agenda(reader, told, begun=begun)
        for key, fault in () if begun else shortages(reader.state, reader.state.agenda):
            reader.clash(key, fault)
    reader.stop_if_faulty()
    return reader.state


def facts(state: State) -> dict[str, Any]:
    """Return the position as the table that ``place`` reads, cities and links by name, in one canonical form."""
    board, codes = state.table.board, state.table.codes
    asked = state.agenda[0] if state.agenda else Item(what="")

    def names(cities: Iterable[str]) -> list[str]:
        return [board.city(city).name for city in cities]

    return {
        "round": state.round,
        "stage": state.stage,
        "number": asked.number,
        "asked": asked.player,
        "order": list(state.order),
        "balances": {code: state.cash.get(code, 0) for code in codes},
        "bonds": {code: state.bonds.get(code, 0) for code in codes},
        "income": {code: state.income.get(code, 0) for code in codes},
        "rounds": {code: list(state.rounds.get(code, ())) for code in codes},
        "removed": sorted(state.removed, key=board.colour_ids.index),
        "track_pile": {colour: state.track_pile.get(colour, 0) for colour in board.colour_ids},
        "groups": [list(group) for group in state.groups],
        "hands": {code: list(state.hands.get(code, ())) for code in codes},
        "built": {
            code: [board.link_name(link.id) for link in board.links if state.built.get(link.id) == code]
            for code in codes
        },
        "cubes": {city.name: list(state.cubes.get(city.id, ())) for city in board.cities},
        "bag": {colour: state.bag.get(colour, 0) for colour in CUBE_COLOURS},
        "owed": names(state.owed),
        "merchandise": list(state.merchandise),
        "turned": list(state.turned),
        "actions": {code: list(state.actions.get(code, ())) for code in codes},
        "action_discards": {card: state.action_discards.get(card, 0) for card in ACTION_CARDS},
        "action_pile": {card: state.action_pile.get(card, 0) for card in ACTION_CARDS},
        "bids": {code: state.bids[code] for code in codes if code in state.bids},
        "passed": list(state.passed),
        "declined": list(state.declined),
        "bars": [
            {"company": bar.player, "colour": bar.colour, "city": board.city(bar.city).name if bar.city else ""}
            for bar in state.bars
        ],
        "subsidised": list(state.subsidised),
        "rearranged": state.rearranged,
        "scores": scores_of(state),
        "winners": list(state.winners),
    }


def _opened(state: State) -> State:
    """Return *state* with open accounts and full piles, if it has none. Rule: V2.1, V2.4."""
    if state.order:
        return state
    started = GameStarted(cash=state.table.board.start_money, order=state.table.codes)
    return replace(CHANGES[GameStarted](started, state), round=1)


def _fill_up(reader: PositionReader, told: Mapping[str, Any]) -> None:
    """Reckon the piles that were not told from what lies elsewhere; blame more than the box holds. Rule: V1.2, V1.3."""
    state, board = reader.state, reader.board
    if "cubes" in told and "bag" not in told:
        out = [colour for cubes in state.cubes.values() for colour in cubes]
        left = {colour: board.cubes - out.count(colour) for colour in CUBE_COLOURS}
        for colour in (colour for colour in CUBE_COLOURS if left[colour] < 0):
            says = N_("there are {cubes} {colour} cubes, {out} were put on the board")
            reader.clash("cubes", says, cubes=board.cubes, colour=colour, out=out.count(colour))
        reader.state = replace(reader.state, bag=left)
    if {"actions", "action_discards"} & set(told) and "action_pile" not in told:
        seen = [card for cards in state.actions.values() for card in cards]
        gone = {card: seen.count(card) + state.action_discards.get(card, 0) for card in ACTION_CARDS}
        for card in (card for card in ACTION_CARDS if gone[card] > board.action_cards):
            says = N_("there are {cards} cards {card}, {named} were named")
            reader.clash("actions", says, cards=board.action_cards, card=card, named=gone[card])
        pile = {card: board.action_cards - gone[card] for card in ACTION_CARDS}
        reader.state = replace(reader.state, action_pile=pile)
    if "income" in told and "rounds" not in told and not state.agenda:
        reader.state = replace(reader.state, rounds={code: (state.income[code],) for code in state.table.codes})


def _set_agenda(reader: PositionReader, told: Mapping[str, Any], *, begun: bool) -> None:
    """Lay out what is left of the round: from the question that was told, else the whole of it, if the game has not begun."""
    state = reader.state
    if not {"stage", "number", "asked"} & set(told):
        if not begun:
            reader.state = replace(state, agenda=tuple(opening_agenda(state)))
        return
    stage = told.get("stage", state.stage)
    number = reader.whole("number", told.get("number", 0), 0, MOST)
    player = reader.company("asked", told["asked"]) if told.get("asked") else ""
    now = state.agenda[0] if state.agenda else Item(what=state.stage)
    if reader.faults or (begun and _is_asked(now, stage, number, player)):
        return
    if stage == stages.OVER and begun:
        reader.state = replace(state, agenda=())
        return
    agendas = _agendas(state, player if stage == stages.BID else "")
    for agenda in agendas:
        for at, item in enumerate(agenda):
            if _asks(state, item) and _is_asked(item, stage, number, player):
                reader.state = replace(state, agenda=agenda[at:], winners=())  # what is asked is not over
                if item.number == stages.SECOND_EXTRA:
                    reader.state = _with_first_extra_made(reader.state, item.player)
                return
    known = dict.fromkeys(item.stage or item.what for agenda in agendas for item in agenda if _asks(state, item))
    note = reader.clash if stage in stages.ASKED else reader.blame
    note("stage", f"{stage!r} {number or ''} is not asked for in this game (there is {', '.join(known)})")


def _agendas(state: State, player: str | None) -> tuple[tuple[Item, ...], ...]:
    """Return both parts of a round; in a live auction it is that *player*'s bid."""
    early = tuple(opening_agenda(state))
    if player and is_live(state):
        early = tuple(replace(item, player=player) if item.what == stages.BID else item for item in early)
    later = tuple(later_agenda(state))
    return early, later, *_second_extras(state, later)


def _second_extras(state: State, later: tuple[Item, ...]) -> Iterator[tuple[Item, ...]]:
    """Yield what is left of a round when a player is asked for his second extra trip, where there is one. Rule: R11."""
    if not state.table.options.subvention_stack:
        return
    for at, item in enumerate(later):
        if item.what == stages.SUBSIDY:
            yield (replace(item, number=stages.SECOND_EXTRA), *later[at + 1 :])


def _with_first_extra_made(state: State, player: str) -> State:
    """Return the position in which a player has made his first extra trip: he was in last place before it. Rule: V4.4, R11."""
    last = (*state.subsidy_for, *(code for code in (*state.last_places(), player) if code not in state.subsidy_for))
    return replace(state, subsidy_for=tuple(dict.fromkeys(last)))


def _asks(state: State, item: Item) -> bool:
    """Return whether play stops for such an item in this game: for letters, for decisions, or for both."""
    if item.what == stages.LETTER:
        return not state.one_by_one
    return bool(item.player) and (state.one_by_one or (item.what == stages.BID and is_live(state)))


def _is_asked(item: Item, stage: str, number: int | None, player: str | None) -> bool:
    """Return whether an item is the one that is meant; number 0 and no player fit all."""
    return stage == (item.stage or item.what) and number in (0, item.number) and player in ("", item.player)
