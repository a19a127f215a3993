"""Who plays: a seat given to another person, and stand-bys."""
