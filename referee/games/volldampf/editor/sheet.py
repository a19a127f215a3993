"""An empty board file to fill in, with a word on every section."""

from __future__ import annotations

LARGEST = (9999, 9999)  # of a printed board, in millimetres or any other unit

_SHEET = """\
# {title}: an empty board of Volldampf. The whole format is described in docs/boards.md; `referee map check --game volldampf`
# says what is still missing. What follows a # is for people.
format = "volldampf-1"
id = "{name}"  # small letters, digits, - and _
title = "{title}"

# What the box holds, if it is not the printed game's.
# max_links = 6        # of one delivery
# track_cards = 8      # of each colour
# cubes = 10           # of each colour
# action_cards = 2     # of each of the seven kinds
# bond_points = 84     # a limit only with the option bank_limits
# start_money = 10     # marks
# bond_money = 6       # marks for each bond point

# Cities: three capital letters, name, the colour of the cubes it takes. Blue and violet ones lie at home, red and yellow ones
# abroad. Where it is drawn: at = [to the right, down] from the upper left corner of your sheet, {width} x {height} units (a
# ruler laid on the printed board gives millimetres); or lat and lon in degrees, for all cities. Cubes are drawn in this order.
[[city]]
id = "AAA"
name = "Ardee"
colour = "blue"
at = [{left}, {top}]
# aliases = ["Ard"]    # other names it answers to

[[city]]
id = "BBB"
name = "Boyle"
colour = "violet"
at = [{right}, {top}]

# [[city]]
# id = "CCC"
# name = "Calais"
# colour = "red"
# country = "FR"       # DE if left out
# at = [{right}, {bottom}]

# Colours of links and track cards, in the order in which cards are sorted; below each its links: two cities, the cost.
[[colour]]
id = "purple"
symbol = "circle"      # circle, octagon, triangle, square, diamond, star
code = "C"             # a letter for cards
# region = "West"
links = \"\"\"
Ardee - Boyle 5
\"\"\"

[[colour]]
id = "green"
symbol = "octagon"
code = "O"
links = \"\"\"
\"\"\"

[[colour]]
id = "pink"
symbol = "triangle"
code = "T"
links = \"\"\"
\"\"\"

[[colour]]
id = "orange"          # or whichever is nearest to the print: red, blue, yellow, black, white, turquoise
symbol = "square"
code = "S"
links = \"\"\"
\"\"\"

[[colour]]
id = "brown"
symbol = "diamond"
code = "D"
links = \"\"\"
\"\"\"

[[colour]]
id = "grey"
symbol = "star"
code = "X"
links = \"\"\"
\"\"\"

# Merchandise cards: three cities each, as printed; the printed game has 18.
[merchandise]
cards = \"\"\"
\"\"\"

# Numbers for each number of players, if they are not those of the rules.
# [players.4]
# sections = 12
# group_size = 3
# rounds = 4
# setup_cards = 2
# round_cards = 2
# remove_per_colour = 0
# remove_random = 0
"""


def empty_board(columns: int, rows: int, name: str, title: str) -> str:
    """Return the text of a board with two cities, every section explained.

    *columns*, *rows*: the size of the sheet in the units of ``at``; *title*: without quotes, backslashes, control characters.
    """
    return _SHEET.format(
        title=title,
        name=name,
        width=columns,
        height=rows,
        left=columns // 4,
        right=columns * 3 // 4,
        top=rows // 4,
        bottom=rows * 3 // 4,
    )
