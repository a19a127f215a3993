"""Why something happened: a turn event by event, with the paragraphs of the rules."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator

import click
from msgspec import to_builtins

from referee.cli.base import Where
from referee.cli.options import GAME, JSON
from referee.cli.printing import say
from referee.core.texts.rulebook import Paragraph
from referee.service.umpire.explain import Explained, Reason
from referee.service.umpire.explain import explain as explained

WIDTH = 100


@click.command()
@GAME
@click.argument("turn", type=click.IntRange(min=0))
@click.argument("company", required=False, default="")
@JSON
@click.pass_obj
def explain(where: Where, game_id: str, turn: int, company: str, as_json: bool) -> None:
    """Say why: a played turn event by event, with the paragraph behind each and its words.

    Every charge, refusal, throw and place in the order of play, of COMPANY alone if one is named: what it did and what was done
    to it. The words of a paragraph stand where it is named first. In a game with secrets it tells what players must not know.

    Example: referee explain RR7 4 GSW
    """
    with where.opened() as club:
        found = explained(club, game_id, turn, company)
    if as_json:
        say(json.dumps(to_builtins(found), ensure_ascii=False, indent=1))
        return
    edition = f", edition {found.edition}" if found.edition > 1 else ""
    say(f"{found.game}, turn {found.turn}{edition}")
    for line in _lines(found):
        say(line)


def _lines(found: Explained) -> Iterator[str]:
    known: set[str] = set()
    yield ""
    if not found.reasons:
        yield "Nothing happened."
    for reason in found.reasons:
        yield from _reason(reason, found, known)
    if found.throws:
        yield from ("", "Throws:")
    for reason in found.throws:
        yield from _reason(reason, found, known)


def _reason(reason: Reason, found: Explained, known: set[str]) -> Iterator[str]:
    """Yield a sentence with its paragraph, and the words of that where it is named first."""
    number = f" [{reason.paragraph}]" if reason.paragraph else ""
    yield from textwrap.wrap(f"{reason.text}{number}", WIDTH, subsequent_indent="  ")
    paragraph = found.paragraphs.get(reason.paragraph)
    if paragraph is not None and reason.paragraph not in known:
        known.add(reason.paragraph)
        yield from _words(paragraph)


def _words(paragraph: Paragraph) -> Iterator[str]:
    head = f"{paragraph.number} {paragraph.title}".rstrip()
    for block in (f"{head}:", *paragraph.blocks):
        hang = "        " if block.startswith("- ") else "      "
        yield from textwrap.wrap(block, WIDTH, initial_indent="      ", subsequent_indent=hang)
