"""What people write: phrases of a letter become orders, orders a forecast, a typed-in position a state."""
