"""The code in reply addresses and subjects."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.letter.tokens import Tag, add_code, is_token, reply_address, tags_in, token_of, without_tokens

KEY = bytes(range(32))
OWN = "referee@club.example"
TAG = Tag(game="RR7", player="GSW", token="K7Q2M9XV")  # noqa: S106


@given(st.text(), st.integers(min_value=0))
def test_a_token_has_eight_letters_that_nobody_confuses(word: str, turn: int) -> None:
    assert re.fullmatch(r"[A-HJ-NP-Z2-9]{8}", token_of(KEY, word, turn))


def test_a_token_is_made_of_all_its_words_and_the_key() -> None:
    tokens = [token_of(KEY, "RR7", "GSW", 1), token_of(KEY, "RR7", "GSW", 2), token_of(KEY, "RR7", "GS", "W1")]
    tokens += [token_of(KEY, "RR7", "GSW", 11), token_of(KEY, "RR7", "GSW1", 1), token_of(KEY[1:], "RR7", "GSW", 1)]
    assert len(set(tokens)) == 6


def test_a_token_stays_the_same_from_release_to_release() -> None:
    """Letters are on their way when the program is brought up to date."""
    assert token_of(KEY, "RR7", "GSW", "turn", 3, 0) == "DVX3YDHQ"


def test_capitals_do_not_matter() -> None:
    assert is_token("k7q2m9xv", "K7Q2M9XV")
    assert not is_token("K7Q2M9XW", "K7Q2M9XV")


@pytest.mark.parametrize(
    ("recipients", "subject"),
    [
        (["referee+rr7-gsw-k7q2m9xv@club.example"], ""),
        (["bob@example.net", "Referee+RR7-GSW-K7Q2M9XV@CLUB.example"], "whatever"),
        ([], "Re: AW: [RR7-GSW-K7Q2M9XV] turn 3"),
        ([OWN], "re: [rr7-gsw-k7q2m9xv] turn 3"),
    ],
)
def test_a_tag_is_found_in_address_and_subject(recipients: list[str], subject: str) -> None:
    assert tags_in(recipients, subject, OWN) == (TAG,)


@pytest.mark.parametrize(
    ("recipients", "subject"),
    [
        (["referee+rr7-gsw-k7q2m9xv@other.example"], ""),
        (["eve+rr7-gsw-k7q2m9xv@club.example"], ""),
        (["referee+x+rr7-gsw-k7q2m9xv@club.example"], ""),
        (["referee+rr7-gsw-k7q2m9xv2@club.example"], ""),
        ([OWN], "RR7-GSW-K7Q2M9XV without brackets"),
        ([OWN], "[RR7-GSW-K7Q2M9X0]"),
        ([OWN], "[RR7-GSW-K7Q2M9X]"),
    ],
)
def test_nothing_else_is_a_tag(recipients: list[str], subject: str) -> None:
    assert tags_in(recipients, subject, OWN) == ()


def test_the_address_goes_before_the_subject_and_the_last_of_a_subject_before_the_first() -> None:
    found = tags_in(["referee+rr7-gsw-k7q2m9xv@club.example"], "[RR1-A-AAAAAAAA] [RR1-B-BBBBBBBB]", OWN)
    assert [tag.player for tag in found] == ["GSW", "B", "A"]


def test_a_letter_full_of_tags_costs_no_more_than_twenty() -> None:
    subject = "".join(f"[RR{number}-GSW-K7Q2M9XV]" for number in range(1, 100))
    assert len(tags_in([], subject, OWN)) == 20


def test_an_address_that_would_be_too_long_is_none() -> None:
    assert reply_address(OWN, TAG) == "referee+rr7-gsw-k7q2m9xv@club.example"
    assert reply_address(f"{'r' * 50}@club.example", TAG) == ""


def test_the_code_takes_the_place_of_the_games_name_once() -> None:
    assert add_code("[RR7] Turn 3 of [RR7]", TAG) == "[RR7-GSW-K7Q2M9XV] Turn 3 of [RR7]"
    assert add_code("Turn 3", TAG) == "[RR7-GSW-K7Q2M9XV] Turn 3"


@pytest.mark.parametrize("text", ["[RR7-GSW-K7Q2M9XV]", "referee+rr7-gsw-k7q2m9xv@club.example", "(RR7-GSW-K7q2m9xv)"])
def test_what_others_may_read_has_no_code(text: str) -> None:
    assert "q2m9" not in without_tokens(f"x {text} y").lower()
    assert "rr7" in without_tokens(text).lower()
