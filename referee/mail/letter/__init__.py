"""Bytes in, a ``Letter`` out, read within limits: its text, its writer, what vouches for him, signs of a robot."""
