"""What the scenario files of Volldampf have to show."""

from collections.abc import Mapping

from referee.core import Texts
from referee.core.game import Option
from referee.games.volldampf import GAME
from referee.games.volldampf.options import Options
from tests.scenario.wanted import Wanted
from tests.tables import Tables

# Every value of every option of Volldampf, as the digest of its rules gives them.

VALUES: Mapping[str, tuple[Option, ...]] = Tables(__file__).frozen("values")

# Decisions of the digest that nothing in play depends on: where Dresden is drawn (03), advice to beginners (18), and what the
# service decides (72); how many there are of what is in the box is shown by what it is for.
NO_EFFECT = ("DIFF 03", "DIFF 18", "DIFF 72", "V8.1", "V8.2", "V8.3", "V8.4", "V8.7")

# A number is shown as none and as one of its values; the others are shown value by value.
NUMBERS = ("income_max", "bond_limit")
OPTION_VALUES: Mapping[str, Texts] = {
    name: ("0", "[1-9]*") if name in NUMBERS else tuple(str(value) for value in values)
    for name, values in VALUES.items()
}

PENDING = {
    "R32": "about the faults of a board file; a sketch has whatever it needs. tests/games/volldampf/test_boardfile.py",
}

WANTED = Wanted(game=GAME, options=Options, option_values=OPTION_VALUES, pending=PENDING, without=NO_EFFECT)
