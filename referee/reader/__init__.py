"""Strangers' letters in a process of its own, which may die of one: bytes and a game come in, what they mean goes out."""
