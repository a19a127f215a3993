"""What a letter may ask for besides orders (press, watching, another address): its command comes in, a ``Deed`` goes out; and
what the umpire does about the same things.
"""
