"""What somebody says besides orders: press and notes to some, how they appear, what letters bring them, in which language."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.config import FILES
from referee.core import Complaint, ConfigError, Texts, fold
from referee.mail.letter.tokens import without_tokens
from referee.orderbook import PrivatePress, Question, Reading, without_name
from referee.reader.understanding import Understanding
from referee.store import Fate, PlayerRow, PressRow, fact, games, insert, orders, transaction, write_fact

from ..club import Club
from ..commands import addresses, endings, joining, watching
from ..letters.interpretation import Answers, Case, Verdict, answer
from ..letters.limits import room_for_answer
from ..post.readers import (
    COMPANY,
    FORMAT,
    LONGEST,
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
from ..post.writing import answer_to, player_values, put_letter, tell_player, tell_umpire
from ..umpires import log_act
from .addresses import seat_of

# What players write to some others alone or to the umpire, and what nobody signs. Public press waits for the newsletter
# (``newest_texts``).

LETTERS_A_DAY = 20  # of private press, by one player of a game
NOTES_A_DAY = 8  # that are mailed to the umpire, by one player of a game


def texts(club: Club, case: Case, said: Reading) -> Answers:
    """Do what a letter's texts ask: private press goes to those it names, a note to the umpire, the rest is kept for
    the newsletter.
    """
    position, told = case.position, Answers()
    for number, each in enumerate(said.private):
        told += _private(club, case, each, number)
    if said.unsigned:
        allowed = club.config.unsigned_press
        if allowed:
            _keep(club, case, "unsigned", said.unsigned)
        told += answer("unsigned", "kept" if allowed else "forbidden", text=said.unsigned)
    if said.note:
        told += _note(club, case, said.note)
    salt = "" if position.salt_fixed else said.salt
    for kind, text in (("press", said.press), ("salt", salt)):
        if text:
            _keep(club, case, kind, text)
    # Press that another letter brought for the same newsletter, and that is not printed now.
    before = orders.texts(club, *position.row.turn_key, "press") if said.press else ()
    own = [each for each in before if each.player == case.player.code and each.letter != case.row.id]
    replaced = own and own[-1].text != said.press
    return (*told, {"kind": "press-before", "text": own[-1].text}) if replaced else told


def without_names(read: Understanding, names: Texts) -> Understanding:
    """Return what a letter says without its writer's name below press that nothing ends: the newsletter says whose it is."""
    said = read.reading
    return read.but(reading=said.but(press=without_name(said.press, names))) if said.is_open else read


def without_long_texts(club: Club, read: Understanding) -> Understanding:
    """Return what a letter says less those of its texts that are longer than ``press_limit``, each with a complaint instead."""
    said, most = read.reading, club.config.press_limit
    texts = {"press": said.press, "unsigned": said.unsigned, "note": said.note}
    long = {kind: _too_long(kind, text, most) for kind, text in texts.items() if len(text) > most}
    private = [each for each in said.private if len(each.text) > most]
    kept = said.but(**dict.fromkeys(long, ""), private=tuple(each for each in said.private if each not in private))
    complaints = [*long.values(), *(_too_long("private", each.text, most, each.to) for each in private)]
    return read.but(reading=kept, complaints=(*read.complaints, *complaints))


def _private(club: Club, case: Case, press: PrivatePress, number: int) -> Answers:
    """Send press for some."""
    seats = [_find_player(case, name) for name in press.to]
    unknown = [name for name, seat in zip(press.to, seats, strict=True) if not seat]
    readers = [seat for seat in dict.fromkeys(seats) if seat and seat.code != case.player.code]
    values = {"to": [each.code for each in readers], "text": press.text}
    if unknown or not readers:
        others = [each.code for each in case.position.players if each.code != case.player.code]
        return answer("private", "unknown", **values, names=unknown or list(press.to), others=others)
    game, player = case.game.id, case.player.code
    sent = orders.private_since(club, game, player, club.day_ago)
    if sent + len(readers) > LETTERS_A_DAY:
        return answer("private", "limit", **values, limit=LETTERS_A_DAY)
    _keep(club, case, "private", press.text, ",".join(each.code for each in readers))
    told = {"writer": player_values(case.player), "to": values["to"], "text": press.text}
    for reader in readers:
        key = f"press:{case.row.hash}:{number}:{reader.code}"
        tell_player(club, case.position, reader, "press", told, key)
    return answer("private", "sent", **values)


def _too_long(kind: str, text: str, most: int, to: Texts = ()) -> Complaint:
    return Complaint(
        code=f"warning-long-{kind}", params=(("length", len(text)), ("most", most), ("names", ", ".join(to)))
    )


def _note(club: Club, case: Case, text: str) -> Answers:
    """Keep a note, and mail it to the umpire; where there are many, tell the umpire once a day that there are more."""
    (game, turn), player = case.game.turn_key, case.player
    many = orders.texts_since(club, game, player.code, "note", club.day_ago) >= NOTES_A_DAY
    kept = _keep(club, case, "note", text)
    if many:
        key, values = f"notes:{game}:{player.code}:{club.now:%F}", {"player": player.code, "limit": NOTES_A_DAY}
        tell_umpire(club, key, "notes", values, game, turn)
        return ({"kind": "note", "limit": NOTES_A_DAY},)
    values = {"player": player.code, "note": kept.text}
    tell_umpire(club, f"note:{case.row.hash}", "note", values, game, turn, player.address)
    return ()


def _keep(club: Club, case: Case, kind: str, text: str, readers: str = "") -> PressRow:
    game, turn = case.game.turn_key
    kept = PressRow(
        game=game,
        turn=turn,
        player=case.player.code,
        letter=case.row.id,
        kind=kind,
        text=without_tokens(text),
        arrived=case.arrived,
        readers=readers,
    )
    insert(club, kept)
    return kept


def _find_player(case: Case, name: str) -> PlayerRow | None:
    """Return the player whom a writer means: by code, name or company."""
    folded = fold(name)
    for spelt in ("code", "name", "company"):
        for seat in case.position.players:
            if folded and fold(getattr(seat, spelt)) == folded:
                return seat
    return None


# A closing statement: press of a player whose game is over, while such are awaited.

STATEMENT = "statement"  # a kind of press


def states(club: Club, case: Case) -> Verdict | None:
    """Return the verdict on a letter that holds a closing statement, None if it holds none, or none is awaited any more. The last
    one counts.
    """
    text = case.read.reading.press if case.read and case.why is Fate.OVER else ""
    position, player = case.position, case.player
    row = position.row
    if not text or not row.statements_due or case.arrived > row.statements_due:
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


def appear(club: Club, case: Case, question: Question) -> Answers:
    """Do what ``APPEAR AS`` says."""
    player = case.player
    name = fact_name(player.address)
    state = _keep_wish(question, parse_appearance, lambda said: write_fact(club, name, said))
    said = fact(club, name) or (COMPANY if club.config.publish.names == "companies" else player.name)
    told = {"name": said, "company": said == COMPANY, "published": bool(club.config.publish.folder)}
    return answer("appear", state, value=question.value, longest=LONGEST, **told)


# What a player wishes of the letters that they are sent: FORMAT and ATTACH.

WORDS = ("FORMAT TEXT", "FORMAT HTML", "ATTACH SVG JSON", "ATTACH NONE")


def set_faces_by_mail(club: Club, case: Case, question: Question) -> Answers:
    """Do what one of these words says; ``lacking``: they have a PDF, which cannot be made here."""
    from referee.report.renderer import has_pdf  # here, because few letters ask for it

    player, kind = case.player, question.verb.lower()
    parse = parse_format if kind == FORMAT else parse_attach
    state = _keep_wish(question, parse, lambda said: wish(club, player.address, {kind: said}))
    faces = faces_of(club, player.game, player.address)
    told = {"what": kind, "value": question.value, "words": WORDS, "kinds": FILES, "faces": faces}
    return answer("faces", state, **told, lacking="pdf" in faces.files and not has_pdf())


# The language in which somebody is written to: LANGUAGE by mail, ``referee language`` at the umpire's desk.


def set_language(club: Club, case: Case, question: Question) -> Answers:
    """Do what the word says: its answer, and all that follow, are in the new language."""
    state = _keep_wish(question, parse_language, lambda said: speak(club, case.player.address, said))
    return answer("language", state, value=question.value, known=known_languages())


def _keep_wish(question: Question, parse: Callable[[str], str], keep: Callable[[str], object]) -> str:
    """Keep what a reader wishes, and return what became of the word: ``done``, ``wrong``, or ``asked`` how it is."""
    if not question.value:
        return "asked"
    parsed = parse(question.value)
    if parsed:
        keep(parsed)
    return "done" if parsed else "wrong"


def in_new_language(club: Club, case: Case) -> Case:
    """Return a letter whose player reads our answer in the language that it may have asked for."""
    row = games.seat(club, case.player.game, case.player.code)
    return case.but(whose=case.found.but(player=case.player.but(language=row.language))) if row else case


def language_of_player(club: Club, game_id: str, code: str, language: str = "") -> str:
    """Return the language in which a player is written to; the umpire gives them another one, in all their games, by naming it.

    Raises:
        NotFound: there is no such game or player.
        ConfigError: no letters can be written in that language.
    """
    position, player = seat_of(club, game_id, code)
    if not language:
        return player.language
    parsed = parse_language(language)
    if not parsed:
        known = ", ".join(f"{code} {name}" for code, name in known_languages())
        raise ConfigError(f"no letters can be written in {language!r} (there is {known})")
    with transaction(club):
        speak(club, player.address, parsed)
        log_act(club, position.row, "language", {"player": code, "language": parsed})
    return parsed


# What each word of a letter does, by its verb.

WISHES: Mapping[str, Callable[[Club, Case, Question], Answers]] = {
    "ADDRESS": addresses.address,
    "LANGUAGE": set_language,
    "FORMAT": set_faces_by_mail,
    "ATTACH": set_faces_by_mail,
    "APPEAR": appear,
    "WATCH": watching.watch,
    "UNWATCH": watching.unwatch,
    "WAIT": endings.wait,
    "NO WAIT": lambda club, case, _: _ending_answers(
        "wait", orders.end_wait(club, *case.game.turn_key, case.player.code, club.now)
    ),
    "ABSENT": endings.absent,
    "PRESENT": endings.present,
    "STANDBY": endings.stand_by,
    "NO STANDBY": lambda club, case, _: _ending_answers(
        "standby", orders.end_standby(club, case.player.address, club.now)
    ),
    "RESIGN": lambda *_: answer("resign", "asked"),
    "RESIGN FOR GOOD": endings.resign_for_good,
}


def _ending_answers(kind: str, ended: int) -> Answers:
    return answer(kind, "ended" if ended else "none")


def carry_out(club: Club, case: Case, said: Reading) -> Answers:
    """Do what the texts and commands of a player's letter say; its row is that of the letter that says so, a held one perhaps."""
    told = texts(club, case, said)
    for question in said.questions:
        if question.verb in endings.VOTES:
            told += endings.vote(club, case, question, told)
        elif question.verb in endings.OF_RUNNING and case.game.is_over:
            told += answer(question.verb.partition(" ")[0].lower(), "over")
        elif question.verb in WISHES:
            told += WISHES[question.verb](club, case, question)
    return told + joining.join(club, case, said)
