"""The umpire's commands by mail that change nothing: what each tells, as values for ``umpiredone.txt.j2``."""

from __future__ import annotations

from referee.core.errors import NotFound
from referee.core.texts.wording import N_
from referee.service.club.club import Club
from referee.service.club.umpires import umpire_at
from referee.service.letters.reliability import persons, records
from referee.service.post.codes import without_codes
from referee.service.site.ratings import ratings
from referee.service.turns.opengames import signup_list
from referee.service.umpire import overview
from referee.service.umpire.ahead import DAYS, foretell, span, told
from referee.service.umpire.commandlines import Command, Told, command_word
from referee.service.umpire.digest import now
from referee.service.umpire.explain import dry_run
from referee.service.umpire.explain import explain as explain_turn
from referee.service.umpire.filing import read_for
from referee.service.umpire.words import exchanged
from referee.store import letters as post
from referee.store import opengames, outbox

LISTED = 50  # letters of a list, the newest


def status(club: Club, command: Command) -> Told:
    if command.words and command_word(command.words[0]) == "AHEAD":
        seen = foretell(club, span(" ".join(command.words[1:]) or f"{DAYS}d"))
        own = (each for each in seen if umpire_at(club, command.sender, each.game) is not None)
        return {"ahead": [(each, told(club, each, club.config.language)) for each in own]}
    if command.words:
        return {"standing": overview.standing(club, command.words[0])}
    waiting = [
        signup_list(club, row.id) for row in opengames.waiting(club.db) if umpire_at(club, command.sender, row.id)
    ]
    return {"now": {**now(club, command.sender), "waiting": waiting}}


def letters(club: Club, command: Command) -> Told:
    """Tell of the letters of one status, or about one game, or of all that are this umpire's to see."""
    if command.words and command_word(command.words[0]) == "WITH":
        told = exchanged(club, command.word(1, "player"))
        return {"exchanged": [each for each in told if umpire_at(club, command.sender, each.game)]}
    said = [command_word(word) or word.upper() for word in command.words if command_word(word) != "STATUS"]
    listed = [
        each
        for each in post.listed(club.db)
        if umpire_at(club, command.sender, each.game or "") and {*said} <= {each.status.upper(), each.game}
    ]
    return {"letters": listed[-LISTED:], "more": len(listed[:-LISTED])}


def letter(club: Club, command: Command) -> Told:
    number = command.number(0, "letter")
    row = post.letter(club.db, number)
    if not row.raw:
        raise NotFound(N_("letter {number} is kept without its words"), number=number)
    with read_for(number):
        came = without_codes(club, club.reader.read(row.raw))
    return {"row": row, "came": came, "ours": [overview.text_of(each) for each in outbox.answers_to(club.db, number)]}


def players(club: Club, _: Command) -> Told:
    return {"records": records(club), "rated": ratings(club), "whose": persons(club.db)}


def newsletter(club: Club, command: Command) -> Told:
    turn = command.number(1, "turn") if len(command.words) > 1 else None
    text = overview.newsletter(club, command.word(0, "game"), turn, "".join(command.words[2:3]))
    return {"newsletter": text}


def signups(club: Club, command: Command) -> Told:
    listed = signup_list(club, command.word(0, "game"))
    return {"game": listed.game.id, "stand": listed.stand, "line": listed.word, "signups": listed.signups}


def preview(club: Club, command: Command) -> Told:
    return {"seen": dry_run(club, command.word(0, "game"), "".join(command.words[1:2]))}


def explain(club: Club, command: Command) -> Told:
    turn = explain_turn(club, command.word(0, "game"), command.number(1, "turn"), "".join(command.words[2:3]))
    return {"explained": turn}
