"""Order desks for tests: the page of a position, without a club."""

import gzip
import re
from base64 import b64decode
from typing import Any

from referee.core.game import Game
from referee.games.dampfross import GAME
from referee.games.dampfross.state import State
from referee.games.volldampf import GAME as VOLLDAMPF
from referee.games.volldampf.state import State as VolldampfState
from referee.orderbook.expressions import spoken_words
from referee.report.desk import desk_page
from referee.report.templates import Stationery
from referee.resources import template_folders, word_texts
from referee.service.post.attachments import speech_of
from tests.games.lines import order_language

STATIONERY = Stationery(lambda game: template_folders(game, None))
TOLD: dict[str, Any] = {"club": "Club", "url": "", "page": "", "domain": "club.example"}
SPOKEN = Stationery(
    lambda game: template_folders(game, None),
    spoken=lambda game, language: {} if language == "en" else spoken_words(word_texts(game), language),
)


def speaking(game: Game, state: Any) -> dict[str, Any]:
    """Return the position of a desk with the words that it reads."""
    return {**game.desk(state), "speech": speech_of(order_language(game.name))}


def page_of(state: State, language: str = "en") -> str:
    """Return the desk of a position, of a club that publishes nothing."""
    players = [{"code": each.code, "name": each.name} for each in state.table.players]
    told = TOLD | {"game": "RR1", "turn": state.turn, "players": players}
    return desk_page(STATIONERY, "dampfross", language, told, speaking(GAME, state), GAME.drawing(state))


def desk_of_volldampf(state: VolldampfState, stationery: Stationery = STATIONERY) -> str:
    """Return the desk of a position of Volldampf, of a club that publishes nothing."""
    players = [{"code": each.code, "name": each.name} for each in state.table.players]
    told = TOLD | {"game": "VD1", "turn": state.turn, "players": players}
    return desk_page(stationery, "volldampf", "en", told, speaking(VOLLDAMPF, state), VOLLDAMPF.drawing(state))


def unpacked(page: str) -> str:
    """Return the desk that is packed in the page beside a letter."""
    packed = re.search('id="packed">([^<]+)<', page)
    assert packed
    return gzip.decompress(b64decode(packed[1])).decode()
