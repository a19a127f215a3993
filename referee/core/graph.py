"""Cheapest ways on any graph, with whole-number costs and one answer whatever the order of the input."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from typing import TypeVar

Node = TypeVar("Node")
Edges = Callable[[Node], Iterable[tuple[Node, int]]]


def cheapest_costs(starts: Iterable[Node], edges: Edges[Node], within: int | None = None) -> dict[Node, int]:
    """Return the cost of the cheapest way from any of *starts* to each node that can be reached.

    *edges* gives (neighbour, cost) with costs of 0 or more; nodes must have an order (ties are broken by it).
    *within*: nodes dearer than this are left out.
    """
    return {node: cost for node, (cost, _) in _search(starts, edges, within, None).items()}


def cheapest_tree(starts: Iterable[Node], edges: Edges[Node], within: int) -> dict[Node, tuple[int, Node | None]]:
    """Return the same with the node before each, None at a start."""
    return _search(starts, edges, within, None)


def cheapest_way(
    starts: Iterable[Node], goals: Iterable[Node], edges: Edges[Node]
) -> tuple[int, tuple[Node, ...]] | None:
    """Return (cost, way) of the cheapest way from any of *starts* to the nearest of *goals*; None where there is none."""
    wanted = set(goals)
    settled = _search(starts, edges, None, wanted)
    reached = [(settled[node][0], node) for node in wanted if node in settled]
    if not reached:
        return None
    cost, node = min(reached)
    way = [node]
    while (before := settled[way[-1]][1]) is not None:
        way.append(before)
    return cost, tuple(reversed(way))


def shortest_ways(start: Node, goal: Node, edges: Edges[Node], most: int) -> tuple[tuple[Node, ...], ...]:
    """Return the ways from *start* to *goal* that share the least cost, at most *most* of them, in order of their nodes."""
    costs = {node: cost for node, (cost, _) in _search((start,), edges, None, {goal}).items()}
    if goal not in costs:
        return ()
    found: list[tuple[Node, ...]] = []

    def extend(way: list[Node]) -> None:
        if len(found) >= most:
            return
        if way[-1] == goal:
            found.append(tuple(way))
            return
        for node, step in sorted(edges(way[-1])):
            if node not in ahead or costs[way[-1]] + step != costs[node]:
                continue
            way.append(node)
            extend(way)
            way.pop()

    ahead = _on_a_shortest_way(goal, costs, edges)
    extend([start])
    return tuple(found)


def _on_a_shortest_way(goal: Node, costs: dict[Node, int], edges: Edges[Node]) -> set[Node]:
    """Return the nodes that lie on some cheapest way to *goal* (so that the walk above never meets a dead end)."""
    before: dict[Node, list[Node]] = {}
    for node, cost in costs.items():
        for other, step in edges(node):
            if other in costs and cost + step == costs[other]:
                before.setdefault(other, []).append(node)
    good, todo = {goal}, [goal]
    while todo:
        for node in before.get(todo.pop(), ()):
            if node not in good:
                good.add(node)
                todo.append(node)
    return good


def _search(
    starts: Iterable[Node], edges: Edges[Node], within: int | None, goals: set[Node] | None
) -> dict[Node, tuple[int, Node | None]]:
    """Dijkstra; stops when the first of *goals* and all nodes of its cost are settled."""
    settled: dict[Node, tuple[int, Node | None]] = {}
    queue: list[tuple[int, Node, Node | None]] = [(0, start, None) for start in starts]
    heapq.heapify(queue)
    best: dict[Node, int] = {start: 0 for _, start, _ in queue}
    limit = within
    while queue:
        cost, node, before = heapq.heappop(queue)
        if node in settled:
            continue
        if limit is not None and cost > limit:
            break
        settled[node] = (cost, before)
        if goals is not None and node in goals:
            limit = cost
        for other, step in edges(node):
            if other not in settled and cost + step < best.get(other, cost + step + 1):
                best[other] = cost + step
                heapq.heappush(queue, (cost + step, other, node))
    return settled
