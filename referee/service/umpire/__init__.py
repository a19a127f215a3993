"""What the umpire looks at and does, on the machine or by mail: turns undone, rulings, orders filed, dry runs, maps, backups."""
