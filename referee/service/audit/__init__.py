"""Proof that a game was played as its seeds and orders say: its log comes in, exports and whatever is not in order go out."""
