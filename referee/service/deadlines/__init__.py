"""When a turn is due: calendars and the clock come in; deadlines, reminders, and what becomes of missing orders go out."""
