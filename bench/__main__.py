"""Prints all tables in one run, each figure beside something measured in the same run: python -m bench [--json] [--quick]

With --beside REV each stands beside the same figure of another commit (``bench.beside``).

Processor time, unless a row says otherwise. Peers can be set beside it: their figures go by the same columns. What needs mail
servers (python -m bench.mail) and whole games of Volldampf (python -m bench.volldampf) is measured by itself.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from bench import beside, fastest, mail, rounds, tick, turn
from bench.rows import Row, print_rows
from referee.games.dampfross import GAME


def rows(*, quick: bool) -> Iterator[Row]:
    """Measure. *quick*: on one map, one game and a hundred letters."""
    boards = GAME.boards()[:1] if quick else GAME.boards()
    yield from tick.rows()
    yield from mail.rows(100 if quick else mail.LETTERS)
    yield from rounds.rows(boards[:1])
    yield from fastest.rows(boards, fastest.SEEDS[:1] if quick else fastest.SEEDS)
    yield from turn.rows()  # the last, for it watches what the others use


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object a row")
    parser.add_argument("--quick", action="store_true", help="one map, one game, a hundred letters: some minutes less")
    parser.add_argument("--beside", metavar="REV", help="measure another commit by turns with this one, for each row")
    parser.add_argument("--table", action="append", choices=beside.TABLES, help="with --beside: these tables alone")
    words = parser.parse_args()
    found = (
        beside.rows(words.beside, words.table or beside.TABLES, quick=words.quick)
        if words.beside
        else rows(quick=words.quick)
    )
    print_rows(found, as_json=words.json)


if __name__ == "__main__":
    main()
