"""From phrases to orders: what each line of a letter means, and what in it cannot be meant."""

from __future__ import annotations

from collections.abc import Callable

from referee.core.orders import Phrase, Understood
from referee.games.volldampf.intake.orderreader import UNKNOWN, Slate, known, phrases, words
from referee.games.volldampf.intake.tripreading import (
    read_declined,
    read_extra,
    read_move,
    read_plan,
    read_sabotage,
    read_subsidy,
)
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.names import LISTED, links_from, near_links, way_name
from referee.games.volldampf.position.orders import Bid, Build, Rank, Rearrange, Site, Steal, TakeBonds, Wish
from referee.games.volldampf.position.state import State


def understand(state: State, player: str, letter: tuple[Phrase, ...]) -> Understood:
    """Return the orders of a player's phrases and what was wrong with them; good lines and good alternatives count."""
    slate = Slate(state, player)
    for phrase in letter:
        slate.turn_to(phrase)
        _READERS[phrase.rule](slate)
    return Understood(orders=tuple(slate.orders), complaints=tuple(slate.complaints))


def _read_bonds(slate: Slate) -> None:
    points = [int(word.value) for word in words(slate.phrase)]
    slate.add(TakeBonds(points=points[0] if points else 0))


def _read_bid(slate: Slate) -> None:
    """Take one figure, or of two players' sealed bids the list. Rule: V6.3."""
    amounts = tuple(int(word.value) for word in words(slate.phrase))
    if len(amounts) > 1 and len(slate.state.table.codes) > 2:
        slate.complain("note-one-bid", "V3.4.1", text=slate.phrase.text, bid=amounts[0])
        amounts = amounts[:1]
    slate.add(Bid(amounts=amounts))


def _read_rank(slate: Slate) -> None:
    wishes = tuple(wish for phrase in phrases(slate.phrase, "wish") if (wish := _wish(slate, phrase)) is not None)
    if wishes:
        slate.add(Rank(wishes=wishes))


def _wish(slate: Slate, phrase: Phrase) -> Wish | None:
    """Return what group is wanted, by its colours or by its number. Rule: R7."""
    found = words(phrase)
    if found[0].kind == "NUMBER":
        number, groups = int(found[0].value), len(slate.state.table.codes)
        if 1 <= number <= groups:
            return Wish(number=number)
        slate.complain("invalid-group", "V3.4.4", text=slate.phrase.text, read=number, most=groups)
        return None
    colours = known(found)
    if colours is None:
        return None
    return Wish(colours=_in_order(slate, colours), exact=bool(phrases(phrase, "exact")))


def _read_rearranged(slate: Slate) -> None:
    groups = [known(words(phrase)) for phrase in phrases(slate.phrase, "group")]
    sorted_groups = tuple(_in_order(slate, group) for group in groups if group is not None)
    if len(sorted_groups) == len(groups):
        slate.add(Rearrange(groups=sorted_groups))


def _in_order(slate: Slate, colours: tuple[str, ...]) -> tuple[str, ...]:
    """Return cards in colour order, as groups lie. Rule: R6."""
    return tuple(sorted(colours, key=slate.board.colour_ids.index))


# --- building ---


def _read_build(slate: Slate) -> None:
    number = slate.which(stages.BUILD, "BUILD", slate.state.table.numbers.group_size)
    written = phrases(slate.phrase, "site", "discarding", "none")
    sites = tuple(site for phrase in written if (site := _site(slate, phrase)) is not None)
    if number is not None and sites:
        slate.add(Build(number=number, sites=sites))


def _read_discarded(slate: Slate) -> None:
    """Take ``DISCARD 2: green``. Rule: V3.5.2."""
    number = slate.which(stages.BUILD, "DISCARD", slate.state.table.numbers.group_size)
    cards = known(tuple(word for word in words(slate.phrase) if word.kind != "NUMBER"))
    if number is not None and cards is not None:
        slate.add(Build(number=number, sites=(Site(card=(*cards, "")[0]),)))


def _site(slate: Slate, phrase: Phrase) -> Site | None:
    """Return one alternative of a build, None where it cannot be meant."""
    if phrase.rule != "site":
        cards = known(words(phrase))
        return None if cards is None else Site(card=(*cards, "")[0])
    cards = known((*words(phrase), *(word for card in phrases(phrase, "card") for word in words(card))))
    link = _link(slate, phrases(phrase, "link")[0])
    if link is None or cards is None:
        return None
    bargain = bool(phrases(phrase, "bargain"))
    named = cards[-1] if cards else ""
    # The card of the link's own colour need not be named, so the same order is always the same value.
    card = "" if not bargain and named == slate.board.link_by_id(link).colour else named
    return Site(link=link, card=card, bargain=bargain)


def _link(slate: Slate, phrase: Phrase) -> str | None:
    """Return the id of the link between two cities; where there is none, say which begin there."""
    ends = known(words(phrase))
    if ends is None:
        return None
    one, other = ends
    link = slate.board.link(one, other)
    if link is not None:
        return link.id
    hint = near_links(slate.board, one, other) if one != other else links_from(slate.board, one)
    slate.complain("invalid-link", "V3.5.1", text=way_name(slate.board, ends), hint=hint)
    return None


# --- cards ---


def _read_stolen(slate: Slate) -> None:
    """Take from whom a card is drawn when none is left; an empty list waives it. Rule: V4.2, DIFF 42."""
    found = words(slate.phrase)
    named = [word.value for word in found if word.kind != UNKNOWN]
    rivals = tuple(dict.fromkeys(code for code in named if code != slate.player))
    if slate.player in named:
        others = LISTED.join(code for code in slate.state.table.codes if code != slate.player)
        slate.complain("illegal-yourself", "V4.2", text=slate.phrase.text, hint=others)
    if rivals or not found:
        slate.add(Steal(players=rivals))


_READERS: dict[str, Callable[[Slate], None]] = {
    "bonds": _read_bonds,
    "bid": _read_bid,
    "rank": _read_rank,
    "rearrange": _read_rearranged,
    "build": _read_build,
    "discards": _read_discarded,
    "move": read_move,
    "declines": read_declined,
    "subsidy": read_subsidy,
    "extra": read_extra,
    "plan": read_plan,
    "sabotage": read_sabotage,
    "steal": _read_stolen,
}
