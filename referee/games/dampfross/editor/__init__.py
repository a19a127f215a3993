"""For people who make maps: a size comes in, an empty sheet goes out; for a map, remarks on it and its picture do."""
