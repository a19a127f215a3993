"""The form that is filled in where it is quoted, told apart from what we had filled in ourselves."""

from __future__ import annotations

from collections.abc import Callable

from referee.core.orders import Term
from referee.orderbook import OrderLanguage, Reading, Readings, lift_form, sent_lines
from referee.orderbook.returned import QUOTED

Read = Callable[[str], Reading]
Terms = tuple[Term, ...]


def test_a_line_that_we_had_filled_in_orders_nothing_anew_when_it_comes_back(
    read: Read, order_language: OrderLanguage, terms: Terms
) -> None:
    ours = "The rolls are 5, 4 and 7.\n\nORDERS RR7 1\nHOME Dublin\n1a)\n1b)\nEND\n\nDeadline: Friday"
    quoted = "".join(f"> {line}\n" for line in ours.replace("1b)", "1b) (Dublin) - Y17").split("\n"))
    sent = (sent_lines([ours], broken=False), (ours,))
    text, found = lift_form(f"See below.\n{quoted}", lambda: sent, order_language, terms, Readings())
    assert found == QUOTED
    assert [phrase.text for phrase in read(text).phrases] == ["1b) (Dublin) - Y17"]
    assert read(text).keeps == ((3, "HOME"),)
    assert [len(each.split("\n")) for each in (text, quoted)] == [len(quoted.split("\n")) + 1, len(quoted.split("\n"))]


def test_a_form_in_which_nothing_is_new_is_left_where_it_stands(order_language: OrderLanguage, terms: Terms) -> None:
    ours = "The rolls are 5, 4 and 7.\n\nORDERS RR7 1\nHOME Dublin\n1a)\nEND"
    text = "".join(f"> {line}\n" for line in ours.split("\n"))
    assert lift_form(text, lambda: (sent_lines([ours]), (ours,)), order_language, terms, Readings()) == (text, "")
