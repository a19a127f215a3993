"""What the umpire looks at and does, on the machine or by mail: a command comes in, an act in the log or a report goes out."""
