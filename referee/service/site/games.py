"""The games of a club as its pages tell them: values for templates, without anything that is nobody's business."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from referee import __version__
from referee.config import Config
from referee.core.game import Game
from referee.core.telling import places
from referee.core.values import Value
from referee.mail.compose import Attachment
from referee.report.folders import Folder
from referee.report.templates import Rendered, Stationery
from referee.resources import shipped, template_folders
from referee.service.club import Club, Tools, spoken
from referee.service.commands.endings import CONCEDED, DRAW, WON, Ending, amounts, ending_of
from referee.service.letters.interpretation import newest_texts
from referee.service.positions import Position
from referee.service.post.attachments import deadline_moment
from referee.service.post.observers import watch_code
from referee.service.post.readers import COMPANY, fact_name
from referee.service.post.writing import game_values, player_values
from referee.service.turns.newsletters import public_faces
from referee.service.turns.reprint import reprinted
from referee.store import games, orders
from referee.store.club import facts
from referee.store.rows import GameRow, PlayerRow, TurnRow

# How players appear on the club's pages: as they said themselves, else as the club says; those of an anonymous game by their
# companies until it is over, whatever anybody said.


def public_players(club: Club, row: GameRow) -> tuple[PlayerRow, ...]:
    """Return a game's players with the names that pages show; no address."""
    players = games.players(club.db, row.id)
    said = facts(club.db, (fact_name(each.address) for each in players))
    veiled = row.anonymous and row.status == "running"
    return tuple(
        replace(each, name=(each.company or each.code) if veiled else shown_name(club.config, each, said), address="")
        for each in players
    )


def shown_name(config: Config, player: PlayerRow, said: dict[str, str]) -> str:
    """Return how a player appears; by his company's name where it is nobody's business who he is."""
    return person(config, player, said) or player.company or player.code


def person(config: Config, player: PlayerRow, said: dict[str, str]) -> str:
    """Return under what name a person's games are counted together, "" where nobody shall know that they are one's."""
    chosen = said.get(fact_name(player.address)) or (player.name if config.publish.names == "names" else COMPANY)
    return "" if chosen == COMPANY else chosen


class Shown(Value):
    """A game on the pages. ``turns``: those in force, the opening among them. ``mark``: another one with whatever may be told."""

    position: Position
    players: tuple[PlayerRow, ...]
    turns: tuple[TurnRow, ...]
    mark: str
    ending: Ending | None = None

    @property
    def row(self) -> GameRow:
        """The game in the store."""
        return self.position.row

    @property
    def rules(self) -> Game:
        """Its rules."""
        return self.position.rules

    @property
    def is_over(self) -> bool:
        """Whether nobody is awaited any more."""
        return self.row.status != "running"

    @property
    def updated(self) -> datetime:
        """When the last thing happened that is told of it."""
        return self.turns[-1].adjudicated_at

    @property
    def told(self) -> tuple[TurnRow, ...]:
        """The turns of which there is a newsletter."""
        return tuple(each for each in self.turns if each.turn)


def shown(club: Club, row: GameRow) -> Shown:
    """Return a game for the pages."""
    players = public_players(club, row)
    position = club.position(row, players)
    turns = games.turns(club.db, row.id)
    facts = (turns[-1].hash, row.status, row.deadline, row.stopped_at, row.moved, [each.name for each in players])
    ending = ending_of(club.db, row) if row.status != "running" else None
    told = (
        *facts,
        ending,
        [(each.edition, str(each.deadline)) for each in turns],
        club.config.publish,
        club.config.language,
    )
    mark = hashlib.sha256(repr((*told, club.config.zone, club.config.address, club.config.club)).encode()).hexdigest()
    return Shown(position=position, players=players, turns=turns, mark=mark, ending=ending)


def article(club: Club, game: Shown, turn: int, *, press: bool = False) -> tuple[Rendered, tuple[Attachment, ...]]:
    """Return the newsletter of a turn as somebody reads it who plays no part, and its pictures; *press*: with what players say,
    whether or not the club's pages show it.
    """
    news = reprinted(club, game.row.id, turn, game.players)
    # Who played an anonymous game is told as everything else is: by the names that players chose.
    row = replace(news.position.row, anonymous=False)
    deadline = news.deadline if game.is_over else news.deadline or game.row.stopped_due
    said = (news.press, news.unsigned) if press or club.config.publish.press else ((), ())
    position = replace(news.position, row=row)
    return public_faces(
        club,
        replace(news, position=position, deadline=deadline, press=said[0], unsigned=said[1], statements_until=None),
    )


CLIPPINGS = 6


def clippings(club: Club, game: Shown) -> list[dict[str, Any]]:
    """Return the last press that may be shown, the newest first: ``turn``, ``text`` and, where it is signed, its player."""
    if not club.config.publish.press:
        return []
    known = {each.code: player_values(each) for each in game.players}
    return [
        {"turn": row.turn, "text": text.text, **known.get(text.player if kind == "press" else "", {})}
        for row in game.told[: -CLIPPINGS - 1 : -1]
        for kind in ("press", "unsigned")
        for text in newest_texts(orders.texts(club.db, game.row.id, row.turn, kind))
    ][:CLIPPINGS]


def values_of(club: Club, game: Shown) -> dict[str, Any]:
    """Return what templates may know of a game."""
    row = game.row
    moment = (
        deadline_moment(club, game.position, club.config.language, row.turn, row.deadline) if row.deadline else None
    )
    if moment:  # without our address
        url = club.config.publish.url
        moment = replace(moment, description=club.config.club, url=f"{url}{row.id}/" if url else "")
    invited = club.config.publish.invite and not game.is_over
    editions = games.editions(club.db, row.id)
    return {
        "game": game_values(game.position) | {"over": game.is_over},
        "players": [player_values(each) for each in game.players],
        "deadline": row.deadline,
        "turns": [
            {"number": each.turn, "at": each.adjudicated_at, "corrected": editions[each.turn][0] != each.edition}
            for each in game.told
        ],
        "last": game.turns[-1].turn,
        "standings": standings(game, changes=True),
        "winners": winners(game),
        "ending": ending_values(game),
        "ruled": game.rules.rulebook(club.config.language) is not None,
        "moment": moment,
        "watch": f"WATCH {watch_code(club, row.id)}" if invited else "",
        "address": club.config.address if invited else "",
        "prices": game.rules.prices(game.position.setup),
        "settings": {name: _written(value) for name, value in agreed(game).items()},
    }


def agreed(game: Shown) -> Mapping[str, object]:
    """Return all options of a game."""
    setup = game.position.setup
    return {**game.rules.presets[setup.preset], **dict(setup.options)}


def standings(game: Shown, state: Any = None, *, changes: bool = False) -> list[dict[str, Any]]:
    """Return who has what and which place, the first one first.

    With *changes* also what the last turn brought each.
    """
    had = amounts(game.position, game.position.state if state is None else state)
    before: dict[str, int] = {}
    if changes and len(game.turns) > 1:
        before = amounts(game.position, game.rules.decode(game.turns[-2].state, game.position.setup))
    ranked = sorted(game.players, key=lambda each: -had.get(each.code, 0))
    return [
        player_values(each)
        | {"amount": had[each.code], "place": places(had)[each.code]}
        | ({"change": had[each.code] - before[each.code]} if each.code in before else {})
        for each in ranked
        if each.code in had
    ]


def winners(game: Shown) -> list[dict[str, Any]]:
    """Return who has won a game that is over: of one that ended in a draw all who agreed to it."""
    if not game.is_over:
        return []
    early = game.ending
    agreed = {DRAW: early.agreed, WON: (early.winner,), CONCEDED: (early.winner,)}.get(early.how) if early else None
    return [each for each in standings(game) if (each["code"] in agreed if agreed else each["place"] == 1)]


def ending_values(game: Shown) -> dict[str, str]:
    """Return how a game has ended early (``how``, ``by``: who conceded), with empty words of any other."""
    names = {each.code: each.name for each in game.players}
    return {"how": game.ending.how, "by": names.get(game.ending.by, "")} if game.ending else {"how": "", "by": ""}


def _written(value: object) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value)


# Writes pages from the templates of letters: in the site's own frame, and with styles in one file instead of in each line.

SITE = "site"
_OBSOLETE = re.compile(r' (?:cellpadding|cellspacing|border|align)="[^"]*"')  # what mail programs need


class Pages(Stationery):
    """``page`` gives the article of a letter, in plain HTML."""

    def styled(self, page: str) -> str:
        """Return it as it is, for the styles stand in a file."""
        return plain(page)


def plain(page: str) -> str:
    """Return HTML without the attributes that only mail programs need; numbers stay on the right by a class."""
    return _OBSOLETE.sub("", page.replace(' align="right"', ' class="n"'))


def with_pages(club: Club) -> Club:
    """Return the club with the stationery of its pages."""
    pages = Pages(lambda game: _folders(club.config.folder / "templates", game), spoken=spoken)
    tools = Tools(club.config.folder, stationery=pages, positions=club.positions, pictures=club.pictures)
    return replace(club, tools=tools)


def fingerprint(club: Club, game: str) -> str:
    """Return what is another one with each version of ours and each change of a template of a game's pages."""
    told = hashlib.sha256(__version__.encode())
    for folder in _folders(club.config.folder / "templates", game):
        if folder.is_dir():
            for file in sorted(folder.iterdir(), key=lambda each: each.name):
                if file.is_file():
                    told.update(file.name.encode() + file.read_bytes())
    return told.hexdigest()


def _folders(own: Path, game: str) -> tuple[Folder, ...]:
    return (own / SITE, shipped("templates").joinpath(SITE), *template_folders(game, own))
