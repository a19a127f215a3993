"""An umpire's command is proved as a player's orders are; whatever the terminal can do a letter can."""

import re
from collections.abc import Iterator
from email.message import EmailMessage

import click

from referee.cli import main
from referee.service.post.codes import address_of, code_of_umpire, tag_of_code
from referee.service.umpire.commands import TABLE, parse_command
from referee.service.umpires import Umpire
from referee.store import codes, transaction
from tests.posthouse import ANN, ROOT, UMPIRE, PostHouse, line_of, text_of
from tests.tables import Tables

CASES = Tables(__file__)

# An umpire's command is proved as a player's orders are, by a code that is good for one; players read the umpire's own words
# alone.


HOLD = "HOLD RR1\n\nI am ill."


def asked(house: PostHouse, text: str) -> EmailMessage:
    """Write as the umpire, without a code, and return the answer."""
    house.wait(minutes=1)
    house.send(UMPIRE, text, "a command")
    return house.last(UMPIRE)


def answered(house: PostHouse, ours: EmailMessage, text: str) -> EmailMessage:
    house.wait(minutes=1)
    house.reply(ours, text)
    return house.last(UMPIRE)


def quoted(ours: EmailMessage) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text_of(ours).split("\n"))


@CASES.rows
def test_what_a_program_writes_above_our_words_is_told_to_nobody(coded: PostHouse, unknown: bool, tail: str) -> None:
    ours = asked(coded, "LOG RR1")
    to = ours["Reply-To"].addresses[0].addr_spec
    told_by = {"to": to, "subject": ours["Subject"], "marked": quoted(ours), "plain": text_of(ours), "rest": to[-21:]}
    tail = tail.format(**told_by)
    before = len(coded.post(ANN))
    answer = answered(coded, ours, f"{HOLD}\n\n{tail}")
    if unknown or not coded.did():
        assert (coded.did(), len(coded.post(ANN))) == ([], before)
        assert "Once more, please: HOLD RR1" in answer["Subject"]
        assert "not certain which lines of this letter are your own" in line_of(answer)
        assert text_of(answer).count("\n| ") == 2  # the command, and the words below it
        answer = answered(coded, answer, f"CONFIRM\n\n{tail}")
    assert "Done: HOLD RR1" in answer["Subject"]
    letter = coded.text(ANN)
    assert [line for line in letter.split("\n") if line.startswith("| ")] == ["| I am ill."]
    code = to.partition("+")[2].partition("@")[0]
    assert all(code not in row.raw.decode("ascii").lower() for row in coded.ours("recipient <> ?", UMPIRE))


def test_the_same_words_once_more_are_certain_whatever_stands_below_them(coded: PostHouse) -> None:
    ours = asked(coded, HOLD)
    tail = f"Referee <{ours['Reply-To'].addresses[0].addr_spec}> zorgblatt:\n\n{quoted(ours)}"
    assert "Done: HOLD RR1" in answered(coded, ours, f"{HOLD}\n\n{tail}")["Subject"]


def button(house: PostHouse, command: str) -> EmailMessage:
    """Return a letter whose answers bring a code for a command alone."""
    club = house.club
    code = code_of_umpire(club, "RR1", Umpire(address=UMPIRE), f"button {command}", command)
    with transaction(club.db):
        codes.issue(club.db, code)
    made = EmailMessage()
    tag = tag_of_code(code)
    heads = {"To": UMPIRE, "Reply-To": address_of(club, tag), "Subject": f"[{tag}]", "Message-ID": "<1@x>"}
    for name, value in heads.items():
        made[name] = value
    return made


def test_a_buttons_code_does_its_own_command_in_its_own_game_alone(coded: PostHouse) -> None:
    coded.game()
    for other in ("RESUME RR1", "HOLD RR2\nI am ill.", "ADJUST RR1 money.ANN+=100\nMine."):
        assert "Once more, please" in answered(coded, button(coded, "HOLD RR1"), other)["Subject"]
    assert (coded.did(), coded.acts("RR2")) == ([], ())
    assert "Done: hold rr1" in answered(coded, button(coded, "HOLD RR1"), "hold rr1\nI am ill.")["Subject"]
    assert coded.did() == ["hold"]


def test_a_button_that_is_too_old_is_asked_once_more(coded: PostHouse) -> None:
    pressed = button(coded, "NOTE RR1\nHello.")
    coded.wait(days=15)
    late = answered(coded, pressed, "NOTE RR1\nHello.")
    assert "Once more, please: NOTE RR1" in late["Subject"]
    assert "Done: NOTE RR1" in answered(coded, late, "CONFIRM")["Subject"]


def test_a_power_cut_between_act_and_answer_leaves_the_code_used(coded: PostHouse) -> None:
    ours = asked(coded, "LOG RR1")
    answered(coded, ours, "NOTE RR1\nMine.")
    coded.club.execute("UPDATE letters SET status = 'stored' WHERE id = (SELECT max(id) FROM letters)")
    coded.club.conn.commit()
    coded.tick()
    answered(coded, ours, "NOTE RR1\nMine.")
    assert coded.did() == ["note"]


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
