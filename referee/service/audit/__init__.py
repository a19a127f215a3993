"""Proof that a game was played as its seeds and orders say: turns played again, exports, verification."""
