"""A letter's text comes in; its writer's own lines go out, parted from quotations, signatures and marks of mail programs."""
