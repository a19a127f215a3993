"""What every room uses: what values are made of, the world's and the umpire's mistakes, words round values. Beside it hexes,
graphs, named throws, what a game must offer. No library but msgspec, no effects: values come in, values go out.
"""

from .address import *
from .dice import *
from .hexes import *
from .orders import *
from .telling import *
from .values import *
