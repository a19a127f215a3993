"""A board as shapes: what a game draws and the report room turns into SVG. Coordinates are whole numbers, y down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import takewhile
from typing import Any, NamedTuple

from msgspec import convert

from .. import Numbers, Texts, Value, Words
from ..texts.shipped import shipped_table

Translate = Callable[[str], str]  # English words to the reader's; a game marks them with N_("...") for the catalogue
Point = tuple[int, int]
Points = tuple[Point, ...]


class Style(Value, kw_only=False):
    """How a shape looks. Colours are ``#rrggbb`` or empty for none; widths and sizes in drawing units; ``dash`` as in SVG."""

    fill: str = ""
    stroke: str = ""
    width: int = 0
    dash: Numbers = ()
    opacity: int = 100  # per cent

    def recolour(self, colours: Words) -> Style:
        """Return the same with other colours, by those that they take the place of."""
        fill, stroke = (colours.get(each, each) for each in (self.fill, self.stroke))
        return self.but(fill=fill, stroke=stroke)


Styles = tuple[Style, ...]  # of a line in layers, the lowest first


def pen(colour: str, width: int, dash: Numbers = ()) -> Style:
    """Return how a line looks."""
    return Style(stroke=colour, width=width, dash=dash)


class Polygon(Value, kw_only=False):
    """A closed shape through ``points``; ``title`` is shown by viewers that show titles."""

    points: Points
    style: Style
    title: str = ""


class Line(Value, kw_only=False):
    """An open line through ``points``."""

    points: Points
    style: Style
    title: str = ""


class Circle(Value, kw_only=False):
    """A disc around ``at``."""

    at: Point
    radius: int
    style: Style
    title: str = ""


class Text(Value, kw_only=False):
    """Words whose baseline is at a point; ``anchor`` is start, middle or end; ``halo`` draws a pale border so that words
    stay readable; ``serif``: in the letters of books, which have no bold italics."""

    at: Point
    text: str
    size: int
    fill: str
    anchor: str = "middle"
    bold: bool = False
    halo: bool = False
    italic: bool = False
    serif: bool = False


Shape = Polygon | Line | Circle | Text
Shapes = Iterator[Shape]


class Layer(Value, eq=False, kw_only=False):
    """Shapes that many drawings have in common, as the ground of a board: what is made of them is made once and kept.

    ``fine``: lettering that is too small for a screen, and left out of a picture that is made for one. ``lasting``: the same in
    every position.
    """

    shapes: tuple[Shape, ...]
    fine: bool = False
    lasting: bool = False


class Print(Value):
    """What a picture of a position shows besides: of the turn before what its *events* tell; ``alone``: the lines of a company
    or player alone, by its code; ``paper``: for printing, in black on white but for what players own; ``keepsake``: for a wall.
    """

    events: tuple[Any, ...] = ()
    alone: str = ""
    paper: bool = False
    keepsake: bool = False


POSITION_ALONE = Print()
READABLE = 8  # pixels, of the smallest lettering that is read


class Spot(Value, kw_only=False):
    """Where something happened in a turn, and who did it: codes of companies and players; ``shapes``: what a close-up of it shows
    besides."""

    at: Point
    owners: Texts
    shapes: tuple[Shape, ...] = ()


class Focus(Value):
    """What close-ups of a board are made by: the size of its ``lettering``, the ``area`` of the map (left, top, right, bottom),
    where something happened, the ``ground`` for a key map, how many of its ``parts`` they show, and the ``mesh`` of hexes at
    which they are cut: the centre of one, and how far its columns and rows lie apart. ``examples``: what each could order first.
    """

    lettering: int
    area: tuple[int, int, int, int]
    spots: tuple[Spot, ...]
    ground: tuple[Polygon, ...]
    parts: int
    mesh: Numbers = ()
    examples: tuple[Spot, ...] = ()


class Drawing(Value):
    """Shapes on a sheet, painted in order. ``title`` and ``description`` are for readers that cannot see it. ``pixels``: its
    width as PNG, 0 for the usual one; ``needs_fine``: its reader must read the fine lettering, too; ``shows_fine``: it is large
    enough for that. ``left`` and ``top`` are its corner; of its height ``foot`` has fine things alone. ``sheet``: of a cut-out,
    left, top, width and height of what it is of.
    """

    width: int
    height: int
    background: str
    parts: tuple[Shape | Layer, ...]
    title: str
    description: str = ""
    pixels: int = 0
    needs_fine: bool = False
    shows_fine: bool = False
    left: int = 0
    top: int = 0
    foot: int = 0
    sheet: tuple[int, int, int, int] | None = None
    focus: Focus | None = None

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """Every shape, in the order of painting."""
        return tuple(shape for part in self.parts for shape in (part.shapes if isinstance(part, Layer) else (part,)))

    @property
    def ground(self) -> tuple[Layer, ...]:
        """The layers that it begins with, the lasting ones first: its cut-outs have them whole and in common."""
        return tuple(
            part for part in takewhile(lambda each: isinstance(each, Layer), self.parts) if isinstance(part, Layer)
        )

    @property
    def for_screen(self) -> Drawing:
        """The same without lettering that is too fine for its size."""
        if self.shows_fine:
            return self
        parts = tuple(part for part in self.parts if not (isinstance(part, Layer) and part.fine))
        return self.but(parts=parts, height=self.height - self.foot, foot=0)

    @property
    def whole(self) -> Drawing:
        """The same with what lies above and left of it, so that its corner is 0, 0."""
        return self.but(left=0, top=0, width=self.width + self.left, height=self.height + self.top)

    @property
    def legible(self) -> Drawing | None:
        """The same so wide that its fine lettering can be read; None where nobody must."""
        return self.but(pixels=self.least_width(self.width), shows_fine=True) if self.needs_fine else None

    @property
    def least(self) -> int:
        """The size of its finest lettering, 0 where none is fine."""
        fine = (part for part in self.parts if isinstance(part, Layer) and part.fine)
        return min((each.size for layer in fine for each in layer.shapes[:1] if isinstance(each, Text)), default=0)

    def least_width(self, width: int) -> int:
        """Return how many pixels a width must have, so that its fine lettering can be read."""
        return -(-width * READABLE // self.least) if self.least else width

    def recolour(self, colours: Words) -> Drawing:
        """Return the same with other colours, by those that they take the place of."""

        def recolour_shape(shape: Shape) -> Shape:
            if isinstance(shape, Text):
                return shape.but(fill=colours.get(shape.fill, shape.fill))
            return shape.but(style=shape.style.recolour(colours))

        parts = tuple(
            part.but(shapes=tuple(map(recolour_shape, part.shapes)))
            if isinstance(part, Layer)
            else recolour_shape(part)
            for part in self.parts
        )
        return self.but(parts=parts, background=colours.get(self.background, self.background))

    @property
    def colours(self) -> Texts:
        """Every colour in it, the background first."""
        return tuple(dict.fromkeys(colour for colour, _ in self.tints))

    @property
    def tints(self) -> Counter[tuple[str, bool]]:
        """How many shapes have each colour, ``#rrggbb``; surfaces that are filled with it are counted apart (True)."""
        found = Counter[tuple[str, bool]]({(self.background, False): 1})
        for part in self.parts:
            found.update(_colours_of_layer(part) if isinstance(part, Layer) else _colours(part))
        return found


def _colours(shape: Shape) -> Iterator[tuple[str, bool]]:
    if isinstance(shape, Text):
        yield shape.fill, False
        return
    if shape.style.fill:
        yield shape.style.fill, isinstance(shape, Polygon)
    if shape.style.stroke:
        yield shape.style.stroke, False


@lru_cache(maxsize=64)
def layer(shapes: tuple[Shape, ...], *, fine: bool = False) -> Layer:
    """Return a layer: for the same shapes the same, whatever the language of the words beside them."""
    return Layer(shapes, fine=fine)


@lru_cache(maxsize=64)
def _colours_of_layer(layer: Layer) -> Counter[tuple[str, bool]]:
    return Counter(each for shape in layer.shapes for each in _colours(shape))


# The colours of players and companies on a board, by the words that players choose them by.

# Of all shades that still look like their words these lie far apart for readers who see no red (protanopia) or no green
# (deuteranopia), too: a test measures how far. Whoever changes one changes that of a running game.
SHADES: dict[str, str] = {
    "red": "#c6331d",
    "blue": "#0f98ff",
    "green": "#008769",
    "black": "#030006",
    "orange": "#f37b07",
    "purple": "#780e8c",
    "yellow": "#ffef0f",
    "brown": "#481e04",
    "pink": "#ee2ba7",
}
OTHER = "#6c675c"  # of what has no such colour
WHITE, INK, BLACK = "#ffffff", "#1d1d1b", "#000000"


class Palette(NamedTuple):
    """What the boards of a game are painted with, by name: colours, lines, outlines of signs around a point; and what becomes of
    colours in print.
    """

    colours: Words
    lines: Mapping[str, Styles]
    outlines: Mapping[str, Points]
    printed: Words


def read_palette(package: str) -> Palette:
    """Return ``palette.toml`` of a package, in whose lines colours stand by name."""
    table = shipped_table(package, "palette")
    colours: Words = {"white": WHITE, "ink": INK, **table["colours"]}
    lines = convert(table["lines"], dict[str, Styles])
    return Palette(
        colours,
        {name: tuple(each.recolour(colours) for each in layers) for name, layers in lines.items()},
        convert(table["outlines"], dict[str, Points]),
        {colours.get(name, name): colours.get(paint, paint) for name, paint in table["printed"].items()},
    )


_BRIGHT = 190  # of 255: brightness from which a line is hardly seen on white


def shade_of(colour: str) -> str:
    """Return the shade of a colour, ``OTHER`` of one that is none of these."""
    return SHADES.get(colour, OTHER)


def is_bright(shade: str) -> bool:
    """Return whether a shade ``#rrggbb`` needs a dark edge on white."""
    return brightness(shade) > _BRIGHT


def brightness(shade: str) -> int:
    """Return how bright a shade is to the eye, from 0 to 255."""
    red, green, blue = bytes.fromhex(shade[1:])
    return (299 * red + 587 * green + 114 * blue) // 1000


def ink_on(shade: str) -> str:
    """Return black or white, whichever reads better on a shade ``#rrggbb``."""
    return INK if brightness(shade) >= 150 else WHITE
