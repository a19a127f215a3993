"""Built-in players, a folder for each game: what is mailed to a player comes in, orders as players would write them go out.

With them a remark on the round that was, each in a manner of its own, nothing twice in a game.
"""

from collections.abc import Iterator, Mapping, Sequence

from referee.core import Amounts, Fields, Pair, Value

FIRST, SECOND, THIRD = STRENGTHS = ("first", "second", "third")


MANNERS = ("director", "wag", "grumbler", "dreamer", "clerk", "neighbour")  # as many as players


class Remark(Value):
    """``topic``: of a sentence in ``press-`` and ``manner`` of words.toml; ``rival``: a code; ``gain``: of the round."""

    manner: str
    topic: str
    rival: str
    gain: int


def remark_on(seen: Fields, player: str) -> Remark | None:
    """Return what a player prints with its first letter after a round, None for nothing. *seen*: ``Game.view`` as mailed."""
    standings: Mapping[str, Sequence[int]] = seen.get("totals") or seen.get("rounds") or {}
    if player not in standings or len(standings) < 2 or seen["asked"] or seen.get("stage", "opening") != "opening":
        return None
    codes = sorted(standings)
    first = sum(each[min(1, len(each) - 1)] for each in standings.values())  # after the first round: other in each game
    manner = MANNERS[(codes.index(player) + first) % len(MANNERS)]
    said: set[str] = set()
    remark = None
    for after in range(1, len(standings[player])):
        before, now = ({code: each[place] for code, each in standings.items()} for place in (after - 1, after))
        gain = now[player] - before[player]
        topics = (each for each in _topics(before, now, player) if each[0] not in said)
        topic, rival = next(topics, ("", ""))
        remark = Remark(manner=manner, topic=topic, rival=rival, gain=gain) if topic else None
        said.add(topic)
    return remark


def _topics(before: Amounts, now: Amounts, player: str) -> Iterator[Pair]:
    """Yield what a player may speak of, the rarest first, each with the rival whom it is about."""
    others = sorted((code for code in now if code != player), key=lambda code: -now[code])
    was_best, gains = max(before[code] for code in others), {code: now[code] - before[code] for code in now}
    if now[player] > now[others[0]] and before[player] < was_best:
        yield "lead", others[0]
    if now[player] < now[others[0]] and before[player] > was_best:
        yield "lost", others[0]
    for rival in others:
        if before[rival] > before[player] and now[rival] < now[player]:
            yield "passed", rival
        if before[rival] < before[player] and now[rival] > now[player]:
            yield "beaten", rival
    if gains[player] > max(0, *(gains[code] for code in others)):
        yield "best", others[0]
    if gains[player] < min(gains[code] for code in others):
        yield "poor", others[0]
    if now[player] < now[others[-1]]:
        yield "last", others[-1]
