"""What may be seen of a position, as plain values: the door to templates, and the file that is mailed for programs.

Hands of action cards, kept orders and the track cards taken out stay behind it; so do marks where they are hidden.
"""

from __future__ import annotations

from typing import Any

from msgspec import json
from msgspec.structs import asdict

from referee.core import View, fields_of, round_before
from referee.core import places as places_by
from referee.core.picture import SHADES, Polygon

from ..auction import RANGE, least_bid
from ..board import ACTION_CARDS, CUBE_COLOURS, Link, LinkColour
from ..notation import CUBE, PLACE, TRACK, bid_verb, decisions_now, format_order, lexicon
from ..routing import by_alphabet
from ..state import State
from .picture import LINK_PAINT, lay_out, places
from .prices import form_lines

# What of a position everybody may see as it is.
_SEEN = (
    "round", "turn", "options", "order", "groups", "owed", "turned", "passed", "declined", "bars", "subsidised", "rearranged",
    "winners",
)  # fmt: skip


def view(state: State, player: str | None) -> View:
    """Return the position as plain JSON values, as *player* may see it; None: as everybody may."""
    board, numbers, item = state.board, state.numbers, state.asked
    return plain(
        {
            **fields_of(state, *_SEEN),
            **fields_of(board, "title", "max_links", "start_money", "bond_money"),
            "game": "volldampf",
            "board": board.id,
            "last_round": numbers.rounds,
            "phase": state.stage,
            "stage": state.stage,
            "number": item.number,
            "pace": state.table.pace,
            # The decision of a single player; nothing where everybody's letter is asked for.
            "asked": fields_of(item, "player", "what", "number") if item.player else {},
            "form": form_lines(state, player),
            "players": [player_view(state, code, player) for code in state.codes],
            "links": [_link(state, link) for link in board.links],
            "colours": [fields_of(colour, "id", "symbol", "code") for colour in board.colours],
            "cities": [
                {
                    **fields_of(city, "id", "name", "colour", "aliases"),
                    "home": city.is_home,
                    "cubes": state.cubes.get(city.id, ()),
                }
                for city in board.cities
            ],
            "bag": {colour: state.bag.get(colour, 0) for colour in CUBE_COLOURS},
            "merchandise_left": len(state.merchandise),
            "action_pile": sum(state.action_pile.values()),
            "action_discards": {card: state.action_discards.get(card, 0) for card in ACTION_CARDS},
            # Track cards taken out at random. Rule: DIFF 09
            "removed": state.removed if state.options.removed_cards == "shown" or state.is_over else None,
            "kept": [format_order(state, kept.order) for kept in state.kept if kept.player == player],
            "bids": {code: state.bids[code] for code in state.codes if code in state.bids},
            "rounds": {code: state.rounds.get(code, ()) for code in state.codes},
            "scores": {code: state.scores[code] for code in state.codes if code in state.scores},
            "numbers": fields_of(numbers, "sections", "group_size", "rounds"),
        },
    )


def plain(told: View) -> View:
    """Return what is told as JSON has it: lists and tables."""
    made: View = json.decode(json.encode(told))
    return made


def shows_cash(state: State, code: str, reader: str | None) -> bool:
    """Return whether *reader* may see how many marks a player has. Rule: DIFF 08."""
    return state.options.money_visible or state.is_over or code == reader


def ranking(state: State, reader: str | None, ended: bool = False) -> list[View]:
    """Return the places by score, then marks where they may be seen; equal ones share a place. Rule: V5.2, R19.

    ``change``: of the income since the round before. *ended*: with the turn a round was over.
    """
    seen = state.options.money_visible or state.is_over
    players = [player_view(state, code, reader) for code in state.order]
    place = places_by({each["code"]: (each["score"], state.cash[each["code"]] if seen else 0) for each in players})
    ranked = [
        {
            **{name: each[name] for name in ("code", "income", "bonds", "score", "cash")},
            "place": place[code],
            "change": now - round_before(state.rounds.get(code, ()), ended=ended, otherwise=now),
        }
        for each in players
        for code, now in [(each["code"], each["income"])]
    ]
    return sorted(ranked, key=lambda one: one["place"])


def _link(state: State, link: Link) -> View:
    return {
        "id": link.id,
        "name": state.board.link_name(link.id),
        **asdict(link),
        "owner": state.built.get(link.id, ""),
    }


def player_view(state: State, code: str, reader: str | None) -> View:
    """Return what *reader* may see of a player; None is what they may not."""
    actions = state.actions.get(code, ())
    return {
        **fields_of(state.table.player(code), "code", "name", "company", "colour"),
        "seat": state.codes.index(code) + 1,
        "cash": state.cash.get(code, 0) if shows_cash(state, code, reader) else None,
        "bonds": state.bonds.get(code, 0),
        "income": state.income.get(code, 0),
        "score": state.score(code) if state.income else 0,
        "sections_left": state.sections_left(code),
        "cards": state.hands.get(code, ()),
        "action_count": len(actions),
        "actions": actions if state.options.hands_open or state.is_over or code == reader else None,  # Rule: DIFF 40
    }


# The position as the order desk needs it, for all players the same: what everybody may see, and what follows from it.


def desk(state: State) -> View:
    """Return the position for ``templates/desk/volldampf.js``, {} when the game is over.

    ``cities``: by id [name, colour of the cubes it takes, x, y], in order of their names; ``links``: by id [one end, other end,
    colour, cost, owner].
    """
    if state.is_over or not state.agenda:
        return {}
    board, seen, spots = state.board, view(state, None), lay_out(state.board).spots
    return plain(
        {
            **seen,
            "cities": {city: [board.name(city), board.city(city).colour, *spots[city]] for city in by_alphabet(board)},
            "printed": [city.id for city in board.cities],
            "signs": {colour.id: _sign(colour) for colour in board.colours},
            "alike": board.action_cards,
            "links": {
                each["id"]: [each[name] for name in ("a", "b", "colour", "cost", "owner")] for each in seen["links"]
            },
            "cubes": state.cubes,
            "bag": sum(state.bag.values()),
            "asked": decisions_now(state),
            "whose": state.asked.player,
            "players": {
                code: {**each, "name": each["name"] or code, "shade": SHADES[each["colour"]]}
                for code, each in zip(state.codes, seen["players"], strict=True)
            },
            "words": _words(state),
            "bidding": bid_verb(state),
            "least": least_bid(state),
            "range": RANGE[state.options.two_player_bid] if len(state.codes) == 2 else (),
            "bank": board.bond_points - sum(state.bonds.values()) if state.options.bank_limits else -1,
            "pays": state.declining_pays,
            "draws": state.draws_at_once,
            "last": state.subsidy_for if state.stage == "subsidy" else (),
        }
    )


def _sign(colour: LinkColour) -> list[Any]:
    """Return what a track card shows as [letter, paint, corners of its shape within ``CARD``; of a circle none]."""
    shape = next(places.symbol((places.CARD[0] // 2, places.CARD[1] // 2), colour, "", radius=20))
    return [colour.code, LINK_PAINT[colour.id], shape.points if isinstance(shape, Polygon) else []]


def _words(state: State) -> dict[str, dict[str, str]]:
    """Return all names by kind and in small letters; of a word with two meanings the first one counts."""
    words: dict[str, dict[str, str]] = {PLACE: {}, TRACK: {}, CUBE: {}, "PLAYER": {}}
    for term in lexicon(state):
        words[term.kind].setdefault(term.name.casefold(), term.value)
    return words
