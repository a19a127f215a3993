"""Where the rooms meet: letters received, turns adjudicated, letters sent, and what the umpire does."""
