"""Options, orders, state and events as values, and their names in letters: a state and an event come in, another goes out."""
