"""When a turn is due, who is reminded, and what becomes of one whose orders are missing."""
