"""An empty sheet to fill in: a map file of a given size with a word on every section."""

from __future__ import annotations

from referee.core.hexes import format_column

NUMBERED_FROM = 27  # columns: from here on postal sheets start again at A

_SHEET = """\
# {title}: an empty sheet. The whole format is described in docs/maps.md; `referee map check` says what is still missing.
format = "rrmap-1"
id = "{name}"                  # small letters, digits and _
title = "{title}"
cols = {columns}
rows = {rows}
home_areas = ["H"]           # letters of [areas]; every other area is foreign
foreign_build = "none"       # none: no foreign hexes; stop: a line ends in its first foreign hex; free: build on
# areas_without_bonus = ["H"]  # connecting a town there pays nothing
{numbered}
# Races: 18 in a map without specials, else 21, with races 4, 7, 11, 14, 18 and 21 special; say so only if it is otherwise.
# transports = {{ total = 21, special = [4, 7, 11, 14, 18, 21] }}

[areas]                      # a letter for the grid, and the name of the country
H = "Home"

# Where companies may start: for any number of them, or by their number ("4", "5-6"), as a list of towns, with a number
# for each town, or "any city".
[home_terminals]
# any = ["Northtown", "Southtown"]
# 4 = {{ Northtown = 2, Southtown = 2 }}
# 5-6 = "any city"
# first_round_ways = 1       # hex-sides by which a company may leave its home in the first round

# Towns. All keys from 11 to 66 must be there; towns may share a key, a town may have several.
# [[station]]
# numbers = [11, 12]
# name = "Northtown"
# hex = "C2"
# alt = "Northton, Nton"     # other names it answers to
# minor = true               # a minor town pays 3 instead of 6
# bonus = 4                  # or whatever the map says

# Places without a key, mostly ends of specials.
# [[junction]]
# name = "Farend"
# hex = "D4"

# Special destinations 1 to 6: hexes, towns (or junctions), whole areas; of areas only the plains, or only hexes within so
# many steps of the border.
# [[special]]
# number = 1
# title = "Abroad"
# hexes = "D4 D5"
# towns = ["Farend"]
# areas = ["F"]
# within = 1
# plain = true

# Rivers: hex-sides from the source. edges cost 2 more, wide 4 more, closed cannot be crossed.
# [[river]]
# name = "Wet"
# edges = "B1-B2 C2-B2"
# wide = "C2-C3"
# closed = "D2-C3"

# Hex-sides nobody may build over; or hexes nobody may enter, but by the open sides.
# [[forbidden]]
# edges = "A1-A2"
# hexes = "B3"
# open = "B2-B3"

# Hex-sides with a price of their own, instead of what the ground costs.
# [[priced]]
# points = 4
# edges = "A2-A3"

# Bridges: price in full; toll for a rival's train; single = one company only; banked = points may be saved up for it.
# [[bridge]]
# name = "Great Bridge"
# edges = "D2-C3"
# points = 5
# toll = 4
# single = true
# banked = true

# Causeways lie from the start: nobody pays for them, neither building nor racing.
# [[causeway]]
# name = "Dam"
# edges = "B3-B4"

# Ferries join two hexes that are no neighbours: price, toll, how many companies may own it, points to cross it in a race.
# [[ferry]]
# name = "Packet"
# ends = "A4-D4"
# points = 6
# toll = 3
# owners = 1
# moves = 2

# Permitted builds through foreign hexes.
# [[permitted]]
# edges = "C4-D4 D4-D5"

# One cell for each hex: area letter and . plain or ^ mountain; oo lake, ~~ sea, -- outside (these three: no hex).
# The second column and every other one after it lies half a hex lower.
[cells]
grid = \"\"\"
{grid}
\"\"\"
"""


def empty_sheet(columns: int, rows: int, name: str, title: str) -> str:
    """Return the text of a map without towns: all plains of one area, every section explained.

    *title*: without quotes, backslashes and control characters.
    """
    numbered = "numbered_grid = { letters = 26 }  # on the printed sheet AA1 is also called A" + str(rows + 1)
    return _SHEET.format(
        title=title,
        name=name,
        columns=columns,
        rows=rows,
        numbered=numbered if columns >= NUMBERED_FROM else "# numbered_grid = { letters = 26 }",
        grid=_grid(columns, rows),
    )


def _grid(columns: int, rows: int) -> str:
    margin = len(str(rows))
    head = " " * (margin + 1) + "".join(f"{format_column(column):>3}" for column in range(columns))
    return "\n".join([head, *(f"{row:>{margin}}:{' H.' * columns}" for row in range(1, rows + 1))])
