"""Pictures as values: shapes in the units of their picture, lettering that finds its place, shades, marks at faults."""
