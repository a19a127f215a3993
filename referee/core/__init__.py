"""What every game and every room may use: values, hexes, graphs, named throws, a codec. No library but msgspec, no effects:
values come in, values go out.
"""
