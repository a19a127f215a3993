"""The words for what is to do in a round, and for the letters that ask for it."""

from __future__ import annotations

# What is on the agenda of a round, in its order. Those of a player are his decisions; LETTER asks everybody at once.
GOODS, DEAL, LETTER, BONDS, REVEAL, NEW, BID, AUCTION, CHOOSE, BUILD, MOVE, SUBSIDY, DRAWS, INCOME, STEAL, CLOSE = (
    "goods",  # phase 1
    "deal",  # phase 2
    "letter",  # a letter of everybody's is asked for; ``stage`` says for what
    "bonds",  # a player's bonds. Phase 3
    "reveal",  # sealed bonds or bids are opened
    "new",  # Alles neu, whoever plays it
    "bid",  # a player's bid (auction = live, or sealed)
    "auction",  # the auction by limits, or what follows it: payments and sequence cards. Phase 4
    "choose",  # a player's choice of a group
    "build",  # a player's build number n. Phase 5
    "move",  # a player's trip number n. Phase 6
    "subsidy",  # a player's extra trip
    "draws",  # cards for declined trips (decline_card_when = end_of_phase)
    "income",  # phase 7
    "steal",  # the card of a player in last place; asked for where it comes from a hand
    "close",
)
DECISIONS = (BONDS, BID, CHOOSE, BUILD, MOVE, SUBSIDY, STEAL)

# The letters of a round (``stage``), as ``awaiting`` names them; one by one, and bid by bid, it is the decision's own name.
LETTER_BONDS, LETTER_AUCTION, LETTER_OPENING, LETTER_CHOICE, LETTER_BUILD, LETTER_TRIPS, LETTER_TRIP = (
    "bonds",  # bonds and Alles neu
    "auction",  # limit and ranking
    "opening",  # bonds, Alles neu, limit and ranking: letter (a) of preset post
    "choice",  # ranking alone, after a live auction
    "build",
    "trips",  # both transport rounds and Subvention: letter (c) of preset post
    "trip",  # one transport round; with the second one Subvention. ``number`` of its item says which
)
OVER = "over"
ASKED = (
    LETTER_BONDS, LETTER_AUCTION, LETTER_OPENING, LETTER_CHOICE, LETTER_BUILD, LETTER_TRIPS, LETTER_TRIP, *DECISIONS, OVER,
)  # fmt: skip

TRIPS = 2  # that everybody has, by number
FIRST_EXTRA, SECOND_EXTRA = 3, 4  # Subvention's. Rule: R11
