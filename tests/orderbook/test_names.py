"""Names as people type them."""

from __future__ import annotations

import pytest

from referee.core.orders import Term
from referee.orderbook.language.names import Lexicon, Slips, fold

NAMES = (
    "Nischny-Nowgorod",
    "Nischny-Tagil",
    "Dún Laoghaire",
    "King's Lynn",
    "München",
    "Fürth",
    "St. Pölten",
    "Straßburg",
    "Y17",
)
LEXICON = Lexicon(Term(kind="PLACE", name=name, value=name) for name in (*NAMES, "Enns", "Ennis", "Q12", "Q1", "E41"))


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("NISCHNY NOWGOROD", "Nischny-Nowgorod"),
        ("nischny–nowgorod - Y17", "Nischny-Nowgorod"),
        ("Nischnynowgorod", "Nischny-Nowgorod"),
        ("Dun-Laoghaire", "Dún Laoghaire"),
        ("DÚN LAOGHAIRE;", "Dún Laoghaire"),
        ("Kings Lynn", "King's Lynn"),
        ("King’s Lynn", "King's Lynn"),
        ("Munchen", "München"),
        ("Muenchen", "München"),
        ("FUERTH", "Fürth"),
        ("St Polten", "St. Pölten"),
        ("Strassburg", "Straßburg"),
        ("y 17", "Y17"),
        ("Ennis-Y17", "Ennis"),
        ("Q1 - 2", "Q1"),
        ("Q1-2", "Q1"),
        ("Q12", "Q12"),
    ],
)
def test_the_longest_name_is_found_however_it_is_typed(typed: str, name: str) -> None:
    end, terms = LEXICON.longest(typed, 0)
    assert [term.value for term in terms] == [name]
    assert fold(typed[:end]) in (fold(name), fold(typed[:end]))


@pytest.mark.parametrize("typed", ["Enniskillen", "Nischny", "Y177", "Q1x", "Dún (Laoghaire)", "", "-"])
def test_a_part_of_a_name_or_of_a_word_is_none(typed: str) -> None:
    assert LEXICON.longest(typed, 0) == (0, ())


def test_zeros_before_a_hexs_number_do_not_count() -> None:
    assert [term.value for term in LEXICON.exactly("E041")] == ["E41"]


def test_what_was_meant_is_looked_for_among_names_of_its_sort() -> None:
    slips = Slips(LEXICON)
    assert slips.hint("Nischni Nowgrod", frozenset({"PLACE"})) == "Nischny-Nowgorod"
    assert slips.hint("Y71", frozenset({"PLACE"})) == "Y17"
    assert slips.hint("Nischny-Nowgrod", frozenset({"COMPANY"})) == ""
    assert slips.is_slip("Muncen")
    assert not slips.is_slip("Hello")


def test_a_letter_full_of_slips_gets_only_so_many_suggestions() -> None:
    slips = Slips(LEXICON)
    for number in range(200):
        slips.hint(f"Nowhere {number}", frozenset())
    assert slips.hint("Muncen", frozenset()) == ""
