"""What is logged and counted."""

import io
import json
import logging
import re
from collections.abc import Iterator
from contextlib import redirect_stderr
from datetime import UTC, datetime
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from referee.cli.base import configure, without_secrets
from referee.config import Log
from referee.mail.compose import Attachment, Outgoing, letter_bytes
from tests.forkedcommands import run_here
from tests.posthouse import ANN, ROOT, PostHouse
from tests.secrecy import codes_in_text
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.mailhost import PASSWORD as HOST_PASSWORD
from tests.servers.mailhost import USER, MailHost
from tests.tables import Tables

CASES = Tables(__file__)


# What is logged: the work by its numbers, and nothing that a player wrote, no address, no password.


SECRET = "Leinster-Zebra-Gambit"  # noqa: S105 (words of a player's)


@pytest.fixture(autouse=True)
def quiet_again() -> Iterator[None]:
    yield
    configure(Log(level="warning", format="text"))


def passes(folder: Path) -> str:
    """Make a pass as the command; return what stands on stderr."""
    result = run_here("--club", folder, "tick")
    assert result.exit_code == 0, result.output
    return result.stderr


def house_with_letters(folder: Path, **settings: str | int) -> PostHouse:
    """Return a club with a game in which a player wrote *SECRET* wherever players can."""
    house = PostHouse(folder, **settings)
    house.game()
    words = f"PRESS: {SECRET}\nNOTE: {SECRET}\nSTEP 3\n{SECRET} 7"
    house.write(ANN, words, subject=f"Re: [RR1] {SECRET}", X_Mailer=SECRET)
    house.write(f"{SECRET}@example.org", SECRET, subject=SECRET)
    return house


def test_by_default_a_good_pass_says_nothing(tmp_path: Path) -> None:
    with house_with_letters(tmp_path / "club") as house:
        assert passes(house.folder) == ""


def test_at_info_each_letter_turn_and_sending_is_an_object_a_line(tmp_path: Path) -> None:
    with house_with_letters(tmp_path / "club", log__level="info", log__format="json") as house:
        text = passes(house.folder)
    told = [json.loads(line) for line in text.splitlines()]
    assert all({"at", "level", "from", "text"} <= set(each) for each in told)
    letters = [each for each in told if each["text"] == "letter"]
    assert [(each["number"], each["status"], each["game"], each["player"]) for each in letters] == [
        (1, "done", "RR1", "ANN"),
        (2, "ignored", None, None),
    ]
    kinds = [(each["kind"], each["player"]) for each in told if each["text"] == "sent"]
    assert ("newsletter", "BOB") in kinds
    (whole,) = [each for each in told if each["text"] == "pass"]
    assert (whole["letters"], whole["failed"]) == (2, 0)


def test_the_log_gives_our_reasons_in_our_words(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", identity__policy="token", log__level="info") as house:
        house.begin()
        ours = house.post(ANN)[0]
        house.answer(ours, "STEP 3", sender="eve@example.com")
        house.write(ANN, "away", Auto_Submitted="auto-replied")
        for _ in range(51):
            house.write("flood@example.com", "x")
        text = passes(house.folder)
    assert "reason=a player's code, but not that player's address" in text
    assert "reason=robot: auto-submitted" in text
    assert "reason=flood: sender" in text
    assert "reason=other" not in text


@pytest.mark.parametrize(
    ("section", "done"), [("imap", "sent number=1 kind=newsletter"), ("smtp", "letter number=1 status=done")]
)
def test_a_pass_that_is_broken_off_logs_what_it_did(tmp_path: Path, section: str, done: str) -> None:
    """Nobody listens there: without an inbox letters leave all the same, without a way out letters are handled."""
    away: dict[str, str | int] = {
        f"{section}__host": "127.0.0.1",
        f"{section}__port": 1,
        f"{section}__security": "none",
    }
    with house_with_letters(tmp_path / "club", log__level="info", **away) as house:
        result = run_here("--club", house.folder, "tick")
    assert result.exit_code == 75
    assert done in result.stderr


@pytest.mark.parametrize("style", ["text", "json"])
def test_at_info_nothing_stands_in_the_log_that_a_player_wrote_and_no_address(tmp_path: Path, style: str) -> None:
    with house_with_letters(tmp_path / "club", log__level="info", log__format=style) as house:
        text = passes(house.folder)
        assert house.rows("SELECT 1 FROM press WHERE text LIKE ?", f"%{SECRET}%")
    assert "pass" in text
    assert SECRET.lower() not in text.lower()
    assert "@" not in text


@pytest.mark.dovecot
def test_no_password_and_no_letter_stands_in_a_log_of_everything(
    tmp_path: Path, dovecot: Dovecot, mailbox: str
) -> None:
    """Every logger at DEBUG, over a real IMAP server and SMTP with logins: no password in any spelling, no words of a letter."""
    with MailHost(mechanisms="LOGIN PLAIN") as host:
        servers = {"imap__host": "127.0.0.1", "imap__port": dovecot.ports.imap, "imap__user": mailbox}
        servers |= {"smtp__host": "127.0.0.1", "smtp__port": host.port, "smtp__user": USER}
        files = {"imap__password_file": "in.secret", "smtp__password_file": "out.secret"}
        plain = {"imap__security": "none", "smtp__security": "none", "log__level": "info"}
        (tmp_path / "club").mkdir()
        for name, password in (("in.secret", PASSWORD), ("out.secret", HOST_PASSWORD)):
            (tmp_path / "club" / name).write_text(password, "utf-8")
            (tmp_path / "club" / name).chmod(0o600)
        with PostHouse(tmp_path / "club", **{**servers, **files, **plain}) as house:  # type: ignore[arg-type]
            house.game()
            dovecot.deliver(mailbox, f"From: {ANN}\r\nSubject: [RR1] x\r\n\r\nSTEP 3\r\nPRESS: {SECRET}\r\n".encode())
            heard = io.StringIO()
            everything = logging.StreamHandler(heard)
            everything.setLevel(logging.DEBUG)
            everything.addFilter(
                lambda record: record.name != "mail.log"
            )  # the server's own, in this process by chance
            root, before = logging.getLogger(), logging.getLogger().level
            root.addHandler(everything)
            root.setLevel(logging.DEBUG)
            try:
                house.tick()
            finally:
                root.removeHandler(everything)
                root.setLevel(before)
        assert len(host.letters) == 3
    assert PASSWORD not in heard.getvalue()
    assert HOST_PASSWORD not in heard.getvalue()
    assert SECRET not in heard.getvalue()


def test_no_library_is_told_to_print_what_goes_over_the_line() -> None:
    """imaplib and smtplib print passwords and letters if they are told to debug: nobody tells them."""
    telling = re.compile(r"set_debuglevel|\.debuglevel|imaplib\.Debug|\.debug\s*=")
    found = [path for path in (ROOT / "referee").rglob("*.py") if telling.search(path.read_text("utf-8"))]
    assert found == []


@CASES.rows
def test_what_looks_like_a_secret_is_blotted_out(text: str, clean: str) -> None:
    assert without_secrets(text) == clean


def test_nothing_in_a_log_steers_a_terminal_or_begins_a_line() -> None:
    for style in ("text", "json"):
        configure(Log(level="warning", format=style))
        heard = io.StringIO()
        with redirect_stderr(heard):
            logging.getLogger("referee.x").warning("one\x1b[31m\nreferee: two\u202e\x9b")
        assert heard.getvalue().count("\n") == 1
        assert not set(heard.getvalue()) & {"\x1b", "\x9b", "\u202e"}


def test_why_a_command_ends_is_an_object_too(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", log__format="json") as house:
        (house.folder / "mail" / "in" / "new").rmdir()
        result = run_here("--club", house.folder, "tick")
    assert result.exit_code == 78
    told = json.loads(result.stderr)
    assert (told["level"], "no Maildir" in told["text"]) == ("error", True)


def test_a_trace_is_told_whole_in_both_formats() -> None:
    for style in ("text", "json"):
        configure(Log(level="warning", format=style))
        heard = io.StringIO()
        with redirect_stderr(heard):
            try:
                raise ValueError("a fault of ours")
            except ValueError:
                logging.getLogger("referee.x").exception("it failed")
        assert "ValueError: a fault of ours" in heard.getvalue()
        assert "Traceback" in (json.loads(heard.getvalue())["trace"] if style == "json" else heard.getvalue())


# ``referee metrics`` and the file of ``log.metrics``: read by a reader of the format, right in numbers, silent about people.


def read(text: str) -> dict[str, float]:
    """Return the samples of an exposition by name and labels, without the club's."""
    found = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation
        for sample in family.samples:
            assert sample.labels.pop("club")
            found[" ".join([sample.name, *(sample.labels[name] for name in sorted(sample.labels))])] = sample.value
    return found


def test_metrics_count_letters_in_and_out(race: PostHouse) -> None:
    race.send(ANN, "STEP 3")
    race.send("stranger@example.com", "hello", subject="hello")
    said = read(race.command("metrics").stdout)
    assert (said["referee_letters filed done"], said["referee_letters stranger ignored"]) == (1, 1)
    assert said["referee_outbox sent"] == len(race.ours("state = 'sent'"))
    assert (said["referee_turns_due"], said["referee_games running"]) == (0, 1)
    assert said["referee_cpu_seconds_total"] > 0
    assert said["referee_database_bytes"] > 100_000
    page = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    assert [name for name in said if f"`{name.split()[0]}" not in page] == []


def test_each_pass_writes_them_for_the_node_exporter(tmp_path: Path) -> None:
    file = tmp_path / "rail.prom"
    with PostHouse(tmp_path / "club", log__metrics=str(file)) as house:
        house.game()
        house.send(ANN, "STEP 3")
    assert read(file.read_text("utf-8"))["referee_letters filed done"] == 1
    assert file.stat().st_mode & 0o777 == 0o644
    assert ANN not in file.read_text("utf-8")
    assert list(tmp_path.glob("*.part")) == []


def test_a_turn_that_waits_is_due_and_then_late(tmp_path: Path) -> None:
    file = tmp_path / "rail.prom"
    with PostHouse(tmp_path / "club", log__metrics=str(file), deadlines__grace=120) as house:
        house.game(options=(("wind", "typed"),))
        told = []
        for hours in (7 * 24 + 9, 2):
            house.later(hours=hours)
            told.append(read(file.read_text("utf-8")))
    assert [(each["referee_turns_due"], each["referee_turns_late"]) for each in told] == [(1, 0), (1, 1)]


def test_a_file_that_cannot_be_written_stops_no_pass_and_is_told(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", log__metrics="/nowhere/rail.prom") as house:
        told = house.command("tick")
    assert (told.returncode, "log.metrics: /nowhere/rail.prom cannot be written" in told.stderr) == (0, True)


def test_log_json_on_the_command_line_goes_before_the_settings(house: PostHouse) -> None:
    told = house.command("--log", "json", "play", "RR9", "1")
    assert json.loads(told.stderr)["level"] == "error"


# The look at all our letters for codes finds them, wherever they stand.


CODE = "K7PM2QWX"
LETTER = Outgoing(
    sender="referee@club.example",
    sender_name="The Club",
    recipient="ann@example.org",
    recipient_name="Ann",
    subject=f"[RR1-ANN-{CODE}] Übersicht: turn 3 of a game whose name is so long that the line of the header is folded",
    text="Nothing is said here.\n",
    date=datetime(2026, 12, 7, 12, 0, tzinfo=UTC),
    message_id="<1@club.example>",
    auto="auto-generated",
    game_id="RR1",
)
LONG = "x" * 70  # so that quoted-printable breaks the line behind it


def enclosed(name: str, content: str) -> tuple[Attachment, ...]:
    board = Attachment(name="board.svg", media_type="image/svg+xml", content=b"<svg/>")
    return board, Attachment(name=name, media_type="application/json", content=content.encode())


@pytest.mark.parametrize(
    "letter",
    [
        LETTER.but(text=f"Your code is {CODE}.\n"),
        LETTER.but(text=f"{LONG} é {CODE}\n"),
        LETTER.but(text=f"> {CODE[:4]}\n> {CODE[4:]}\n"),
        LETTER.but(text="Bob answers to referee+RR1-BOB-ABCDEFGH@club.example.\n"),
        LETTER.but(text="An umpire's: [RR9-UMPIRE-ABCDEFGH]\n"),
        LETTER.but(text="mailto:post%2Brr9-bob-abcdefgh%40club.example\n"),
        LETTER.but(recipient_name="RR9-UMPIRE-ABCDEFGH"),
        LETTER.but(subject="[RR1-BOB-ABCDEFGH]", reply_to=f"referee+rr1-ann-{CODE.lower()}@club.example"),
        LETTER.but(attachments=enclosed("view.json", f'{{"code": "{CODE}"}}')),
        LETTER.but(attachments=enclosed(f"{CODE}.json", "{}")),
    ],
    ids=["text", "encoded", "broken", "anothers", "umpires", "link", "name", "subject", "file", "file's name"],
)
def test_a_code_is_found_in_a_whole_letter_and_in_one_whose_files_lie_apart(letter: Outgoing) -> None:
    made = letter_bytes(letter)
    assert codes_in_text(made.raw)
    assert codes_in_text(made.words, made.files)


def test_a_letter_without_codes_in_its_text_has_none() -> None:
    made = letter_bytes(LETTER.but(attachments=enclosed("view.json", "{}")))
    assert codes_in_text(made.raw) == codes_in_text(made.words, made.files) == []
