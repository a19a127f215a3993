"""Texts that people write and what is wrong with them, line by line: TOML, boards and sketches, typed-in positions, rulebooks."""
