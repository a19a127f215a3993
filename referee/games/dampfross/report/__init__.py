"""What people read: views, the story of a turn, tables and drawings, from events and the position after them."""
