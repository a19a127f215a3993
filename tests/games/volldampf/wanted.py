"""What the scenario files of Volldampf have to show."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.volldampf import GAME, RULES
from referee.games.volldampf.options import Options
from tests.games.volldampf.optionvalues import VALUES
from tests.scenario.wanted import Wanted

# Decisions of the digest that nothing in play depends on: where Dresden is drawn (03), advice to beginners (18), and what the
# service decides (72).
NO_EFFECT = ("DIFF 03", "DIFF 18", "DIFF 72")

PARAGRAPHS = tuple(paragraph for paragraph in RULES if paragraph not in NO_EFFECT)

# A number is shown as none and as one of its values; the others are shown value by value.
NUMBERS = ("income_max", "bond_limit")
OPTION_VALUES: Mapping[str, tuple[str, ...]] = {
    name: ("0", "[1-9]*") if name in NUMBERS else tuple(str(value) for value in values)
    for name, values in VALUES.items()
}

PENDING = {
    "R32": "about the faults of a board file; a sketch has whatever it needs. tests/games/volldampf/test_boardfile.py",
}

WANTED = Wanted(game=GAME, options=Options, paragraphs=PARAGRAPHS, option_values=OPTION_VALUES, pending=PENDING)
