"""What people read: a position and the events before it come in; views, the story of a turn, tables and drawings go out."""
