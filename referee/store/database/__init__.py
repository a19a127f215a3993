"""The database file: opened, migrated, written in one way, checked and copied; rows as values."""
