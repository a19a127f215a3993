"""What becomes of one stored letter: whose it is, whether it is proved, what it says, and what is answered."""
