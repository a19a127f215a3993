"""The board: a board file or a sketch comes in, a frozen ``Board`` goes out, or every fault with its line."""
