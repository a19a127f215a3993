"""What a letter may ask for besides orders (press, watching, another address): it is done, and its writer is told; and what the
umpire does about the same things.
"""
