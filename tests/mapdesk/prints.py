"""A sheet as a club might have printed it long ago, and what a scanner made of it: another style, turned, blurred, stained."""

import math
import random
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from referee.core import CORNERS, Hex, Point, centre, corner_points
from referee.games.dampfross.board import MOUNTAIN, RailMap

UNIT_X, UNIT_Y, EDGE = 13, 13 * 52 / 30, 80  # pixels of a lattice unit at 150 dpi, and of the margin
TURN = 2  # degrees
TINTS = ("#f4ecd0", "#e3e6c4", "#eed9c2", "#d9dcd2", "#e6d4dc", "#efe2a8", "#cfe0d4", "#e8c9bd", "#d3d6ea", "#f1dfe8")
WATER = {"~": "#a9c4c9", "o": "#9dbdc6", "-": "#e0d3b4"}
INK, LINE = "#301c10", "#8d8468"


class Scan:
    """A synthetic scan of a board; ``at`` says where on it the middle of a hex lies."""

    def __init__(self, board: RailMap, file: Path) -> None:
        plain = Image.new("RGB", (self._width(board), self._height(board)), "#efe6cf")
        _draw(board, ImageDraw.Draw(plain), random.Random(4))  # noqa: S311 (not for secrets)
        turned = plain.rotate(TURN, expand=True, fillcolor="#cfc6b0", resample=Image.Resampling.BICUBIC)
        self._from, self._to = plain.size, turned.size
        ImageChops.multiply(turned.filter(ImageFilter.GaussianBlur(1.1)), _stains(turned.size)).save(
            file, dpi=(150, 150)
        )

    def at(self, label: Hex) -> tuple[float, float]:
        x, y = _on_print(centre(label))
        x, y = x - self._from[0] / 2, y - self._from[1] / 2
        sin, cos = math.sin(math.radians(TURN)), math.cos(math.radians(TURN))
        return cos * x + sin * y + self._to[0] / 2, cos * y - sin * x + self._to[1] / 2

    @staticmethod
    def _width(board: RailMap) -> int:
        return UNIT_X * 3 * board.columns + 2 * EDGE

    @staticmethod
    def _height(board: RailMap) -> int:
        return int(UNIT_Y * 2 * board.rows) + 2 * EDGE


def _on_print(point: Point) -> tuple[float, float]:
    return EDGE + point[0] * UNIT_X, EDGE + point[1] * UNIT_Y


def _draw(board: RailMap, pen: ImageDraw.ImageDraw, chance: random.Random) -> None:
    letters = list(board.areas)
    for label in (*board.water, *board.ground):
        x, y = centre(label)
        mark = board.water.get(label)
        fill = WATER[mark] if mark else TINTS[letters.index(board.area[label]) % len(TINTS)]
        pen.polygon([_on_print((x + dx, y + dy)) for dx, dy in CORNERS], fill=fill, outline=LINE)
    for label in (label for label, kind in board.ground.items() if kind == MOUNTAIN):
        x0, y0 = _on_print(centre(label))
        for _ in range(14):
            angle, far = chance.random() * math.tau, 6 + chance.random() * 13
            ends = [(x0 + math.cos(angle) * r, y0 + math.sin(angle) * r) for r in (far, far + 7)]
            pen.line(ends, fill="#6b4f2c", width=3)
    for crossing, points in board.rivers.items():
        pen.line([_on_print(end) for end in corner_points(*crossing)], fill="#3b6f9c", width=4 if points == 2 else 9)
    for place in board.named:
        x0, y0 = _on_print(centre(place.hex))
        pen.ellipse([x0 - 9, y0 - 9, x0 + 9, y0 + 9], outline=INK, width=3, fill="#fff8e6")
        pen.text((x0 + 13, y0 - 7), place.name, fill=INK)


def _stains(size: tuple[int, int]) -> Image.Image:
    paper = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(paper)
    for x, y, r in ((500, 420, 150), (1250, 700, 110)):
        pen.ellipse([x - r, y - r, x + r, y + r], fill="#ecd9b8", outline="#b08a58", width=11)
    return paper.filter(ImageFilter.GaussianBlur(6))
