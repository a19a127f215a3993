"""Recorded letters and their mutants are read exactly or asked about, never else (``python -m tests.letters``)."""

from collections.abc import Iterator

import pytest

from tests.letters.corpus import EXACT, WRONG, Hear, hearing, recorded
from tests.letters.mutants import judged, judged_mutants


@pytest.fixture(scope="module")
def hear() -> Iterator[Hear]:
    with hearing() as hears:
        yield hears


def test_no_recorded_letter_is_read_wrongly_and_nearly_all_exactly(hear: Hear) -> None:
    found = [result for _, result in judged(hear, recorded())]
    assert WRONG not in found
    assert found.count(EXACT) >= 0.92 * len(found)


@pytest.mark.parametrize("number", [100, pytest.param(1000, marks=pytest.mark.testlong)])
def test_no_mutant_is_read_wrongly(hear: Hear, number: int) -> None:
    found = list(judged_mutants(hear, recorded(), number))
    assert len(found) == number
    assert [(mutant.of.name, *mutant.done) for mutant, result in found if result == WRONG] == []


def test_the_rest_of_an_order_whose_beginning_is_struck_out_joins_no_order_above(hear: Hear) -> None:
    lines = ("4a) (Q30) - Clonmel ; (Dublin) - Wicklow", "<s>4b) (Clonmel) - Waterford ; (Limerick)</s>", "- Ennis")
    raw = b"From: ann@example.org\nContent-Type: text/html\n\n" + "".join(f"<p>{line}</p>" for line in lines).encode()
    found = hear(next(each for each in recorded() if each.name == "wrapped-at-seventy"), raw)
    assert found.said[0] == ("build(label(4 a) piece(start(Q30) S28) piece(start(AB18) AD22))",)
    assert found.asked
