"""Where the rooms meet: letters come in and are handled, turns are adjudicated, letters go out, and the umpire acts."""
