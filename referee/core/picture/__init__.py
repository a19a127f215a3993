"""Pictures as values: what lies on a board comes in, shapes in the units of their picture and lettering that finds its place go
out; what they look like on paper is for ``report``.
"""
