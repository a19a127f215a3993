"""The layers of the drawn board: paper, links, cities, income track, legend."""
