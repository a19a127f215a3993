"""Options, orders, state and events as values, how each event changes the position, and how letters name things."""
