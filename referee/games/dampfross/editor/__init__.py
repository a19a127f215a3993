"""For people who make maps: an empty sheet, remarks on a finished map, its picture."""
