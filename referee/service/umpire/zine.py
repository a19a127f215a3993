"""An issue of the umpire's zine: what was played since the last one, as everybody may read it, behind words of the umpire's."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from functools import partial

from markupsafe import Markup
from msgspec.structs import asdict

from referee.core import ConfigError, Fields, Texts, Value
from referee.core.picture import Drawing, Print
from referee.report.paper import Block, blocks_of
from referee.report.zine import LAYOUTS, TEMPLATE, Issue, check_installed, zine_odt, zine_pdf
from referee.store import ZINE, facts_named, games, transaction, write_fact

from ..club import Club
from ..site.games import Shown, article, show, values_of, with_pages

ENDINGS = (".pdf", ".odt")
_CAPTION = re.compile(r"<p[^>]*class=\"caption\"[^>]*>.*?</p>", re.DOTALL)
_HEADING = re.compile(r"(</?h)([123])\b")
_RULE = re.compile(r"^\s*(?:-\s*){3,}$", re.MULTILINE)


class IssueLog(Value):
    """What is kept of an issue: its ``number``; of each game the turns up to which earlier ones told (``since``) and it tells."""

    number: int
    since: dict[str, int]
    until: dict[str, int]


def zine(
    club: Club,
    names: Texts,
    name: str,
    ending: str,
    words: str = "",
    layout: str = "booklet",
    since: date | None = None,
) -> tuple[IssueLog, bytes]:
    """Return the issue that is called *name*, as a file with that *ending*, and keep how far it goes. One that was made before is
    made again from the same turns on: to the newest ones, unless a later issue tells these. *words*: the umpire's, in Markdown;
    *since*: what was played before that day is not in it, whatever earlier issues told.

    Raises:
        NotFound: there is no such game.
        ConfigError: nothing is new in these games, or a file cannot be made that way.
    """
    if ending not in ENDINGS or layout not in LAYOUTS:
        raise ConfigError(f"a zine is written as {' or '.join(ENDINGS)}, and that laid out as {', '.join(LAYOUTS)}")
    check_installed()
    told = [show(club, games.game(club, each)) for each in dict.fromkeys(map(str.upper, names))]
    kept = _issue(club, told, name, since)
    issue = _make(club, told, kept, words)
    source = with_pages(club).stationery.source(TEMPLATE, "")
    content = zine_odt(issue) if ending == ".odt" else zine_pdf(source, issue, layout)
    with transaction(club):
        write_fact(club, f"{ZINE} {name}", json.dumps(asdict(kept)))
    return kept, content


def _issue(club: Club, told: list[Shown], name: str, since: date | None) -> IssueLog:
    every = {each: IssueLog(**json.loads(text)) for each, text in facts_named(club, ZINE).items()}
    others = [each for issue, each in every.items() if issue != name]
    number = every[name].number if name in every else 1 + max((each.number for each in others), default=0)
    begin, end = {}, {}
    for game in told:
        row, last = game.row.id, game.turns[-1].turn
        before = (each.until[row] for each in others if each.number < number and row in each.until)
        begin[row] = min(max(before, default=last - 1), last)
        if since:
            begin[row] = max((each.turn for each in game.turns if each.adjudicated_at.date() < since), default=0)
        elif name in every:
            begin[row] = every[name].since.get(row, begin[row])
        end[row] = min((each.since[row] for each in others if each.number > number and row in each.since), default=last)
    if all(begin[each] >= end[each] for each in end):
        stands = ", ".join(f"{each} after turn {turn}" for each, turn in end.items())
        raise ConfigError(f"nothing is new: {stands}, as issue {number - 1} told; --since DATE prints it again")
    return IssueLog(number=number, since=begin, until=end)


def _make(club: Club, told: list[Shown], kept: IssueLog, words: str) -> Issue:
    front, *rest = _RULE.split(words, maxsplit=1)
    values = {
        "number": kept.number,
        "at": club.now,
        "front": _html(front) or Markup("<h1>{}</h1>").format(club.config.zine.name or club.config.club),
        "editorial": _html("".join(rest)),
        "games": [
            {**values_of(club, each), "turn": each.row.turn, "articles": _articles(club, each, kept)} for each in told
        ],
        "address": club.config.address,
    }
    first = _blocks(club, values | {"part": "front"})
    title = next((_words(each) for each in first if each["kind"] == "heading"), club.config.club)
    return Issue(
        title=title,
        head=_words(first[-1]),
        editorial=bool(values["editorial"]),
        language=club.config.language,
        front=first,
        blocks=_blocks(club, values | {"part": "games"}),
        pictures=dict(_pictures(club, told, kept)),
    )


def _blocks(club: Club, values: Fields) -> tuple[Block, ...]:
    config = club.config
    return tuple(blocks_of(with_pages(club).stationery.text("zine.html.j2", "", config.language, config.zone, values)))


def _words(block: Block) -> str:
    return "".join(each.get("text", " ") for each in block["runs"])


def _html(words: str) -> Markup:
    from markdown_it import MarkdownIt

    return Markup(MarkdownIt("commonmark", {"html": False}).enable("table").render(words))  # noqa: S704 (without the umpire's HTML)


def _articles(club: Club, game: Shown, kept: IssueLog) -> list[Markup]:
    """Return the newsletters of an issue as all may read them, their headings below the game's, without pictures: of each game
    the last ones stand beside them.
    """
    name = game.row.id
    pages = [
        _CAPTION.sub("", article(club, game, each.turn, press=True)[0].page.rpartition("<hr")[0])
        for each in game.told
        if kept.since[name] < each.turn <= kept.until[name]
    ]
    lower = partial(_HEADING.sub, lambda tag: f"{tag[1]}{int(tag[2]) + 1}")
    return [Markup(lower(page)) for page in pages]  # noqa: S704 (escaped by its template)


def _pictures(club: Club, told: list[Shown], kept: IssueLog) -> Iterator[tuple[str, tuple[Drawing, bool]]]:
    translate = club.stationery.translate(club.config.language)
    for game in told:
        row = next(each for each in game.turns if each.turn == kept.until[game.row.id])
        state, events = (game.position.decode(each) for each in (row.state, row.events))
        yield f"board {game.row.id}", (game.rules.drawing(state, translate, Print(events=events)), True)
        chart = game.rules.chart(state, translate) if row.turn else None
        if chart:
            yield f"chart {game.row.id}", (chart, False)
