"""The phases of a round, a file each, in the order of the rules: decisions come in, events go out. Rule: V2-V5."""
