"""Recorded letters and their mutants are read exactly or asked about, never else (``python -m tests.letters``)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.letters.corpus import EXACT, WRONG, Hear, hearing, recorded
from tests.letters.judged import judged, judged_mutants


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
