"""A page taken apart for paper."""

from typing import Any

from referee.report.paper import blocks_of
from tests.tables import Tables

CASES = Tables(__file__)


@CASES.rows
def test_what_a_page_says_comes_in_order_with_its_looks(page: str, blocks: list[dict[str, Any]]) -> None:
    assert blocks_of(page) == blocks
