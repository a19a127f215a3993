"""A regular expression that is compiled when it is first used does what one does that is compiled at once."""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import walk_packages
from unittest.mock import patch

import pytest

import referee
from referee.core.regex import Regex, regex


def test_it_does_what_re_compile_does() -> None:
    ours, theirs = (
        regex(r"(?P<key>[a-z]+)\s*=\s*(\d+)", re.IGNORECASE),
        re.compile(r"(?P<key>[a-z]+)\s*=\s*(\d+)", re.IGNORECASE),
    )
    text = "Toll = 3, cap=10"
    assert ours.findall(text) == theirs.findall(text)
    assert [match.span() for match in ours.finditer(text)] == [match.span() for match in theirs.finditer(text)]
    assert ours.sub(r"\1", text) == theirs.sub(r"\1", text)
    assert ours.split(text) == theirs.split(text)
    assert (ours.match("9"), ours.fullmatch(text)) == (None, None)
    found = ours.search(text)
    assert found is not None
    assert found["key"] == "Toll"
    assert (ours.pattern, ours.flags, ours.groups, ours.groupindex) == (
        theirs.pattern,
        theirs.flags,
        theirs.groups,
        theirs.groupindex,
    )


def test_bytes_are_looked_through_by_bytes() -> None:
    assert regex(rb"(?m)^\.").sub(b"..", b".a\n.b") == b"..a\n..b"


def test_it_is_compiled_once_and_only_when_it_is_used() -> None:
    with patch("referee.core.regex.re.compile", wraps=re.compile) as compiled:
        hexes = regex(r"[A-Z]+[0-9]+")
        assert not compiled.called
        assert hexes.fullmatch("AE5")
        assert not hexes.fullmatch("AE")
        assert compiled.call_count == 1


def test_what_no_expression_can_do_is_an_error() -> None:
    with pytest.raises(AttributeError, match="replace"):
        regex("a").replace  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(re.error, match="unterminated"):
        regex("(a").search("a")


def test_every_expression_of_the_referee_can_be_compiled() -> None:
    """One that is never met in a test would be found out by a letter."""
    modules = [
        import_module(each.name) for each in walk_packages(referee.__path__, "referee.") if "__main__" not in each.name
    ]
    found = [each for module in modules for each in vars(module).values() if isinstance(each, Regex)]
    assert len(found) > 100
    assert all(each.groups >= 0 for each in found)
