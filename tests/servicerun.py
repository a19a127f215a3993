"""`referee` as it is, but that the service has little patience, and writes a byte into the file $PASSES after each pass."""

import os
from collections.abc import Callable

from referee import daemon
from referee.cli import main
from referee.mail.servers import login
from referee.service.club import Club
from referee.service.tick import Pass, Watch

make_pass = daemon._make_pass


def counted_pass(club: Club, told: Callable[[Pass], None], watch: Watch) -> None:
    try:
        make_pass(club, told, watch)
    finally:
        with open(os.environ["PASSES"], "ab") as passes:  # noqa: PTH123
            passes.write(b".")


daemon.LAST_PASS = 1
daemon._make_pass = counted_pass
login.FIRST = 0.2
main()
