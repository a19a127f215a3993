"""The layers of the drawn board: paper, ground, track, names, legend."""
