"""What every game and every room may use: values, hexes, graphs, named throws, a codec. Standard library only, no effects:
values come in, values go out.
"""
