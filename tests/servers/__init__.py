"""Real mail servers for tests, each in a folder of its own, without root and without touching those of the machine."""
