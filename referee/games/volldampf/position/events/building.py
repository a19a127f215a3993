"""Phase 5: building."""

from __future__ import annotations

from referee.core.values import Value


class LinkBuilt(Value):
    """A section is laid, the track card discarded, ``cost`` marks paid. ``bargain``: Günstige Gelegenheit. Rule: V3.5.1."""

    player: str
    number: int  # of the building round
    link: str
    card: str
    cost: int
    bargain: bool = False
    paragraph: str = "V3.5.1"


class TrackCardDiscarded(Value):
    """A track card goes without a build. Rule: V3.5.2, DIFF 28, R6."""

    player: str
    number: int
    card: str
    paragraph: str = "V3.5.2"


Event = LinkBuilt | TrackCardDiscarded
