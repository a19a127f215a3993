"""The keys of a typed-in position, one by one: what each of them puts where."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from referee.core.texts.wording import N_
from referee.games.volldampf.board.board import ACTION_CARDS, CUBE_COLOURS
from referee.games.volldampf.intake.typedfields import MOST, PositionReader
from referee.games.volldampf.position.state import Bar, State

_BAR = ("company", "colour", "city")


def _place_round(reader: PositionReader, value: Any) -> None:
    number = reader.whole("round", value, 1, reader.state.table.numbers.rounds)
    reader.state = replace(reader.state, round=number or 1)


def _place_order(reader: PositionReader, value: Any) -> None:
    order = reader.companies("order", value)
    if sorted(order) != sorted(reader.state.table.codes):
        reader.blame("order", N_("every company once expected: {codes}"), codes=", ".join(reader.state.table.codes))
    else:
        reader.state = replace(reader.state, order=order)


def _place_amounts(field: str, key: str) -> Any:
    """Return what reads a table of whole numbers by company into a field of the position."""

    def read(reader: PositionReader, value: Any) -> None:
        told = {
            code: reader.whole(f"{key}.{code}", amount, 0, MOST) or 0 for code, amount in reader.by_company(key, value)
        }
        changed: dict[str, Any] = {field: {**getattr(reader.state, field), **told}}
        reader.state = replace(reader.state, **changed)

    return read


def _place_rounds(reader: PositionReader, value: Any) -> None:
    told = {code: reader.wholes(f"rounds.{code}", each, 0, MOST) for code, each in reader.by_company("rounds", value)}
    reader.state = replace(reader.state, rounds={**reader.state.rounds, **told})


def _place_removed(reader: PositionReader, value: Any) -> None:
    reader.state = replace(reader.state, removed=reader.cards("removed", value))


def _place_track_pile(reader: PositionReader, value: Any) -> None:
    told = reader.counts("track_pile", value, reader.board.colour_ids, MOST)
    reader.state = replace(reader.state, track_pile={colour: told.get(colour, 0) for colour in reader.board.colour_ids})


def _place_groups(reader: PositionReader, value: Any) -> None:
    if not isinstance(value, list):
        reader.blame("groups", 'a list of lists expected, as [["green", "pink"], ["grey", "grey"]]')
        return
    groups = tuple(reader.cards(f"groups[{at}]", group) for at, group in enumerate(value, start=1))
    reader.state = replace(reader.state, groups=groups)


def _place_hands(reader: PositionReader, value: Any) -> None:
    told = {code: reader.cards(f"hands.{code}", cards) for code, cards in reader.by_company("hands", value)}
    reader.state = replace(reader.state, hands={**reader.state.hands, **told})


def _place_built(reader: PositionReader, value: Any) -> None:
    """Lay companies' sections anew; a company that is not named keeps its own."""
    for code, told in reader.by_company("built", value):
        built = {link: owner for link, owner in reader.state.built.items() if owner != code}
        for name in reader.lines(f"built.{code}", told, "Hamburg-Hannover"):
            link = reader.link(f"built.{code}", name)
            if link is None:
                continue
            if link in built:
                told = N_("{link} has a section of {code}")
                reader.clash(f"built.{code}", told, link=reader.board.link_name(link), code=built[link])
            built[link] = code
        reader.state = replace(reader.state, built=built)
        if reader.state.sections_left(code) < 0:
            sections = reader.state.table.numbers.sections
            reader.clash(f"built.{code}", N_("a company has {sections} sections"), sections=sections)


def _place_cubes(reader: PositionReader, value: Any) -> None:
    """Put cubes on cities; a city that is not named keeps its own."""
    if not isinstance(value, dict):
        example = '{ Hamburg = ["blue", "red"] }'
        reader.blame("cubes", N_("a table by cities expected, as {example}"), example=example)
        return
    cubes = dict(reader.state.cubes)
    for name, told in value.items():
        city = reader.city(f"cubes.{name}", name)
        colours = reader.some_of(f"cubes.{name}", told, CUBE_COLOURS)
        if city is not None:
            cubes[city] = tuple(sorted(colours, key=CUBE_COLOURS.index))
    reader.state = replace(reader.state, cubes={city: colours for city, colours in cubes.items() if colours})


def _place_bag(reader: PositionReader, value: Any) -> None:
    told = reader.counts("bag", value, CUBE_COLOURS, MOST)
    reader.state = replace(reader.state, bag={colour: told.get(colour, 0) for colour in CUBE_COLOURS})


def _place_owed(reader: PositionReader, value: Any) -> None:
    reader.state = replace(reader.state, owed=reader.cities("owed", value))


def _place_merchandise(reader: PositionReader, value: Any) -> None:
    reader.state = replace(reader.state, merchandise=tuple(sorted(_merchandise(reader, "merchandise", value))))


def _place_turned(reader: PositionReader, value: Any) -> None:
    reader.state = replace(reader.state, turned=_merchandise(reader, "turned", value))


def _merchandise(reader: PositionReader, where: str, value: Any) -> tuple[int, ...]:
    known = {card.number for card in reader.board.merchandise}
    numbers = reader.wholes(where, value, 1, MOST)
    for number in numbers:
        if number not in known or numbers.count(number) > 1:
            reader.blame(where, f"{number} is no merchandise card of this board, or it is there twice")
    return numbers


def _place_actions(reader: PositionReader, value: Any) -> None:
    told = {code: reader.action_cards(f"actions.{code}", cards) for code, cards in reader.by_company("actions", value)}
    reader.state = replace(reader.state, actions={**reader.state.actions, **told})


def _place_action_discards(reader: PositionReader, value: Any) -> None:
    told = reader.counts("action_discards", value, ACTION_CARDS, reader.board.action_cards)
    reader.state = replace(reader.state, action_discards={card: told.get(card, 0) for card in ACTION_CARDS})


def _place_action_pile(reader: PositionReader, value: Any) -> None:
    told = reader.counts("action_pile", value, ACTION_CARDS, reader.board.action_cards)
    reader.state = replace(reader.state, action_pile={card: told.get(card, 0) for card in ACTION_CARDS})


def _place_passed(reader: PositionReader, value: Any) -> None:
    reader.state = replace(reader.state, passed=reader.companies("passed", value))


def _place_declined(reader: PositionReader, value: Any) -> None:
    reader.state = replace(reader.state, declined=reader.companies("declined", value))


def _place_subsidised(reader: PositionReader, value: Any) -> None:
    reader.state = replace(reader.state, subsidised=reader.companies("subsidised", value))


def _place_scores(reader: PositionReader, value: Any) -> None:
    """Compare scores with what income and bonds come to; a position has them of its own only when the game is over."""
    told = {
        code: reader.whole(f"scores.{code}", score, -MOST, MOST) or 0
        for code, score in reader.by_company("scores", value)
    }
    begun = bool(reader.state.agenda) or reader.state.is_over
    if told == {code: score for code, score in scores_of(reader.state).items() if code in told}:
        return
    if begun:
        reader.state = replace(reader.state, scores={**scores_of(reader.state), **told})
    else:
        reader.blame("scores", "they follow from income and bonds")


def scores_of(state: State) -> dict[str, int]:
    """Return the scores of a game that is over, else what they would be now."""
    return dict(state.scores) or {code: state.score(code) for code in state.table.codes if code in state.income}


def _place_winners(reader: PositionReader, value: Any) -> None:
    reader.state = replace(reader.state, winners=reader.companies("winners", value))


def _place_rearranged(reader: PositionReader, value: Any) -> None:
    reader.state = replace(reader.state, rearranged=reader.flag("rearranged", value))


def _place_bars(reader: PositionReader, value: Any) -> None:
    bars = []
    for where, told in reader.tables("bars", value, _BAR):
        code = reader.company(f"{where}.company", told.get("company"))
        colour = reader.one_of(f"{where}.colour", told.get("colour"), CUBE_COLOURS)
        city = reader.city(f"{where}.city", told["city"]) if told.get("city") else ""
        if code and colour and city is not None:
            bars.append(Bar(player=code, colour=colour, city=city))
    reader.state = replace(reader.state, bars=tuple(bars))


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
