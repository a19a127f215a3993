"""Everything that can become of a letter is in the table of the docs, and comes of one here; judging it writes nothing."""

import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.core import LetterUnreadable
from referee.mail.maildir import MaildirSource
from referee.service import receive, stations
from referee.service.commands.joining import ASKED_A_DAY
from referee.service.letters import limits
from referee.service.post.collect import collect
from referee.service.post.observers import watch_code
from referee.service.receive import handle_waiting
from referee.service.turns.opengames import signup_list
from referee.store import Fate
from tests.doomedreader import DEADLY, kill_reader
from tests.mail.hostile import HOSTILE
from tests.posthouse import ANN, BOB, READER, REFEREE, ROOT, UMPIRE, Clubs, PostHouse

EVE = "eve@example.com"
ASKED = {ANN: "Did you ask for another address?", "new@example.org": "Shall letters to ANN go to you?"}
UNKNOWN_CHARSET = (
    f"From: {ANN}\r\nContent-Type: text/html; charset=x-klingon\r\n\r\n<!-- ".encode() + b"\xff\xfe -->\r\n"
)
PAGE = (ROOT / "docs" / "letters.md").read_text("utf-8")
SECTION = "## What becomes of a letter"
ROW = re.compile(r"^\| `(?P<status>\w+)` \| (?P<reasons>[^|]+) \|", re.MULTILINE)

Letters = Callable[[PostHouse], object]


def words(text: str, sender: str = ANN, **more: str) -> Letters:
    return lambda house: house.write(sender, text, **more)


def hostile(reason: str) -> Letters:
    """Drop the first of the letters that were made to hurt of which that becomes."""
    raw = next(each.raw for each in HOSTILE.values() if each.reason == reason)
    return lambda house: house.drop(raw)


def answered(*texts: str) -> Letters:
    """Answer the opening, one letter after the other."""

    def write_all(house: PostHouse) -> None:
        opening = house.post(ANN)[0]
        for text in texts:
            house.reply(opening, text)

    return write_all


def addresses(*sides: str) -> Letters:
    """Ask for a new address, and confirm it from these sides."""

    def confirm(house: PostHouse) -> None:
        answered("ADDRESS new@example.org")(house)
        for side in sides:
            house.reply(house.post(side, ASKED[side])[0], "CONFIRM")

    return confirm


def over(house: PostHouse) -> None:
    house.club.execute("UPDATE games SET status = 'finished'")
    house.club.conn.commit()
    house.write(ANN, "STEP 1")


def late(house: PostHouse) -> None:
    house.wait(days=8)
    house.write(ANN, "STEP 1")


def accepted(house: PostHouse) -> None:
    late(house)
    collect(house.club)
    handle_waiting(house.club)
    number = house.value("SELECT max(id) FROM letters")
    house.act(f"ACCEPT {number}")


def discarded(house: PostHouse) -> None:
    house.send(ANN, "STEP 1")
    number = house.value("SELECT max(id) FROM letters")
    house.act(f"DISCARD {number}")


def two_games(house: PostHouse) -> None:
    house.game()
    house.write(ANN, "STEP 1", subject="my orders")


def held_confirmed(times: int, *, later: bool = False) -> Letters:
    """Write without a code, and confirm that so often, or only after its turn."""

    def confirm(house: PostHouse) -> None:
        house.send(ANN, "STEP 3")
        question = house.post(ANN, "Is this letter yours?")[0]
        if later:
            house.later(days=8)
        for _ in range(times):
            house.reply(question, "CONFIRM")

    return confirm


def shut_out(house: PostHouse) -> None:
    for number in range(house.club.config.identity.wrong_codes + 1):
        code = f"ABCDEFG{'ABCDEFGHJKLMNPQ'[number]}"
        house.write(ANN, "STEP 1", subject=f"[RR1-ANN-{code}]")
    house.tick()


def copied(house: PostHouse) -> None:
    for way in ("a", "b"):
        house.write(ANN, "STEP 1", Message_ID="<the-same@example.org>", X_Way=way)


def flooding(house: PostHouse) -> None:
    for number in range(limits.FROM_SENDER + 1):
        house.write(EVE, f"letter {number}")


def watches(house: PostHouse) -> None:
    house.write(EVE, f"WATCH {watch_code(house.club, 'RR1')}")


def states(house: PostHouse) -> None:
    house.club.execute("UPDATE games SET status = 'finished', statements_due = '2099-01-01T20:00:00.000000Z'")
    house.club.conn.commit()
    house.write(ANN, "PRESS: Well played.")


def signs_up(house: PostHouse) -> None:
    row = house.open()
    house.write(EVE, signup_list(house.club, row.id).word)


def signs_up_late(house: PostHouse) -> None:
    word = signup_list(house.club, house.open().id).word
    for number in range(ASKED_A_DAY + 1):
        house.write(f"x{number}@example.com", word)


def unreadable(house: PostHouse) -> None:
    def read(source: MaildirSource, key: str, most: int) -> bytes:
        raise LetterUnreadable(f"{key} cannot be read")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MaildirSource, "read", read)
        house.write(ANN, "STEP 1")
        for _ in range(3):
            house.tick()


def unhandled(house: PostHouse) -> None:
    house.write(ANN, "STEP 1 deadly")
    for _ in range(receive.ATTEMPTS):
        house.tick()


def for_a_turn_that_was_played(house: PostHouse) -> None:
    for player in (ANN, BOB):
        house.write(player, "STEP 1")
    assert len(house.tick().turns) == 1
    house.write(ANN, "ORDERS RR1 1\nSTEP 2\nEND")


LETTERS: dict[Fate, Letters] = {
    Fate.FILED: answered("STEP 3"),
    Fate.KEPT: answered("ORDERS RR1 3\nSTEP 3\nEND"),
    Fate.OTHER_TURN: for_a_turn_that_was_played,
    Fate.NOTHING_NEW: answered("STEP 3", "STEP 3"),
    Fate.ONLY_ASKS: answered("STATUS"),
    Fate.OBSERVER: watches,
    Fate.SIGNUP: signs_up,
    Fate.STATEMENT: states,
    Fate.ADDRESS_HALF: addresses(ANN),
    Fate.ADDRESS: addresses(ANN, "new@example.org"),
    Fate.ACCEPTED: accepted,
    Fate.COMMAND: words("LOG RR1", UMPIRE),
    Fate.COMMAND_REFUSED: words("LOG RR9", UMPIRE),
    Fate.OVER: over,
    Fate.WHICH_GAME: two_games,
    Fate.UNKNOWN_GAME: words("STEP 1", subject="[RR9]"),
    Fate.LATE: late,
    Fate.EMPTY: words(""),
    Fate.TWO_VERSIONS: hostile("two-versions"),
    Fate.ENCRYPTED: hostile("encrypted"),
    Fate.WINMAIL: hostile("winmail"),
    Fate.BAD_CHARSET: lambda house: house.drop(UNKNOWN_CHARSET),
    Fate.UNREADABLE: hostile("unreadable"),
    Fate.HELD_OLD: held_confirmed(1, later=True),
    Fate.RELEASED: held_confirmed(2),
    Fate.HELD: words("STEP 1"),
    Fate.DISCARDED: discarded,
    Fate.UNPROVED: words("Hello!"),
    Fate.SHUT_OUT: shut_out,
    Fate.COPY: copied,
    Fate.ROBOT: words("STEP 1", Auto_Submitted="auto-replied"),
    Fate.NO_SENDER: hostile("no sender"),
    Fate.OWN_ADDRESS: words("STEP 1", REFEREE),
    Fate.STRANGER: words("STEP 1", EVE),
    Fate.FLOOD: flooding,
    Fate.SIGNUP_WAITS: signs_up_late,
    Fate.TOO_LARGE: hostile("too-large"),
    Fate.TOO_COSTLY: words("STEP 1 deadly"),
    Fate.UNHANDLED: unhandled,
    Fate.UNFETCHED: unreadable,
}
CODED = {  # fates that are there only where letters carry codes
    *(
        Fate.ADDRESS_HALF,
        Fate.ADDRESS,
        Fate.HELD_OLD,
        Fate.RELEASED,
        Fate.HELD,
        Fate.DISCARDED,
        Fate.UNPROVED,
        Fate.SHUT_OUT,
    )
}
KILLED_BY = {Fate.TOO_COSTLY: signal.SIGXCPU, Fate.UNHANDLED: signal.SIGSEGV}


@pytest.fixture
def readonly(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let judging fail if it writes and no transaction could take it back; the list has whatever was judged."""
    seen: list[str] = []

    def guarded(judge: Callable[..., Any]) -> Callable[..., Any]:
        def judged(club: Any, *values: Any) -> Any:
            if not club.db.conn.in_transaction:
                club.db.conn.execute("PRAGMA query_only = ON")
            try:
                return judge(club, *values)
            finally:
                club.db.conn.execute("PRAGMA query_only = OFF")
                seen.append(judge.__name__)

        return judged

    for name in ("pass_on", "judge", "give_up"):
        monkeypatch.setattr(receive, name, guarded(getattr(receive, name)))
    return seen


@pytest.fixture
def deadly(monkeypatch: pytest.MonkeyPatch, fate: Fate) -> Iterator[None]:
    """Kill the process that reads letters, as this fate wants it, when it is to read one with the word in it."""
    if fate not in KILLED_BY:
        yield
        return
    kill_reader(monkeypatch, lambda content: KILLED_BY[fate] if DEADLY in content else None)
    yield
    READER.close()


def test_there_is_a_letter_for_each() -> None:
    assert list(LETTERS) == list(Fate)


@pytest.mark.parametrize("fate", Fate, ids=lambda fate: fate.name)
def test_it_comes_of_a_letter_and_nothing_is_written_that_could_not_be_taken_back(
    tmp_path: Path, fate: Fate, readonly: list[str], deadly: None
) -> None:
    policy = "token" if fate in CODED else "address"
    with PostHouse(tmp_path / "club", identity__policy=policy) as house:
        house.begin()
        LETTERS[fate](house)
        house.tick()
        row = house.rows("SELECT * FROM letters ORDER BY id")[-1]
    assert row["status"] == fate.status
    own_words = fate not in (Fate.HELD, Fate.UNPROVED)  # the reason of these says what was lacking
    assert not own_words or row["reason"].partition(":")[0] == fate
    assert ("pass_on" in readonly) == (fate is not Fate.UNFETCHED)


def test_a_letter_with_nothing_but_salt_is_filed_as_often_as_it_comes(club: Clubs) -> None:
    house = club()
    house.game()
    for _ in range(2):
        words("SALT pepper")(house)
        house.tick()
    assert {row["reason"] for row in house.rows("SELECT reason FROM letters")} == {Fate.FILED.value}


def test_the_page_has_each_with_its_status_and_nothing_else() -> None:
    section = PAGE.partition(SECTION)[2].partition("\n## ")[0]
    told = [
        (match["status"], reason)
        for match in ROW.finditer(section)
        for reason in re.findall(r"`([^`]*)`", match["reasons"])
    ]
    nothing = [
        (match["status"], "") for match in ROW.finditer(section) if "nothing" in match["reasons"].partition("`")[0]
    ]
    assert sorted(told + nothing) == sorted((fate.status, str(fate)) for fate in Fate)


def test_the_page_tells_the_stations_in_their_order() -> None:
    section = PAGE.partition(SECTION)[2].partition("\n## ")[0]
    listed = [station.__name__ for station in (*stations.BEFORE, *stations.INSIDE)]
    assert re.findall(r"^\d+\. `(\w+)`", section, re.MULTILINE) == listed
    assert all(station.__doc__ for station in (*stations.BEFORE, *stations.INSIDE))
