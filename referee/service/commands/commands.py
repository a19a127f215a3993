"""What somebody says besides orders: press and notes to some, how they appear, what letters bring them, in which language."""

from __future__ import annotations

from msgspec.structs import replace

from referee.config import FILES
from referee.core import ConfigError, Texts, View, fold
from referee.core.orders import Complaint
from referee.mail.letter.tokens import without_tokens
from referee.orderbook import PrivatePress, Question, Reading, without_name
from referee.reader.understanding import Understanding
from referee.store import games, orders
from referee.store.club import fact, write_fact
from referee.store.database import insert, transaction
from referee.store.letters import Fate
from referee.store.rows import PlayerRow, PressRow

from ..club import Club
from ..commands import addresses, endings, joining, watching
from ..letters.identify import Found
from ..letters.interpretation import Answers, Case, Verdict
from ..letters.limits import room_for_answer
from ..post.readers import (
    COMPANY,
    FORMAT,
    LONGEST,
    Faces,
    faces_of,
    fact_name,
    known_languages,
    parse_appearance,
    parse_attach,
    parse_format,
    parse_language,
    speak,
    wish,
)
from ..post.writing import Occasion, answer_to, player_values, put_letter, tell_umpire
from ..umpires import log_act
from .addresses import seat_of

# What players write to some others alone or to the umpire, and what nobody signs. Public press waits for the newsletter
# (``newest_texts``).

LETTERS_A_DAY = 20  # of private press, by one player of a game
NOTES_A_DAY = 8  # that are mailed to the umpire, by one player of a game

_LONG = {
    "press": "warning-long-press",
    "unsigned": "warning-long-unsigned",
    "private": "warning-long-private",
    "note": "warning-long-note",
}
_UNMAILED = {"kind": "note", "limit": NOTES_A_DAY}


def texts(club: Club, case: Case, said: Reading) -> Answers:
    """Do what a letter's texts ask: private press goes to those it names, a note to the umpire, the rest is kept for
    the newsletter.
    """
    position, told = case.found.position, Answers()
    for number, each in enumerate(said.private):
        told += _private(club, case, each, number)
    if said.unsigned:
        allowed = club.config.unsigned_press
        if allowed:
            _keep(club, case, "unsigned", said.unsigned)
        told += ({"kind": "unsigned", "state": "kept" if allowed else "forbidden", "text": said.unsigned},)
    if said.note:
        told += _note(club, case, said.note)
    salt = "" if position.salt_fixed else said.salt
    for kind, text in (("press", said.press), ("salt", salt)):
        if text:
            _keep(club, case, kind, text)
    # Press that another letter brought for the same newsletter, and that is not printed now.
    before = orders.texts(club.db, *position.row.turn_key, "press") if said.press else ()
    own = [each for each in before if each.player == case.found.player.code and each.letter != case.row.id]
    replaced = own and own[-1].text != said.press
    return (*told, {"kind": "press-before", "text": own[-1].text}) if replaced else told


def without_names(read: Understanding, names: Texts) -> Understanding:
    """Return what a letter says without its writer's name below press that nothing ends: the newsletter says whose it is."""
    said = read.reading
    return replace(read, reading=replace(said, press=without_name(said.press, names))) if said.is_open else read


def without_long_texts(club: Club, read: Understanding) -> Understanding:
    """Return what a letter says less those of its texts that are longer than ``press_limit``, each with a complaint instead."""
    said, most = read.reading, club.config.press_limit
    texts = {"press": said.press, "unsigned": said.unsigned, "note": said.note}
    long = {kind: _too_long(kind, text, most) for kind, text in texts.items() if len(text) > most}
    private = [each for each in said.private if len(each.text) > most]
    if not long and not private:
        return read
    kept = replace(
        said,
        press="" if "press" in long else said.press,
        unsigned="" if "unsigned" in long else said.unsigned,
        note="" if "note" in long else said.note,
        private=tuple(each for each in said.private if each not in private),
    )
    complaints = [*long.values(), *(_too_long("private", each.text, most, each.to) for each in private)]
    return replace(read, reading=kept, complaints=(*read.complaints, *complaints))


def _private(club: Club, case: Case, press: PrivatePress, number: int) -> Answers:
    """Send press for some."""
    found, turn = case.found, case.found.position.row.turn
    seats = [_named(found, name) for name in press.to]
    unknown = [name for name, seat in zip(press.to, seats, strict=True) if seat is None]
    readers = [seat for seat in dict.fromkeys(seats) if seat is not None and seat.code != found.player.code]
    values = {"kind": "private", "to": [each.code for each in readers], "text": press.text}
    if unknown or not readers:
        others = [each.code for each in found.position.players if each.code != found.player.code]
        return ({**values, "state": "unknown", "names": unknown or list(press.to), "others": others},)
    game, player = found.position.row.id, found.player.code
    sent = orders.private_since(club.db, game, player, club.day_ago)
    if sent + len(readers) > LETTERS_A_DAY:
        return ({**values, "state": "limit", "limit": LETTERS_A_DAY},)
    _keep(club, case, "private", press.text, ",".join(each.code for each in readers))
    told = {"writer": player_values(found.player), "to": values["to"], "text": press.text, "turn": turn}
    for reader in readers:
        key = f"press:{case.row.hash}:{number}:{reader.code}"
        put_letter(club, found.position, reader, "press", told, Occasion(key, "press", turn=turn))
    return ({**values, "state": "sent"},)


def _too_long(kind: str, text: str, most: int, to: Texts = ()) -> Complaint:
    return Complaint(code=_LONG[kind], params=(("length", len(text)), ("most", most), ("names", ", ".join(to))))


def _note(club: Club, case: Case, text: str) -> Answers:
    """Keep a note: it is kept, and mailed to the umpire, or he is told once a day that there are more."""
    (game, turn), player = case.found.position.row.turn_key, case.found.player
    many = orders.texts_since(club.db, game, player.code, "note", club.day_ago) >= NOTES_A_DAY
    kept = _keep(club, case, "note", text)
    if many:
        key, values = f"notes:{game}:{player.code}:{club.clock():%F}", {"player": player.code, "limit": NOTES_A_DAY}
        tell_umpire(club, key, "notes", values, game, turn)
        return (_UNMAILED,)
    values = {"player": player.code, "note": kept.text}
    tell_umpire(club, f"note:{case.row.hash}", "note", values, game, turn, player.address)
    return ()


def _keep(club: Club, case: Case, kind: str, text: str, readers: str = "") -> PressRow:
    game, turn = case.found.position.row.turn_key
    kept = PressRow(
        game=game,
        turn=turn,
        player=case.found.player.code,
        letter=case.row.id,
        kind=kind,
        text=without_tokens(text),
        arrived=case.arrived,
        readers=readers,
    )
    insert(club.db, kept)
    return kept


def _named(found: Found, name: str) -> PlayerRow | None:
    """Return the player whom a writer means: by his code, name or company."""
    folded = fold(name)
    for spelt in ("code", "name", "company"):
        for seat in found.position.players:
            if folded and fold(getattr(seat, spelt)) == folded:
                return seat
    return None


# A closing statement: press of a player whose game is over, while such are awaited.

STATEMENT = "statement"  # a kind of press


def statement(club: Club, case: Case) -> Verdict | None:
    """Return the verdict on a letter that holds a closing statement, None if it holds none, or none is awaited any more. The last
    one counts.
    """
    text = case.read.reading.press if case.read is not None and case.why is Fate.OVER else ""
    position, player = case.found.position, case.found.player
    row = position.row
    if not text or row.statements_due is None or case.arrived > row.statements_due:
        return None
    long = len(text) > club.config.press_limit
    values = {
        "until": row.statements_due,
        "text": without_tokens(text),
        "length": len(text) if long else 0,
        "limit": club.config.press_limit,
        "finished": True,
    }

    fate = Fate.NOTHING_NEW if long else Fate.STATEMENT
    if not long:
        _keep(club, case, STATEMENT, text)
    if room_for_answer(club, case, fate):
        put_letter(club, position, player, "statement", values, answer_to(case.row, case.letter, "statement", row.turn))
    return case.verdict(fate)


# How a player wishes to appear on the club's pages: APPEAR AS.


def appear(club: Club, found: Found, question: Question) -> Answers:
    """Do what ``APPEAR AS`` says."""
    name = fact_name(found.player.address)
    values = {
        "kind": "appear",
        "value": question.value,
        "longest": LONGEST,
        "published": bool(club.config.publish.folder),
    }
    if not question.value:
        said = fact(club.db, name) or (COMPANY if club.config.publish.names == "companies" else found.player.name)
        return ({**values, "state": "asked", "name": said, "company": said == COMPANY},)
    parsed = parse_appearance(question.value)
    if not parsed:
        return ({**values, "state": "wrong", "name": "", "company": False},)
    write_fact(club.db, name, parsed)
    return ({**values, "state": "done", "name": parsed, "company": parsed == COMPANY},)


# What a player wishes of the letters that he is sent: FORMAT and ATTACH.

WORDS = ("FORMAT TEXT", "FORMAT HTML", "ATTACH SVG JSON", "ATTACH NONE")


def set_faces_by_mail(club: Club, found: Found, question: Question) -> Answers:
    """Do what one of these words says."""
    player, kind = found.player, question.verb.lower()
    values = {"kind": "faces", "what": kind, "value": question.value, "words": WORDS, "kinds": FILES}
    if not question.value:
        return (_told_faces(values, "asked", faces_of(club, player.game, player.address)),)
    parsed = parse_format(question.value) if kind == FORMAT else parse_attach(question.value)
    if not parsed:
        return ({**values, "state": "wrong"},)
    wish(club, player.address, {kind: parsed})
    return (_told_faces(values, "done", faces_of(club, player.game, player.address)),)


def _told_faces(values: View, state: str, faces: Faces) -> View:
    """Return what he is told of his faces; ``lacking``: those with a PDF, which cannot be made here."""
    from referee.report.paper import PDF  # here, because few letters ask for it

    return {**values, "state": state, "faces": faces, "lacking": "pdf" in faces.files and not PDF.is_installed}


# The language in which somebody is written to: LANGUAGE by mail, ``referee language`` at the umpire's desk.


def set_language(club: Club, found: Found, question: Question) -> Answers:
    """Do what the word says: its answer, and all that follow, are in the new language."""
    values = {"kind": "language", "value": question.value, "known": known_languages()}
    if not question.value:
        return ({**values, "state": "asked"},)
    language = parse_language(question.value)
    if not language:
        return ({**values, "state": "wrong"},)
    speak(club, found.player.address, language)
    return ({**values, "state": "done"},)


def in_new_language(club: Club, found: Found) -> Found:
    """Return a player as he reads our answer: in the language that his letter may have asked for."""
    row = games.seat(club.db, found.player.game, found.player.code)
    return replace(found, player=replace(found.player, language=row.language)) if row else found


def language_of_player(club: Club, game_id: str, code: str, language: str = "") -> str:
    """Return the language in which a player is written to; the umpire gives him another one, in all his games, by naming it.

    Raises:
        NotFound: there is no such game or player.
        ConfigError: no letters can be written in that language.
    """
    player = seat_of(club, game_id, code)[1]
    if not language:
        return player.language
    parsed = parse_language(language)
    if not parsed:
        raise ConfigError(f"no letters can be written in {language!r} ({_there_are()})")
    with transaction(club.db):
        speak(club, player.address, parsed)
        log_act(
            club,
            player.game,
            seat_of(club, game_id, code)[0].row.turn,
            "language",
            {"player": code, "language": parsed},
        )
    return parsed


def _there_are() -> str:
    return "there is " + ", ".join(f"{code} {name}" for code, name in known_languages())


def carry_out(club: Club, case: Case, said: Reading) -> Answers:
    """Do what the texts and commands of a player's letter say; its row is that of the letter that says so, a held one perhaps."""
    found, voted, told = case.found, False, texts(club, case, said)
    for question in said.questions:
        match question.verb:
            case "ADDRESS":
                told += addresses.address(club, case, question.value)
            case "LANGUAGE":
                told += set_language(club, found, question)
            case "FORMAT" | "ATTACH":
                told += set_faces_by_mail(club, found, question)
            case "APPEAR":
                told += appear(club, found, question)
            case "WATCH":
                told += watching.watch(club, case, question)
            case "UNWATCH":
                told += watching.unwatch(club, case, found.player.address, question)
            case "PROPOSE END" | "PROPOSE WINNER" | "CONCEDE" | "AGREE" | "DISAGREE":
                ending, votes = endings.vote(club, found, question, twice=voted)
                told, voted = told + ending, voted or votes
            case _:
                told += endings.say_of_seat(club, case, question)
    return told + joining.join(club, case, said)
