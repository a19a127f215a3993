"""A board as shapes: what a game draws and the report room turns into SVG. Coordinates are whole numbers, y down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Translate = Callable[[str], str]  # English words to the reader's; a game marks them with N_("...") for the catalogue
Point = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a shape looks. Colours are ``#rrggbb`` or empty for none; widths and sizes in drawing units; ``dash`` as in SVG."""

    fill: str = ""
    stroke: str = ""
    width: int = 0
    dash: tuple[int, ...] = ()
    opacity: int = 100  # per cent


@dataclass(frozen=True, slots=True, kw_only=True)
class Polygon:
    """A closed shape through ``points``; ``title`` is shown by viewers that show titles."""

    points: tuple[Point, ...]
    style: Style
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An open line through ``points``."""

    points: tuple[Point, ...]
    style: Style
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Circle:
    """A disc around ``at``."""

    at: Point
    radius: int
    style: Style
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Words whose baseline is at a point; ``anchor`` is start, middle or end; ``halo`` draws a pale border so that words
    stay readable."""

    at: Point
    text: str
    size: int
    fill: str
    anchor: str = "middle"
    bold: bool = False
    halo: bool = False
    italic: bool = False


Shape = Polygon | Line | Circle | Text


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Layer:
    """Shapes that many drawings have in common, as the ground of a board: what is made of them is made once and kept."""

    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Shapes on a sheet, painted in order. ``title`` and ``description`` are for readers that cannot see it."""

    width: int
    height: int
    background: str
    parts: tuple[Shape | Layer, ...]
    title: str
    description: str = ""

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """Every shape, in the order of painting."""
        return tuple(shape for part in self.parts for shape in (part.shapes if isinstance(part, Layer) else (part,)))
