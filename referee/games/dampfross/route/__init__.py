"""Which ways trains may take over the track as it lies, what they owe for it, and the best of them. Rule: D6.2-D6.6."""
