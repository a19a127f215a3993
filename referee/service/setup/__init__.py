"""From an address to a club that can work: its servers are found, tried and written into ``referee.toml``."""
