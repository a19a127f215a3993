"""A played turn event by event: what was charged, refused, thrown and placed, with the paragraph that says so and its words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from referee.core.errors import NotFound
from referee.core.texts.rulebook import Paragraph
from referee.core.texts.wording import N_
from referee.core.values import Value
from referee.report.columns import TIE
from referee.service.audit.log import whole_log
from referee.service.audit.replay import replayed
from referee.service.club.club import Club
from referee.service.club.positions import Position
from referee.service.letters.questions import plain
from referee.service.turns.throws import parse_typed
from referee.store import games
from referee.store.database.rows import TurnRow

_SILENT = ("Asked",)  # what only keeps the round going
# Which tables of a game's words have what an event says by a word of the program, by its field.
_WORDS = {
    **dict.fromkeys(("colour", "card", "cards", "groups"), ("colour",)),
    "share": ("share",),
    "stage": ("asked",),
    "why": ("why", "cancelled"),
}


class Reason(Value):
    """A thing that happened, as a sentence, and the number of the paragraph that it follows, "" for none."""

    text: str
    paragraph: str


class Explained(Value):
    """A turn in the order in which it was played; its throws by name, sides and number, typed ones marked; and the paragraphs
    that both name, without the marks of Markdown. ``edition``: above 1 a correction.
    """

    game: str
    turn: int
    edition: int
    reasons: tuple[Reason, ...]
    throws: tuple[Reason, ...]
    paragraphs: Mapping[str, Paragraph]


def explain(club: Club, game_id: str, turn: int, company: str = "") -> Explained:
    """Return what happened in a turn in force and why; of a *company*, what it did and what was done to it.

    Raises:
        NotFound: there is no such game, turn or company.
    """
    position = club.positions.of(club.db, games.game(club.db, game_id))
    row = next((each for each in games.turns(club.db, position.row.id) if each.turn == turn), None)
    if row is None:
        last = games.last_turn(club.db, position.row.id).turn
        told = N_("turn {turn} of {game} was not played (the last is turn {last})")
        raise NotFound(told, turn=turn, game=position.row.id, last=last)
    code = _company(position, company)
    events = [
        event for event in position.rules.decode(row.events, position.setup) if type(event).__name__ not in _SILENT
    ]
    plain = [(event, json.loads(position.rules.encode(event))) for event in events]
    names = _places(position)
    reasons = tuple(
        Reason(text=_sentence(club, position, event, values, names), paragraph=values["paragraph"])
        for event, values in plain
        if not code or _names(values, code)
    )
    throws = tuple(_throws(club, position, row, code))
    return Explained(
        game=position.row.id,
        turn=turn,
        edition=games.editions(club.db, position.row.id)[turn].index(row.edition) + 1,
        reasons=reasons,
        throws=throws,
        paragraphs=_paragraphs(club, position, (*reasons, *throws)),
    )


def _company(position: Position, company: str) -> str:
    """Return the code of a company, "" where none is named. Raises NotFound."""
    seats = position.setup.players
    codes = tuple(code for each in seats for code in (each.code, each.second_code) if code)
    codes += tuple(code for code in position.rules.facts(position.state)["balances"] if code not in codes)
    found = next((code for code in codes if code.upper() == company.upper()), None)
    if company and found is None:
        told = N_("there is no company {company} in {game} (there is {known})")
        raise NotFound(told, company=company, game=position.row.id, known=", ".join(codes))
    return found or ""


def _names(value: Any, code: str) -> bool:
    """Return whether a company stands anywhere in an event; a joint train is called by both."""
    if isinstance(value, dict):
        return any(each == code or _names(each, code) for pair in value.items() for each in pair)
    if isinstance(value, list):
        return any(_names(each, code) for each in value)
    return isinstance(value, str) and code in value.split("+")


def _places(position: Position) -> Mapping[str, str]:
    """Return how people call what a game calls otherwise: towns and links by name, hexes as its letters do."""
    terms = [each for each in reversed(position.rules.lexicon(position.state)) if each.kind == "PLACE"]
    towns = {each.value: each.name for each in terms if not any(map(str.isdigit, each.name))}
    return {each.value: each.name for each in terms} | towns


def _sentence(club: Club, position: Position, event: Any, plain: Mapping[str, Any], names: Mapping[str, str]) -> str:
    rules, language = position.rules.name, club.config.language
    word = partial(club.stationery.word, rules, language, values={})
    values = {name: _said(name, value, names, word) for name, value in plain.items() if name != "kind"}
    if getattr(event, "complaint", None) is not None:
        told = replace(event.complaint, paragraph="")  # that of the event stands behind the sentence
        values["complaint"] = club.stationery.complaint(rules, language, told)
    return club.stationery.word(rules, language, "event", str(plain["kind"]), values)


def _said(name: str, value: Any, names: Mapping[str, str], word: Callable[[str, str], str]) -> str:
    if isinstance(value, list):
        return (" - " if name == "route" else ", ").join(_said(name, each, names, word) for each in value) or "-"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_said('', each, names, word)}" for key, each in value.items() if key != "kind") or "-"
    told = [word(table, str(value)) for table in _WORDS.get(name, ())]
    return next((each for each in told if each != str(value)), names.get(str(value), str(value)))


def _throws(club: Club, position: Position, row: TurnRow, code: str) -> Iterator[Reason]:
    """Yield the throws of a turn, as far as today's rules throw them."""
    rules, typed = position.rules, parse_typed(row.typed)
    if row.rules != rules.rules:
        return
    earlier = [each for each in games.turns(club.db, row.game) if each.turn < row.turn]
    before = rules.decode(earlier[-1].state, position.setup) if earlier else rules.lay_out(position.setup)
    _, thrown = replayed(whole_log(club, row.game), rules, position.setup, before, row)
    for (name, sides), number in thrown.items():
        if not code or any(_names(part, code) for part in name.split("/")):
            language, values = club.config.language, {"name": name, "number": number, "sides": sides}
            text = club.stationery.word("", language, "explain", "typed" if name in typed else "seed", values)
            paragraph = club.stationery.word(rules.name, language, "throw", name.partition("/")[0], {})
            yield Reason(text=text, paragraph=paragraph)


def _paragraphs(club: Club, position: Position, reasons: tuple[Reason, ...]) -> dict[str, Paragraph]:
    book = position.rules.rulebook(club.config.language)
    named = dict.fromkeys(reason.paragraph for reason in reasons)
    found = {name: book.find(name) for name in named if name} if book else {}
    return {name: _unmarked(paragraphs[0]) for name, paragraphs in found.items() if paragraphs}


def _unmarked(paragraph: Paragraph) -> Paragraph:
    return replace(paragraph, blocks=tuple(plain(block).replace(TIE, " ") for block in paragraph.blocks))
