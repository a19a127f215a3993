"""What is answered before it is asked is the same answer, and a wrong guess changes nothing."""

from __future__ import annotations

import os
import signal
import tomllib
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, Any

import pytest

from referee.core.errors import LetterTooCostly
from referee.mail.letter.message import codeless, read_letter
from referee.reader import frames, limitedprocess, wire
from referee.reader.hearing import may_quote
from referee.reader.limitedprocess import Limits
from referee.reader.reader import Reader
from referee.reader.values import Filed, Guess
from referee.reader.worker import Worker
from referee.service.club.positions import Position

LETTERS = sorted((Path(__file__).parents[2] / "orders/letters").glob("*.eml"))
OURS = (b"Subject: x\n\nRR1: a heading of ours\nanother line of ours\nand a third one of ours\nPASS\n",)
GOOD = b"From: Ann <ann@example.org>\n\nPASS\n"


def guess_of(position: Position, seat: int = 0) -> Guess:
    file = Filed(text="", complaints=())
    return Guess(game=position.in_play, player=position.players[seat].code, ours=OURS, broken=False, file=file)


def asked(reader: Reader, raw: bytes, guess: Guess, following: bytes = b"", next_one: Guess | None = None) -> Any:
    """Ask what is asked about a letter that is as the guess says; return all answers."""
    came = letter = reader.read(raw, following, lambda: next_one)
    letter = codeless(letter)
    if may_quote(letter):
        letter = reader.quoted(letter, guess.ours, guess.game, broken=guess.broken)
    named = reader.games_named(letter, [guess.game])
    return came, letter, named, reader.meant(letter, guess.player, guess.game, guess.file)


@pytest.mark.parametrize("right", [True, False])
def test_what_was_foreseen_is_what_would_have_been_said(
    positions: Mapping[str, Position], reader: Reader, right: bool
) -> None:
    """Whether the guesses are right, or of another game and player."""
    kinds = [
        tomllib.loads(file.with_suffix(".toml").read_text("utf-8")).get("language", "dampfross") for file in LETTERS
    ]
    guesses = [guess_of(positions[kind]) for kind in kinds]
    raws = [file.read_bytes() for file in LETTERS]
    plain = [asked(reader, raw, guess) for raw, guess in zip(raws, guesses, strict=True)]
    others = {"dampfross": "volldampf", "volldampf": "dampfross"}
    told = guesses if right else [guess_of(positions[others[kind]], 1) for kind in kinds]
    rows = zip(raws, guesses, (*raws[1:], b""), (*told[1:], None), strict=True)
    assert [asked(reader, *row) for row in rows] == plain


class Free:
    """An account without a limit."""

    def begin(self) -> None:
        pass

    def paused(self) -> AbstractContextManager[None]:
        return nullcontext()


def test_a_right_guess_leaves_nothing_to_be_done(
    positions: Mapping[str, Position], reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All questions have their answers when they come; with the next letter these are forgotten."""
    guess, raw = guess_of(positions["dampfross"]), GOOD + b"RR1: a heading of ours\n> and a third one of ours\n"
    said: list[bytes] = []
    send = frames.send

    def noted(pipe: IO[bytes], content: bytes) -> None:
        said.append(content)
        send(pipe, content)

    monkeypatch.setattr(frames, "send", noted)
    asked(reader, GOOD, guess, raw, guess)
    asked(reader, raw, guess)
    worker = Worker(Free())  # type: ignore[arg-type]
    ahead = next(at for at, content in enumerate(said) if content[:1] == frames.AHEAD)
    for content in said[: ahead + 1]:
        worker.answer(content)
    monkeypatch.setattr(worker, "_asked", None)
    questions = [content for content in said[ahead + 1 :] if content[:1] == frames.QUERY]
    assert len(questions) == 3
    assert all(b"trace" not in (worker.answer(each) or b"") for each in questions)
    assert [type(wire.loads(each[1:])).__name__ for each in questions] == ["Quoted", "NamedGames", "Meant"]
    worker.answer(frames.LETTER + GOOD)
    assert b"Traceback" in (worker.answer(questions[0]) or b"")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGXCPU])
def test_a_process_that_dies_of_a_guess_is_replaced_and_the_letter_is_read_without_it(
    positions: Mapping[str, Position], reader: Reader, number: int
) -> None:
    guess = guess_of(positions["dampfross"])
    asked(reader, GOOD, guess, GOOD + b"1a) none\n", guess)
    running = reader._process._process
    assert running is not None
    os.kill(running.pid, number)
    assert reader.read(GOOD + b"1a) none\n") == read_letter(GOOD + b"1a) none\n")
    assert reader.meant(reader.read(GOOD), guess.player, guess.game)[1].passes


@pytest.mark.testlong
def test_a_letter_foreseen_that_takes_too_long_is_blamed_itself(positions: Mapping[str, Position]) -> None:
    long = GOOD + b"\xc3\xa9" * 30_000_000
    hasty = Reader(Limits(seconds=0))
    guess = guess_of(positions["dampfross"])
    hasty.read(GOOD, long, lambda: guess)
    hasty._begin_following()
    with pytest.raises(LetterTooCostly, match="seconds"):
        hasty.read(long)
    assert hasty.read(GOOD).text == "PASS\n"
    hasty.close()


def test_another_letter_than_the_one_foreseen_is_answered_for_itself(
    positions: Mapping[str, Position], reader: Reader
) -> None:
    guess = guess_of(positions["dampfross"])
    asked(reader, GOOD, guess, GOOD + b"1a) none\n", guess)
    other = asked(reader, GOOD + b"NOTE: hello\n", guess)
    assert other == asked(reader, GOOD + b"NOTE: hello\n", guess)
    assert other[3][1].reading.note == "hello"


def test_a_game_of_the_guess_that_cannot_be_read_leaves_the_letter_readable(
    positions: Mapping[str, Position], reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    guess = guess_of(positions["dampfross"])
    asked(reader, GOOD, guess)
    tell = limitedprocess.LimitedProcess._tell

    def nothing(process: limitedprocess.LimitedProcess, pipe: Any, key: str, thing: Any) -> None:
        """Do not tell the process what it is asked about."""

    monkeypatch.setattr(limitedprocess.LimitedProcess, "_tell", nothing)
    volldampf = guess_of(positions["volldampf"])
    reader.meant(reader.read(GOOD, GOOD + b"x", lambda: volldampf), guess.player, guess.game)
    assert reader.read(GOOD + b"x") == read_letter(GOOD + b"x")
    monkeypatch.setattr(limitedprocess.LimitedProcess, "_tell", tell)
    assert asked(reader, GOOD, volldampf)[3][1].passes
