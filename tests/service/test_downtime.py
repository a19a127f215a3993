"""Outages, clocks that are set, and an outbox that cannot be emptied: no deadline falls before players had time."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from referee.config import read_config
from referee.core import MailDown, TemporaryTrouble
from referee.service import club, receive
from referee.service.club import Uptime, open_club
from referee.service.tick import Pass, tick
from referee.store import games
from tests.posthouse import ANN, BEGIN, BOB, UMPIRE, Clubs, PostHouse, line_of, text_of
from tests.servers.fakeimap import Mailbox, fake_imap
from tests.servers.mailhost import MailHost
from tests.service.test_post_by_imap import imap_house, letter
from tests.service.test_tick import in_children


class Machine:
    """A house on a machine whose clock can be set, and that can be started anew."""

    def __init__(self, house: PostHouse) -> None:
        self.house = house
        self.up = timedelta()
        self.boot = "first"

    def passes(self, **time: int) -> None:
        """Let time pass, with a tick every ten hours."""
        end = self.house.clock.now + timedelta(**time)
        while self.house.clock.now < end:
            step = min(timedelta(hours=10), end - self.house.clock.now)
            self.sleeps(seconds=int(step.total_seconds()))
            self.tick()

    def sleeps(self, **time: int) -> None:
        self.house.clock.advance(**time)
        self.up += timedelta(**time)

    def sets_clock(self, **by: int) -> None:
        self.house.clock.advance(**by)

    def starts_anew(self) -> None:
        self.boot, self.up = "second", timedelta()

    def tick(self, crash_at: str = "", believed: bool = False) -> Pass:
        def uptime() -> Uptime:
            return Uptime(boot=self.boot, seconds=int(self.up.total_seconds()))

        config = read_config(self.house.folder, {"REFEREE_CRASH_AT": crash_at})
        with open_club(config, self.house.clock, uptime) as club:
            return tick(club, believed=believed)

    def deadline(self, game: str = "RR1") -> str:
        row = games.game(self.house.club, game)
        return f"{row.deadline:%a %d %H:%M}"


@pytest.fixture
def machine(club: Clubs) -> Machine:
    """Monday 7 December, 12:00 UTC; RR1's deadline is on Monday 14, 20:00 UTC."""
    house = club(deadlines__downtime_hold=24)
    house.game()
    made = Machine(house)
    made.tick()
    return made


def test_a_deadline_right_after_an_outage_moves_too(machine: Machine) -> None:
    """Who waited for the acknowledgement has it now, and a day to mend their orders."""
    machine.passes(days=4)
    machine.sleeps(days=3)
    machine.tick()
    assert machine.deadline() == "Tue 15 12:00"
    (told,) = machine.house.post(UMPIRE, "out of order")
    assert "Friday 11 December 2026, 12:00" in text_of(told)
    assert "Monday 14 December 2026, 12:00" in text_of(told)
    assert "RR1, turn 1: Tuesday 15 December 2026, 12:00 UTC\n    It was: Monday 14 December 2026, 20:00" in text_of(
        told
    )
    (told,) = machine.house.post(BOB, "deadline was moved")
    assert "The deadline was: Monday 14 December 2026, 20:00 UTC\nDeadline: Tuesday 15 December 2026" in text_of(told)


def test_a_deadline_far_enough_away_stays(machine: Machine) -> None:
    machine.sleeps(days=3)
    machine.tick()
    assert machine.deadline() == "Mon 14 20:00"
    assert machine.house.post(ANN, "deadline was moved") == []
    (told,) = machine.house.post(UMPIRE, "out of order")
    assert "No deadline had to be moved." in text_of(told)


def test_a_night_of_sleep_is_no_outage(machine: Machine) -> None:
    machine.passes(days=7)
    machine.sleeps(hours=12)
    assert machine.tick().turns == ("RR1/1",)
    assert machine.house.post(UMPIRE) == []


def test_a_clock_set_forward_over_a_deadline_plays_nothing(machine: Machine) -> None:
    """Twelve hours are no outage, but nobody had them."""
    machine.passes(days=7)
    machine.sleeps(minutes=1)
    machine.sets_clock(hours=12)
    machine.house.write(ANN, "STEP 2")
    assert machine.tick().turns == ()
    assert machine.deadline() == "Wed 16 00:01"
    (told,) = machine.house.post(UMPIRE, "The clock of this machine was set")
    assert "RR1, turn 1: Wednesday 16 December 2026, 00:01" in text_of(told)
    assert machine.house.post(ANN, "Orders for turn 1 received")
    machine.passes(hours=23)
    assert len(machine.house.post(BOB, "deadline was moved")) == 1


def test_a_clock_set_forward_elsewhere_moves_nothing(machine: Machine) -> None:
    machine.passes(days=3)
    machine.sets_clock(hours=12)
    machine.tick()
    assert machine.deadline() == "Mon 14 20:00"
    assert len(machine.house.post(UMPIRE, "The clock of this machine was set")) == 1


def test_a_clock_set_back_over_a_deadline_moves_it(machine: Machine) -> None:
    """It had fallen, within grace; letters may have been refused since that are in time now."""
    machine.passes(days=7, hours=8, minutes=5)
    machine.sets_clock(hours=-6)
    machine.tick()
    assert machine.deadline() == "Tue 15 14:05"
    (told,) = machine.house.post(UMPIRE, "The clock of this machine was set")
    shown = re.findall(r"^  \w+ (\d+) December 2026, (\d\d:\d\d)", text_of(told), re.MULTILINE)
    assert [when for _, when in shown[:2]] == ["20:05", "14:05"]


def test_a_clock_that_ran_wrong_before_a_new_start_is_noticed_when_it_goes_back(machine: Machine) -> None:
    machine.passes(days=1)
    machine.starts_anew()
    machine.sets_clock(hours=-6)
    machine.tick()
    assert len(machine.house.post(UMPIRE, "The clock of this machine was set")) == 1


@pytest.mark.parametrize(
    ("days", "anew"), [(3650, False), (2, False), (-2, False), (-3650, False), (3650, True), (-2, True)]
)
def test_a_leap_of_the_clock_that_nothing_explains_does_nothing_but_ask(
    machine: Machine, days: int, anew: bool
) -> None:
    """Once; and when the clock is right again all goes on, and nothing was moved."""
    machine.passes(days=3)
    machine.house.write(ANN, "STEP 2")
    if anew:
        machine.starts_anew()
    machine.sets_clock(days=days)
    before = machine.house.value("SELECT max(id) FROM outbox")
    for _ in range(3):
        with pytest.raises(TemporaryTrouble, match="which nothing explains: nothing is read, played or told") as caught:
            machine.tick()
        assert caught.value.exit_code == 75
    (asked,) = machine.house.ours("id > ?", before)
    assert (asked.recipient, asked.kind, asked.state) == (UMPIRE, "leap", "sent")
    assert "referee tick --clock-is-right" in machine.house.told(UMPIRE)
    assert asked.created < BEGIN + timedelta(days=4)
    machine.sets_clock(days=-days)
    machine.tick()
    assert machine.house.post(ANN, "Orders for turn 1 received")
    assert machine.deadline() == "Mon 14 20:00"
    assert len(machine.house.post(UMPIRE)) == 1
    machine.passes(days=5)
    assert machine.house.value("SELECT turn FROM games") == 2
    assert not machine.house.post(containing="deadline was moved")


def test_a_leap_is_believed_by_the_umpires_word_or_a_letters_date(machine: Machine) -> None:
    """From then on it is an outage as any other."""
    machine.sets_clock(days=400)
    with pytest.raises(TemporaryTrouble):
        machine.tick()
    machine.house.write(ANN, "STEP 2", Date="Mon, 7 Dec 2026 12:00:00 +0000")
    with pytest.raises(TemporaryTrouble):
        machine.tick()
    machine.tick(believed=True)
    assert machine.deadline() == "Wed 12 12:00"
    machine.sets_clock(days=400)
    machine.house.write(ANN, "STEP 2", Date="nonsense")
    machine.house.write(
        BOB, "STEP 2", Date=f"{machine.house.clock.now - timedelta(hours=3):%a, %d %b %Y %H:%M:%S} +0000"
    )
    machine.tick()
    machine.tick()


def test_status_and_doctor_say_that_the_clock_leapt(club: Clubs) -> None:
    house = club(deadlines__downtime_hold=24)
    house.clock.today(days=-4000)
    house.begin()
    assert "clock: this machine says that it is" in house.command("status").stdout
    assert "say `referee tick --clock-is-right`" in house.command("doctor", "--local").stdout
    assert house.command("tick").returncode == 75
    assert house.command("tick", "--clock-is-right").returncode == 0
    assert "clock: this" not in house.command("status").stdout


def test_a_second_more_or_less_is_nothing(machine: Machine) -> None:
    for seconds in (1, -2, 200, -290):
        machine.sets_clock(seconds=seconds)
        machine.tick()
    assert machine.house.post(UMPIRE) == []


def test_after_a_new_start_the_time_before_is_an_outage_if_it_was_long(machine: Machine) -> None:
    machine.passes(days=7)
    machine.starts_anew()
    machine.sets_clock(hours=30)
    assert machine.tick().turns == ()
    assert machine.deadline() == "Wed 16 18:00"
    said = line_of(machine.house.post(BOB, "the deadline was moved")[0])
    assert "As soon as everybody's orders are in and in order the turn is played" in said  # perhaps in this very pass


def test_an_inbox_away_for_days_holds_the_deadline_and_is_told_once(tmp_path: Path) -> None:
    mailbox = Mailbox()
    with (
        fake_imap(mailbox) as port,
        imap_house(tmp_path / "club", port, "referee", deadlines__downtime_hold=24) as house,
    ):
        house.clock.now = BEGIN
        house.game()
        machine = Machine(house)
        machine.passes(days=6)
        mailbox.refused.add("SEARCH")
        for _ in range(30):
            machine.sleeps(hours=2)
            with pytest.raises(MailDown):
                machine.tick()
        (told,) = house.post(UMPIRE)
        assert "The inbox cannot be read" in told["Subject"]
        assert "Sunday 13 December 2026, 12:00" in text_of(told)
        mailbox.refused.clear()
        assert machine.tick().turns == ()
        assert machine.deadline() == "Thu 17 00:00"
        assert len(house.post(UMPIRE, "The referee was out of order")) == 1
        assert len(house.post(ANN, "deadline was moved")) == 1


def test_while_no_letter_can_leave_nothing_is_played_and_players_get_time_back(tmp_path: Path) -> None:
    with MailHost() as host, smtp_house(tmp_path, host) as house:
        house.game()
        machine = Machine(house)
        machine.passes(days=6)
        host.stop()
        house.write(ANN, "STEP 1")
        with pytest.raises(MailDown):
            machine.tick()
        for _ in range(5):  # the deadline falls
            with pytest.raises(MailDown):
                machine.tick()
            machine.sleeps(hours=10)
        with pytest.raises(MailDown):
            machine.tick()
        assert house.value("SELECT turn FROM games") == 1
        host.start()
        machine.sleeps(hours=1)
        machine.tick()
        machine.tick()
        assert machine.deadline() == "Wed 16 15:00"
        assert len(post_of(host, UMPIRE, "No letter could leave")) == 1
        assert len(post_of(host, BOB, "the deadline was moved")) == 1


def test_a_mail_server_away_for_an_hour_delays_the_turn_by_that_hour(tmp_path: Path) -> None:
    with MailHost() as host, smtp_house(tmp_path, host) as house:
        house.game()
        machine = Machine(house)
        machine.passes(days=7, hours=8)
        host.stop()
        house.write(ANN, "STEP 1")
        with pytest.raises(MailDown):
            machine.tick()
        house.write(BOB, "STEP 1")  # everybody's orders are in, and the deadline has fallen
        machine.sleeps(hours=1)
        with pytest.raises(MailDown):
            machine.tick()
        assert house.value("SELECT turn FROM games") == 1
        host.start()
        machine.sleeps(hours=1)
        assert machine.tick().turns == ()
        assert machine.tick().turns == ("RR1/1",)


def test_no_turn_is_played_without_a_letter_that_was_in_time_and_could_not_be_fetched(tmp_path: Path) -> None:
    mailbox = Mailbox()
    with fake_imap(mailbox) as port, imap_house(tmp_path / "club", port, "referee") as house:
        house.clock.now = BEGIN
        house.begin()
        mailbox.letters[1] = letter(ANN, "STEP 3")
        mailbox.dates[1] = '"14-Dec-2026 19:00:00 +0000"'
        mailbox.poison.add(1)
        house.wait(days=8)
        for _ in range(2):
            assert house.tick().turns == ()
        mailbox.poison.clear()
        assert house.tick().turns == ("RR1/1",)
        assert "missing: BOB" in house.told(BOB)


def test_no_turn_is_played_without_a_letter_that_was_in_time_and_could_not_be_handled(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of ours is tried three times; what came after the deadline keeps nobody waiting."""
    machine.passes(days=7, hours=7)
    machine.house.write(ANN, "STEP 3")
    machine.sleeps(hours=2)
    with monkeypatch.context() as patched:
        patched.setattr(receive, "handle", _out_of_order)
        for _ in range(2):
            assert machine.tick().turns == ()
    assert machine.tick().turns == ("RR1/1",)
    assert "missing: BOB" in machine.house.told(BOB)


def _out_of_order(*_: object) -> None:
    raise RuntimeError("out of order")


@pytest.mark.parametrize("name", club.GUARD_STEPS)
def test_a_power_cut_while_deadlines_are_moved_moves_each_once_and_tells_all_once(machine: Machine, name: str) -> None:
    machine.house.game()
    machine.passes(days=6)
    machine.sleeps(days=3)
    machine.house.write(ANN, "STEP 1")
    assert in_children(1, lambda: machine.tick(crash_at=name)) == [9], "the process was not killed"
    machine.sleeps(minutes=6)
    assert machine.tick().turns == ()
    for game in ("RR1", "RR2"):
        assert machine.deadline(game) == "Thu 17 12:00"
        assert len(machine.house.post(BOB, f"[{game}] Turn 1: the deadline was moved")) == 1
    (told,) = machine.house.post(UMPIRE)
    assert text_of(told).count("Thursday 17 December 2026, 12:00") == 2
    assert len(machine.house.rows("SELECT * FROM log WHERE what = 'deadline-moved'")) == 2


def smtp_house(folder: Path, host: MailHost) -> PostHouse:
    return PostHouse(folder / "club", **host.smtp, smtp__timeout=5, deadlines__downtime_hold=24)


def post_of(host: MailHost, recipient: str, containing: str) -> list[bytes]:
    return [raw for raw in host.to(recipient) if containing.encode() in raw]
