"""Phase 7: income and interest."""

from __future__ import annotations

from referee.core.values import Value


class IncomePaid(Value):
    """Income: as many marks as the space's number. Rule: V3.7.1."""

    player: str
    amount: int
    paragraph: str = "V3.7.1"


class InterestPaid(Value):
    """Interest: ``due`` marks, of which ``paid``; for the rest the locomotive goes ``back`` that many spaces. Rule: V3.7.2."""

    player: str
    due: int
    paid: int
    back: int
    paragraph: str = "V3.7.2"


Event = IncomePaid | InterestPaid
