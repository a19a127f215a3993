"""Everything that can happen in a game, by phases; the newsletter is written from these. What each changes stands in ``changes``.

Fields marked secret are shown to nobody but ``player`` (``story`` sees to it).
"""

from __future__ import annotations

from referee.games.volldampf.position.events import auction, building, cards, course, goods, income, transport

Event = course.Event | goods.Event | auction.Event | building.Event | transport.Event | income.Event | cards.Event
