"""Files of ours beside a letter."""

from __future__ import annotations

from referee.mail.compose import Attachment
from referee.service.club.pictures import Picture


def board_files(picture: Picture, name: str) -> tuple[Attachment, ...]:
    """Return a board: as PNG, which a mail program shows below the text, and as SVG; *name* without ending."""
    shown = Attachment(name=f"{name}.png", media_type="image/png", content=picture.png, shown=True)
    drawn = Attachment(name=f"{name}.svg", media_type="image/svg+xml", content=picture.svg)
    return (shown, drawn) if picture.png else (drawn,)
