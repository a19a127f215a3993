"""What a letter may ask for besides orders (press, watching, another address): it is done, and what its writer is told goes out; and
what the umpire does about the same things.
"""
