"""From phrases to orders: what each line of a letter means, and what in it cannot be meant."""

from __future__ import annotations

from collections.abc import Callable

from referee.core.orders import Phrase, Understood
from referee.games.volldampf import schedule
from referee.games.volldampf.notation import LISTED, PLAYER, links_from, near_links, way_name
from referee.games.volldampf.orderreader import (
    OrderReader,
    known,
    read_declined,
    read_extra,
    read_move,
    read_plan,
    read_sabotage,
    read_subsidy,
)
from referee.games.volldampf.state import Bid, Build, Rank, Rearrange, Site, State, Steal, TakeBonds, Wish


def understand(state: State, player: str, letter: tuple[Phrase, ...]) -> Understood:
    """Return the orders of a player's phrases and what was wrong with them; good lines and good alternatives count."""
    reader = OrderReader(state, player)
    for phrase in letter:
        reader.phrase = phrase
        _READERS[phrase.rule](reader)
    return Understood(orders=tuple(reader.orders), complaints=tuple(reader.complaints))


def _read_bonds(reader: OrderReader) -> None:
    points = [int(word.value) for word in reader.phrase.words]
    reader.add(TakeBonds(points=points[0] if points else 0))


def _read_bid(reader: OrderReader) -> None:
    """Take one figure, or of two players' sealed bids the list. Rule: V6.3."""
    amounts = tuple(int(word.value) for word in reader.phrase.words)
    if len(amounts) > 1 and len(reader.state.codes) > 2:
        reader.complain("note-one-bid", "V3.4.1", bid=amounts[0])
        amounts = amounts[:1]
    reader.add(Bid(amounts=amounts))


def _read_rank(reader: OrderReader) -> None:
    wishes = tuple(wish for phrase in reader.phrase.phrases("wish") if (wish := _wish(reader, phrase)) is not None)
    if wishes:
        reader.add(Rank(wishes=wishes))


def _wish(reader: OrderReader, phrase: Phrase) -> Wish | None:
    """Return what group is wanted, by its colours or by its number. Rule: R7."""
    found = phrase.words
    if found[0].kind == "NUMBER":
        number, groups = int(found[0].value), len(reader.state.codes)
        if 1 <= number <= groups:
            return Wish(number=number)
        reader.complain("invalid-group", "V3.4.4", read=number, most=groups)
        return None
    colours = known(found)
    if colours is None:
        return None
    return Wish(colours=_in_order(reader, colours), exact=bool(phrase.phrases("exact")))


def _read_rearranged(reader: OrderReader) -> None:
    groups = [known(phrase.words) for phrase in reader.phrase.phrases("group")]
    sorted_groups = tuple(_in_order(reader, group) for group in groups if group is not None)
    if len(sorted_groups) == len(groups):
        reader.add(Rearrange(groups=sorted_groups))


def _in_order(reader: OrderReader, colours: tuple[str, ...]) -> tuple[str, ...]:
    """Return cards in colour order, as groups lie. Rule: R6."""
    return tuple(sorted(colours, key=reader.board.colour_ids.index))


# --- building ---


def _read_build(reader: OrderReader) -> None:
    number = reader.which(schedule.BUILD, "BUILD", reader.state.numbers.group_size)
    written = reader.phrase.phrases("site", "discarding", "none")
    since = len(reader.complaints)
    sites = tuple(site for phrase in written if (site := _site(reader, phrase)) is not None)
    if any(site.link for site in sites):
        reader.beside(since)
    if number is not None and sites:
        reader.add(Build(number=number, sites=sites))


def _read_discarded(reader: OrderReader) -> None:
    """Take ``DISCARD 2: green``. Rule: V3.5.2."""
    number = reader.which(schedule.BUILD, "DISCARD", reader.state.numbers.group_size)
    cards = known(tuple(word for word in reader.phrase.words if word.kind != "NUMBER"))
    if number is not None and cards is not None:
        reader.add(Build(number=number, sites=(Site(card=(*cards, "")[0]),)))


def _site(reader: OrderReader, phrase: Phrase) -> Site | None:
    """Return one alternative of a build, None where it cannot be meant."""
    if phrase.rule != "site":
        cards = known(phrase.words)
        return None if cards is None else Site(card=(*cards, "")[0])
    cards = known((*phrase.words, *(word for card in phrase.phrases("card") for word in card.words)))
    link = _link(reader, phrase.phrases("link")[0])
    if link is None or cards is None:
        return None
    bargain = bool(phrase.phrases("bargain"))
    named = cards[-1] if cards else ""
    # The card of the link's own colour need not be named, so the same order is always the same value.
    card = "" if not bargain and named == reader.board.link_by_id(link).colour else named
    return Site(link=link, card=card, bargain=bargain)


def _link(reader: OrderReader, phrase: Phrase) -> str | None:
    """Return the id of the link between two cities; where there is none, say which begin there."""
    ends = known(phrase.words)
    if ends is None:
        return None
    one, other = ends
    link = reader.board.link(one, other)
    if link is not None:
        return link.id
    hint = near_links(reader.board, one, other) if one != other else links_from(reader.board, one)
    reader.complain("invalid-link", "V3.5.1", text=way_name(reader.board, ends), hint=hint)
    return None


# --- cards ---


def _read_stolen(reader: OrderReader) -> None:
    """Take from whom a card is drawn when none is left; an empty list waives it. Rule: V4.2, DIFF 42."""
    found, most = reader.phrase.words, schedule.TRIPS + 1
    which = "".join(word.value for word in found if word.kind in ("NUMBER", "LAST")).lower()
    if which.isdigit() and not 1 <= int(which) <= most:
        reader.complain("invalid-number-of", verb="STEAL", read=int(which), most=most)
        return
    named = [word.value for word in found if word.kind == PLAYER]
    rivals = tuple(dict.fromkeys(code for code in named if code != reader.player))
    if reader.player in named:
        others = LISTED.join(code for code in reader.state.codes if code != reader.player)
        reader.complain("illegal-yourself", "V4.2", hint=others)
    if rivals or reader.phrase.phrases("none"):
        reader.add(Steal(players=rivals, which=which))


_READERS: dict[str, Callable[[OrderReader], None]] = {
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
