"""An umpire's command is proved as a player's orders are, by a code that is good for one; players read his own words alone."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.service.club.umpires import Umpire
from referee.service.letters.limits import FROM_SENDER
from referee.service.post.codes import address_of, code_of_umpire, tag_of_code
from referee.store import codes, games
from referee.store.database.database import transaction
from referee.store.games import acts
from tests.posthouse import ANN, REFEREE, UMPIRE, PostHouse, line_of, text_of

AUTH = "mx.club.example"
PASS = f"{AUTH}; dmarc=pass header.from=club.example"
FAIL = f"{AUTH}; dmarc=fail header.from=club.example"
HOLD = "HOLD RR1\n\nI am ill."
NOTE = "NOTE RR1\nMine."


def club_of(folder: Path, policy: str) -> PostHouse:
    house = PostHouse(folder, identity__policy=policy, identity__authserv_id=AUTH)
    house.begin()
    return house


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    with club_of(tmp_path / "club", "token") as made:
        yield made


def told(house: PostHouse) -> EmailMessage:
    return house.last(UMPIRE)


def asked(house: PostHouse, text: str, **headers: str) -> EmailMessage:
    """Write as the umpire, without a code, and return the answer."""
    house.clock.advance(minutes=1)
    house.send(UMPIRE, text, "a command", **headers)
    return told(house)


def answered(house: PostHouse, ours: EmailMessage, text: str, **headers: str) -> EmailMessage:
    house.clock.advance(minutes=1)
    house.reply(ours, text, **headers)
    return told(house)


def done(house: PostHouse) -> list[str]:
    return [act.kind for act in acts(house.club.db, "RR1")]


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
def test_what_a_program_writes_above_our_words_is_told_to_nobody(house: PostHouse, program: str) -> None:
    ours = asked(house, "LOG RR1")
    to = ours["Reply-To"].addresses[0].addr_spec
    told_by = {"to": to, "subject": ours["Subject"], "marked": quoted(ours), "plain": text_of(ours), "rest": to[-21:]}
    tail = (KNOWN_PERHAPS | UNKNOWN)[program].format(**told_by)
    before = len(house.post(ANN))
    answer = answered(house, ours, f"{HOLD}\n\n{tail}")
    if program in UNKNOWN or not done(house):
        assert (done(house), len(house.post(ANN))) == ([], before)
        assert "Once more, please: HOLD RR1" in str(answer["Subject"])
        assert "not certain which lines of this letter are your own" in line_of(answer)
        assert text_of(answer).count("\n| ") == 2  # the command, and his words
        answer = answered(house, answer, f"CONFIRM\n\n{tail}")
    assert "Done: HOLD RR1" in str(answer["Subject"])
    letter = house.text(ANN)
    assert [line for line in letter.split("\n") if line.startswith("| ")] == ["| I am ill."]
    code = to.partition("+")[2].partition("@")[0]
    assert all(code not in row.raw.decode("ascii").lower() for row in house.ours("recipient <> ?", UMPIRE))


def test_the_same_words_once_more_are_certain_whatever_stands_below_them(house: PostHouse) -> None:
    ours = asked(house, HOLD)
    tail = UNKNOWN["no language"].format(to=ours["Reply-To"].addresses[0].addr_spec, marked=quoted(ours))
    assert "Done: HOLD RR1" in str(answered(house, ours, f"{HOLD}\n\n{tail}")["Subject"])


@pytest.mark.parametrize(
    "below",
    [
        "",
        "\n-- \nOn holiday: see referee@club.example",
        "\n\nOn Mon, 7 Dec 2026 at 12:01, X <x@y.example> wrote:\n> no",
    ],
)
def test_words_that_are_certainly_his_are_not_asked_about(house: PostHouse, below: str) -> None:
    assert "Done: HOLD RR1" in str(answered(house, asked(house, "LOG RR1"), HOLD + below)["Subject"])


def test_his_words_may_name_our_address_when_he_has_seen_them(house: PostHouse) -> None:
    note = f"NOTE RR1\nWho has no code writes to\n\n{REFEREE} and asks."
    read_back = answered(house, asked(house, "LOG RR1"), note)
    assert done(house) == []
    answered(house, read_back, "CONFIRM")
    (act,) = acts(house.club.db, "RR1")
    assert act.reason == note.partition("\n")[2]


@pytest.mark.parametrize(
    ("policy", "headers", "does"),
    [
        ("address", {}, True),
        ("token", {"Authentication_Results": FAIL}, True),
        ("token+auth", {}, False),
        ("token+auth", {"Authentication_Results": FAIL}, False),
        ("token+auth", {"Authentication_Results": PASS}, True),
        ("auth-or-confirm", {"Authentication_Results": FAIL}, False),
        ("auth-or-confirm", {"Authentication_Results": PASS}, True),
    ],
)
def test_a_code_counts_as_much_as_a_players_does(
    tmp_path: Path, policy: str, headers: dict[str, str], does: bool
) -> None:
    with club_of(tmp_path / "club", policy) as house:
        ours = asked(house, "LOG RR1")
        answer = answered(house, ours, NOTE, **headers)
        assert done(house) == ["note"] * does
        if not does:
            assert "No mail server vouches that this command is yours" in line_of(answer)
        assert done(house) == ["note"] * does
        answered(house, answer, "CONFIRM", **headers)  # his word, in answer to a letter of ours
        assert done(house) == ["note"] * (does or policy == "auth-or-confirm")


def test_a_ruling_is_shown_before_it_is_made_whatever_code_it_comes_with(house: PostHouse) -> None:
    ruling, change = "ADJUST RR1 money.ANN+=100\nMine.", "It would change:\nPlaces: ANN 100, not 0"
    assert change in text_of(asked(house, ruling))
    shown = answered(house, asked(house, "LOG RR1"), ruling)
    assert change in text_of(shown)
    assert "| Mine." in text_of(shown)
    assert done(house) == []
    answered(house, shown, "CONFIRM")
    assert done(house) == ["adjust"]


def test_without_a_code_nothing_is_done_however_well_he_is_vouched_for(tmp_path: Path) -> None:
    with club_of(tmp_path / "club", "auth-or-confirm") as house:
        assert "Once more, please" in str(asked(house, NOTE, Authentication_Results=PASS)["Subject"])
        assert done(house) == []


def test_what_nobody_vouches_for_counts_in_the_words_that_were_read_back_alone(tmp_path: Path) -> None:
    with club_of(tmp_path / "club", "auth-or-confirm") as house:
        read_back = asked(house, HOLD)
        answer = answered(house, read_back, "HOLD RR1\nI am Eve.")
        assert ("No mail server vouches" in line_of(answer), done(house)) == (True, [])
        answered(house, answer, "BESTÄTIGEN")
        assert [act.reason for act in acts(house.club.db, "RR1")] == ["I am Eve."]


def test_an_umpire_who_plays_confirms_as_a_player_where_no_code_of_an_umpires_is_with_it(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", identity__policy="token", mail__umpire=ANN) as house:
        house.begin()
        house.send(ANN, "STEP 1", "orders")
        house.reply(house.last(ANN, "CONFIRM"), "CONFIRM")
        assert [row["text"] for row in house.rows("SELECT text FROM order_sets")] == ["STEP 1"]


def test_a_code_is_good_for_one_command_and_tells_what_it_did(house: PostHouse) -> None:
    ours = asked(house, "LOG RR1")
    answered(house, ours, NOTE)
    for subject, text in (
        ("another subject", NOTE),
        ("x", f"{NOTE}\n-- \na list's footer"),
        ("y", "HOLD RR1\nEve."),
    ):
        again = answered(house, ours, text, Subject=f"{subject} {ours['Subject']}", Message_ID="<same@club.example>")
        assert "was used before" in line_of(again)
        assert "What was done then: Kept for the next newsletter as U1" in line_of(again)
    assert done(house) == ["note"]
    answered(house, again, "CONFIRM")  # he may want that besides
    assert done(house) == ["note", "hold"]


def test_the_same_letter_under_other_header_lines_is_a_copy(house: PostHouse) -> None:
    ours = asked(house, "LOG RR1")
    for subject in ("one", "another"):
        answered(house, ours, NOTE, Subject=f"{subject} {ours['Subject']}", Message_ID="<same@club.example>")
    fates = [row["reason"] for row in house.rows("SELECT reason FROM letters ORDER BY id DESC LIMIT 2")]
    assert fates == ["copy", "command of the umpire"]


def test_several_codes_are_open_at_once_and_a_refused_command_uses_none(house: PostHouse) -> None:
    first, second = asked(house, "LOG RR1"), asked(house, "PREVIEW RR1")
    assert str(first["Reply-To"]) != str(second["Reply-To"])
    answered(house, first, "DEADLINE RR1 2020-01-01\nNo.")
    answered(house, second, HOLD)
    answered(house, first, NOTE)
    assert done(house) == ["hold", "note"]


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


def test_a_buttons_code_does_its_own_command_in_its_own_game_alone(house: PostHouse) -> None:
    house.game()
    for other in ("RESUME RR1", "HOLD RR2\nI am ill.", "ADJUST RR1 money.ANN+=100\nMine."):
        assert "Once more, please" in str(answered(house, button(house, "HOLD RR1"), other)["Subject"])
    assert (done(house), acts(house.club.db, "RR2")) == ([], ())
    assert "Done: hold rr1" in str(answered(house, button(house, "HOLD RR1"), "hold rr1\nI am ill.")["Subject"])
    assert done(house) == ["hold"]


def test_a_button_that_is_too_old_is_asked_once_more(house: PostHouse) -> None:
    pressed = button(house, "NOTE RR1\nHello.")
    house.clock.advance(days=15)
    late = answered(house, pressed, "NOTE RR1\nHello.")
    assert "Once more, please: NOTE RR1" in str(late["Subject"])
    assert "Done: NOTE RR1" in str(answered(house, late, "CONFIRM")["Subject"])


def test_a_flood_in_his_name_uses_up_no_answers_of_players(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", identity__policy="token", mail__replies_per_game=2) as house:
        house.begin()
        for number in range(3):
            house.write(UMPIRE, f"ADJUST RR1 money.ANN+={number}\nBecause.", f"{number}")
        house.tick()
        before = house.post(ANN)
        house.reply(before[0], "STEP 3")
        assert len(house.post(ANN)) == len(before) + 1


def test_a_flood_in_his_name_does_not_keep_his_own_command_out(house: PostHouse) -> None:
    ours = asked(house, "LOG RR1")
    for _ in range(FROM_SENDER + 5):
        house.write(UMPIRE, "HOLD RR1\nI am Eve.", "a command")
    house.tick()
    house.reply(ours, HOLD)
    assert done(house) == ["hold"]


def test_guesses_of_his_code_are_passed_over_and_his_own_counts(house: PostHouse) -> None:
    ours = asked(house, "LOG RR1")
    for number in range(12):
        house.write(UMPIRE, HOLD, f"[RR1-UMPIRE-{'ABCDEFGHJKLM'[number] * 8}]")
    house.tick()
    assert [row["n"] for row in house.rows("SELECT count(*) AS n FROM letters WHERE reason LIKE 'wrong code%'")] == [10]
    assert games.game(house.club.db, "RR1").stopped_at is None
    answered(house, ours, HOLD)
    assert done(house) == ["hold"]


def test_a_command_of_which_a_part_is_missing_is_not_done(house: PostHouse) -> None:
    ours = asked(house, "LOG RR1")
    house.reply(ours, f"{HOLD}\n{'long words ' * 200_000}")
    assert done(house) == []


def test_a_power_cut_between_act_and_answer_leaves_the_code_used(house: PostHouse) -> None:
    ours = asked(house, "LOG RR1")
    answered(house, ours, NOTE)
    house.club.db.execute("UPDATE letters SET status = 'stored' WHERE id = (SELECT max(id) FROM letters)")
    house.club.db.conn.commit()
    house.tick()
    answered(house, ours, NOTE)
    assert done(house) == ["note"]
