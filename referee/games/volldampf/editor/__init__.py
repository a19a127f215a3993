"""For people who make boards: an empty board file goes out; a board comes in, remarks on it and its picture go out."""
