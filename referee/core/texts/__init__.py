"""Texts that people write (TOML, boards and sketches, typed-in positions, rulebooks) come in; values go out, or what is wrong,
line by line.
"""
