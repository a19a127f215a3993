"""The income of all players over the rounds, as a drawing, when the game is over: before, the track round the board tells it."""

from __future__ import annotations

from referee.core.picture.chart import Course, draw_chart
from referee.core.picture.drawing import Drawing, Style, Translate
from referee.core.texts.wording import N_
from referee.games.volldampf.position.state import State
from referee.games.volldampf.report.picture import palette

TITLE = N_("The income track, round by round")
_DASHES: tuple[tuple[int, ...], ...] = ((), (18, 8), (7, 6), (28, 8, 8, 8), (3, 6), (40, 10))  # by seats


def chart(state: State, translate: Translate = str) -> Drawing | None:
    """Return the chart; None before the game is over."""
    if not state.is_over:
        return None
    courses = [
        Course(code=code, amounts=state.rounds.get(code, ()), styles=_styles(state.table.player(code).colour, place))
        for place, code in enumerate(state.table.codes)
    ]
    return draw_chart(translate(TITLE), courses, state.round)


def _styles(colour: str, place: int) -> tuple[Style, ...]:
    """Return how a player's line is drawn, lowest first; dark edges, for pale colours."""
    dash = _DASHES[place % len(_DASHES)]
    ink = palette.COLOURS.get(colour, palette.INK)
    return (Style(stroke=palette.INK, width=13, dash=dash), Style(stroke=ink, width=9, dash=dash))
