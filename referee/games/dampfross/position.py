"""Positions of running games as tables that umpires type in and change by rulings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from referee.core.dice import Dice
from referee.core.game import Changes, Outcome
from referee.core.hexes import format_side
from referee.core.record import Change, Ruled, changed_table
from referee.core.texts.positiontable import CODE, Clash, PositionReader, read_keys, write_keys
from referee.core.texts.wording import N_
from referee.games.dampfross.changes import CHANGES
from referee.games.dampfross.events import GameStarted, PositionTaken
from referee.games.dampfross.names import place_name
from referee.games.dampfross.positionkeys import KEYS, TRACK, Reader, lay
from referee.games.dampfross.racing import builds_after_a_race
from referee.games.dampfross.round import Round
from referee.games.dampfross.state import BUILD, RACE, START_BALANCE, State


def take_position(state: State, told: str, dice: Dice) -> Outcome:
    """Return the opening of a game that begins at the position *told*, a table as JSON.

    Raises:
        PositionError: as ``place``.
    """
    played = Round(state, {}, dice, ALL_CHANGES)
    played.add(PositionTaken(told=told))
    return played.ask_for_first()


def place(state: State, told: Mapping[str, Any]) -> State:
    """Return *state* with everything the table says; what it does not say stays, or is as at the opening of a game.

    Raises:
        PositionError: with every fault that was found, each beginning with its key.
    """
    reader = PositionReader(_opened(state))
    read_keys(reader, KEYS, told)
    if "round" in told or "phase" in told:
        _set_phase(reader, told)
    reader.stop_if_faulty()
    for code in told.get("track", {}):
        _check_network(reader, code)
    if {"round", "phase", "rolls"} & told.keys():
        _check_round(reader)
    reader.stop_if_faulty()
    return reader.state


facts = partial(write_keys, keys=KEYS)  # the position as the table that ``place`` reads, in one canonical form


def _opened(state: State) -> State:
    """Return *state* with open accounts, if it has none. Rule: D1.2."""
    return state if state.balance else CHANGES[GameStarted](GameStarted(balance=START_BALANCE), state)


# --- what the keys mean together ---


def _set_phase(reader: Reader, told: Mapping[str, Any]) -> None:
    """Building or racing: as told, else by the number of building rounds, else racing if there are races. Rule: D2.7."""
    state = reader.state
    known = state.building_rounds
    first = known + 1 if known else state.racing_from or min((race.round for race in state.races), default=state.round)
    racing = state.round >= first if known or state.racing_from else state.races
    phase = told.get("phase", RACE if racing else BUILD)
    reader.state = replace(state, phase=phase, racing_from=0 if phase == BUILD else first)
    if phase == RACE and "rolls" not in told:
        reader.state = replace(reader.state, rolls=(), own_rolls={})


def _check_network(reader: Reader, code: str) -> None:
    """Note track that is not one network from its company's home on, but for jumps. Rule: D2.4, D7.2."""
    state, board = reader.state, reader.state.board
    own = state.track_of(code)
    ends = [(jump.start, jump.end) for jump in state.jumps if jump.company == code]
    joined = {state.home.get(code, "")}
    while more := {label for pair in (*own, *ends) for label in pair if joined & set(pair)} - joined:
        joined |= more
    apart = min({label for pair in own for label in pair} - joined, default="")
    if apart:
        values = {
            "code": code,
            "place": place_name(board, apart),
            "home": place_name(board, state.home.get(code, apart)),
        }
        told = N_("{place} is not joined to the home {home} by {code}'s track")
        lone = N_("{code} has track but no home (homes.{code})")
        reader.note(Clash(told if code in state.home else lone, **values), f"track.{code}")


def _check_round(reader: Reader) -> None:
    """A building round has its rolls, a racing round its races. Rule: D4.4, D5.6."""
    state, options = reader.state, reader.state.options
    if state.is_racing:
        if state.rolls or state.own_rolls:
            reader.note(Clash(f"round {state.round} is a racing round; it has none"), "rolls")
        if not state.offered() and not builds_after_a_race(state):  # a round may be for building alone. Rule: R34
            told = f"round {state.round} is a racing round; its races expected, with status open"
            reader.note(Clash(told), "races")
    if state.is_building:
        own = {f"rolls.{code}": state.own_rolls.get(code, ()) for code in state.codes}
        for where, rolls in (own if options.roll_per == "company" else {"rolls": state.rolls}).items():
            if len(rolls) != options.rolls_per_round:
                says = f"{len(rolls)} given; the {options.rolls_per_round} of round {state.round} expected"
                reader.note(Clash(says), where)


# --- rulings: ``place`` makes them, but for single lines of track ---


def after_ruled(event: Ruled, state: State) -> State:
    """Return the position after a ruling. Raises PositionError: a change does not fit it."""
    for change in event.changes:
        lines = change.key == "track" and change.how != "="
        state = _after_track(state, change) if lines else place(state, changed_table(facts(state), change))
    return state


def _after_track(state: State, change: Change) -> State:
    """Lay or take up hex-sides."""
    reader = PositionReader(state)
    where = f"track.{change.name}"
    code = reader.read(CODE, change.name, where)
    sides = reader.read(TRACK, json.loads(change.value), where) or frozenset()
    own = frozenset(state.track_of(code))
    for each in sorted(sides) if code else ():
        if (each in own) == (change.how == "+"):
            told = (
                N_("hex-side {side} has track of {code}")
                if each in own
                else N_("hex-side {side} has no track of {code}")
            )
            reader.note(Clash(told, side=format_side(each), code=code), where)
    reader.stop_if_faulty()
    reader.state = lay(state, {code: own ^ sides})
    _check_network(reader, code)
    reader.stop_if_faulty()
    return reader.state


ALL_CHANGES: Changes = {
    **CHANGES,
    PositionTaken: lambda event, state: place(state, json.loads(event.told)),
    Ruled: after_ruled,
}
