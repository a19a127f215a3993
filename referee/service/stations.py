"""The stations that a letter passes, in their order: each gives a verdict on it or passes it on. Those inside of the transaction
write what they decide; an error takes all of it back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from msgspec.structs import asdict

from referee.core import Complaint, LetterTooCostly
from referee.mail.compose import Attachments
from referee.mail.letter.headers import head_of
from referee.mail.letter.robots import is_absent
from referee.reader.understanding import Understanding
from referee.store import Fate, LetterRow, PlayerRow, codes, letters

from .club import Club
from .commands.addresses import confirm_address
from .commands.commands import carry_out, in_new_language, states, without_long_texts, without_names
from .commands.joining import confirm_seat, join_of_stranger
from .commands.watching import confirm_watch, end_watch, watch_of_stranger
from .deadlines.missing import gets_time
from .duetimes import last_moment
from .letters.answers import acknowledge, is_seen, keep_for_later, missed_turn, refuse, tell_bygone
from .letters.doubts import (
    as_sent,
    bounce,
    by_a_person,
    hold_unproved,
    report_machine,
    show_files,
    show_prose,
    show_stranger,
)
from .letters.identify import (
    Doubt,
    Found,
    Proof,
    identify,
    is_copy,
    is_vouched_for,
    owner_of_code,
    prove,
    reason_ignored,
    why_ignored,
)
from .letters.interpretation import (
    Case,
    Filing,
    Verdict,
    arrival_of,
    drops_lines,
    filing,
    hear,
    read_in,
    too_costly,
    write_filing,
)
from .letters.limits import fate_of, is_sure, of_a_flood, readable, room_for_answer, sender_of, warns
from .letters.questions import only_asks
from .positions import Position
from .post.bounces import regard_as_reachable
from .post.codes import tags_of
from .post.collect import is_too_large
from .post.writing import tell_umpire
from .seats import fill_resigned

Station = Callable[[Club, Case], Case | Verdict | None]  # None: it stays as it is

_ANSWERED_ALWAYS = (Fate.LATE, Fate.OVER)  # letters that only ask something have no deadline


def read_header(club: Club, case: Case) -> Case:
    """Whom does its header name as its sender, and does that prove that it is theirs?"""
    sender = sender_of(case.row.raw)
    return case.but(sender=sender, sure=is_sure(club, case.row, sender), spent=club.reader.spent)


def read_content(club: Club, case: Case) -> Case:
    """What is in it? Of one that takes too long its header is read alone."""
    row = case.row
    try:
        letter = club.reader.read(as_sent(club, readable(club, row)))
        letter = by_a_person(club, row, letter)
    except LetterTooCostly as error:
        return too_costly(case, club.reader.read(head_of(row.raw)), error)
    incomplete = Fate.TOO_LARGE if is_too_large(row) else None
    return case.but(opened=letter, came=letter, arrived=arrival_of(row, letter), incomplete=incomplete)


def vouch(club: Club, case: Case) -> Case:
    """Is it from somebody at all, and does a mail server say so? A name server may be asked."""
    case = case.but(ignored=why_ignored(club, case.letter))
    return case.but(vouched=case.is_by_person and is_vouched_for(club, case.row.raw, case.letter, case.arrived))


def find_copy(club: Club, case: Case) -> Case | Verdict:
    """Was it taken before, but for what mail servers write on top of it?

    One that was not taken makes no other a copy: else who gets hold of a player's letter before us could send it with a line by
    which a machine's is known, and the player's own would be passed over.
    """
    taken = letters.find_alike(club, case.row)
    return case if not taken else Verdict(Fate.COPY, game=taken.game, player=taken.player)


# What a person may have asked for from an address. We wrote there; the word CONFIRM in answer to that, from there, by a person
# and in time, lets it count. (A player's held letters: ``confirms``.)
CONFIRMATIONS = (confirm_address, confirm_watch, confirm_seat)


def confirms_request(club: Club, case: Case) -> Verdict | None:
    """Does it bring the code of a letter of ours that asked whether somebody at its address wants what was asked for?"""
    kinds = (end_watch, *(CONFIRMATIONS if case.is_by_person else ()))
    verdicts = (kind(club, case, tag) for tag in tags_of(club, case.letter) for kind in kinds)
    return next(filter(None, verdicts), None)


def asks_as_stranger(club: Club, case: Case) -> Verdict | None:
    """Does somebody we do not know ask for what one need not be a player for: to watch a game, or for a seat?"""
    if case.ignored is not Fate.STRANGER:
        return None
    return watch_of_stranger(club, case) or join_of_stranger(club, case)


def with_code(club: Club, case: Case) -> Case:
    """Is it from nobody we know, or nobody at all, but with a player's code? Then it may be the player's, and is not proved."""
    nobodys = (Fate.STRANGER, Fate.NO_SENDER, Fate.OWN_ADDRESS)
    owner = owner_of_code(club, case.letter) if case.ignored in nobodys else None
    if not owner:
        return case
    position = club.position(owner.game)
    why = Doubt.NAMELESS if case.ignored is Fate.NO_SENDER else Doubt.STRANGER
    # Players are told where they are known to be, so that a list, or a name that takes no answers, silences nobody.
    return case.but(
        opened=case.letter.but(answerable=not is_absent(case.row.raw, case.letter.text)),
        ignored=None,
        whose=Found(position=position, player=position.player(owner.code)),
        proved=Proof(why=why),
    )


def ignore(club: Club, case: Case) -> Case | Verdict:
    """Is it from a machine, from ourselves or from nobody we know?"""
    if case.ignored is None:
        return case
    if case.ignored is Fate.ROBOT and not case.incomplete and (told := report_machine(club, case)):
        return told
    # A letter too large to be kept whole lies parked in the Maildir: the umpire finds it by its status.
    fate = case.incomplete or case.ignored
    bounce(club, case.row, case.letter, case.arrived)
    if fate is Fate.STRANGER:
        show_stranger(club, case.letter, case.row.id)
    return Verdict(fate, reason=reason_ignored(case.ignored, case.letter))


def whose(club: Club, case: Case) -> Case:
    """Whose is it, by its header, and is that proved?"""
    if case.whose:
        return case
    found = identify(club, case.letter)
    return case.but(whose=found, proved=prove(club, case.letter, found, case.vouched))


def shut_out(club: Club, case: Case) -> Case | Verdict:
    """Came too many wrong codes from there? Then nothing in it counts, and what it says is not asked."""
    if case.proof.why is not Doubt.SHUT_OUT:
        return case
    return hold_unproved(club, case.but(why=case.incomplete))


def read_words(club: Club, case: Case) -> Case:
    """What does it say, but for what it quotes of ours, and does a line of its text name another game than its header?"""
    if _unreadable(case) not in (None, Fate.EMPTY):
        return case
    by_text = not case.named and case.proof.why not in (Doubt.STRANGER, Doubt.NAMELESS)
    letter, found, read, sets = hear(club, case.letter, case.found, case.arrived, by_text=by_text)
    proof = case.proof if found is case.found else prove(club, letter, found, case.vouched)
    return case.but(opened=letter, whose=found, proved=proof, read=read, sets=sets)


def find_repetition(club: Club, case: Case) -> Case | Verdict:
    """Was it taken before, under other header lines? A proved letter says in any case that its writer can be reached."""
    if case.proof.why:
        return case
    regard_as_reachable(club, case.player.address)
    assert case.came
    return case.verdict(Fate.COPY) if is_copy(club, case.row.id, case.came) else case


def understand(club: Club, case: Case) -> Case:
    """Why can it not be taken, if it cannot? One that comes too late may still ask something."""
    why = case.found.why or _unreadable(case)
    if not case.read or why not in (None, Fate.EMPTY, *_ANSWERED_ALWAYS):
        return case.but(why=why, read=None)
    return case.but(why=why or _why_not(club, case, case.read))


def not_proved(club: Club, case: Case) -> Case | Verdict:
    """Is it not proved to be its player's?"""
    return hold_unproved(club, case) if case.proof.why else case


def turn_away(club: Club, case: Case) -> Case | Verdict:
    """Can it not be taken? Questions have no deadline."""
    asks = case.read is not None and case.why in _ANSWERED_ALWAYS and only_asks(case.read)
    return case if case.why is None or asks else _refusal(club, case, case.why)


def confirms(club: Club, case: Case) -> Case | Verdict:
    """Does it say that a held letter is its player's? That counts as if it had come with this one."""
    held = case.proof.held
    if not held or held.player != case.player.code or not _is_one_word(case.read) or case.why is not None:
        return case
    if held.released_by is not None or held.turn != case.game.turn:
        return _refusal(club, case.but(read=None), Fate.RELEASED if held.released_by else Fate.HELD_OLD)
    original = letters.letter(club, held.letter)
    seat = (case.position, case.player.code)
    read = read_in(club, club.reader.read(original.raw), [seat], case.arrived)[-1]
    return _file_case(club, case.but(read=read), original)


def file(club: Club, case: Case) -> Verdict:
    """What it says is done."""
    return _file_case(club, case, None)


# Outside of a transaction, for reading and asking a name server may take long.
BEFORE: tuple[Station, ...] = (read_header, of_a_flood, read_content, vouch)
# Inside of one: nothing may change meanwhile.
INSIDE: tuple[Station, ...] = (
    find_copy,
    confirms_request,
    asks_as_stranger,
    with_code,
    ignore,
    whose,
    shut_out,
    read_words,
    find_repetition,
    understand,
    not_proved,
    states,
    turn_away,
    confirms,
    file,
)


def pass_on(club: Club, case: Case, stations: Iterable[Station]) -> tuple[Case, Verdict | None]:
    """Return a case after these stations, and the verdict of the one that gave one: the others are not asked."""
    for station in stations:
        said = station(club, case)
        if isinstance(said, Verdict):
            return case, said
        case = said or case
    return case, None


def judge(club: Club, case: Case, verdict: Verdict | None) -> tuple[Case, Verdict]:
    """Return a letter as it has passed the stations, and the verdict on it, which it may have from before."""
    if not verdict:
        case, verdict = pass_on(club, case, INSIDE)
    assert verdict, "the last station judges every letter"
    if case.costly and verdict.fate.status == "parked":
        letters.fail(club, case.costly, case.row.id)
        _tell_parked(club, case.row)
    return case, verdict


def with_filing(club: Club, case: Case, number: int | None) -> tuple[Case, Filing]:
    """Return a letter that was understood, without texts that are too long, and what it does to the orders on file as letter
    *number*.
    """
    position, player, read = case.position, case.player.code, case.read
    assert read
    done = filing(position, player, read, case.sets, number, case.arrived)
    if drops_lines(position, done):
        read = read.but(complaints=(*read.complaints, Complaint(code="invalid-fewer-lines")))
        done = filing(position, player, read, case.sets, number, case.arrived)
    read = without_names(read, case.names)
    return case.but(read=without_long_texts(club, read)), done


def give_up(club: Club, row: LetterRow) -> Verdict:
    """Return the verdict on a letter that could not be handled."""
    _tell_parked(club, row)
    return Verdict(Fate.UNHANDLED)


def _unreadable(case: Case) -> Fate | None:
    """Return why there is nothing to read in a letter, None if there is."""
    if case.incomplete or case.letter.text.strip():
        return case.incomplete
    known = (fate for fate in (Fate.ENCRYPTED, Fate.WINMAIL, Fate.BAD_CHARSET) if fate in case.letter.problems)
    broken = {"unreadable", "too-many-headers", "too-many-parts", "too-deep"} & set(case.letter.problems)
    return next(known, Fate.UNREADABLE if broken else Fate.EMPTY)


def _why_not(club: Club, case: Case, read: Understanding) -> Fate | None:
    """Return why a letter that can be read cannot be taken, None if it can."""
    if _is_late(club, case.position, case.arrived):
        return Fate.LATE
    if read.says_nothing and not read.reading.unread:
        return Fate.EMPTY
    return Fate.TWO_VERSIONS if read.versions else None


def _is_late(club: Club, position: Position, arrived: datetime) -> bool:
    last = last_moment(club.config, position.row)
    if not last or arrived <= last or club.config.late != "refuse":
        return False
    return not gets_time(club, position.row)  # where orders are missing and waited for, nobody's are refused meanwhile


def _refusal(club: Club, case: Case, why: Fate) -> Verdict:
    if case.read and why in _ANSWERED_ALWAYS:
        show_prose(club, case)
    if why is Fate.EMPTY:
        show_files(club, case)
    last = room_for_answer(club, case, why)
    if last:
        refuse(club, case, why, last)
    return case.verdict(why)


def _is_one_word(read: Understanding | None) -> bool:
    """Return whether a letter says CONFIRM and nothing else."""
    return read is not None and read.reading.commands == ("CONFIRM",) and not read.gives_orders


def _tell_again(club: Club, position: Position, player: PlayerRow, turn: int) -> tuple[str, Attachments] | None:
    from .turns.newsletters import resend  # here, because few letters ask for it

    return resend(club, position, player, turn)


def _file_case(club: Club, case: Case, original: LetterRow | None) -> Verdict:
    """File a letter that is taken, or that releases the *original*: then that is what is read."""
    position, player, row = case.position, case.player, original or case.row
    case, done = with_filing(club, case, row.id)
    write_filing(club, done)
    read = case.read
    assert read
    told = carry_out(club, case.but(row=row, read_back=original is not None), read.reading)
    case = in_new_language(club, case)
    if any(each.verb in ("RESIGN FOR GOOD", "STANDBY") for each in read.reading.questions):
        fill_resigned(club)
    if original:
        codes.release(club, row.id, case.row.id, club.now)
        filed = Fate.FILED
        letters.finish(club, row.id, filed.status, club.now, filed, position.id, player.code)
    keep_for_later(club, case, row)
    bygone = missed_turn(club, case)
    if bygone:
        tell_bygone(club, case, bygone)
    fate = Fate.OTHER_TURN if bygone else fate_of(read, done)
    last = room_for_answer(club, case, fate)
    if not last and fate is Fate.NOTHING_NEW:
        return case.verdict(fate)  # of letters in vain, robots' perhaps, the umpire was shown enough
    shown = show_prose(club, case)
    if not shown:
        show_files(club, case)
    if last:
        more = {
            "bygone": {"turn": bygone.turn, "played": bygone.adjudicated_at} if bygone else None,
            "shown": shown,
            "answers": told,
            "seen": is_seen(club, case.letter) and warns(club, case),
            "released": original.arrived if original else None,
        }
        acknowledge(club, case, done, {**more, **asdict(last)}, _tell_again)
    return case.verdict(fate)


def _tell_parked(club: Club, row: LetterRow) -> None:
    club.log("letter-parked", f"letter {row.id}")
    tell_umpire(club, f"parked:{row.hash}", "parked", {"letter": row.id, "source": row.source})
