"""Pages of newsletters of recorded games of six, as the service renders them."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from referee.games.dampfross import GAME
from referee.games.volldampf import GAME as VOLLDAMPF
from referee.report.templates import Rendered, Stationery
from referee.resources import template_folders
from tests.games.dampfross.recordedgames import recorded_game
from tests.games.dampfross.wholegame import Turn
from tests.games.volldampf.wholegame import Turn as VolldampfTurn
from tests.games.volldampf.wholegame import recorded_game as volldampf_game

NAME, VOLLDAMPF_NAME = "usual 6 d", "dutch together 6"
SEED = "0123456789abcdef" * 4
STATIONERY = Stationery(lambda game: template_folders(game, None), strict=True)


def turns() -> list[Turn]:
    """Return the turns of the game."""
    return recorded_game(NAME)[2]


def values_of(turn: int, reader: str = "MGW") -> dict[str, Any]:
    """Return what the newsletter of a turn may tell a reader."""
    setup, _, played = recorded_game(NAME)
    outcome = played[turn - 1].outcome
    over = not GAME.awaiting(outcome.state)
    seen_by = reader if reader in outcome.state.codes else None
    picture = {"title": f"Ireland after round {turn}", "what": "Ireland, GSW (red), MGW (blue)"}
    return {
        "game": {
            "id": "RR1",
            "title": GAME.title,
            "name": GAME.name,
            "board_name": "Ireland",
            "preset": "",
            "options": {},
        },
        "reader": {"code": reader, "name": reader, "company": "", "colour": "", "zone": "UTC", "language": "en"},
        "players": [],
        "asked": [],
        "address": "",
        "club": "The Club",
        "today": datetime(2026, 12, 1, 9, tzinfo=UTC),
        "zine": {**dict.fromkeys(("issue", "umpire", "contact", "word", "site"), ""), "name": "The Club", "games": []},
        "prices": GAME.prices(setup),
        "turn": turn,
        "next_turn": turn if over else turn + 1,
        "deadline": None if over else datetime(2026, 12, 21, 20, tzinfo=UTC),
        "finished": over,
        "chain": {"seed": SEED, "previous": SEED, "salts": "", "typed": [], "hash": SEED, "acts": ["7", SEED]},
        "booked": {"received": ["0123456789abcdef"], "counted": []},
        "press": [],
        "missing": [],
        "seating": [],
        "statements_until": None,
        "early": 12,
        "answers_a_day": 10,
        "languages": [("en", "English"), ("de", "Deutsch"), ("fr", "français"), ("nl", "Nederlands")],
        "view": GAME.view(outcome.state, seen_by),
        "story": GAME.story(outcome.state, outcome.events, seen_by),
        "summary": _summary(turn) if over else {},
        "pictures": {"board": {"cid": "a@b", **picture}, "chart": {"cid": "c@d", "title": "Balances", "what": ""}},
    }


def _summary(last: int) -> Mapping[str, Any]:
    _, opening, played = recorded_game(NAME)
    events = [event for each in (opening, *(turn.outcome for turn in played[:last])) for event in each.events]
    return GAME.summary(turns()[last - 1].outcome.state, tuple(events))


def page_of(values: Mapping[str, Any], language: str = "en") -> str:
    """Return the page."""
    values = {**values, "reader": {**values["reader"], "language": language}}
    return STATIONERY.page("newsletter", "dampfross", language, "UTC", values, Rendered(subject="", text=""))


def volldampf_turns() -> list[VolldampfTurn]:
    """Return the turns of a game of Volldampf."""
    return volldampf_game(VOLLDAMPF_NAME)[2]


def volldampf_values(turn: int) -> dict[str, Any]:
    """Return what the newsletter of a turn of Volldampf may tell one of its players."""
    setup, _, played = volldampf_game(VOLLDAMPF_NAME)
    outcome = played[turn - 1].outcome
    over, reader = not VOLLDAMPF.awaiting(outcome.state), setup.players[0].code
    values = {
        **values_of(12 if over else 4, reader),
        "prices": VOLLDAMPF.prices(setup),
        "view": VOLLDAMPF.view(outcome.state, reader),
        "story": VOLLDAMPF.story(outcome.state, outcome.events, reader),
        "summary": VOLLDAMPF.summary(outcome.state, outcome.events) if over else {},
        "players": [{"code": p.code, "name": p.name, "company": "", "colour": p.colour} for p in setup.players],
    }
    values["game"] = {**values["game"], "title": VOLLDAMPF.title, "name": VOLLDAMPF.name}
    return values


def volldampf_page(turn: int, language: str = "en") -> str:
    """Return the page of that newsletter."""
    values = volldampf_values(turn)
    values["reader"] = {**values["reader"], "language": language}
    return STATIONERY.page("newsletter", "volldampf", language, "UTC", values, Rendered(subject="", text=""))


def opening_page(reader: str = "MGW", company: str = "") -> str:
    """Return the opening as a reader sees it, all of whose companies are called *company*."""
    opening = recorded_game(NAME)[1]
    view, story = GAME.view(opening.state, reader), GAME.story(opening.state, opening.events, reader)
    for one in view["companies"]:
        one["name"] = company or one["name"]
    chain = {"end": SEED, "seed": SEED, "previous": SEED, "salts": "", "typed": [], "hash": SEED}
    values = {**values_of(1, reader), "turn": 0, "next_turn": 1, "view": view, "story": story, "chain": chain}
    letter = STATIONERY.letter("opening", "dampfross", "en", "UTC", values)
    return STATIONERY.page("opening", "dampfross", "en", "UTC", values, letter)


def plain_page(said: str) -> str:
    """Return the page of a letter that says something."""
    letter = Rendered(subject="A letter", text="", loose=said)
    return STATIONERY.page("plain-letter", "dampfross", "en", "UTC", values_of(1), letter)
