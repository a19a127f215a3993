"""English words round values, in sentences that umpires and mapmakers read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

N_ = str  # marks words for the catalogue; they are translated where they are shown

TOLD = N_("{what}: {told}")  # French has a blank before the colon


class Sentence(str):
    """A sentence in English that can be said in another language: ``sentence``, marked by ``N_``, and the ``values`` in it."""

    sentence: str
    values: Mapping[str, object]

    def __new__(cls, sentence: str, /, **values: object) -> Sentence:
        told = super().__new__(cls, sentence.format(**values) if values else sentence)
        told.sentence, told.values = sentence, values
        return told


def said(text: object, translate: Callable[[str], str]) -> object:
    """Return a value as *translate* says it: a ``Sentence`` with those inside it, anything else as it is."""
    if not isinstance(text, Sentence):
        return text
    values = {name: said(value, translate) for name, value in text.values.items()}
    sentence = translate(text.sentence)
    return sentence.format(**values) if values else sentence


def counted(number: int, one: str, many: str = "") -> str:
    """Return ``1 letter waits`` or ``2 letters wait``: the number with the words that fit it; *many*: else *one* with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def first_of(words: Sequence[str], most: int) -> str:
    """Return the first *most* words, and how many there are more."""
    shown = ", ".join(words[:most])
    return f"{shown} and {len(words) - most} more" if len(words) > most else shown


def as_written(value: object) -> str:
    """Return a value as it stands in files and in the rules: ``true``, ``cube``, ``3``."""
    return str(value).lower() if isinstance(value, bool) else str(value)
