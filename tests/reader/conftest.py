"""How processes that read letters are begun is tested as in a club (elsewhere they are forked)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from referee.reader import limitedprocess
from tests.forkedreader import begin_as_in_a_club


@pytest.fixture(autouse=True, scope="package")
def _begun_as_in_a_club() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limitedprocess, "_start", begin_as_in_a_club)
        yield
