"""What the scenario files of Dampfross have to show."""

from referee.games.dampfross import GAME
from referee.games.dampfross.options import Options
from tests.scenario.wanted import Wanted
from tests.tables import Tables

# The maps are named by their titles: D10 Ireland.
MAPS = ("D10.1", "D10.2", "D10.3", "D10.4")

WANTED = Wanted(game=GAME, options=Options, option_values=Tables(__file__).frozen("OPTION_VALUES"), without=MAPS)
