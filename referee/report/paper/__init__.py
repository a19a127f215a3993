"""Newsletters and boards for those who print: a page comes in, taken apart into blocks, and goes out as PDF."""
