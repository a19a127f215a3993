"""The balances of all companies over the rounds, as a drawing."""

from __future__ import annotations

from referee.core.picture.chart import Course, draw_chart
from referee.core.picture.drawing import Drawing, Translate
from referee.core.texts.wording import N_
from referee.games.dampfross.position.state import State
from referee.games.dampfross.report.picture import palette
from referee.games.dampfross.report.picture.palette import CompanyLook

TITLE = N_("Balances by rounds")


def chart(state: State, translate: Translate = str) -> Drawing | None:
    """Return the chart; None before there are two rounds to be joined by a line."""
    companies = [state.table.company(code) for code in state.table.codes]
    looks = [CompanyLook(code=each.code, name=each.name, colour=each.colour) for each in companies]
    courses = [
        Course(code=look.code, amounts=state.totals.get(look.code, ()), styles=palette.line_styles(look, place))
        for place, look in enumerate(looks)
    ]
    return draw_chart(translate(TITLE), courses, state.round - 1)
