"""Bytes in, a ``Letter`` out, read within limits: its text, its writer, what vouches for the writer, signs of a robot."""
