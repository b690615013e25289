"""Run two to four games as one match: attacks, queues, targets, teams and results (Guideline, Appendix B).

The match clock counts whole milliseconds; the time of a Lock Down is rounded up. Sent lines, lines for the team and the
news of a Top Out take FLIGHT_MS to reach other players. So a device that knows all games up to a moment can compute
each game alone for FLIGHT_MS more, in any order.
"""
