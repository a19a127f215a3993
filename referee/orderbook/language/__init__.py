"""A game's order language, read from its texts: names, tokens, grammar. A line comes in, a phrase or complaints go out."""
