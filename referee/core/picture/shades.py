"""The colours of players and companies on a board, by the words that players choose them by."""

from __future__ import annotations

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

_BRIGHT = 190  # of 255: brightness from which a line is hardly seen on white


def shade_of(colour: str) -> str:
    """Return the shade of a colour, ``OTHER`` of one that is none of these."""
    return SHADES.get(colour, OTHER)


def is_bright(shade: str) -> bool:
    """Return whether a shade ``#rrggbb`` needs a dark edge on white."""
    return brightness(shade) > _BRIGHT


def brightness(shade: str) -> int:
    """Return how bright a shade is to the eye, from 0 to 255."""
    red, green, blue = (int(shade[n : n + 2], 16) for n in (1, 3, 5))
    return (299 * red + 587 * green + 114 * blue) // 1000


def ink_on(shade: str) -> str:
    """Return black or white, whichever reads better on a shade ``#rrggbb``."""
    return INK if brightness(shade) >= 150 else WHITE
