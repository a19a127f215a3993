"""What becomes of one stored letter: a ``Case`` comes in, and whose it is, whether that is proved, what it says and what is
answered go out. Nothing is written here.
"""
