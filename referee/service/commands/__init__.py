"""What a letter may ask for besides orders: press, watching, another address; and what the umpire does about the same things."""
