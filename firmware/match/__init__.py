"""Let two to four games be one match: attacks, queues, targets, teams and results (Guideline, Appendix B).

The clock of a match counts whole milliseconds from its beginning; a Lock Down in between counts as
at the next one. Whatever a player does to another is on its way for FLIGHT_MS: lines sent, lines
cleared for the team, and the news that somebody is out. So whoever knows all games up to a moment can compute
each of them alone for FLIGHT_MS more, and the result does not depend on the order in which that is done.
"""
