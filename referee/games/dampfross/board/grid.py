"""The ground of a map file: areas, the grid of cells, and hexes and hex-sides named anywhere in the file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from referee.core.hexes import (
    Hex,
    Hexes,
    Side,
    are_neighbours,
    format_column,
    format_hex,
    label_to_numbered,
    neighbours,
    numbered_to_label,
    parse_hex,
    side,
)
from referee.core.texts.boardfields import BoardReader, has_type, kind_words, shown
from referee.core.texts.tomltext import Where
from referee.games.dampfross.board.railmap import (
    MOUNTAIN,
    PLAIN,
    WATER,
    Bridge,
    Ferry,
    River,
    says,
)

_WATER_CELLS = {mark * 2: mark for mark in WATER}
_WATER_WORDS = ", ".join(f"{mark * 2} {word}" for mark, word in WATER.items())
_ROW = re.compile(r"\s*(\S+?)\s*:(.*)")


class Part:
    """What reads a part of a map file: its faults are sentences of ``faults.toml``."""

    def __init__(self, reader: BoardReader) -> None:
        self.reader = reader

    def blame(self, where: Where, key: str, code: str, /, **values: object) -> None:
        """Note a fault at the line of a field, or of its table."""
        self.reader.blame_field(where, key, says(code, **values))

    def blame_line(self, line: int, code: str, /, **values: object) -> None:
        """Note a fault."""
        self.reader.blame(line, says(code, **values))


class Grid(Part):
    """The hexes of the sheet. A hex whose cell could not be read is in ``unread``: nothing more is said about it.

    ``letters``: of the numbered postal grid, 0 where the map declares none; where it does, the file may name hexes in both
    ways.
    """

    def __init__(self, reader: BoardReader) -> None:
        """Reads areas and cells; faults go to *reader*."""
        super().__init__(reader)
        self.columns: int = reader.top.get("cols", 0)
        self.rows: int = reader.top.get("rows", 0)
        self.letters = self._read_letters()
        self.areas: dict[str, str] = {}
        self.ground: dict[Hex, str] = {}
        self.water: dict[Hex, str] = {}
        self.area: dict[Hex, str] = {}
        self.unread = {format_hex(column, row) for column in range(self.columns) for row in range(self.rows)}
        self._read_areas()
        self._read_rows()

    def label(self, text: str) -> Hex:
        """Return the label of a hex written in either grid; what is no hex at all comes back as it is."""
        if not (self.letters and self.rows):
            return text
        return numbered_to_label(text, self.letters, self.rows) or text

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

    def hex(self, where: Where, key: str, text: str, what: str) -> Hex | None:
        """Return the label of a hex that lies on the map (or may, where its cell was not read); blame any other."""
        fault = self.fault(text)
        if fault:
            self.blame_line(self.reader.source.token_line(where, key, text), "of", what=what, fault=fault)
        return None if fault else self.label(text)

    def hexes(self, where: Where, fields: Mapping[str, Any], key: str, what: str) -> Hexes:
        """Return the hexes listed in a field, each once; blame repeats and an empty list."""
        texts = fields.get(key, "").split()
        if key in fields and not texts:
            self.blame(where, key, "no-hexes", what=what)
        found: dict[Hex, None] = {}
        for n, text in enumerate(texts):
            label = self.label(text)
            if label in found:
                line = self.reader.source.token_line(where, key, text, texts[:n].count(text))
                self.blame_line(line, "hex-twice", what=what, hex=text)
            elif text not in texts[:n] and self.hex(where, key, text, what) is not None:
                found[label] = None
        return tuple(found)

    def area_letters(self, where: Where, key: str, letters: list[str], what: str) -> tuple[str, ...]:
        """Return those of *letters* that are areas of the map; blame the others."""
        for letter in letters:
            if letter not in self.areas:
                line = self.reader.source.token_line(where, key, letter)
                self.blame_line(line, "no-area", what=what, letter=letter, areas=", ".join(self.areas))
        return tuple(letter for letter in letters if letter in self.areas)

    def sides(self, where: Where, fields: Mapping[str, Any], key: str) -> tuple[tuple[int, str, Side], ...]:
        """Return the good hex-sides listed in a field as (line, as written, side), in order, repeats included."""
        found = []
        tokens = fields.get(key, "").split()
        for n, token in enumerate(tokens):
            line = self.reader.source.token_line(where, key, token, tokens[:n].count(token))
            fault = self._side_fault(token)
            if fault:
                self.blame_line(line, "side", side=token, fault=fault)
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

    def _read_letters(self) -> int:
        letters = int(self.reader.table("numbered_grid").get("letters", 0))
        if letters > 26:
            self.blame(Where(section="numbered_grid"), "letters", "letters", letters=letters)
        return letters

    def _read_areas(self) -> None:
        where = Where(section="areas")
        for letter, title in self.reader.top.get("areas", {}).items():
            if not re.fullmatch(r"[A-Z]", letter):
                self.blame(where, letter, "area-letter", letter=letter)
            elif not has_type(title, "line"):
                self.blame(where, letter, "area-title", letter=letter, shown=shown(title), kind=kind_words("line"))
            else:
                self.areas[letter] = title
        self.area_letters(Where(), "home_areas", self.reader.top.get("home_areas", []), "Home area")

    def _read_rows(self) -> None:
        where = Where(section="cells")
        grid = self.reader.table("cells").get("grid")
        if grid is None or not (self.columns and self.rows):
            return
        first = self.reader.source.first_content_line(where, "grid")
        lines = [(first + n, text) for n, text in enumerate(grid.splitlines()) if text.strip()]
        if lines and ":" not in lines[0][1]:
            self._check_header(*lines.pop(0))
        if len(lines) != self.rows:
            self.blame(where, "grid", "grid-rows", found=len(lines), rows=self.rows)
        for row, (line, text) in enumerate(lines[: self.rows]):
            self._read_row(line, text, row)

    def _check_header(self, line: int, text: str) -> None:
        """People find hexes by the letters above the grid."""
        expected = [format_column(column) for column in range(self.columns)]
        found = text.split()
        # In the numbered grid the letters start again at A.
        numbered = [label_to_numbered(f"{letters}1", self.letters, 1)[0] for letters in expected if self.letters]
        if found in (expected, numbered):
            return
        wrong = next((pair for pair in zip(found, expected, strict=False) if pair[0] != pair[1]), None)
        told = {"found": wrong[0], "column": wrong[1]} if wrong else {"found": len(found)}
        code = "header-letter" if wrong else "header-count"
        self.blame_line(line, code, **told, first=expected[0], last=expected[-1])

    def _read_row(self, line: int, text: str, row: int) -> None:
        match = _ROW.fullmatch(text)
        if match is None:
            self.blame_line(line, "row-unread", row=row + 1, columns=self.columns)
            return
        if match[1] != str(row + 1):
            self.blame_line(line, "row-number", found=match[1], row=row + 1)
        cells = match[2].split()
        if len(cells) != self.columns:
            self.blame_line(line, "row-cells", row=row + 1, found=len(cells), columns=self.columns)
            return
        for column, cell in enumerate(cells):
            self._read_cell(line, format_hex(column, row), cell)

    def _read_cell(self, line: int, label: Hex, cell: str) -> None:
        if cell in _WATER_CELLS:
            self.water[label] = _WATER_CELLS[cell]
            self.unread.discard(label)
        elif len(cell) != 2 or cell[1] not in (PLAIN, MOUNTAIN):
            marks = {"plain": PLAIN, "mountain": MOUNTAIN, "waters": _WATER_WORDS}
            self.blame_line(line, "cell-unread", cell=cell, hex=label, **marks)
        elif cell[0] not in self.areas:
            letters = ", ".join(self.areas)
            self.blame_line(line, "cell-area", cell=cell, hex=label, letter=cell[0], areas=letters)
        else:
            self.area[label] = cell[0]
            self.ground[label] = cell[1]
            self.unread.discard(label)

    def check_foreign(self) -> None:
        """A map with foreign hexes says what may be built there. Rule: D2.6."""
        homes = self.reader.top.get("home_areas", ())
        foreign = [label for label, letter in self.area.items() if letter not in homes]
        if homes and foreign and self.reader.top.get("foreign_build") == "none":
            self.blame(Where(), "foreign_build", "foreign-none", count=len(foreign), first=foreign[0])


# What lies on the hex-sides of a map file: rivers, forbidden and priced sides, bridges, ferries, permitted builds.

POINTS = {"edges": 2, "wide": 4}  # additional points to cross a river; Rule: D2.3


class Ways(Part):
    """Every hex-side that is other than the ground makes it. A bridge over closed water opens it."""

    def __init__(self, reader: BoardReader, grid: Grid) -> None:
        """Reads all blocks; faults go to *reader*."""
        super().__init__(reader)
        self._grid = grid
        self._waters: dict[Side, str] = {}  # side to the river on it
        self._settled: dict[Side, str] = {}  # side to the block that settles its price, as it stands in sentences
        self.rivers: dict[Side, int] = {}
        self.river_lines: list[River] = []
        self.prices: dict[Side, int] = {}
        self.bridges: dict[Side, Bridge] = {}
        self.ferries: dict[Side, Ferry] = {}
        self.permitted: set[Side] = set()
        self._closed: dict[Side, None] = {}
        self._read_rivers()
        self._read_forbidden()
        self._read_priced()
        self._read_bridges()
        self._read_causeways()
        self._read_ferries()
        self._read_permitted()

    @property
    def closed(self) -> frozenset[Side]:
        """Return the hex-sides that nobody may build over."""
        return frozenset(crossing for crossing in self._closed if crossing not in self.bridges)

    def _read_rivers(self) -> None:
        for where, fields in self.reader.blocks("river"):
            name = fields.get("name", f"number {where.index + 1}")
            course: list[Side] = []
            for key in ("edges", "wide", "closed"):
                for line, token, crossing in self._grid.sides(where, fields, key):
                    if crossing in self._waters:
                        other = self._waters[crossing]
                        self.blame_line(line, "river-twice", side=token, name=name, other=other)
                        continue
                    self._waters[crossing] = name
                    course.append(crossing)
                    if key == "closed":
                        self._closed[crossing] = None
                    else:
                        self.rivers[crossing] = POINTS[key]
            if not any(key in fields for key in ("edges", "wide", "closed")):
                self.blame(where, "", "river-empty", name=name)
            self.river_lines.append(River(name=name, sides=tuple(course)))

    def _read_forbidden(self) -> None:
        ground = self._grid.ground
        for where, fields in self.reader.blocks("forbidden"):
            what = f"[[forbidden]] {where.index + 1}"
            if "edges" not in fields and "hexes" not in fields:
                self.blame(where, "", "forbidden-empty", what=what)
            labels = self._grid.hexes(where, fields, "hexes", what)  # nobody may enter these
            walled = {side(label, other): None for label in labels for other in neighbours(label) if other in ground}
            opened = set()  # the tunnel into them
            for line, token, crossing in self._grid.sides(where, fields, "open"):
                opened.add(crossing)
                if crossing not in walled:
                    self.blame_line(line, "nothing-open", side=token, what=what)
            for crossing in (each for each in walled if each not in opened):
                self._close(crossing, what)
            for line, token, crossing in self._grid.sides(where, fields, "edges"):
                if self._settled.get(crossing) == what and crossing not in walled:
                    self.blame_line(line, "listed-twice", side=token, what=what)
                self._close(crossing, what)

    def _close(self, crossing: Side, what: str) -> None:
        self._closed[crossing] = None
        self._settled.setdefault(crossing, what)

    def _settle(self, line: int, token: str, crossing: Side, what: str) -> bool:
        """Return whether a hex-side is still free to get a price; blame a second one."""
        if crossing in self._settled:
            self.blame_line(line, "settled", side=token, what=what, other=self._settled[crossing])
            return False
        self._settled[crossing] = what
        return True

    def _read_priced(self) -> None:
        for where, fields in self.reader.blocks("priced"):
            what = f"[[priced]] {where.index + 1}"
            for line, token, crossing in self._grid.sides(where, fields, "edges"):
                if crossing in self._closed and crossing not in self._settled:
                    self.blame_line(line, "priced-closed", side=token, what=what, river=self._waters[crossing])
                elif self._settle(line, token, crossing, what):
                    self.prices[crossing] = fields.get("points", 0)

    def _read_bridges(self) -> None:
        for where, fields in self.reader.blocks("bridge"):
            what = f"bridge {fields.get('name', where.index + 1)}"
            bridge = Bridge(
                name=fields.get("name", ""),
                price=fields.get("points", 0),
                toll=fields.get("toll"),
                single=fields.get("single", False),
                banked=fields.get("banked", False),
            )
            self._span(where, fields, what, bridge)

    def _read_causeways(self) -> None:
        """Links that lie from the start, free for everybody. Rule: R29."""
        for where, fields in self.reader.blocks("causeway"):
            what = f"causeway {fields.get('name', where.index + 1)}"
            self._span(where, fields, what, Bridge(name=fields.get("name", ""), price=0, toll=0, built=True))

    def _span(self, where: Where, fields: Mapping[str, Any], what: str, bridge: Bridge) -> None:
        """Put a bridge on the hex-sides of its block."""
        if "edges" in fields and not fields["edges"].split():
            self.blame(where, "edges", "no-sides", what=what[:1].upper() + what[1:])
        for line, token, crossing in self._grid.sides(where, fields, "edges"):
            if self._settle(line, token, crossing, what):
                self.bridges[crossing] = bridge

    def _read_ferries(self) -> None:
        for where, fields in self.reader.blocks("ferry"):
            name = fields.get("name", f"number {where.index + 1}")
            ends = self._ferry_ends(where, fields, f"Ferry {name}") if "ends" in fields else None
            if ends is None:
                continue
            if ends in self.ferries:
                self.blame(where, "ends", "ferry-same", name=name, other=self.ferries[ends].name)
            self.ferries[ends] = Ferry(
                name=name,
                price=fields.get("points", 0),
                toll=fields.get("toll", 0),
                owners=fields.get("owners", 1),
                moves=fields.get("moves", 2),
            )

    def _ferry_ends(self, where: Where, fields: Mapping[str, Any], what: str) -> Side | None:
        """Return the two terminals of a ferry: hexes of the map that are no neighbours."""
        texts = fields["ends"].split("-")
        if len(texts) != 2:
            self.blame(where, "ends", "ferry-ends", what=what)
            return None
        one, other = (self._grid.hex(where, "ends", text.strip(), what) for text in texts)
        if one is None or other is None:
            return None
        if one == other:
            self.blame(where, "ends", "ferry-circle", what=what, hex=texts[0].strip())
            return None
        if are_neighbours(one, other):
            self.blame(where, "ends", "ferry-neighbours", what=what, ends=fields["ends"])
            return None
        return side(one, other)

    def _read_permitted(self) -> None:
        """White lines through foreign areas. Rule: D2.6."""
        homes = self.reader.top.get("home_areas", ())
        for where, fields in self.reader.blocks("permitted"):
            what = f"[[permitted]] {where.index + 1}"
            for line, token, crossing in self._grid.sides(where, fields, "edges"):
                if crossing in self.permitted:
                    self.blame_line(line, "listed-twice", side=token, what=what)
                if crossing in self.closed:
                    self.blame_line(line, "permitted-closed", side=token, what=what)
                if all(self._grid.area.get(label) in homes for label in crossing):
                    self.blame_line(line, "permitted-home", side=token, what=what)
                self.permitted.add(crossing)
        self.permitted.update(crossing for crossing, bridge in self.bridges.items() if bridge.built)
