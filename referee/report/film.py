"""The drawings of all turns as one picture: what they have in common is there once, the rest with the turns that show it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from referee.core import Texts, Value
from referee.core.picture.drawing import Drawing, Layer, Shape

from .renderer import elements


class Reel(Value):
    """``svg``: elements for a picture of that size from ``top`` on; a group with ``data-from`` and ``data-to`` belongs to these
    frames alone, the first of which is 0.
    """

    width: int
    height: int
    top: int
    background: str
    svg: str


def reel(drawings: Sequence[Drawing]) -> Reel:
    """Return one picture for all drawings, a frame each, without lettering too fine for a screen."""
    frames = [_segments(each.for_screen) for each in drawings]
    if len({len(each) for each in frames}) > 1:  # not the same layers: nothing is taken together
        frames = [("".join(each),) for each in frames]
    return Reel(
        width=max(each.width for each in drawings),
        height=max(each.top + each.height for each in drawings) - (top := min(each.top for each in drawings)),
        top=top,
        background=drawings[0].background,
        svg="\n".join(_column(column) for column in zip(*frames, strict=True)),
    )


def _segments(drawing: Drawing) -> Texts:
    """Return the elements of a drawing in the order of painting: before, of and behind each layer."""
    found: list[str] = []
    loose: list[Shape] = []
    for part in drawing.parts:
        if isinstance(part, Layer):
            found += [elements(loose), elements([part])]
            loose = []
        else:
            loose.append(part)
    return (*found, elements(loose))


def _column(segments: Sequence[str]) -> str:
    """Return what stands in one place of the order of painting."""
    if len(set(segments)) == 1:
        return segments[0]
    pieces, first = [], 0
    for text, same in groupby(segments):
        last = first + len(list(same)) - 1
        if text:
            pieces.append(f'<g data-from="{first}" data-to="{last}">{text}</g>')
        first = last + 1
    return "\n".join(pieces)
