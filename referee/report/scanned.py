"""A page of a PDF as a picture, for the map desk."""

from __future__ import annotations

import io
from pathlib import Path

from referee.core import ConfigError, RefereeError, how_to_install


def page_picture(file: Path, number: int, dpi: int) -> bytes:
    """Return a page of a PDF, counted from 1, as PNG.

    Raises:
        ConfigError: it cannot be read, is no PDF or has no such page.
        RefereeError: what reads PDFs is not installed.
    """
    try:
        import pypdfium2
    except ModuleNotFoundError as error:
        raise RefereeError(
            f"pages of PDFs need the extra scan, which is not installed: {how_to_install('scan')}"
        ) from error
    try:
        document = pypdfium2.PdfDocument(file)
    except FileNotFoundError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror or 'there is no such file'}") from error
    except pypdfium2.PdfiumError as error:
        raise ConfigError(f"{file} is no PDF that can be read: {error}") from error
    with document:
        if not 1 <= number <= len(document):
            raise ConfigError(f"{file} has {len(document)} pages: there is no page {number}")
        picture = io.BytesIO()
        document[number - 1].render(scale=dpi / 72).to_pil().save(picture, "PNG")
    return picture.getvalue()
