"""The map: a map file or a sketch comes in, a frozen ``RailMap`` goes out, or every fault with its line."""
