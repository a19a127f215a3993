"""How processes that read letters are begun is tested as in a club (elsewhere they are forked). The games of this room's tests,
and the reader.
"""

from collections.abc import Iterator

import pytest

from referee.reader import limitedprocess
from referee.reader.wire import Reader
from tests.forkedreader import begin_as_in_a_club
from tests.posthouse import ByKind, PostHouse, begun_games


@pytest.fixture(autouse=True, scope="package")
def _begun_as_in_a_club() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limitedprocess, "_start", begin_as_in_a_club)
        yield


SEATS = {
    "dampfross": ("GSW:red:Ann <ann@example.org>", "MGW:blue:Bob <bob@example.org>", "BNC:green:Cyd <cyd@example.org>"),
    "volldampf": ("ANN:red:Ann <ann@example.org>", "BOB:blue:Bob <bob@example.org>", "CID:green:Cid <cid@example.org>"),
}


@pytest.fixture(scope="module")
def positions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ByKind]:
    with PostHouse(tmp_path_factory.mktemp("reader") / "club") as house:
        yield begun_games(house, SEATS)


@pytest.fixture
def reader() -> Iterator[Reader]:
    made = Reader()
    yield made
    made.close()
