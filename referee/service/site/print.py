"""A whole game as one PDF, to be printed: its newsletters, the first one first, then the last board on a page of its own."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.errors import RefereeError
from referee.core.picture.drawing import Print
from referee.core.regex import regex
from referee.service.club.club import Club
from referee.service.site.folder import Files
from referee.service.site.games import Shown

_CHART = regex(r"<img[^>]*-chart\.[^>]*>")


def whole_file(club: Club, game: Shown, pages: Sequence[str], title: str) -> Files:
    """Return the PDF of a game that is over, its newsletters as HTML in *pages*; nothing where none can be made, which
    ``referee doctor`` tells.
    """
    if not game.is_over or not pages:
        return {}
    from referee.report.paper.pdf import TEMPLATE, letter_pdf  # here, because it is made once a game

    rules, state, language = game.rules, game.position.state, club.config.language
    translate = club.stationery.translate(language)
    board, chart = rules.drawing(state, translate, Print(paper=True)), rules.chart(state, translate)
    *earlier, last = pages  # of the charts the last one tells all
    page = "\n".join((*(_CHART.sub("", each) for each in earlier), last))
    try:
        source = club.stationery.place(TEMPLATE, rules.name).read_text(encoding="utf-8")
        made = letter_pdf(source, title, language, page, board, chart)
    except RefereeError:
        return {}
    return {f"{game.row.id}/whole.pdf": made}
