"""The keys of a typed-in position, one by one: what each of them puts where."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.games.volldampf.board.board import ACTION_CARDS, CUBE_COLOURS
from referee.games.volldampf.intake.typedfields import MOST, Sheet
from referee.games.volldampf.position.state import Bar, State

_BAR = ("company", "colour", "city")


def _place_round(sheet: Sheet, value: Any) -> None:
    number = sheet.whole("round", value, 1, sheet.state.table.numbers.rounds)
    sheet.state = replace(sheet.state, round=number or 1)


def _place_order(sheet: Sheet, value: Any) -> None:
    order = sheet.companies("order", value)
    if sorted(order) != sorted(sheet.state.table.codes):
        sheet.blame("order", f"every company once expected: {', '.join(sheet.state.table.codes)}")
    else:
        sheet.state = replace(sheet.state, order=order)


def _place_amounts(field: str, key: str) -> Any:
    """Return what reads a table of whole numbers by company into a field of the position."""

    def read(sheet: Sheet, value: Any) -> None:
        told = {
            code: sheet.whole(f"{key}.{code}", amount, 0, MOST) or 0 for code, amount in sheet.by_company(key, value)
        }
        changed: dict[str, Any] = {field: {**getattr(sheet.state, field), **told}}
        sheet.state = replace(sheet.state, **changed)

    return read


def _place_rounds(sheet: Sheet, value: Any) -> None:
    told = {code: sheet.wholes(f"rounds.{code}", each, 0, MOST) for code, each in sheet.by_company("rounds", value)}
    sheet.state = replace(sheet.state, rounds={**sheet.state.rounds, **told})


def _place_removed(sheet: Sheet, value: Any) -> None:
    sheet.state = replace(sheet.state, removed=sheet.cards("removed", value))


def _place_track_pile(sheet: Sheet, value: Any) -> None:
    told = sheet.counts("track_pile", value, sheet.board.colour_ids, MOST)
    sheet.state = replace(sheet.state, track_pile={colour: told.get(colour, 0) for colour in sheet.board.colour_ids})


def _place_groups(sheet: Sheet, value: Any) -> None:
    if not isinstance(value, list):
        sheet.blame("groups", 'a list of lists expected, as [["green", "pink"], ["grey", "grey"]]')
        return
    groups = tuple(sheet.cards(f"groups[{at}]", group) for at, group in enumerate(value, start=1))
    sheet.state = replace(sheet.state, groups=groups)


def _place_hands(sheet: Sheet, value: Any) -> None:
    told = {code: sheet.cards(f"hands.{code}", cards) for code, cards in sheet.by_company("hands", value)}
    sheet.state = replace(sheet.state, hands={**sheet.state.hands, **told})


def _place_built(sheet: Sheet, value: Any) -> None:
    """Lay companies' sections anew; a company that is not named keeps its own."""
    for code, told in sheet.by_company("built", value):
        built = {link: owner for link, owner in sheet.state.built.items() if owner != code}
        for name in sheet.lines(f"built.{code}", told, "Hamburg-Hannover"):
            link = sheet.link(f"built.{code}", name)
            if link is None:
                continue
            if link in built:
                sheet.clash(f"built.{code}", f"{sheet.board.link_name(link)} has a section of {built[link]}")
            built[link] = code
        sheet.state = replace(sheet.state, built=built)
        if sheet.state.sections_left(code) < 0:
            sheet.clash(f"built.{code}", f"a company has {sheet.state.table.numbers.sections} sections")


def _place_cubes(sheet: Sheet, value: Any) -> None:
    """Put cubes on cities; a city that is not named keeps its own."""
    if not isinstance(value, dict):
        sheet.blame("cubes", 'a table by cities expected, as { Hamburg = ["blue", "red"] }')
        return
    cubes = dict(sheet.state.cubes)
    for name, told in value.items():
        city = sheet.city(f"cubes.{name}", name)
        colours = sheet.some_of(f"cubes.{name}", told, CUBE_COLOURS)
        if city is not None:
            cubes[city] = tuple(sorted(colours, key=CUBE_COLOURS.index))
    sheet.state = replace(sheet.state, cubes={city: colours for city, colours in cubes.items() if colours})


def _place_bag(sheet: Sheet, value: Any) -> None:
    told = sheet.counts("bag", value, CUBE_COLOURS, MOST)
    sheet.state = replace(sheet.state, bag={colour: told.get(colour, 0) for colour in CUBE_COLOURS})


def _place_owed(sheet: Sheet, value: Any) -> None:
    sheet.state = replace(sheet.state, owed=sheet.cities("owed", value))


def _place_merchandise(sheet: Sheet, value: Any) -> None:
    sheet.state = replace(sheet.state, merchandise=tuple(sorted(_merchandise(sheet, "merchandise", value))))


def _place_turned(sheet: Sheet, value: Any) -> None:
    sheet.state = replace(sheet.state, turned=_merchandise(sheet, "turned", value))


def _merchandise(sheet: Sheet, where: str, value: Any) -> tuple[int, ...]:
    known = {card.number for card in sheet.board.merchandise}
    numbers = sheet.wholes(where, value, 1, MOST)
    for number in numbers:
        if number not in known or numbers.count(number) > 1:
            sheet.blame(where, f"{number} is no merchandise card of this board, or it is there twice")
    return numbers


def _place_actions(sheet: Sheet, value: Any) -> None:
    told = {code: sheet.action_cards(f"actions.{code}", cards) for code, cards in sheet.by_company("actions", value)}
    sheet.state = replace(sheet.state, actions={**sheet.state.actions, **told})


def _place_action_discards(sheet: Sheet, value: Any) -> None:
    told = sheet.counts("action_discards", value, ACTION_CARDS, sheet.board.action_cards)
    sheet.state = replace(sheet.state, action_discards={card: told.get(card, 0) for card in ACTION_CARDS})


def _place_action_pile(sheet: Sheet, value: Any) -> None:
    told = sheet.counts("action_pile", value, ACTION_CARDS, sheet.board.action_cards)
    sheet.state = replace(sheet.state, action_pile={card: told.get(card, 0) for card in ACTION_CARDS})


def _place_passed(sheet: Sheet, value: Any) -> None:
    sheet.state = replace(sheet.state, passed=sheet.companies("passed", value))


def _place_declined(sheet: Sheet, value: Any) -> None:
    sheet.state = replace(sheet.state, declined=sheet.companies("declined", value))


def _place_subsidised(sheet: Sheet, value: Any) -> None:
    sheet.state = replace(sheet.state, subsidised=sheet.companies("subsidised", value))


def _place_scores(sheet: Sheet, value: Any) -> None:
    """Compare scores with what income and bonds come to; a position has them of its own only when the game is over."""
    told = {
        code: sheet.whole(f"scores.{code}", score, -MOST, MOST) or 0
        for code, score in sheet.by_company("scores", value)
    }
    begun = bool(sheet.state.agenda) or sheet.state.is_over
    if told == {code: score for code, score in scores_of(sheet.state).items() if code in told}:
        return
    if begun:
        sheet.state = replace(sheet.state, scores={**scores_of(sheet.state), **told})
    else:
        sheet.blame("scores", "they follow from income and bonds")


def scores_of(state: State) -> dict[str, int]:
    """Return the scores of a game that is over, else what they would be now."""
    return dict(state.scores) or {code: state.score(code) for code in state.table.codes if code in state.income}


def _place_winners(sheet: Sheet, value: Any) -> None:
    sheet.state = replace(sheet.state, winners=sheet.companies("winners", value))


def _place_rearranged(sheet: Sheet, value: Any) -> None:
    sheet.state = replace(sheet.state, rearranged=sheet.flag("rearranged", value))


def _place_bars(sheet: Sheet, value: Any) -> None:
    bars = []
    for where, told in sheet.tables("bars", value, _BAR):
        code = sheet.company(f"{where}.company", told.get("company"))
        colour = sheet.one_of(f"{where}.colour", told.get("colour"), CUBE_COLOURS)
        city = sheet.city(f"{where}.city", told["city"]) if told.get("city") else ""
        if code and colour and city is not None:
            bars.append(Bar(player=code, colour=colour, city=city))
    sheet.state = replace(sheet.state, bars=tuple(bars))


PLACERS = {
    "round": _place_round,
    "order": _place_order,
    "balances": _place_amounts("cash", "balances"),
    "bonds": _place_amounts("bonds", "bonds"),
    "income": _place_amounts("income", "income"),
    "rounds": _place_rounds,
    "removed": _place_removed,
    "track_pile": _place_track_pile,
    "groups": _place_groups,
    "hands": _place_hands,
    "built": _place_built,
    "cubes": _place_cubes,
    "bag": _place_bag,
    "owed": _place_owed,
    "merchandise": _place_merchandise,
    "turned": _place_turned,
    "actions": _place_actions,
    "action_discards": _place_action_discards,
    "action_pile": _place_action_pile,
    "bids": _place_amounts("bids", "bids"),
    "passed": _place_passed,
    "declined": _place_declined,
    "bars": _place_bars,
    "subsidised": _place_subsidised,
    "rearranged": _place_rearranged,
    "scores": _place_scores,
    "winners": _place_winners,
}
