"""What people read: a position and the events before it come in; views, the story of a turn, order forms, drawings go out."""
