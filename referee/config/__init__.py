"""``referee.toml`` and the environment, read here alone: texts come in, one frozen ``Config`` goes out, or what is wrong."""

from .reading import *
from .settings import *
from .values import *
