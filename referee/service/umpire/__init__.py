"""What the umpire looks at and does: how games stand, maps, backups."""
