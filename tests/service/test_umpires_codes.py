"""An umpire's command is proved as a player's orders are; whatever the terminal can do a letter can."""

import re
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import click
import pytest

from referee.cli import main
from referee.service.post.codes import address_of, code_of_umpire, tag_of_code
from referee.service.umpire.commands import TABLE, parse_command
from referee.service.umpires import Umpire
from referee.store import codes, transaction
from tests.posthouse import ANN, BOB, REFEREE, ROOT, UMPIRE, Clubs, PostHouse, line_of, text_of
from tests.tables import Tables

CASES = Tables(__file__)

# An umpire's command is proved as a player's orders are, by a code that is good for one; players read his own words alone.


AUTH = "mx.club.example"
PASS = f"{AUTH}; dmarc=pass header.from=club.example"
HOLD = "HOLD RR1\n\nI am ill."
NOTE = "NOTE RR1\nMine."


def club_of(folder: Path, policy: str) -> PostHouse:
    house = PostHouse(folder, identity__policy=policy, identity__authserv_id=AUTH)
    house.begin()
    return house


@pytest.fixture
def proving(tmp_path: Path) -> Iterator[PostHouse]:
    with club_of(tmp_path / "club", "token") as made:
        yield made


def told(house: PostHouse) -> EmailMessage:
    return house.last(UMPIRE)


def asked(house: PostHouse, text: str, **headers: str) -> EmailMessage:
    """Write as the umpire, without a code, and return the answer."""
    house.wait(minutes=1)
    house.send(UMPIRE, text, "a command", **headers)
    return house.last(UMPIRE)


def answered(house: PostHouse, ours: EmailMessage, text: str, **headers: str) -> EmailMessage:
    house.wait(minutes=1)
    house.reply(ours, text, **headers)
    return house.last(UMPIRE)


def quoted(ours: EmailMessage, mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in text_of(ours).split("\n"))


# What programs write between an answer and what it quotes; {to} is our address with its code, {subject} our subject.
KNOWN_PERHAPS = {
    "Turkish": "Referee <{to}>, 7 Ara 2026 Pzt, 12:01 tarihinde şunu yazdı:\n\n{marked}",
    "Greek": "Στις Δευ 7 Δεκ 2026 στις 12:01 μ.μ., ο χρήστης Referee <{to}>\nέγραψε:\n\n{marked}",
    "Ukrainian": "пн, 7 груд. 2026 р. о 12:01 Referee <{to}>\nпише:\n\n{marked}",
    "Romanian": "În lun., 7 dec. 2026 la 12:01, Referee <{to}>\na scris:\n\n{marked}",
    "Hebrew": "\u202bבתאריך יום ב׳, 7 בדצמ׳ 2026 ב-12:01 מאת Referee <{to}>:\u202c\n\n{marked}",
    "a header in Slovak": "Od: Referee <{to}>\nOdoslané: pondelok 7. decembra 2026 12:01\nKomu: x\nPredmet: {subject}\n\n{plain}",
    "a header in Turkish": "Kimden: Referee\nGönderildi: 7 Aralık 2026 12:01\nKime: x\nKonu: {subject}\n\n{plain}",
}
UNKNOWN = {
    "a short form": "Referee, 7.12.:\n{marked}",
    "no language": "Referee <{to}> zorgblatt:\n\n{marked}",
    "an address alone": "Referee {to}\n\n{plain}",
    "an address broken in two": "Referee referee+rr1-umpire-\n{rest}\n\nnothing else",
    "a rule alone": "-----\n{plain}",
}


@pytest.mark.parametrize("program", [*KNOWN_PERHAPS, *UNKNOWN])
def test_what_a_program_writes_above_our_words_is_told_to_nobody(proving: PostHouse, program: str) -> None:
    ours = asked(proving, "LOG RR1")
    to = ours["Reply-To"].addresses[0].addr_spec
    told_by = {"to": to, "subject": ours["Subject"], "marked": quoted(ours), "plain": text_of(ours), "rest": to[-21:]}
    tail = (KNOWN_PERHAPS | UNKNOWN)[program].format(**told_by)
    before = len(proving.post(ANN))
    answer = answered(proving, ours, f"{HOLD}\n\n{tail}")
    if program in UNKNOWN or not proving.did():
        assert (proving.did(), len(proving.post(ANN))) == ([], before)
        assert "Once more, please: HOLD RR1" in answer["Subject"]
        assert "not certain which lines of this letter are your own" in line_of(answer)
        assert text_of(answer).count("\n| ") == 2  # the command, and his words
        answer = answered(proving, answer, f"CONFIRM\n\n{tail}")
    assert "Done: HOLD RR1" in answer["Subject"]
    letter = proving.text(ANN)
    assert [line for line in letter.split("\n") if line.startswith("| ")] == ["| I am ill."]
    code = to.partition("+")[2].partition("@")[0]
    assert all(code not in row.raw.decode("ascii").lower() for row in proving.ours("recipient <> ?", UMPIRE))


def test_the_same_words_once_more_are_certain_whatever_stands_below_them(proving: PostHouse) -> None:
    ours = asked(proving, HOLD)
    tail = UNKNOWN["no language"].format(to=ours["Reply-To"].addresses[0].addr_spec, marked=quoted(ours))
    assert "Done: HOLD RR1" in answered(proving, ours, f"{HOLD}\n\n{tail}")["Subject"]


@pytest.mark.parametrize(
    "below",
    [
        "",
        "\n-- \nOn holiday: see referee@club.example",
        "\n\nOn Mon, 7 Dec 2026 at 12:01, X <x@y.example> wrote:\n> no",
    ],
)
def test_words_that_are_certainly_his_are_not_asked_about(proving: PostHouse, below: str) -> None:
    assert "Done: HOLD RR1" in answered(proving, asked(proving, "LOG RR1"), HOLD + below)["Subject"]


def test_his_words_may_name_our_address_when_he_has_seen_them(proving: PostHouse) -> None:
    note = f"NOTE RR1\nWho has no code writes to\n\n{REFEREE} and asks."
    read_back = answered(proving, asked(proving, "LOG RR1"), note)
    assert proving.did() == []
    answered(proving, read_back, "CONFIRM")
    (act,) = proving.acts()
    assert act.reason == note.partition("\n")[2]


@pytest.mark.parametrize(
    ("policy", "headers", "does"),
    CASES.listed("a_code_counts_as_much_as_a_players_does"),
)
def test_a_code_counts_as_much_as_a_players_does(
    tmp_path: Path, policy: str, headers: dict[str, str], does: bool
) -> None:
    with club_of(tmp_path / "club", policy) as house:
        ours = asked(house, "LOG RR1")
        answer = answered(house, ours, NOTE, **headers)
        assert house.did() == ["note"] * does
        if not does:
            assert "No mail server vouches that this command is yours" in line_of(answer)
        assert house.did() == ["note"] * does
        answered(house, answer, "CONFIRM", **headers)  # his word, in answer to a letter of ours
        assert house.did() == ["note"] * (does or policy == "auth-or-confirm")


def test_a_ruling_is_shown_before_it_is_made_whatever_code_it_comes_with(proving: PostHouse) -> None:
    ruling, change = "ADJUST RR1 money.ANN+=100\nMine.", "It would change:\nPlaces: ANN 100, not 0"
    assert change in text_of(asked(proving, ruling))
    shown = answered(proving, asked(proving, "LOG RR1"), ruling)
    assert change in text_of(shown)
    assert "| Mine." in text_of(shown)
    assert proving.did() == []
    answered(proving, shown, "CONFIRM")
    assert proving.did() == ["adjust"]


def test_without_a_code_nothing_is_done_however_well_he_is_vouched_for(tmp_path: Path) -> None:
    with club_of(tmp_path / "club", "auth-or-confirm") as house:
        assert "Once more, please" in asked(house, NOTE, Authentication_Results=PASS)["Subject"]
        assert house.did() == []


def test_what_nobody_vouches_for_counts_in_the_words_that_were_read_back_alone(tmp_path: Path) -> None:
    with club_of(tmp_path / "club", "auth-or-confirm") as house:
        read_back = asked(house, HOLD)
        answer = answered(house, read_back, "HOLD RR1\nI am Eve.")
        assert ("No mail server vouches" in line_of(answer), house.did()) == (True, [])
        answered(house, answer, "BESTÄTIGEN")
        assert [act.reason for act in house.acts()] == ["I am Eve."]


def test_an_umpire_who_plays_confirms_as_a_player_where_no_code_of_an_umpires_is_with_it(club: Clubs) -> None:
    house = club(identity__policy="token", mail__umpire=ANN)
    house.begin()
    house.send(ANN, "STEP 1", "orders")
    house.reply(house.last(ANN, "CONFIRM"), "CONFIRM")
    assert house.column("SELECT text FROM order_sets") == ["STEP 1"]


def test_a_code_is_good_for_one_command_and_tells_what_it_did(proving: PostHouse) -> None:
    ours = asked(proving, "LOG RR1")
    answered(proving, ours, NOTE)
    for subject, text in (
        ("another subject", NOTE),
        ("x", f"{NOTE}\n-- \na list's footer"),
        ("y", "HOLD RR1\nEve."),
    ):
        again = answered(proving, ours, text, Subject=f"{subject} {ours['Subject']}", Message_ID="<same@club.example>")
        assert "was used before" in line_of(again)
        assert "What was done then: Kept for the next newsletter as U1" in line_of(again)
    assert proving.did() == ["note"]
    answered(proving, again, "CONFIRM")  # he may want that besides
    assert proving.did() == ["note", "hold"]


def test_the_same_letter_under_other_header_lines_is_a_copy(proving: PostHouse) -> None:
    ours = asked(proving, "LOG RR1")
    for subject in ("one", "another"):
        answered(proving, ours, NOTE, Subject=f"{subject} {ours['Subject']}", Message_ID="<same@club.example>")
    fates = proving.column("SELECT reason FROM letters ORDER BY id DESC LIMIT 2")
    assert fates == ["copy", "command of the umpire"]


def test_several_codes_are_open_at_once_and_a_refused_command_uses_none(proving: PostHouse) -> None:
    first, second = asked(proving, "LOG RR1"), asked(proving, "PREVIEW RR1")
    assert str(first["Reply-To"]) != str(second["Reply-To"])
    answered(proving, first, "DEADLINE RR1 2020-01-01\nNo.")
    answered(proving, second, HOLD)
    answered(proving, first, NOTE)
    assert proving.did() == ["hold", "note"]


def button(house: PostHouse, command: str) -> EmailMessage:
    """Return a letter whose answers bring a code for a command alone."""
    club = house.club
    code = code_of_umpire(club, "RR1", Umpire(address=UMPIRE), f"button {command}", command)
    with transaction(club.db):
        codes.issue(club.db, code)
    made = EmailMessage()
    tag = tag_of_code(code)
    made["To"], made["Reply-To"], made["Subject"], made["Message-ID"] = (
        UMPIRE,
        address_of(club, tag),
        f"[{tag}]",
        "<1@x>",
    )
    return made


def test_a_buttons_code_does_its_own_command_in_its_own_game_alone(proving: PostHouse) -> None:
    proving.game()
    for other in ("RESUME RR1", "HOLD RR2\nI am ill.", "ADJUST RR1 money.ANN+=100\nMine."):
        assert "Once more, please" in answered(proving, button(proving, "HOLD RR1"), other)["Subject"]
    assert (proving.did(), proving.acts("RR2")) == ([], ())
    assert "Done: hold rr1" in answered(proving, button(proving, "HOLD RR1"), "hold rr1\nI am ill.")["Subject"]
    assert proving.did() == ["hold"]


def test_a_button_that_is_too_old_is_asked_once_more(proving: PostHouse) -> None:
    pressed = button(proving, "NOTE RR1\nHello.")
    proving.wait(days=15)
    late = answered(proving, pressed, "NOTE RR1\nHello.")
    assert "Once more, please: NOTE RR1" in late["Subject"]
    assert "Done: NOTE RR1" in answered(proving, late, "CONFIRM")["Subject"]


def test_a_flood_in_his_name_uses_up_no_answers_of_players(club: Clubs) -> None:
    house = club(identity__policy="token", mail__replies_per_game=2)
    house.begin()
    for number in range(3):
        house.write(UMPIRE, f"ADJUST RR1 money.ANN+={number}\nBecause.", f"{number}")
    house.tick()
    before = house.post(ANN)
    house.reply(before[0], "STEP 3")
    assert len(house.post(ANN)) == len(before) + 1


def test_guesses_of_his_code_are_passed_over_and_his_own_counts(proving: PostHouse) -> None:
    ours = asked(proving, "LOG RR1")
    for number in range(12):
        proving.write(UMPIRE, HOLD, f"[RR1-UMPIRE-{'ABCDEFGHJKLM'[number] * 8}]")
    proving.tick()
    assert proving.column("SELECT count(*) AS n FROM letters WHERE reason LIKE 'wrong code%'") == [10]
    assert not proving.row().stopped_at
    answered(proving, ours, HOLD)
    assert proving.did() == ["hold"]


def test_a_command_of_which_a_part_is_missing_is_not_done(proving: PostHouse) -> None:
    ours = asked(proving, "LOG RR1")
    proving.reply(ours, f"{HOLD}\n{'long words ' * 200_000}")
    assert proving.did() == []


def test_a_power_cut_between_act_and_answer_leaves_the_code_used(proving: PostHouse) -> None:
    ours = asked(proving, "LOG RR1")
    answered(proving, ours, NOTE)
    proving.club.db.execute("UPDATE letters SET status = 'stored' WHERE id = (SELECT max(id) FROM letters)")
    proving.club.db.conn.commit()
    proving.tick()
    answered(proving, ours, NOTE)
    assert proving.did() == ["note"]


# Whatever the terminal can do with a game the umpire can order by mail; docs/desk.md says it of each command.


@pytest.fixture
def held(club: Clubs) -> PostHouse:
    made = club(identity__policy="token")
    made.begin()
    made.send(ANN, "STEP 2")  # without a code: it is held
    made.reply(made.post(BOB)[0], "HELP")
    return made


def ask(house: PostHouse, text: str) -> str:
    """Return what a question of the umpire's is answered with, in one line."""
    return house.says(UMPIRE, text, "a question")


def test_a_letter_is_shown_without_its_code(held: PostHouse) -> None:
    held.reply(held.last(ANN, "Railway"), f"STEP 2\n{held.post(BOB)[0]['Subject']}")
    code = re.search(r"RR1-BOB-\w{8}", str(held.post(BOB)[0]["Subject"]))
    assert code
    assert code[0] not in ask(held, "LETTER 3")
    assert "| STEP 2" in held.told(UMPIRE)


# docs/desk.md: a row for each command of the terminal.

ROW = re.compile(r"^\| `([a-z -]+)` \| (.+) \|$", re.M)


def typed(group: click.Command, path: str = "") -> Iterator[str]:
    for name, each in getattr(group, "commands", {}).items():
        below = [*typed(each, f"{path}{name} ")]
        if not below or getattr(each, "invoke_without_command", False):
            yield f"{path}{name}"
        yield from below


def test_each_command_of_the_terminal_has_its_word_by_mail_or_a_reason_why_not() -> None:
    page = (ROOT / "docs" / "desk.md").read_text()
    _, _, told = page.partition("### What the terminal does, by mail")
    rows = dict(ROW.findall(told.partition("\n## ")[0]))
    assert {name if name in rows else name.partition(" ")[0] for name in typed(main)} == {*rows}
    words = [each for said in rows.values() for each in re.findall(r"`([^`]+)`", said)]
    assert not [said for said in rows.values() if "`" not in said and not said[0].islower()]
    named = [name_of(each) for each in words]
    assert {*named} | {"COMMANDS", "REMIND", "WITHDRAW"} == {*TABLE}


def name_of(text: str) -> str:
    command = parse_command(text)
    assert command, text
    return command.name


def test_a_form_that_is_shown_is_one_that_is_read() -> None:
    for name, row in TABLE.items():
        for form in row.forms:
            assert name_of(form) == name


@pytest.mark.parametrize(
    ("language", "line", "text", "said"),
    CASES.listed("a_command_says_the_same_in_a_terminal_and_by_mail"),
)
def test_a_command_says_the_same_in_a_terminal_and_by_mail(
    tmp_path: Path, language: str, line: str, text: str, said: str
) -> None:
    """A row of ``commands.toml`` makes both; each names commands as its reader has them."""
    for place in ("terminal", "mail"):
        with PostHouse(tmp_path / place, identity__policy="token", club__language=language) as house:
            house.begin()
            done = house.command(*line.split()) if place == "terminal" else None
            told = " ".join((done.stdout + done.stderr).split()) if done else ordered_or_asked(house, text)
        names = {"en": "RESUME RR1", "de": "FORTSETZEN RR1"}
        resume = "`referee resume RR1`" if done else names.get(language, "")
        assert said.replace("%s", resume) in told


def ordered_or_asked(house: PostHouse, text: str) -> str:
    """Return what a command is answered with, once more with its code where it needs that."""
    told = ask(house, text)
    if TABLE[text.split()[0]].looks >= len(text.split("\n")[0].split()) - 1:
        return told
    house.wait(minutes=1)
    house.reply(UMPIRE, "CONFIRM")
    return house.told(UMPIRE)
