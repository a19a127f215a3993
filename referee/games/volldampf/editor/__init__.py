"""For people who make boards: an empty board file, remarks on a finished board, its picture."""
