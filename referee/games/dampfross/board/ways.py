"""What lies on the hex-sides of a map file: rivers, forbidden and priced sides, bridges, ferries, permitted builds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from referee.core.hexes import Hex, Side, are_neighbours, neighbours, side
from referee.core.texts.boardfields import BoardReader
from referee.core.texts.tomltext import Where
from referee.games.dampfross.board.fields import BRIDGE, CAUSEWAY, FERRY, FORBIDDEN, PERMITTED, PRICED, RIVER, says
from referee.games.dampfross.board.grid import Grid
from referee.games.dampfross.board.railmap import Bridge, Ferry, River

POINTS = {"edges": 2, "wide": 4}  # additional points to cross a river; Rule: D2.3


class Ways:
    """Every hex-side that is other than the ground makes it. A bridge over closed water opens it."""

    def __init__(self, reader: BoardReader, grid: Grid) -> None:
        """Reads all blocks; faults go to *reader*."""
        self._reader = reader
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
        for where, fields in self._reader.blocks("river", RIVER):
            name = fields.get("name", f"number {where.index + 1}")
            course: list[Side] = []
            for key in ("edges", "wide", "closed"):
                for line, token, crossing in self._grid.sides(where, fields, key):
                    if crossing in self._waters:
                        twice = says("river-twice", side=token, name=name, other=self._waters[crossing])
                        self._reader.blame(line, twice)
                        continue
                    self._waters[crossing] = name
                    course.append(crossing)
                    if key == "closed":
                        self._closed[crossing] = None
                    else:
                        self.rivers[crossing] = POINTS[key]
            if not any(key in fields for key in ("edges", "wide", "closed")):
                self._reader.blame(self._reader.source.line(where), says("river-empty", name=name))
            self.river_lines.append(River(name=name, sides=tuple(course)))

    def _read_forbidden(self) -> None:
        for where, fields in self._reader.blocks("forbidden", FORBIDDEN):
            what = f"[[forbidden]] {where.index + 1}"
            if "edges" not in fields and "hexes" not in fields:
                self._reader.blame(self._reader.source.line(where), says("forbidden-empty", what=what))
            walled = tuple(self._walls(where, fields, what))
            kept_open = {crossing for _, _, crossing in self._opened(where, fields, what, walled)}
            for crossing in walled:
                if crossing not in kept_open:
                    self._close(crossing, what)
            for line, token, crossing in self._grid.sides(where, fields, "edges"):
                if self._settled.get(crossing) == what and crossing not in walled:
                    self._reader.blame(line, says("listed-twice", side=token, what=what))
                self._close(crossing, what)

    def _walls(self, where: Where, fields: Mapping[str, Any], what: str) -> Iterator[Side]:
        """Yield every hex-side of the hexes nobody may enter."""
        for label in self._grid.hexes(where, fields, "hexes", what):
            for other in neighbours(label):
                if other in self._grid.ground:
                    yield side(label, other)

    def _opened(
        self, where: Where, fields: Mapping[str, Any], what: str, walled: tuple[Side, ...]
    ) -> Iterator[tuple[int, str, Side]]:
        """Yield the exceptions: the tunnel into the hexes that are else closed."""
        for line, token, crossing in self._grid.sides(where, fields, "open"):
            if crossing not in walled:
                self._reader.blame(line, says("nothing-open", side=token, what=what))
            yield line, token, crossing

    def _close(self, crossing: Side, what: str) -> None:
        self._closed[crossing] = None
        self._settled.setdefault(crossing, what)

    def _settle(self, line: int, token: str, crossing: Side, what: str) -> bool:
        """Return whether a hex-side is still free to get a price; blame a second one."""
        if crossing in self._settled:
            self._reader.blame(line, says("settled", side=token, what=what, other=self._settled[crossing]))
            return False
        self._settled[crossing] = what
        return True

    def _read_priced(self) -> None:
        for where, fields in self._reader.blocks("priced", PRICED):
            what = f"[[priced]] {where.index + 1}"
            for line, token, crossing in self._grid.sides(where, fields, "edges"):
                if crossing in self._closed and crossing not in self._settled:
                    closed = says("priced-closed", side=token, what=what, river=self._waters[crossing])
                    self._reader.blame(line, closed)
                elif self._settle(line, token, crossing, what):
                    self.prices[crossing] = fields.get("points", 0)

    def _read_bridges(self) -> None:
        for where, fields in self._reader.blocks("bridge", BRIDGE):
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
        for where, fields in self._reader.blocks("causeway", CAUSEWAY):
            what = f"causeway {fields.get('name', where.index + 1)}"
            self._span(where, fields, what, Bridge(name=fields.get("name", ""), price=0, toll=0, built=True))

    def _span(self, where: Where, fields: Mapping[str, Any], what: str, bridge: Bridge) -> None:
        """Put a bridge on the hex-sides of its block."""
        if "edges" in fields and not fields["edges"].split():
            self._reader.blame_field(where, "edges", says("no-sides", what=what[:1].upper() + what[1:]))
        for line, token, crossing in self._grid.sides(where, fields, "edges"):
            if self._settle(line, token, crossing, what):
                self.bridges[crossing] = bridge

    def _read_ferries(self) -> None:
        for where, fields in self._reader.blocks("ferry", FERRY):
            name = fields.get("name", f"number {where.index + 1}")
            ends = self._ferry_ends(where, fields, f"Ferry {name}")
            if ends is None:
                continue
            if ends in self.ferries:
                same = says("ferry-same", name=name, other=self.ferries[ends].name)
                self._reader.blame_field(where, "ends", same)
            self.ferries[ends] = Ferry(
                name=name,
                price=fields.get("points", 0),
                toll=fields.get("toll", 0),
                owners=fields.get("owners", 1),
                moves=fields.get("moves", 2),
            )

    def _ferry_ends(self, where: Where, fields: Mapping[str, Any], what: str) -> Side | None:
        """Return the two terminals of a ferry: hexes of the map that are no neighbours."""
        if "ends" not in fields:
            return None
        texts = fields["ends"].split("-")
        if len(texts) != 2:
            self._reader.blame_field(where, "ends", says("ferry-ends", what=what))
            return None
        ends: list[Hex] = []
        for text in texts:
            label = self._grid.hex(where, "ends", text.strip(), what)
            if label is not None:
                ends.append(label)
        if len(ends) < 2:
            return None
        if ends[0] == ends[1]:
            self._reader.blame_field(where, "ends", says("ferry-circle", what=what, hex=texts[0].strip()))
            return None
        if are_neighbours(*ends):
            self._reader.blame_field(where, "ends", says("ferry-neighbours", what=what, ends=fields["ends"]))
            return None
        return side(*ends)

    def _read_permitted(self) -> None:
        """White lines through foreign areas. Rule: D2.6."""
        homes = self._reader.top.get("home_areas", ())
        for where, fields in self._reader.blocks("permitted", PERMITTED):
            what = f"[[permitted]] {where.index + 1}"
            for line, token, crossing in self._grid.sides(where, fields, "edges"):
                if crossing in self.permitted:
                    self._reader.blame(line, says("listed-twice", side=token, what=what))
                if crossing in self.closed:
                    self._reader.blame(line, says("permitted-closed", side=token, what=what))
                if all(self._grid.area.get(label) in homes for label in crossing):
                    self._reader.blame(line, says("permitted-home", side=token, what=what))
                self.permitted.add(crossing)
        self.permitted.update(crossing for crossing, bridge in self.bridges.items() if bridge.built)
