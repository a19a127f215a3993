"""Pictures as values: shapes in the units of their picture, and lettering that finds its place."""
