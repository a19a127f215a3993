"""The club's SQLite store: rows come in and go out, written in one way only (``transaction``)."""

from .club import (
    AHEAD,
    APPEARS,
    DIGEST,
    FACES,
    LANGUAGE,
    OF_READERS,
    PERSON,
    RETENTION,
    UMPIRES,
    ZINE,
    fact,
    facts,
    facts_named,
    forget_fact,
    last_poll,
    last_tick,
    move_facts_of_reader,
    state_of_pages,
    write_fact,
)
from .codes import to_decide
from .database import *
from .files import damaged_letters, drop_letters, with_files
from .games import acts, acts_for, all_names, chain_act, write_act
from .hashes import LoggedTurn, booking, hash_of_agreement, hash_of_letters, hash_of_reason, hash_of_turn
from .letters import Fate
from .opengames import OpenGameRow, SignupRow
from .orders import type_throw, typed_throws
from .outbox import Answered, end_pause, wait_after, write_pause
from .rows import *
from .storefile import *
