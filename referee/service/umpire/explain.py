"""A played turn event by event: what was charged, refused, thrown and placed, with the paragraph that says so and its words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from referee.core import N_, Fields, NotFound, View, Words
from referee.core.texts.shipped import Paragraph
from referee.report.html import TIE
from referee.store import TurnRow, codes, games, letters, orders

from ..audit.export import whole_log
from ..audit.replay import replay_turn
from ..club import Club
from ..letters.interpretation import on_file, set_to_run
from ..letters.questions import plain
from ..positions import Position, parse_complaints, rulings_for
from ..post.bounces import unreachable_players
from ..turns.adjudicate import newsletters_now
from ..turns.adjudicate import preview as throws_of
from ..turns.inputs import Untyped, parse_typed
from ..umpires import Command
from .overview import text_of
from .rulings import awaiting

_SILENT = ("Asked",)  # what only keeps the round going
# Which tables of a game's words have what an event says by a word of the program, by its field.
_WORDS = {
    **dict.fromkeys(("colour", "card", "cards", "groups"), ("colour",)),
    "share": ("share",),
    "stage": ("asked",),
    "why": ("why", "cancelled"),
}


def explain(club: Club, command: Command) -> View:
    """Tell what happened in a turn in force and why, in the order in which it was played; of a company, what it did and what was
    done to it. ``throws``: by name, sides and number, typed ones marked; ``paragraphs``: that both name, without the marks of
    Markdown; ``edition``: above 1 a correction.

    Raises:
        NotFound: there is no such game, turn or company.
    """
    game, turn = command.game, command.number(1, "turn")
    position = club.position(game)
    row = next((each for each in games.turns(club, position.id) if each.turn == turn), None)
    if not row:
        last = games.last_turn(club, position.id).turn
        told = N_("turn {turn} of {game} was not played (the last is turn {last})")
        raise NotFound(told, turn=turn, game=position.id, last=last)
    code = _company(position, "".join(command.words[2:3]))
    events = [event for event in position.decode(row.events) if type(event).__name__ not in _SILENT]
    plain = [(event, json.loads(position.rules.encode(event))) for event in events]
    names = _places(position)
    reasons = tuple(
        {"text": _sentence(club, position, event, values, names), "paragraph": values["paragraph"]}
        for event, values in plain
        if not code or _names(values, code)
    )
    throws = tuple(_throws(club, position, row, code))
    explained = {
        "game": position.id,
        "turn": turn,
        "edition": games.editions(club, position.id)[turn].index(row.edition) + 1,
        "reasons": reasons,
        "throws": throws,
        "paragraphs": _paragraphs(club, position, (*reasons, *throws)),
    }
    return {"explained": explained}


def _company(position: Position, company: str) -> str:
    """Return the code of a company, "" where none is named. Raises NotFound."""
    codes = position.setup.codes
    codes += tuple(code for code in position.rules.facts(position.state)["balances"] if code not in codes)
    found = next((code for code in codes if code.upper() == company.upper()), None)
    if company and found is None:
        told = N_("there is no company {company} in {game} (there is {known})")
        raise NotFound(told, company=company, game=position.id, known=", ".join(codes))
    return found or ""


def _names(value: Any, code: str) -> bool:
    """Return whether a company stands anywhere in an event; a joint train is called by both."""
    if isinstance(value, dict):
        return any(each == code or _names(each, code) for pair in value.items() for each in pair)
    if isinstance(value, list):
        return any(_names(each, code) for each in value)
    return isinstance(value, str) and code in value.split("+")


def _places(position: Position) -> Words:
    """Return how people call what a game calls otherwise: towns and links by name, hexes as its letters do."""
    terms = [each for each in reversed(position.rules.lexicon(position.state)) if each.kind == "PLACE"]
    towns = {each.value: each.name for each in terms if not any(map(str.isdigit, each.name))}
    return {each.value: each.name for each in terms} | towns


def _sentence(club: Club, position: Position, event: Any, plain: Fields, names: Words) -> str:
    rules, language = position.rules.name, club.config.language
    say = club.stationery.sentences(rules, language)
    values = {name: _say(name, value, names, say.word) for name, value in plain.items() if name != "kind"}
    if getattr(event, "complaint", None) is not None:
        told = event.complaint.but(paragraph="")  # that of the event stands behind the sentence
        values["complaint"] = say.complaint(told)
    return say.word("event", str(plain["kind"]), **values)


def _say(name: str, value: Any, names: Words, word: Callable[[str, str], str]) -> str:
    if isinstance(value, dict) and "map" in value:
        value = dict(value["map"])
    if isinstance(value, list):
        return (" - " if name == "route" else ", ").join(_say(name, each, names, word) for each in value) or "-"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_say('', each, names, word)}" for key, each in value.items() if key != "kind") or "-"
    if name == "left" and value == -1:  # a train that is not there yet
        return "-"
    told = [word(table, str(value)) for table in _WORDS.get(name, ())]
    return next((each for each in told if each != str(value)), names.get(str(value), str(value)))


def _throws(club: Club, position: Position, row: TurnRow, code: str) -> Iterator[View]:
    """Yield the throws of a turn, as far as today's rules throw them."""
    rules, typed = position.rules, parse_typed(row.typed)
    if row.rules != rules.rules:
        return
    earlier = [each for each in games.turns(club, row.game) if each.turn < row.turn]
    before = position.decode(earlier[-1].state) if earlier else rules.lay_out(position.setup)
    _, thrown = replay_turn(whole_log(club, row.game), rules, position.setup, before, row)
    for (name, sides), number in thrown.items():
        if not code or any(_names(part, code) for part in name.split("/")):
            how = "typed" if name in typed else "seed"
            text = club.word("explain", how, name=name, number=number, sides=sides)
            say = club.stationery.sentences(rules.name, club.config.language)
            paragraph = say.word("throw", name.partition("/")[0])
            yield {"text": text, "paragraph": paragraph}


def _paragraphs(club: Club, position: Position, reasons: Iterable[View]) -> dict[str, Paragraph]:
    book = position.rules.rulebook(club.config.language)
    named = dict.fromkeys(reason["paragraph"] for reason in reasons)
    found = {name: book.find(name) for name in named if name} if book else {}
    return {
        name: paragraph.but(blocks=tuple(plain(block).replace(TIE, " ") for block in paragraph.blocks))
        for name, paragraphs in found.items()
        for paragraph in paragraphs[:1]
    }


# The newsletter that would go out if the awaited turn were played now, and what the umpire may look at before it
# does.
#
# Nothing is written. Unless the turn's throws were told before, or the umpire wants to know them, stand-in dice are thrown: who
# leads a company too must not see what the dice will show.

STAND_IN = "a dry run"  # the root of a chain of seeds that is nobody's

Point = tuple[str, Mapping[str, object]]  # what is doubtful: its sentence, and what that names


def dry_run(club: Club, command: Command) -> View:
    """Tell what is ``doubtful``, a sentence each with the command that helps, and the newsletter of a player (the first one, if
    none is named) as it would go out now, "" where the turn cannot be played; ``real``: with the throws that it will have.

    Raises:
        NotFound: there is no such game or player.
        ConfigError: the game is over.
    """
    over = N_("{game} is over: `referee newsletter {game}` prints its last newsletter")
    position = awaiting(club, command.game, over)
    row = position.row
    reader = (position.player(command.words[1]) if command.words[1:] else position.players[0]).code
    real = "DICE" in command.given or games.replaced(club, *row.turn_key) is not None
    try:
        post = newsletters_now(club, row if real else row.but(chain=STAND_IN))
    except Untyped:
        post = ()  # which throws are lacking stands among what is doubtful
    text = next((text_of(each) for each in post if each.player == reader), "")
    doubtful = tuple(club.word("doubtful", key, game=row.id, **values) for key, values in _points(club, position))
    return {"seen": {"game": row.id, "turn": row.turn, "doubtful": doubtful, "newsletter": text, "real": real}}


def _points(club: Club, position: Position) -> Iterator[Point]:
    row = position.row
    if row.stopped_at:
        yield "stopped", {}
    # Whose orders are missing, faulty, or not those of the last letter.
    sets = orders.sets(club, *row.turn_key)
    for code in position.awaited:
        runs, filed = set_to_run(sets, code), on_file(sets, code)
        if not runs:
            yield "nothing-but" if filed else "nothing", {"code": code}
            continue
        faults = [each for each in parse_complaints(runs.complaints) if each.is_error]
        if faults:
            told = club.stationery.sentences(position.rules.name, club.config.language).complaint(faults[0])
            if len(faults) > 1:
                told = club.word("doubtful", "more", sentence=told, number=len(faults) - 1)
            yield "confirmed" if runs.confirmed else "faulty", {"code": code, "sentence": told}
        if filed[-1] != runs:
            yield "older-runs", {"code": code}
    # Which letters about the game came too late, wait for a word, or could not be read since its last newsletter.
    since = games.last_turn(club, row.id).adjudicated_at
    for code in codes.waiting_held(club, *row.turn_key):
        yield "word-waits", {"code": code}
    for letter in letters.listed(club, ""):
        recent = letter.stored_at >= since
        if letter.status == "refused" and letter.reason == "late" and letter.game == row.id and recent:
            yield "late", {"code": letter.player, "letter": letter.id}
        if letter.status == "parked" and letter.game in (row.id, None) and recent:
            yield "parked" if letter.sender else "parked-nobodys", {"letter": letter.id, "sender": letter.sender}
    # Who cannot be reached, which rulings change nothing, and which throws are lacking or too many.
    for lost in unreachable_players(club, row.id):
        yield "lost", {"code": lost}
    lacking = set(rulings_for(club, *row.turn_key)) - set(position.rulings)
    for ruling in sorted(lacking, key=lambda each: each.paragraph):
        yield "misfit", {"ruling": ruling.paragraph}
    seen = throws_of(club, row.id)
    lacking_throws = [each.name for each in seen.throws if each.needed and each.typed is None]
    needed = " ".join(club.word("doubtful", "throw", name=name) for name in lacking_throws)
    if needed:
        yield "throws-lack", {"throws": needed}
    for each in seen.unasked:
        yield "throw-unasked", {"throw": f"{each.name}={each.typed}"}
