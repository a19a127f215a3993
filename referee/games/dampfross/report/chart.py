"""The balances of all companies over the rounds, as a drawing."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.picture.drawing import Drawing, Line, Shape, Style, Text, Translate
from referee.core.texts.wording import N_
from referee.games.dampfross.position.state import State
from referee.games.dampfross.report.picture import palette
from referee.games.dampfross.report.picture.palette import CompanyLook

TITLE = N_("Balances by rounds")

_WIDTH, _HEIGHT = 1000, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 80, 850, 70, 380
_STEPS = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
_TAG = 26  # height of what stands at the end of a line


def chart(state: State, translate: Translate = str) -> Drawing | None:
    """Return the chart; None before there are two rounds to be joined by a line."""
    table = state.table
    count = max((len(state.totals.get(code, ())) for code in table.codes), default=0)
    if count < 2:
        return None
    companies = [table.company(code) for code in table.codes]
    looks = tuple(CompanyLook(code=each.code, name=each.name, colour=each.colour) for each in companies)
    every = [amount for look in looks for amount in state.totals[look.code]]
    low, high, step = _scale(min(0, *every), max(every))
    xs = tuple(_LEFT + (_RIGHT - _LEFT) * n // (count - 1) for n in range(count))

    def level(amount: int) -> int:
        return _BOTTOM - (_BOTTOM - _TOP) * (amount - low) // (high - low)

    shapes: list[Shape] = [
        Text(at=(_WIDTH // 2, 42), text=translate(TITLE), size=30, fill=palette.INK, bold=True),
    ]
    for amount in range(low, high + 1, step):
        y = level(amount)
        style = Style(stroke=palette.INK if not amount else palette.GRID, width=2)
        shapes.append(Line(points=((_LEFT, y), (_RIGHT, y)), style=style))
        shapes.append(Text(at=(_LEFT - 12, y + 8), text=str(amount), size=22, fill=palette.INK, anchor="end"))
    last = state.round - 1
    for n, x in enumerate(xs):
        shapes.append(Text(at=(x, _BOTTOM + 36), text=str(last - count + 1 + n), size=22, fill=palette.INK))
    for place, look in enumerate(looks):
        points = tuple((x, level(amount)) for x, amount in zip(xs, state.totals[look.code], strict=True))
        shapes += [Line(points=points, style=style) for style in palette.line_styles(look, place)]
    shapes += _ends(looks, {look.code: level(state.totals[look.code][-1]) for look in looks}, state)
    return Drawing(width=_WIDTH, height=_HEIGHT, background=palette.WHITE, parts=tuple(shapes), title=translate(TITLE))


def _scale(least: int, most: int) -> tuple[int, int, int]:
    """Return the lowest and highest line, and the step between lines: six at the most."""
    span = max(1, most - least)
    step = next((step for step in _STEPS if span <= 6 * step), span)
    return least // step * step, -(-most // step) * step, step


def _ends(looks: tuple[CompanyLook, ...], levels: dict[str, int], state: State) -> Iterator[Shape]:
    """Yield each company's acronym and balance behind its line, one below the other where lines end close together."""
    free = _TOP - _TAG
    for look in sorted(looks, key=lambda each: levels[each.code]):
        y = max(levels[look.code], free + _TAG)
        free = y
        words = f"{look.code} {state.totals[look.code][-1]}"
        yield Line(points=((_RIGHT, levels[look.code]), (_RIGHT + 16, y)), style=Style(stroke=palette.INK, width=1))
        yield Text(at=(_RIGHT + 22, y + 8), text=words, size=22, fill=palette.INK, anchor="start", bold=True)
