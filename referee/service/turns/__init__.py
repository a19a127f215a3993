"""Games and their turns: proposals and orders on file come in, turns and their newsletters go out."""
