"""A round of building: rolls and orders come in, events of track, fees and bonuses go out. Rule: D2, D3, D4, D7."""
