"""The umpire's letters are pages with buttons: each is a letter with a whole command and a code of its own, checked as any is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import EmailMessage
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from referee.service.post.buttons import BACK
from referee.service.umpire.commands import TABLE
from referee.store import games
from referee.store.games import acts
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, line_of, text_of

LINK = re.compile(r'<a [^>]*href="(mailto:[^"]+)"[^>]*>([^<]+)</a>')


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    """A game whose deadline is two days ahead; a letter in Ann's name is held."""
    settings = {"identity__policy": "token", "mail__digest": "07:00", "identity__plus": True}
    with PostHouse(tmp_path / "club", **settings) as made:  # type: ignore[arg-type]
        made.begin()
        made.send(ANN, "STEP 2")
        made.answer(made.last(BOB), "STEP 1")
        made.later(days=5)
        yield made


def page(message: EmailMessage) -> str:
    part = message.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def buttons(message: EmailMessage) -> dict[str, str]:
    """Return the links of a page by what stands on them."""
    return {unescape(label): unescape(href) for href, label in LINK.findall(page(message))}


def press(house: PostHouse, href: str, sender: str = UMPIRE) -> EmailMessage:
    """Send the letter that a button writes, and return the last one to the umpire."""
    parts = urlsplit(href)
    filled = parse_qs(parts.query)
    house.clock.advance(minutes=1)
    house.send(sender, filled["body"][0].replace("\r\n", "\n"), filled["subject"][0], To=unquote(parts.path))
    return house.last(UMPIRE)


def digest(house: PostHouse) -> EmailMessage:
    return house.last(UMPIRE, "1 game runs")


def test_the_digest_has_a_button_for_each_thing_that_can_be_done(house: PostHouse) -> None:
    found = buttons(digest(house))
    assert [*found] == [
        "It counts: release it",
        "Discard it",
        "Read letter 1",
        "Give three days, until 2026-12-17 20:00",
        "Play now, with what is in",
        "Remind them now",
        "A built-in player for ANN",
    ]
    assert "RR1: nothing yet from ANN" in page(digest(house))
    assert "If you do nothing, the turn is played at its deadline with what is in." in page(digest(house))
    for label, href in found.items():
        assert href.startswith("mailto:"), label
    codes = re.findall(r"RR1-UMPIRE-\w{8}", " ".join(found.values()))
    assert len({*codes}) == 6
    assert acts(house.club.db, "RR1") == ()


@pytest.mark.parametrize(
    ("label", "kind", "said", "back", "after"),
    [
        ("Give three days", "deadline", "turn 1 is due Thursday 17 December", "Back to the old deadline", "deadline"),
        ("It counts", "accept", "the letter of ANN counts", "", ""),
        ("Discard it", "discard", "Letter 1 is discarded", "Take it back: release it", None),
        ("Play now", "play", "turn 1 is played now", "Take the turn back", "undo"),
        ("Remind them", "remind", "reminded now: ANN", "", ""),
    ],
)
def test_a_button_does_its_command_and_the_answer_takes_it_back(
    house: PostHouse, label: str, kind: str, said: str, back: str, after: str | None
) -> None:
    before = games.game(house.club.db, "RR1").deadline
    href = next(href for name, href in buttons(digest(house)).items() if name.startswith(label))
    answer = press(house, href)
    assert said in line_of(answer)
    assert next(act.kind for act in acts(house.club.db, "RR1")) == kind
    if after:
        press(house, buttons(answer)[back])
        assert [act.kind for act in acts(house.club.db, "RR1")][-1] == after
    if after == "deadline":
        assert games.game(house.club.db, "RR1").deadline == before


def test_a_button_pressed_twice_does_one_thing(house: PostHouse) -> None:
    href = buttons(digest(house))["Remind them now"]
    press(house, href)
    answer = press(house, href)
    assert "was used before" in text_of(answer)
    assert [act.kind for act in acts(house.club.db, "RR1")] == ["remind"]


def test_a_button_of_last_month_says_that_its_time_is_over_and_brings_a_fresh_one(house: PostHouse) -> None:
    href = buttons(digest(house))["Discard it"]
    house.later(days=30)
    answer = press(house, href)
    assert "The time of this button or code is over" in line_of(answer)
    assert "discard" not in [act.kind for act in acts(house.club.db, "RR1")]
    press(house, buttons(answer)["Yes, do it"])
    assert "discard" in [act.kind for act in acts(house.club.db, "RR1")]


def test_a_button_does_its_own_command_alone_and_from_his_own_address_alone(house: PostHouse) -> None:
    href = buttons(digest(house))["Remind them now"]
    press(house, href, "eve@example.com")
    press(house, href.replace("REMIND", "HOLD"))
    assert acts(house.club.db, "RR1") == ()


def test_the_words_to_send_stand_in_the_text_and_below_the_buttons(house: PostHouse) -> None:
    for told in (text_of(digest(house)), page(digest(house))):
        for words in ("RELEASE 1", "DEADLINE RR1 2026-12-17 20:00", "PLAY RR1 1"):
            assert words in told
    assert not re.search(r"UMPIRE-\w{8}", text_of(digest(house)))
    assert "<img" not in page(digest(house))


@pytest.mark.parametrize(
    ("language", "words"),
    [("de", ("Verwerfen", "FRIST RR1")), ("fr", ("Écarter", "ÉCHÉANCE RR1")), ("nl", ("Verwerpen", "DEADLINE RR1"))],
)
def test_buttons_speak_the_umpires_language(house: PostHouse, language: str, words: tuple[str, ...]) -> None:
    house.says(UMPIRE, f"LANGUAGE {language}")
    house.reply(house.last(UMPIRE), "CONFIRM")
    house.later(days=1)
    last = next(each for each in reversed(house.post(UMPIRE)) if words[1] in page_or_nothing(each))
    found = buttons(last)
    assert any(words[0] in label for label in found)
    assert any(unquote(href).find(words[1]) > 0 for href in found.values())
    assert press(house, next(href for href in found.values() if words[1] in unquote(href)))
    assert "deadline" in [act.kind for act in acts(house.club.db, "RR1")]


def page_or_nothing(message: EmailMessage) -> str:
    return page(message) if message.get_body(("html",)) is not None else ""


@pytest.mark.parametrize(
    ("text", "label", "command"),
    [
        ("NOTE: May I build there?", "Answer BOB", "WRITE RR1 BOB"),
        ("NOTE: May I build there?", "Tell everybody in the newsletter", "NOTE RR1"),
        ("I wonder whether the bridge in the south is free for all of us, dear umpire.", "Answer BOB", "WRITE RR1 BOB"),
    ],
)
def test_what_a_player_writes_to_him_can_be_answered_by_a_button(
    house: PostHouse, text: str, label: str, command: str
) -> None:
    house.reply(next(each for each in house.post(BOB) if "BOB-" in str(each["Subject"])), text)
    href = buttons(house.last(UMPIRE))[label]
    assert command in unquote(href)


def test_a_mistyped_command_changes_nothing_and_is_answered_with_the_one_that_was_meant(house: PostHouse) -> None:
    assert "REMINDD is no command (did you mean REMIND?)" in house.says(UMPIRE, "REMINDD RR1", "x")
    assert acts(house.club.db, "RR1") == ()


def test_each_act_that_is_taken_back_is_a_command() -> None:
    assert {*BACK} <= {*TABLE}
