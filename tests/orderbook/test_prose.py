"""How many letters that order nothing are asked anything: over the texts in tests/prose, and those that PROSE names."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from itertools import chain
from pathlib import Path

import pytest

from referee.orderbook import Reading
from tests.prose import KEPT, texts_of

Reads = Mapping[str, Callable[[str], Reading]]
PATHS = [KEPT, *map(Path, filter(None, os.environ.get("PROSE", "").split(":")))]


@pytest.mark.parametrize("game", ["dampfross", "volldampf"])
def test_of_a_hundred_letters_that_order_nothing_one_at_most_is_asked_anything(game: str, reads: Reads) -> None:
    texts = list(chain.from_iterable(map(texts_of, PATHS)))
    asked = [reading.asked for reading in map(reads[game], texts) if reading.asked]
    assert len(texts) >= 140
    assert len(asked) <= len(texts) / 100, f"{len(asked)} of {len(texts)}: {asked}"
