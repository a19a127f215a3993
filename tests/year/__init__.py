"""A year of a club: built-in players with the habits of people, an umpire who does what docs/ say, a cron, outages, a move.

``games`` says what is played, ``machine`` runs the commands by the year's clock, ``people`` read and write, ``umpire`` does what
umpires do, ``world`` carries the post between them from January to December, ``audit`` asks at the end whether all is as
promised. ``year`` puts them together. ``test_year.py`` is the short form; ``python -m bench.year`` the whole one.
"""
