"""A table of built-in players: whole games in memory, from view to line to order, as by mail."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from referee.core import Fields, Texts, Value
from referee.core.dice import SeededDice
from referee.core.game import Game, Outcome, Setup
from referee.orderbook import OrderLanguage, read_text

Answer = Callable[[Fields, str], Texts]  # a view and a code: lines of orders


# Over by that very order, or one before it; an extra trip counts for whoever is last when it comes.
_NO_FAULTS = ("illegal-building-over", "illegal-not-last")


class Turn(Value):
    """One turn of a table: the position before it, everybody's orders, what came of it."""

    before: Any
    orders: Mapping[str, tuple[Any, ...]]
    outcome: Outcome
    faults: Texts = ()  # codes of complaints: of lines, and of orders that came to nothing when played


def play(
    rules: Game, language: OrderLanguage, setup: Setup, seed: str, answers: Mapping[str, Answer]
) -> Iterator[Turn]:
    """Play a game to its end, turn by turn. *answers*: by code."""
    state = rules.start(rules.lay_out(setup), SeededDice(f"{seed}/0")).state
    while asked := [each.player for each in rules.awaiting(state)]:
        texts = {code: json.dumps(rules.view(state, code)) for code in asked}
        views = {text: json.loads(text) for text in set(texts.values())}
        orders: dict[str, tuple[Any, ...]] = {}
        faults: list[str] = []
        for code, text in texts.items():
            lines = answers[code](views[text], code)
            read = read_text("\n".join(("ORDERS", *lines, "END")), language, rules.lexicon(state))
            found = rules.understand(state, code, read.phrases)
            orders[code] = found.orders
            faults += [each.code for each in (*read.complaints, *found.complaints) if each.is_error]
        outcome = rules.adjudicate(state, orders, SeededDice(f"{seed}/{state.turn}"))
        faults += [code for code in _refused(orders, outcome.events) if code not in _NO_FAULTS]
        yield Turn(before=state, orders=orders, outcome=outcome, faults=tuple(faults))
        state = outcome.state


def _refused(orders: Mapping[str, tuple[Any, ...]], events: Iterable[Any]) -> Iterator[str]:
    """Yield why orders came to nothing, one code for each that was carried out in none of its alternatives."""
    told = dict.fromkeys((_player(each), each.complaint) for each in events if getattr(each, "complaint", None))
    for (player, line), count in Counter((player, complaint.line) for player, complaint in told).items():
        order = next((each for each in orders[player] if each.line == line), None)
        alternatives = getattr(order, "sites", None) or getattr(order, "deliveries", None) or (order,)
        if count >= len(alternatives):
            yield next(complaint.code for who, complaint in told if (who, complaint.line) == (player, line))


def _player(event: Any) -> str:
    return str(getattr(event, "player", "") or event.company)


def scores_of(state: Any, codes: Iterable[str]) -> dict[str, int]:
    """Return what each player has at the end, or would have now."""
    if hasattr(state, "earning"):
        return {code: state.earning(code) for code in codes}
    return {code: state.scores.get(code, state.income[code] - state.bonds[code]) for code in codes}
