"""What will be asked about the next letter is guessed while one is answered; a wrong guess, or none, changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from referee.reader import wire
from referee.reader.frames import AHEAD, LETTER, QUERY
from referee.reader.limitedprocess import LimitedProcess
from referee.reader.values import Likely, Meant, NamedGames, Quoted
from referee.service import foresight
from tests.posthouse import ANN, BOB, PostHouse

TEXT = "STEP {}\nPRESS: hello\n\nOn Monday you wrote:\n> RR1: the first turn\n> and more\n"


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the reader is asked, in order: b"" for a letter, guesses and questions."""
    found: list[Any] = []
    ask, begin = LimitedProcess.ask, LimitedProcess.begin

    def asking(process: LimitedProcess, request: bytes, *things: Any) -> bytes:
        found.append(wire.loads(request[1:]) if request[:1] == QUERY else b"")
        return ask(process, request, *things)

    def beginning(process: LimitedProcess, request: bytes, asked: bytes = b"", *things: Any) -> None:
        assert request[:1] == LETTER
        if asked:
            assert asked[:1] == AHEAD
            found.append(wire.loads(asked[1:].partition(b"\n")[0]))
        begin(process, request, asked, *things)

    monkeypatch.setattr(LimitedProcess, "ask", asking)
    monkeypatch.setattr(LimitedProcess, "begin", beginning)
    return found


def hits(said: list[Any]) -> list[bool]:
    """Return of each letter with a guess whether all that was asked about it is what was guessed."""
    found: list[bool] = []
    guess = None
    for each in said:
        match each:
            case Likely():
                guess = each
            case bytes():
                now, guess = guess, None
                found += [True] if now else []
            case Quoted() if now:
                found[-1] &= (each.ours, each.broken, each.game) == (now.ours, now.broken, now.game)
            case NamedGames() if now:
                found[-1] &= each.games == (now.game,)
            case Meant() if now:
                found[-1] &= (each.player, each.file, each.game) == (now.player, now.file, now.game)
    return found


def statuses(house: PostHouse) -> list[str]:
    return [row["status"] for row in house.rows("SELECT status FROM letters ORDER BY id")]


def test_the_next_letter_is_foreseen_whoever_wrote_it(house: PostHouse, said: list[Any]) -> None:
    house.game()
    house.tick()
    for number in range(6):
        house.write((ANN, BOB)[number % 2], TEXT.format(number % 3 + 1))
    house.tick()
    assert statuses(house) == ["done"] * 6
    assert hits(said) == [True] * 5


def test_of_who_writes_twice_the_second_letter_is_read_as_it_must_be(house: PostHouse, said: list[Any]) -> None:
    """The first changed what is on file, and was answered: the guess was wrong."""
    house.game()
    house.tick()
    for step in (1, 2, 3):
        house.write(ANN, TEXT.format(step))
    house.tick()
    assert hits(said) == [False, False]
    assert [row["text"] for row in house.rows("SELECT text FROM order_sets ORDER BY id")] == [
        "STEP 1",
        "STEP 2",
        "STEP 3",
    ]


def test_of_strangers_and_of_who_plays_in_two_games_nothing_is_guessed(house: PostHouse, said: list[Any]) -> None:
    house.game()
    house.game()
    house.tick()
    for sender in (ANN, BOB, "eve@example.org"):
        house.write(sender, "STEP 1")
    house.tick()
    assert not any(isinstance(each, Likely) for each in said)


def test_a_guess_that_fails_is_no_fault_of_the_letter_before_it(
    house: PostHouse, said: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise ValueError("something about the next one is damaged")

    monkeypatch.setattr(foresight, "_guess", failing)
    house.game()
    house.tick()
    for sender in (ANN, BOB):
        house.write(sender, TEXT.format(1))
    house.tick()
    assert statuses(house) == ["done"] * 2
    assert hits(said) == []
