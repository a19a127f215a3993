"""Which ways trains may take: track as it lies comes in; ways, what they owe for each, and the best of them go out.
Rule: D6.2-D6.6.
"""
