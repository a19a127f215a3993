"""What one order book does for games that speak differently: names of things, the other game's orders, wrapped lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from referee.core.orders import Term
from referee.orderbook import Reading
from referee.orderbook.language.names import Lexicon

Reads = Mapping[str, Callable[[str], Reading]]


@pytest.mark.parametrize(
    ("game", "line", "other"),
    [
        ("dampfross", "MOVE 1: violet FROM Magdeburg TO Erfurt", "Volldampf"),
        ("dampfross", "BONDS 3", "Volldampf"),
        ("dampfross", "LIMIT 7", "Volldampf"),
        ("dampfross", "RANK green+pink, any purple", "Volldampf"),
        ("dampfross", "SABOTAGE Ann 2: red FROM Prag", "Volldampf"),
        ("volldampf", "RUN 7: 12 - X17 - 44", "Dampfross"),
        ("volldampf", "R 7: 12 - X17 - 44", "Dampfross"),
        ("volldampf", "1a) (Dublin) - Y17", "Dampfross"),
        ("volldampf", "HOME Dublin OR Belfast", "Dampfross"),
        ("volldampf", "JOINT 7 WITH GSW", "Dampfross"),
    ],
)
@pytest.mark.parametrize("frame", ["{}", "ORDERS\n{}\nEND"], ids=["loose", "marked"])
def test_an_order_of_the_other_game_is_told_as_such(frame: str, game: str, line: str, other: str, reads: Reads) -> None:
    reading = reads[game](frame.format(line))
    assert reading.phrases == ()
    assert [(found.code, found.params) for found in reading.complaints] == [("invalid-other-game", (("game", other),))]


@pytest.mark.parametrize("line", ["Move 1 was fine", "Bonds are dear", "Home is where the heart is", "Run 7 was great"])
def test_prose_is_no_order_of_any_game(line: str, reads: Reads) -> None:
    for read in reads.values():
        assert (read(f"Hello,\n{line}\n").phrases, read(f"Hello,\n{line}\n").complaints) == ((), ())


def test_a_plus_divides_names(reads: Reads) -> None:
    phrase = reads["volldampf"]("RANK green+pink + C").phrases[0]
    assert "green" in str(phrase)
    assert "purple" in str(phrase)
    assert "UNKNOWN" not in str(phrase)


def test_of_a_thing_with_several_names_only_the_likeliest_is_suggested() -> None:
    names = (("HAM", "Hamburg"), ("HAM", "Hambourg"), ("HOM", "Homburg"))
    lexicon = Lexicon(Term(kind="PLACE", name=name, value=value) for value, name in names)
    assert lexicon.nearest("Hamborg") == ("Hambourg", "Homburg")
