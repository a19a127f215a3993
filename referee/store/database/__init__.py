"""The database file, opened, migrated, checked and copied: SQL comes in, rows go out as values."""
