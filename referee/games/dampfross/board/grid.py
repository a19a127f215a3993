"""The ground of a map file: areas, the grid of cells, and hexes and hex-sides named anywhere in the file; its hex-sides."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import convert

from referee.core import (
    Fields,
    Hex,
    Hexes,
    Side,
    Texts,
    are_neighbours,
    format_column,
    format_hex,
    label_to_numbered,
    neighbours,
    numbered_to_label,
    parse_hex,
    side,
)
from referee.core.texts import Where
from referee.core.texts.boardfields import BoardReader, has_type, kind_words, show_value

from ..board import MOUNTAIN, PLAIN, WATER, Bridge, Ferry, River, says

_WATER_CELLS = {mark * 2: mark for mark in WATER}
_WATER_WORDS = ", ".join(f"{mark * 2} {word}" for mark, word in WATER.items())
_ROW = re.compile(r"\s*(\S+?)\s*:(.*)")
# How sentences name a block; others by their section and place.
_CALLED = {
    "station": "Station {name}",
    "junction": "Junction {name}",
    "special": "Special {number}",
    "bridge": "bridge {title}",
    "causeway": "causeway {title}",
    "ferry": "Ferry {name}",
}


class Block:
    """A table of a map file: its good fields. Its faults are sentences of ``faults.toml``, about its ``name``, or ``what`` it
    is.
    """

    def __init__(self, reader: BoardReader, where: Where, fields: Fields) -> None:
        place, self.get = where.index + 1, fields.get
        self.reader, self.where, self.fields = reader, where, fields
        self.name: str = self.get("name", f"number {place}")
        told = {"name": self.name, "title": self.get("name", place), "number": self.get("number", 0)}
        self.what = _CALLED.get(where.section, f"[[{where.section}]] {place}").format(**told)

    def blame(self, key: str, code: str, /, **values: object) -> None:
        """Note a fault at the line of a field, or of the table."""
        self.blame_at(self.reader.source.line(self.where, key), code, **values)

    def blame_word(self, key: str, word: str, nth: int, code: str, /, **values: object) -> None:
        """Note a fault at the *nth* appearance of a word in a field, from 0."""
        self.blame_at(self.reader.source.token_line(self.where, key, word, nth), code, **values)

    def blame_at(self, line: int, code: str, /, **values: object) -> None:
        """Note a fault."""
        self.reader.blame(line, says(code, **{"name": self.name, "what": self.what, **values}))

    def lacks(self, *keys: str) -> bool:
        """Return whether it has none of these fields."""
        return not self.fields.keys() & keys


class Grid:
    """The hexes of the sheet. A hex whose cell could not be read is in ``unread``: nothing more is said about it.

    ``grid_letters``: of the numbered postal grid, 0 where the map declares none; where it does, the file may name hexes in both
    ways.
    """

    def __init__(self, reader: BoardReader) -> None:
        """Reads areas and cells; faults go to *reader*."""
        self.reader, self.top = reader, Block(reader, Where(), reader.top)
        self.columns: int = reader.top.get("cols", 0)
        self.rows: int = reader.top.get("rows", 0)
        self.homes: Hexes = tuple(reader.top.get("home_areas", ()))
        self.grid_letters = int(reader.table("numbered_grid").get("letters", 0))
        if self.grid_letters > 26:
            self.table("numbered_grid").blame("letters", "letters", letters=self.grid_letters)
        self.areas: dict[str, str] = {}
        self.ground: dict[Hex, str] = {}
        self.water: dict[Hex, str] = {}
        self.area: dict[Hex, str] = {}
        self.unread = {format_hex(column, row) for column in range(self.columns) for row in range(self.rows)}
        self._read_areas()
        self._read_rows()

    def table(self, section: str) -> Block:
        """Return a table of the file, as it is written there."""
        written = self.top.get(section)
        return Block(self.reader, Where(section=section), written if isinstance(written, dict) else {})

    def blocks(self, section: str) -> Iterator[Block]:
        """Yield the blocks of an array of tables."""
        return (Block(self.reader, *block) for block in self.reader.blocks(section))

    def label(self, text: str) -> Hex:
        """Return the label of a hex written in either grid; what is no hex at all comes back as it is."""
        if not (self.grid_letters and self.rows):
            return text
        return numbered_to_label(text, self.grid_letters, self.rows) or text

    def fault(self, text: str) -> str:
        """Return what is wrong with a hex named in the file, "" for nothing."""
        label = self.label(text)
        shown_as = text if label == text else f"{text} ({label})"
        try:
            column, row = parse_hex(label)
        except ValueError:
            return says("not-hex", text=text)
        if not (self.columns and self.rows) or label in self.ground or label in self.unread:
            return ""
        if column >= self.columns or row >= self.rows:
            return says("off-sheet", hex=shown_as, last=format_hex(self.columns - 1, self.rows - 1))
        return says("not-land", hex=shown_as, water=WATER[self.water[label]])

    def hex(self, block: Block, key: str, text: str) -> Hex | None:
        """Return the label of a hex that lies on the map (or may, where its cell was not read); blame any other."""
        fault = self.fault(text)
        if fault:
            block.blame_word(key, text, 0, "of", fault=fault)
        return None if fault else self.label(text)

    def hexes(self, block: Block) -> Hexes:
        """Return the hexes listed in a field of that name, each once; blame repeats and an empty list."""
        key = "hexes"
        texts = block.get(key, "").split()
        if key in block.fields and not texts:
            block.blame(key, "no-hexes")
        found: dict[Hex, None] = {}
        for n, text in enumerate(texts):
            label = self.label(text)
            if label in found:
                block.blame_word(key, text, texts[:n].count(text), "hex-twice", hex=text)
            elif text not in texts[:n] and self.hex(block, key, text) is not None:
                found[label] = None
        return tuple(found)

    def area_letters(self, block: Block, key: str, what: str) -> Texts:
        """Return the letters in a field that are areas of the map; blame the others."""
        letters = block.get(key, ())
        for letter in letters:
            if letter not in self.areas:
                block.blame_word(key, letter, 0, "no-area", what=what, letter=letter, areas=", ".join(self.areas))
        return tuple(letter for letter in letters if letter in self.areas)

    def sides(self, block: Block, key: str = "edges") -> tuple[tuple[int, str, Side], ...]:
        """Return the good hex-sides listed in a field as (line, as written, side), in order, repeats included."""
        found = []
        tokens = block.get(key, "").split()
        for n, token in enumerate(tokens):
            line = self.reader.source.token_line(block.where, key, token, tokens[:n].count(token))
            fault = self._side_fault(token)
            if fault:
                block.blame_at(line, "side", side=token, fault=fault)
            else:
                found.append((line, token, side(*map(self.label, token.split("-")))))
        return tuple(found)

    def _side_fault(self, token: str) -> str:
        ends = token.split("-")
        if len(ends) != 2:
            return says("not-side")
        faults = [fault for fault in map(self.fault, ends) if fault]
        if not faults and not are_neighbours(*map(self.label, ends)):
            return says("not-neighbours", one=ends[0], other=ends[1])
        return " and ".join(faults)

    def _read_areas(self) -> None:
        block = self.table("areas")
        for letter, title in block.fields.items():
            if not re.fullmatch(r"[A-Z]", letter):
                block.blame(letter, "area-letter", letter=letter)
            elif not has_type(title, "line"):
                block.blame(letter, "area-title", letter=letter, shown=show_value(title), kind=kind_words("line"))
            else:
                self.areas[letter] = title
        self.area_letters(self.top, "home_areas", "Home area")

    def _read_rows(self) -> None:
        block, grid = self.table("cells"), self.reader.table("cells").get("grid")
        if grid is None or not (self.columns and self.rows):
            return
        first = self.reader.source.first_content_line(block.where, "grid")
        lines = [(first + n, text) for n, text in enumerate(grid.splitlines()) if text.strip()]
        if lines and ":" not in lines[0][1]:
            self._check_header(block, *lines.pop(0))
        if len(lines) != self.rows:
            block.blame("grid", "grid-rows", found=len(lines), rows=self.rows)
        for row, (line, text) in enumerate(lines[: self.rows]):
            self._read_row(block, line, text, row)

    def _check_header(self, block: Block, line: int, text: str) -> None:
        """People find hexes by the letters above the grid."""
        expected = [format_column(column) for column in range(self.columns)]
        found = text.split()
        # In the numbered grid the letters start again at A.
        numbered = [
            label_to_numbered(f"{letters}1", self.grid_letters, 1)[0] for letters in expected if self.grid_letters
        ]
        if found in (expected, numbered):
            return
        wrong = next((pair for pair in zip(found, expected, strict=False) if pair[0] != pair[1]), None)
        told = {"found": wrong[0], "column": wrong[1]} if wrong else {"found": len(found)}
        code = "header-letter" if wrong else "header-count"
        block.blame_at(line, code, **told, first=expected[0], last=expected[-1])

    def _read_row(self, block: Block, line: int, text: str, row: int) -> None:
        match = _ROW.fullmatch(text)
        if not match:
            block.blame_at(line, "row-unread", row=row + 1, columns=self.columns)
            return
        if match[1] != str(row + 1):
            block.blame_at(line, "row-number", found=match[1], row=row + 1)
        cells = match[2].split()
        if len(cells) != self.columns:
            block.blame_at(line, "row-cells", row=row + 1, found=len(cells), columns=self.columns)
            return
        for column, cell in enumerate(cells):
            label = format_hex(column, row)
            if cell in _WATER_CELLS:
                self.water[label] = _WATER_CELLS[cell]
            elif len(cell) != 2 or cell[1] not in (PLAIN, MOUNTAIN):
                marks = {"plain": PLAIN, "mountain": MOUNTAIN, "waters": _WATER_WORDS}
                block.blame_at(line, "cell-unread", cell=cell, hex=label, **marks)
                continue
            elif cell[0] not in self.areas:
                block.blame_at(line, "cell-area", cell=cell, hex=label, letter=cell[0], areas=", ".join(self.areas))
                continue
            else:
                self.area[label], self.ground[label] = cell
            self.unread.discard(label)

    def check_foreign(self) -> None:
        """A map with foreign hexes says what may be built there. Rule: D2.6."""
        foreign = [label for label, letter in self.area.items() if letter not in self.homes]
        if self.homes and foreign and self.top.get("foreign_build") == "none":
            self.top.blame("foreign_build", "foreign-none", count=len(foreign), first=foreign[0])


# What lies on the hex-sides of a map file: rivers, forbidden and priced sides, bridges, ferries, permitted builds.

POINTS = {"edges": 2, "wide": 4}  # additional points to cross a river; Rule: D2.3


class Ways:
    """Every hex-side that is other than the ground makes it. A bridge over closed water opens it."""

    def __init__(self, grid: Grid) -> None:
        """Reads all blocks; faults go to the grid's reader."""
        self._grid = grid
        self._waters: dict[Side, str] = {}  # side to the river on it
        self._settled: dict[Side, str] = {}  # side to the block that settles its price, as it stands in sentences
        self._closed = set[Side]()
        self.rivers: dict[Side, int] = {}
        self.river_lines: tuple[River, ...] = ()
        self.prices: dict[Side, int] = {}
        self.bridges: dict[Side, Bridge] = {}
        self.ferries: dict[Side, Ferry] = {}
        for section, read in (
            ("river", self._read_river),
            ("forbidden", self._read_forbidden),
            ("priced", self._read_priced),
            ("bridge", self._read_bridge),
            ("causeway", self._read_bridge),
            ("ferry", self._read_ferry),
        ):
            for block in grid.blocks(section):
                read(block)
        self.closed = frozenset(self._closed - self.bridges.keys())  # nobody may build over them
        self.permitted = frozenset[Side]()
        for block in grid.blocks("permitted"):
            self._read_permitted(block)
        self.permitted |= {crossing for crossing, bridge in self.bridges.items() if bridge.built}

    def _read_river(self, block: Block) -> None:
        course: list[Side] = []
        for key in (*POINTS, "closed"):
            for line, token, crossing in self._grid.sides(block, key):
                if crossing in self._waters:
                    block.blame_at(line, "river-twice", side=token, other=self._waters[crossing])
                    continue
                self._waters[crossing] = block.name
                course.append(crossing)
                if key in POINTS:
                    self.rivers[crossing] = POINTS[key]
                else:
                    self._closed.add(crossing)
        if block.lacks(*POINTS, "closed"):
            block.blame("", "river-empty")
        self.river_lines = (*self.river_lines, River(name=block.name, sides=tuple(course)))

    def _read_forbidden(self, block: Block) -> None:
        if block.lacks("edges", "hexes"):
            block.blame("", "forbidden-empty")
        labels = self._grid.hexes(block)  # nobody may enter these
        walled = {side(here, other) for here in labels for other in neighbours(here) if other in self._grid.ground}
        shut = set(walled)
        for line, token, crossing in self._grid.sides(block, "open"):  # the tunnel into them
            shut.discard(crossing)
            if crossing not in walled:
                block.blame_at(line, "nothing-open", side=token)
        for line, token, crossing in self._grid.sides(block):
            if crossing in shut - walled and crossing not in self._settled:
                block.blame_at(line, "listed-twice", side=token)
            shut.add(crossing)
        self._closed |= shut
        self._settled = dict.fromkeys(shut, block.what) | self._settled

    def _settle(self, block: Block, line: int, token: str, crossing: Side) -> bool:
        """Return whether a hex-side is still free to get a price; blame a second one."""
        if crossing in self._settled:
            block.blame_at(line, "settled", side=token, other=self._settled[crossing])
            return False
        self._settled[crossing] = block.what
        return True

    def _read_priced(self, block: Block) -> None:
        for line, token, crossing in self._grid.sides(block):
            if crossing in self._closed and crossing not in self._settled:
                block.blame_at(line, "priced-closed", side=token, river=self._waters[crossing])
            elif self._settle(block, line, token, crossing):
                self.prices[crossing] = block.get("points", 0)

    def _read_bridge(self, block: Block) -> None:
        """Read a bridge, or a causeway: a link that lies from the start, free for everybody. Rule: R29."""
        built = block.where.section == "causeway"
        bridge = convert({"name": "", "price": block.get("points", 0), "toll": None, **block.fields}, Bridge)
        if built:
            bridge = bridge.but(toll=0, built=True)
        if "edges" in block.fields and not block.fields["edges"].split():
            block.blame("edges", "no-sides", what=block.what[:1].upper() + block.what[1:])
        for line, token, crossing in self._grid.sides(block):
            if self._settle(block, line, token, crossing):
                self.bridges[crossing] = bridge

    def _read_ferry(self, block: Block) -> None:
        ends = self._ferry_ends(block) if "ends" in block.fields else None
        if ends is None:
            return
        if ends in self.ferries:
            block.blame("ends", "ferry-same", other=self.ferries[ends].name)
        told = {"name": block.name, "price": block.get("points", 0), "toll": 0, **block.fields}
        self.ferries[ends] = convert(told, Ferry)

    def _ferry_ends(self, block: Block) -> Side | None:
        """Return the two terminals of a ferry: hexes of the map that are no neighbours."""
        texts = block.fields["ends"].split("-")
        if len(texts) != 2:
            block.blame("ends", "ferry-ends")
            return None
        one, other = (self._grid.hex(block, "ends", text.strip()) for text in texts)
        if one is None or other is None:
            return None
        if one == other:
            block.blame("ends", "ferry-circle", hex=texts[0].strip())
            return None
        if are_neighbours(one, other):
            block.blame("ends", "ferry-neighbours", ends=block.fields["ends"])
            return None
        return side(one, other)

    def _read_permitted(self, block: Block) -> None:
        """White lines through foreign areas. Rule: D2.6."""
        for line, token, crossing in self._grid.sides(block):
            if crossing in self.permitted:
                block.blame_at(line, "listed-twice", side=token)
            if crossing in self.closed:
                block.blame_at(line, "permitted-closed", side=token)
            if all(self._grid.area.get(label) in self._grid.homes for label in crossing):
                block.blame_at(line, "permitted-home", side=token)
            self.permitted |= {crossing}
