"""What a letter is answered with, and what the umpire is told."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from referee.core import Texts, View, mailbox
from referee.mail.letter.message import Letter
from referee.orderbook import own_text, without_courtesies
from referee.reader.understanding import Understanding
from referee.store import Fate, HeldRow, LaterRow, LetterRow, OrderSet, TurnRow, booking, games, letters, orders

from ..club import Club
from ..positions import Position, parse_complaints
from ..post.codes import tag_of_letter
from ..post.collect import LIMIT
from ..post.writing import Occasion, answer_to, put_letter, tell_umpire
from .identify import is_own
from .interpretation import (
    Case,
    Filing,
    awaits_standby,
    counts_as_in,
    forecast_of,
    is_in,
    on_file,
    orders_left_out,
    set_to_run,
    set_values,
)
from .limits import Last
from .questions import Questions, Retell, only_asks

# Of what a letter speaks that is no more, or not yet: turns that were played or are to come, letters that wait for a
# word.

# What a complaint of orders for another turn or round calls that, and the awaited one.
_OTHERS = (("written", "awaited"), ("read", "round"))


def turns_back(read: Understanding) -> int:
    """Return for how many turns before the awaited one orders are that were not taken, 0 where there are none."""
    told = (dict(each.params) for each in read.complaints if each.is_error)
    found = (int(each[now]) - int(each[then]) for each in told for then, now in _OTHERS if {then, now} <= {*each})
    return max(0, *found, 0)


def missed_turn(club: Club, case: Case) -> TurnRow | None:
    """Return the turn for which a letter has orders and that was played before it came, None if there is none."""
    row, back = case.game, turns_back(case.read) if case.read else 0
    turn = next((each for each in games.turns(club, row.id) if back and each.turn == row.turn - back), None)
    return turn if turn and turn.turn and case.arrived > turn.adjudicated_at else None


def tell_bygone(club: Club, case: Case, turn: TurnRow) -> None:
    """Tell the umpire of that, once for each player and turn."""
    game, player = case.game.id, case.player.code
    values = {"player": player, "letter": case.row.id, "of": turn.turn, "played": turn.adjudicated_at}
    values |= {"arrived": case.arrived}
    tell_umpire(club, f"bygone:{game}:{turn.turn}:{player}", "bygone", values, game, case.game.turn)


def awaiting_word(club: Club, case: Case) -> tuple[HeldRow, LetterRow] | None:
    """Return the held letter to which a letter answers and which it does not let count, though it still could; None if none."""
    held = case.proved.held if case.proved else None
    if not held or held.released_by is not None or (case.read and case.read.gives_orders):
        return None
    if (held.player, held.turn) != (case.player.code, case.game.turn):
        return None
    return held, letters.letter(club, held.letter)


def keep_for_later(club: Club, case: Case, row: LetterRow) -> None:
    """Keep a letter with orders for a turn that has not come, or for a stand-by: it is read again when they are due."""
    position, player, read = case.position, case.player, case.read
    standby = read is not None and awaits_standby(position, read)
    if not read or not (read.later or standby):
        return
    game, turn = position.id, position.row.turn if standby else read.reading.turn
    kept = LaterRow(letter=row.id, game=game, player=player.code, turn=turn, arrived=case.arrived, if_standby=standby)
    orders.keep_for_later(club, kept)


_DOUBTS = ("invalid-quoted-form", "asked-taken-back")  # why orders may not be meant


def acknowledge(club: Club, case: Case, filing: Filing, more: View, retell: Retell) -> None:
    """Answer a letter that is filed. *more*: those of ``acknowledgement.txt.j2``'s values that
    ``acknowledgement_values`` does not know; *retell*: as of ``answers``.
    """
    read = case.read
    assert read
    answered = Questions(club, case.found, read, filing.sets, retell)
    values = acknowledgement_values(club, case, filing)
    values |= {**more, "answers": [*more["answers"], *answered.values], "booked": _booking(case)}
    values["left"] |= "done" in _states(values, "resign")
    values["unread"] = tuple(line for line in values["unread"] if line not in more["shown"])
    now_in = values["is_in"] and (values["filed"] or values["confirmed"] == "done")
    # Why the turn is not played before its deadline: WAIT was asked in this letter, or before it.
    if now_in and _states(values, "wait")[-1:] == ["asked"]:
        values["waits"] = "asked"
    elif now_in and orders.waiting(club, *case.game.turn_key):
        values["waits"] = "before"
    values |= _awaiting(club, case) if not values["released"] else {"awaiting": None}
    occasion = _answer(club, case, "acknowledgement").but(attachments=tuple(answered.files))
    put_letter(club, case.position, case.player, "acknowledgement", values, occasion)


def acknowledgement_values(club: Club, case: Case, done: Filing) -> View:
    """Return what ``acknowledgement.txt.j2`` is told."""
    letter, read = case.letter, case.read
    assert read
    position, player, unread = case.position, case.player, read.reading.unread
    runs = done.runs
    known = read.forecast if runs and runs is done.adds else None
    confirmed = done.confirmed
    # Who does not know how an order begins, or has nothing on file and writes what is not read, is shown how they are written.
    strange = any(each.code == "invalid-line" for each in read.complaints)
    lost = unread and not read.reading.commands and not on_file(done.sets, player.code)
    standby = awaits_standby(position, read)
    shown = forecast_of(position, confirmed) if confirmed else read.forecast if done.adds or standby else None
    return {
        "arrived": done.arrived,
        "released": None,
        "bygone": None,
        "awaiting": None,
        **asdict(Last()),
        "answers": [],
        "shown": (),
        "asks": only_asks(read) or (bool(read.tried) and not read.gives_orders),
        "lines": read.forecast.lines,
        "complaints": read.complaints,
        "written": {phrase.line: phrase.text for phrase in read.reading.phrases},
        "clean": read.is_clean,
        "passes": read.passes,
        "later": read.reading.turn if read.later else 0,
        "cleared": "CLEAR" in read.reading.commands and not read.other_turn,
        "press": read.reading.press,
        "note": read.reading.note,
        "salt": "" if position.salt_fixed else read.reading.salt,
        # Without courtesies; where all was read no order language need be made.
        "unread": tuple(without_courtesies(unread, position.order_language, case.names)) if unread else (),
        "more_unread": read.reading.more_unread,
        "alone": not club.config.umpire,
        "below": read.reading.below,
        "quoted": 0 if any(each.is_asked for each in read.complaints) else len(read.reading.quoted),
        "seen": is_seen(club, letter),
        "attachments": letter.attachments,
        "unopened": letter.unopened,
        "problems": letter.problems,
        "enclosed": read.enclosed or "from-attachment" in letter.problems,
        "view": position.rules.view(position.state, player.code) if strange or lost else None,
        "forecast": shown,
        "filed": done.adds is not None,
        "standby": standby,
        "waits": "",
        "lost": _lost_orders(position, done),
        "withdrawn": done.withdraws,
        "confirmed": "nothing" if done.nothing_to_confirm else "done" if confirmed else "",
        "confirmed_at": confirmed.arrived if confirmed else None,
        "confirmed_complaints": parse_complaints(confirmed.complaints) if confirmed else (),
        "is_in": is_in(position, done.sets, player.code),
        "left": player.resigned_at is not None,
        "may_order": position.may_order(player.code),
        "running": {
            **set_values(position, runs, known),
            "this_letter": runs is done.adds or runs.id == done.confirms != 0,
        }
        if runs
        else None,
        "beside": _beside(done, runs),
    }


def _states(values: View, kind: str) -> list[str]:
    """Return what became of all that a letter said of one *kind*."""
    return [each["state"] for each in values["answers"] if each["kind"] == kind]


def _booking(case: Case) -> str:
    return booking(case.game.chain, case.row.hash)


def refuse(club: Club, case: Case, why: Fate, last: Last, **occasion: Any) -> None:
    """Answer a letter that was kept but not taken. *occasion*: what is unlike that of other answers."""
    read = case.read
    values = {
        "reason": why,
        "booked": _booking(case),
        "blank": not case.letter.text.strip(),
        "attachments": case.letter.attachments,
        "unopened": case.letter.unopened,
        "quoted": len(read.reading.quoted) if read else 0,
        "on_file": _on_file(club, case, why),
        **_awaiting(club, case),
        "versions": [
            {
                "forecast": each.forecast if each.orders else None,
                "commands": each.reading.commands,
                "complaints": each.complaints,
            }
            for each in (read.versions if read else ())
        ],
        "named": case.found.named,
        "choices": case.found.choices,
        "letter_subject": case.letter.subject,
        "limit": LIMIT // 1_000_000,
        "words": own_text(case.letter.text),
        **asdict(last),
    }
    # With a code the answer to it would be about one game, whatever its player then means.
    answer = _answer(club, case, "rejected").but(coded=why is not Fate.WHICH_GAME, **occasion)
    put_letter(club, case.position, case.player, "rejected", values, answer)


def is_seen(club: Club, letter: Letter) -> bool:
    """Return whether a letter went to others as well, whoever they are: an answer that tells a rival's address apart from any
    other would give it away.
    """
    return any(mailbox(each) != mailbox(letter.sender) and not is_own(club, each) for each in letter.addressed)


def _answer(club: Club, case: Case, kind: str) -> Occasion:
    held = awaiting_word(club, case)
    tag = tag_of_letter(club, case.player, held[0].hash) if held else None
    return answer_to(case.row, case.letter, kind, case.game.turn).but(tag=tag)


def _awaiting(club: Club, case: Case) -> View:
    """Return when the held letter came that an answer was about, and still waits for its word."""
    held = awaiting_word(club, case)
    return {"awaiting": held[1].arrived if held else None}


def _on_file(club: Club, case: Case, why: Fate) -> list[View]:
    """Return of each running game that a letter may mean what its player has on file, and until when the player may write."""
    games_meant = case.found.choices if why in (Fate.WHICH_GAME, Fate.UNKNOWN_GAME) else (case.game.id,)
    on_file_there = []
    for game in games_meant:
        position = club.position(game)
        if position.row.is_over:
            continue
        player = next(each for each in position.players if each.address.lower() == case.player.address.lower())
        runs = set_to_run(orders.sets(club, game, position.row.turn), player.code)
        one = {
            "game": game,
            "turn": position.row.turn,
            "deadline": position.row.deadline,
            "asked": list(position.asked),
            "may_order": position.may_order(player.code),
            "running": set_values(position, runs) if runs else None,
        }
        reader = (position.rules.name, player.language, player.zone)
        told = club.stationery.text("onfile.txt.j2", *reader, {"one": one, "reason": why})
        on_file_there.append({**one, "told": told.rstrip("\n")})
    return on_file_there


def _lost_orders(position: Position, done: Filing) -> Texts:
    """Return the orders that would have run and in whose place the new ones have none, as lines."""
    if not done.adds or done.runs is not done.adds:
        return ()
    before = set_to_run((each for each in done.sets if each is not done.adds), done.player)
    lost = orders_left_out(position, before, done.adds) if before else ()
    return tuple(position.rules.forecast(position.state, done.player, lost).lines) if lost else ()


def _beside(done: Filing, runs: OrderSet | None) -> View | None:
    """Return what is told of the newest set if it waits to be confirmed and does not run; its faults unless just told."""
    newest = next(reversed(on_file(done.sets, done.player)), None)
    if not newest or newest is runs or counts_as_in(newest):
        return None
    known = parse_complaints(newest.complaints)
    doubted = next((each.code for each in known if newest.doubtful and each.code in _DOUBTS), "")
    faults = tuple(each.but(line=0) for each in known if each.is_error)  # the lines were those of another letter
    complaints = () if newest is done.adds else faults
    return {"complaints": complaints, "other_turn": newest.doubtful, "doubted": doubted, "arrived": newest.arrived}
