"""A letter's text into its writer's own lines: parted from quotations, signatures and marks of mail programs."""
