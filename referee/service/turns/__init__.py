"""Games and their turns: proposed, begun, due, thrown for, adjudicated, told in newsletters."""
