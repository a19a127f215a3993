"""The games of a club as its pages tell them: values for templates, without anything that is nobody's business."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from markupsafe import Markup

from referee import __version__
from referee.config import Config
from referee.core import RefereeError, Value, View, places
from referee.core.game import Game
from referee.core.picture import Print, Translate, shade_of
from referee.mail.compose import Attachments
from referee.report.desk import as_json
from referee.report.renderer import reel
from referee.report.sentences import Folder
from referee.report.templates import Rendered, Stationery
from referee.resources import shipped_folder, template_folders
from referee.store import GameRow, PlayerRow, TurnRow, facts, games, orders

from ..club import Club, Tools, order_words
from ..commands.endings import CONCEDED, DRAW, WON, Ending, amounts, ending_of
from ..letters.interpretation import newest_texts
from ..positions import Position
from ..post.attachments import deadline_moment, desk_place, old_desk, order_desk
from ..post.observers import watch_code
from ..post.readers import COMPANY, fact_name
from ..post.writing import game_values, player_values
from ..turns.newsletters import public_faces, reprint
from .publish import Files

# How players appear on the club's pages: as they said themselves, else as the club says; those of an anonymous game by their
# companies until it is over, whatever anybody said.


def public_players(club: Club, row: GameRow) -> tuple[PlayerRow, ...]:
    """Return a game's players with the names that pages show; no address."""
    players = games.players(club, row.id)
    said = facts(club, (fact_name(each.address) for each in players))
    veiled = row.anonymous and not row.is_over
    return tuple(
        each.but(name=("" if veiled else person(club.config, each, said)) or each.company or each.code, address="")
        for each in players
    )


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
        return self.row.is_over

    @property
    def updated(self) -> datetime:
        """When the last thing happened that is told of it."""
        return self.turns[-1].adjudicated_at

    @property
    def told(self) -> tuple[TurnRow, ...]:
        """The turns of which there is a newsletter."""
        return tuple(each for each in self.turns if each.turn)


def show(club: Club, row: GameRow) -> Shown:
    """Return a game for the pages."""
    players = public_players(club, row)
    position = club.position(row, players)
    turns = games.turns(club, row.id)
    facts = (turns[-1].hash, row.status, row.deadline, row.stopped_at, row.moved, [each.name for each in players])
    ending = ending_of(club, row) if row.is_over else None
    told = (
        *facts,
        ending,
        [(each.edition, str(each.deadline)) for each in turns],
        club.config.publish,
        club.config.language,
    )
    mark = hashlib.sha256(repr((*told, club.config.zone, club.config.address, club.config.club)).encode()).hexdigest()
    return Shown(position=position, players=players, turns=turns, mark=mark, ending=ending)


def article(club: Club, game: Shown, turn: int, *, press: bool = False) -> tuple[Rendered, Attachments]:
    """Return the newsletter of a turn as somebody reads it who plays no part, and its pictures; *press*: with what players say,
    whether or not the club's pages show it.
    """
    news = reprint(club, game.row.id, turn, game.players)
    # Who played an anonymous game is told as everything else is: by the names that players chose.
    row = news.position.row.but(anonymous=False)
    deadline = news.deadline if game.is_over else news.deadline or game.row.stopped_due
    said = (news.press, news.unsigned) if press or club.config.publish.press else ((), ())
    position = news.position.but(row=row)
    return public_faces(
        club,
        news.but(position=position, deadline=deadline, press=said[0], unsigned=said[1], statements_until=None),
    )


CLIPPINGS = 6


def clippings(club: Club, game: Shown) -> list[View]:
    """Return the last press that may be shown, the newest first: ``turn``, ``text`` and, where it is signed, its player."""
    if not club.config.publish.press:
        return []
    known = {each.code: player_values(each) for each in game.players}
    return [
        {"turn": row.turn, "text": text.text, **known.get(text.player if kind == "press" else "", {})}
        for row in game.told[: -CLIPPINGS - 1 : -1]
        for kind in ("press", "unsigned")
        for text in newest_texts(orders.texts(club, game.row.id, row.turn, kind))
    ][:CLIPPINGS]


def values_of(club: Club, game: Shown) -> View:
    """Return what templates may know of a game."""
    row = game.row
    moment = (
        deadline_moment(club, game.position, club.config.language, row.turn, row.deadline) if row.deadline else None
    )
    if moment:  # without our address
        url = club.config.publish.url
        moment = moment.but(description=club.config.club, url=f"{url}{row.id}/" if url else "")
    invited = club.config.publish.invite and not game.is_over
    editions = games.editions(club, row.id)
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
        "settings": {
            name: json.dumps(value) if isinstance(value, bool) else str(value)
            for name, value in options_of(game).items()
        },
    }


def options_of(game: Shown) -> Mapping[str, object]:
    """Return all options of a game."""
    setup = game.position.setup
    return {**game.rules.presets[setup.preset], **dict(setup.options)}


def standings(game: Shown, state: Any = None, *, changes: bool = False) -> list[View]:
    """Return who has what and which place, the first one first.

    With *changes* also what the last turn brought each.
    """
    had = amounts(game.position, game.position.state if state is None else state)
    before: dict[str, int] = {}
    if changes and len(game.turns) > 1:
        before = amounts(game.position, game.position.decode(game.turns[-2].state))
    ranked = sorted(game.players, key=lambda each: -had.get(each.code, 0))
    return [
        player_values(each)
        | {"amount": had[each.code], "place": places(had)[each.code]}
        | ({"change": had[each.code] - before[each.code]} if each.code in before else {})
        for each in ranked
        if each.code in had
    ]


def winners(game: Shown) -> list[View]:
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


# Writes pages from the templates of letters: in the site's own frame, and with styles in one file instead of in each line.

SITE = "site"
_OBSOLETE = re.compile(r' (?:cellpadding|cellspacing|border|align)="[^"]*"')  # what mail programs need


class Pages(Stationery):
    """``page`` gives the article of a letter, in plain HTML."""

    def style(self, page: str) -> str:
        """Return it as it is, for the styles stand in a file."""
        return plain(page)


def plain(page: str) -> str:
    """Return HTML without the attributes that only mail programs need; numbers stay on the right by a class."""
    return _OBSOLETE.sub("", page.replace(' align="right"', ' class="n"'))


def with_pages(club: Club) -> Club:
    """Return the club with the stationery of its pages."""
    pages = Pages(lambda game: _folders(club.config.folder / "templates", game), spoken=order_words)
    tools = Tools(club.config.folder, stationery=pages, positions=club.positions, pictures=club.pictures)
    return club.but(tools=tools)


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
    return (own / SITE, shipped_folder("templates").joinpath(SITE), *template_folders(game, own))


# The film of a game: every turn with its board, its track, its races throw by throw, nothing but what newsletters tell everybody;
# and, at the end, a keepsake of it for each player, one file that needs no other.

SCRIPT = "film.js"
WALL = 2480  # pixels, of a board for a wall: 210 an inch on A3


def film_values(club: Club, game: Shown) -> Iterator[View]:
    """Yield what the pages of a game's film are told: that of all readers, and the keepsake of each player if it is over."""
    translate = club.stationery.translate(club.config.language)
    shot = reel([game.rules.drawing(_state(game, row), translate) for row in game.turns])
    script = shipped_folder("templates").joinpath(SITE, SCRIPT).read_text("utf-8")
    frames = [_frame(game, row, translate) for row in game.turns]
    known = {"reel": shot, "picture": Markup(shot.svg), "script": Markup(script)}  # noqa: S704 (our own)
    for keeper in (None, *(standings(game) if game.is_over else ())):
        told = as_json({"frames": frames, "keeper": keeper["code"] if keeper else ""})
        yield {**known, "keeper": keeper, "told": told}


def _frame(game: Shown, row: TurnRow, translate: Translate) -> View:
    """Return what a turn's frame shows besides its picture."""
    state = _state(game, row)
    moved = game.rules.film(state, game.position.decode(row.events))
    for race in moved.get("races", ()):
        race |= {"from": translate(race["from"]), "to": translate(race["to"])}
    amounts = [
        {"code": each["code"], "colour": shade_of(each["colour"]), "amount": each["amount"]}
        for each in standings(game, state)
    ]
    return {"turn": row.turn, "amounts": amounts, "laid": [], "races": [], "trips": [], **moved}


def _state(game: Shown, row: TurnRow) -> Any:
    return game.position.decode(row.state)


# The order desks of a game on the club's pages: that of the awaited turn, and in the places of earlier ones where it is.


def desk_files(club: Club, game: Shown) -> Files:
    """Return the desk of the awaited turn, and a word in the place of each that was played."""
    name, language = game.row.id, club.config.language
    awaited = 0 if game.is_over else game.rules.turn(game.position.state)
    made = {
        desk_place(name, each.turn): old_desk(club, name, each.turn, awaited, language)
        for each in game.told
        if each.turn != awaited
    }
    return made | (
        {desk_place(name, awaited): order_desk(club, game.position, language, game.players)} if awaited else {}
    )


# A whole game as one PDF, to be printed: its newsletters, the first one first, then the last board on a page of its own.

_CHART = re.compile(r"<img[^>]*-chart\.[^>]*>")


def whole_file(club: Club, game: Shown, pages: Sequence[str], title: str) -> Files:
    """Return the PDF of a game that is over, its newsletters as HTML in *pages*; nothing where none can be made, which
    ``referee doctor`` tells.
    """
    if not game.is_over or not pages:
        return {}
    from referee.report.paper import CHART, TEMPLATE, letter_pdf  # here, because it is made once a game

    rules, state, language = game.rules, game.position.state, club.config.language
    translate = club.stationery.translate(language)
    board, chart = rules.drawing(state, translate, Print(paper=True)), rules.chart(state, translate)
    *earlier, last = pages  # of the charts the last one tells all
    page = "\n".join((*(_CHART.sub("", each) for each in earlier), last))
    try:
        source = club.stationery.place(TEMPLATE, rules.name).read_text(encoding="utf-8")
        made = letter_pdf(source, title, language, page, board, {CHART: chart})
    except RefereeError:
        return {}
    return {f"{game.row.id}/whole.pdf": made}


def wall_files(club: Club, game: Shown) -> Files:
    """Return the board of a game that is over for a wall, as PDF and PNG as far as they can be made."""
    if not game.is_over:
        return {}
    from referee.report.paper import A3_SIDE, board_file

    translate = club.stationery.translate(club.config.language)
    drawing, made = game.rules.drawing(game.position.state, translate, Print(keepsake=True)), {}
    for suffix in (".pdf", ".png"):
        with suppress(RefereeError):
            made[f"{game.row.id}/keepsake{suffix}"] = board_file(drawing, suffix, WALL, A3_SIDE)
    return made
