"""What people read: views, the story of a turn, order forms and drawings, from events and the position after them."""
