"""A race on a line, the smallest game by post: ``STEP 3`` each turn, the wind helps all alike, the first at the goal wins.

It stands for any game that is not ours: installed beside the referee, with its own orders, templates and boards.
"""

import json
import os
import signal
from collections.abc import Callable, Mapping
from typing import Any, get_args

from referee.core import (
    Complaint,
    Dice,
    MapError,
    Partial,
    Phrases,
    PositionError,
    Term,
    Terms,
    Understood,
    Value,
    Word,
)
from referee.core.game import ONE_BY_ONE, Awaited, Forecast, Game, Outcome, Setup
from referee.core.picture import POSITION_ALONE, Circle, Drawing, Print, Style, Translate
from referee.core.record import Change, Record, Ruled, after_ruled
from referee.core.texts import Codec

LONGEST_STEP = 3
DEADLY = "TINYGAME_DEADLY"  # in the environment: a step of this length kills whoever asks what it would do
UNLUCKY = "13"  # a step on which the rules fail: for tests of our own mistakes


class State(Partial):
    """``places`` by player; the setup is not saved with it."""

    unstored = uncompared = frozenset({"setup"})

    turn: int
    places: tuple[tuple[str, int], ...]
    over: bool = False
    setup: Setup | None = None


class Step(Value):
    """An order, and with the wind added an event."""

    player: str
    length: int
    paragraph: str = "T1"


class TurnBegan(Value):
    """The event after all steps."""

    turn: int
    over: bool
    paragraph: str = "T2"


class Placed(Value):
    """The event of a game that begins where the setup says."""

    places: tuple[tuple[str, int], ...]
    paragraph: str = ""


Event = TurnBegan | Placed | Step | Ruled


def change(event: Event, state: State) -> State:
    """Return the position after an event."""
    match event:
        case TurnBegan():
            return state.but(turn=event.turn, over=event.over)
        case Placed():
            return state.but(places=event.places)
        case Step():
            places = tuple((code, place + event.length * (code == event.player)) for code, place in state.places)
            return state.but(places=places)
        case Ruled():
            return after_ruled(event, state, facts, place)


CHANGES: Mapping[type, Callable[[Any, State], State]] = dict.fromkeys(get_args(Event), change)


def goal(setup: Setup | None) -> int:
    """Return the number of the last place on the board."""
    assert setup
    return int(setup.board.split("=")[1])


def check_board(text: str, file: str) -> None:
    if not text.startswith("goal = ") or not text.split("=")[1].strip().isdigit():
        raise MapError(file, ((1, "a board is one line: goal = 12"),))


def lay_out(setup: Setup) -> State:
    return State(turn=0, places=tuple((player.code, 0) for player in setup.players), setup=setup)


def start(state: State, dice: Dice) -> Outcome:
    record = Record[State, Event](state, CHANGES)
    record.add(TurnBegan(turn=1, over=False))
    if state.setup and state.setup.position:
        record.add(Placed(places=place(state, json.loads(state.setup.position)).places))
    return record.outcome()


def place(state: State, told: Mapping[str, Any]) -> State:
    """Return the position with the ``balances``, as this game's places are called in a typed-in position."""
    faults = [f"{name}: only balances expected" for name in told if name != "balances"]
    known = dict(state.places)
    faults += [f"balances.{code}: no such player" for code in told.get("balances", {}) if code not in known]
    if faults:
        raise PositionError(tuple(faults))
    return state.but(places=tuple({**known, **told.get("balances", {})}.items()))


def facts(state: State) -> Mapping[str, Any]:
    return {"balances": dict(state.places)}


def awaiting(state: State) -> tuple[Awaited, ...]:
    if state.over:
        return ()
    asked = Awaited(player=state.places[(state.turn - 1) % len(state.places)][0], what="step")
    if state.setup and state.setup.pace == ONE_BY_ONE:
        return (asked,)
    return tuple(Awaited(player=code, what="step") for code, _ in state.places)


def lexicon(state: State) -> Terms:
    return tuple(Term(kind="RUNNER", name=code, value=code) for code, _ in state.places)


def understand(state: State, player: str, phrases: Phrases) -> Understood:
    orders, complaints = [], []
    for phrase in phrases:
        word = phrase.parts[0]
        if isinstance(word, Word) and word.value == UNLUCKY:
            raise RuntimeError("the rules stumbled")
        length = int(word.value) if isinstance(word, Word) and word.value.isdigit() else 0
        if 1 <= length <= LONGEST_STEP:
            orders.append(Step(player=player, length=length))
        else:
            hint = f"STEP {LONGEST_STEP}"
            complaints.append(
                Complaint(code="illegal-step", line=phrase.line, text=phrase.text, paragraph="T1", hint=hint)
            )
            orders.append(Step(player=player, length=1))
    return Understood(orders=tuple(orders), complaints=tuple(complaints))


def forecast(state: State, player: str, orders: tuple[Step, ...]) -> Forecast:
    if os.environ.get(DEADLY) in {str(order.length) for order in orders}:
        os.kill(os.getpid(), signal.SIGKILL)
    lines = tuple(f"STEP {order.length}" for order in orders)
    place = dict(state.places)[player] + sum(order.length for order in orders)
    return Forecast(lines=lines, told={"place": place, "lines": lines}, complaints=())


def needs_typed(state: State) -> tuple[str, ...]:
    """Return ``wind/`` where it was agreed that the umpire makes the wind."""
    assert state.setup
    return ("wind/",) if dict(state.setup.options).get("wind") == "typed" else ()


def adjudicate(state: State, orders: Mapping[str, tuple[Step, ...]], dice: Dice) -> Outcome:
    wind = dice.throw(f"wind/{state.turn}", 2)
    record = Record[State, Any](state, CHANGES)
    for code, given in orders.items():  # in the order in which they are handed in: a replay must keep it
        record.add_all(Step(player=code, length=order.length + wind) for order in given)
    over = any(place >= goal(state.setup) for _, place in record.state.places)
    record.add(TurnBegan(turn=state.turn + (not over), over=over))
    return record.outcome()


def view(state: State, player: str | None) -> Mapping[str, Any]:
    return {"places": [list(place) for place in state.places], "goal": goal(state.setup)}


def story(state: State, events: tuple[Any, ...], reader: str | None) -> Mapping[str, Any]:
    return {"steps": [[event.player, event.length] for event in events if isinstance(event, Step)]}


def drawing(state: State, translate: Translate = str, show: Print = POSITION_ALONE) -> Drawing:
    shapes = tuple(Circle(at=(20 * place + 10, 10), radius=5, style=Style(fill="#ff0000")) for _, place in state.places)
    return Drawing(width=600, height=20, background="#ffffff", parts=shapes, title="A line")


GAME = Game(
    name="tinyrace",
    title="Tiny Race",
    board_title=lambda state: "",
    rules=1,
    players=(2, 4),
    colours=("red", "blue", "green", "black"),
    presets={"plain": {"wind": True, "speed": 3}},
    default_preset="plain",
    boards=lambda: ("line",),
    board_text=lambda name: "goal = 12\n",
    check_board=check_board,
    lay_out=lay_out,
    start=start,
    place=place,
    facts=facts,
    awaiting=awaiting,
    lexicon=lexicon,
    understand=understand,
    forecast=forecast,
    adjudicate=adjudicate,
    changes=CHANGES,
    codec=Codec(State, Change, *CHANGES),
    view=view,
    story=story,
    drawing=drawing,
    adjustable={"money": "balances"},
    tallies=lambda state, reader: {"place": dict(state.places)},
    needs_typed=needs_typed,
)
