"""What letters mean is the same in the reader's process as in ours; what one letter may take there, and is charged for."""

import os
import signal
import tomllib
from pathlib import Path

import pytest

from referee.core import LetterTooCostly, ReaderFailed
from referee.core.game import Forecast
from referee.mail.letter.message import Letter, read_letter
from referee.orderbook.names import LOOK_UPS, VERB_LOOK_UPS, Lexicon
from referee.reader import limitedprocess, wire
from referee.reader.hearing import Hearing
from referee.reader.limitedprocess import Limits
from referee.reader.wire import Filed, Quotes, Reader
from tests.posthouse import ByKind, Clubs, PostHouse, in_play

LETTERS = sorted((Path(__file__).parents[2] / "orders/letters").glob("*.eml"))
OURS = (b"Subject: x\n\nRR1: a heading of ours\nanother line of ours\nand a third one of ours\nPASS\n",)


def there_and_back(value: object) -> object:
    """Lists come back as tuples."""
    return wire.loads(wire.dumps(value))


def test_every_letter_means_the_same_in_whatever_process(positions: ByKind, reader: Reader) -> None:
    for file in LETTERS:
        position = positions[tomllib.loads(file.with_suffix(".toml").read_text("utf-8")).get("language", "dampfross")]
        raw, code, hearing = file.read_bytes(), position.players[0].code, Hearing()
        letter = reader.read(raw)
        assert letter == read_letter(raw)
        quotes = Quotes(ours=OURS, stand=position.in_play.stand.key, broken=True), position.in_play
        told, named, at, here = reader.understand(letter, [(position.in_play, code, None)], quotes)
        marked = hearing.mark_quotations(letter, OURS, in_play(position), broken=True)
        expected, there = hearing.understand(marked, code, in_play(position))
        assert (told, at) == (expected, 0)
        assert (named,) == hearing.games_named(marked, [in_play(position)])
        assert here.orders == there.orders
        told_here, told_there = (each.but(orders=()) for each in (here, there))
        assert there_and_back(told_here) == there_and_back(told_there.but(versions=told_here.versions))
        said = reader.hear(letter, position.in_play.language, subject=True)
        assert said == hearing.hear(letter, position.order_language, subject=True)


def test_a_game_is_told_as_it_stands_wherever_its_position_came_from(reader: Reader, tmp_path: Path) -> None:
    """Orders on file are read again in a position that no turn in the store has, when a turn is undone."""
    with PostHouse(tmp_path / "club") as house:
        house.game()
        position = house.position()
    for place in (0, 5, 7):
        found = position.but(state=position.state.but(places=(("ANN", place), ("BOB", 0))))
        assert reader.understand_typed("STEP 2", "ANN", found.in_play).forecast.told["place"] == place + 2


def test_what_a_letter_keeps_of_the_orders_on_file_is_added_there(positions: ByKind, reader: Reader) -> None:
    position = positions["dampfross"]
    file = Filed(text="1a) (Dublin) - Y17\n1b) (Dublin) - Y17 - X17", complaints=())
    letter = reader.read(b"\n\n1b) (Dublin) - Y16\nkeep the rest\n")
    assert len(reader.understand(letter, [(position.in_play, "GSW", None)])[-1].reading.phrases) == 1
    told, _, _, read = reader.understand(letter, [(position.in_play, "GSW", file)])
    assert [phrase.text for phrase in read.reading.phrases] == ["1a) (Dublin) - Y17", "1b) (Dublin) - Y16"]
    expected = Hearing().understand(letter, "GSW", in_play(position), file)
    assert (told, read.orders, read.complaints) == (expected[0], expected[1].orders, expected[1].complaints)


def test_what_is_no_value_is_not_sent() -> None:
    for value in (1.5, Forecast(lines=(), told={"a": object()}, complaints=())):
        with pytest.raises(TypeError, match="cannot be stored"):
            wire.dumps(value)


def test_a_process_that_was_lost_is_told_all_anew(positions: ByKind, reader: Reader) -> None:
    letter = reader.read(LETTERS[0].read_bytes())
    seats = [(positions["dampfross"].in_play, "GSW", None)]
    before = reader.understand(letter, seats)
    running = reader._process._process
    assert running
    os.kill(running.pid, signal.SIGKILL)
    assert reader.understand(letter, seats) == before


def test_of_many_games_the_process_remembers_the_last(
    positions: ByKind, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limitedprocess, "MOST_THINGS", 3)
    letter = Letter(text="ORDERS RR7\nPASS\nEND")
    reader.read(b"")
    for kind in ("dampfross", "volldampf", "dampfross", "dampfross", "volldampf"):
        code = {"dampfross": "GSW", "volldampf": "ANN"}[kind]
        assert reader.understand(letter, [(positions[kind].in_play, code, None)])[1] == "RR7"
    assert len(reader._process._told) == 3


def slips(lines: int, mark: str = "") -> str:
    return "".join(f"1a) (Dubln{mark}x{line}) - Cokr{mark}x{line}\nBIULD{mark}{line % 9}\n" for line in range(lines))


@pytest.mark.testlong
def test_forty_texts_of_slips_take_no_more_look_ups_than_one(
    positions: ByKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted here: the process does the same."""
    looked_up: list[str] = []
    nearest = Lexicon.nearest

    def counted(lexicon: Lexicon, text: str, *more: object) -> tuple[str, ...]:
        looked_up.append(text)
        return nearest(lexicon, text, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(Lexicon, "nearest", counted)
    pieces = tuple(slips(30, f"{number}") for number in range(40))
    letter, hearing = Letter(text="\n".join(pieces), pieces=pieces), Hearing()
    hearing.games_named(letter, [in_play(positions["dampfross"])])
    hearing.mark_quotations(letter, OURS, in_play(positions["dampfross"]), broken=True)
    hearing.understand(letter, "GSW", in_play(positions["dampfross"]))
    assert len(looked_up) <= LOOK_UPS + VERB_LOOK_UPS


def test_what_a_letter_means_is_charged_to_it_and_to_no_other(positions: ByKind) -> None:
    reader = Reader(Limits(seconds=1))
    pieces = tuple(slips(300, f"{number}") for number in range(40))
    costly = Letter(text="\n".join(pieces), pieces=pieces)
    plain = Letter(text="ORDERS\nPASS\nEND")
    seats = [(positions["dampfross"].in_play, "GSW", None)]
    try:
        reader.read(b"From: ann@example.org\n\nx")
        with pytest.raises(LetterTooCostly, match="more than 1 seconds"):
            reader.understand(costly, seats)
        for _ in range(3):
            reader.read(b"From: ann@example.org\n\nx")
            assert reader.understand(plain, seats)[-1].passes
    finally:
        reader.close()


def test_a_fault_of_ours_is_told_with_its_trace(reader: Reader, club: Clubs) -> None:
    house = club()
    house.game()
    position = house.position()
    reader.read(b"")
    with pytest.raises(ReaderFailed, match=r"(?s)Traceback.*the rules stumbled"):
        reader.understand(Letter(text="STEP 13"), [(position.in_play, "ANN", None)])
    assert reader.understand(Letter(text="STEP 3"), [(position.in_play, "ANN", None)])[-1].is_clean


def test_a_game_that_cannot_be_read_is_a_fault_and_no_other_suffers(positions: ByKind, reader: Reader) -> None:
    game = positions["dampfross"].in_play
    broken = game.but(stand=game.stand.but(state="{}"))
    letter = Letter(text="ORDERS\nPASS\nEND")
    reader.read(b"")
    for _ in range(2):
        with pytest.raises(ReaderFailed, match="ValueError"):
            reader.understand(letter, [(broken, "GSW", None)])
        assert reader.understand(letter, [(game, "GSW", None)])[-1].passes
