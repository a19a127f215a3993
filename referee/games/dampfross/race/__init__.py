"""A round of races: drawn or scheduled, entered, declared, admitted, run; events of tolls and places go out. Rule: D5, D6."""
