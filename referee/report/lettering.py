"""The lettering of pictures and pages: DejaVu, shipped with us, so that a board looks the same on every machine."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "fonts"
FAMILY = "DejaVu Sans"
