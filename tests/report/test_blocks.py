"""A page taken apart for paper."""

from __future__ import annotations

from typing import Any

import pytest

from referee.report.paper import blocks_of


@pytest.mark.parametrize(
    ("page", "blocks"),
    [
        (
            "<h1>One<br>two</h1>",
            [{"kind": "heading", "level": 1, "runs": [{"text": "One"}, {"end": True}, {"text": "two"}]}],
        ),
        (
            "<title>no</title><p> a\n <strong>b</strong></p><p></p>",
            [{"kind": "text", "runs": [{"text": "a "}, {"text": "b", "bold": True}]}],
        ),
        (
            '<p><span style="background-color: #112233;color: #ffffff">X</span></p>',
            [{"kind": "text", "runs": [{"text": "X", "bold": True, "ground": "#112233", "ink": "#ffffff"}]}],
        ),
        ("<pre>1a)\nEND &lt;</pre>", [{"kind": "form", "runs": [{"text": "1a)"}, {"end": True}, {"text": "END <"}]}]),
        (
            '<table><tr><th>A</th></tr><tr><td align="right">1</td></tr></table>',
            [
                {
                    "kind": "table",
                    "rows": [
                        [{"runs": [{"text": "A"}], "head": True, "right": False}],
                        [{"runs": [{"text": "1"}], "head": False, "right": True}],
                    ],
                }
            ],
        ),
        (
            '<table role="presentation"><tr><td><img src="cid:x" alt="y"></td></tr></table>',
            [{"kind": "picture", "source": "cid:x", "alt": "y"}],
        ),
    ],
)
def test_what_a_page_says_comes_in_order_with_its_looks(page: str, blocks: list[dict[str, Any]]) -> None:
    assert blocks_of(page) == blocks
