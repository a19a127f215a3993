"""The layers of the drawn board, a file each: a board and what lies on it come in, shapes and lettering go out."""
