"""Run two to four games as one match: attacks, queues, targets, teams and results (Guideline, Appendix B).

The match clock counts whole milliseconds; a Lock Down in between counts at the next one. Everything that a player does
to another travels for FLIGHT_MS: lines sent, lines for the team, and the news of a Top Out. So a device that knows all
games up to a moment can compute each alone for FLIGHT_MS more. The order does not matter.
"""
