"""A second implementation of the match rules, slow and obvious, from Guideline B1.1 to B1.3.

Only single games and random numbers are the engine's. Lists keep everything that players do to each
other; each method searches them again, and nothing is counted down.
"""

from typing import Any

from firmware.engine import events
from firmware.engine.game import Game
from firmware.engine.mode import Mode
from firmware.engine.options import Options
from firmware.engine.randomizer import Random

FLIGHT_MS = 500
STEP_MS = 200  # games advance together; an attack takes longer than a step

# By the kind of spin and the number of lines.
SENDS = {"": (0, 0, 1, 2, 4), "mini": (0, 0, 1), "full": (0, 2, 4, 6)}


class Side(Mode):
    """The mode of one player's game: reports its events to the match."""

    def __init__(self, reference: "MatchReference", number: int) -> None:
        self.reference = reference
        self.number = number

    def begin(self, game: Game) -> None:
        for _ in range(self.reference.rules["starting"]):
            game.matrix.raise_row(10 if self.reference.rules["starting_solid"] else game.garbage.below(10))

    def iterate(self, game: Game) -> None:
        self.reference.lock_down(self.number, game)

    def complete(self, game: Game) -> None:
        self.reference.complete(self.number, game)

    def end(self, game: Game) -> None:
        self.reference.outs[self.number] = round_up_ms(game)


def round_up_ms(game: Game) -> int:
    return -(-(game.time_ms * 1000 + game.time_us) // 1000)


class MatchReference:
    """One round; rules: the options of the match by name."""

    def __init__(self, seed: int, rules: dict[str, int], choices: list[Options]) -> None:
        self.rules = rules
        self.players = range(rules["players"])
        self.attacks: list[dict[str, int]] = []
        self.clears: list[dict[str, int]] = []
        self.removed, self.rows_to_rise, self.sent, self.half_lines = ([0 for _ in self.players] for _ in range(4))
        self.gaps: list[list[int]] = [[] for _ in self.players]
        self.outs: dict[int, int] = {}
        self.randoms = [Random(seed ^ 0x1D872B4 + number) for number in self.players]
        self.time_ms = 0
        self.games = [Game(seed, choices[number], Side(self, number)) for number in self.players]
        self.marks = [self.next_opponent(number, number, 0) for number in self.players]
        for game in self.games:
            game.start(0)
            game.advance(0)

    def team(self, number: int) -> int:
        if self.rules["teams"]:
            return self.rules["teams"] >> number & 1
        return 0 if self.rules["aim"] else number

    def all_opponents(self, number: int, at_ms: int) -> list[int]:
        """Return the players of other teams that are not yet known to be out."""
        others = [other for other in self.players if self.team(other) != self.team(number)]
        return [other for other in others if not (other in self.outs and self.outs[other] + FLIGHT_MS <= at_ms)]

    def next_opponent(self, number: int, mark: int, at_ms: int) -> int:
        """Return the next opponent after `mark` in the order of seats, which wraps around."""
        order = [(mark + step) % len(self.players) for step in range(1, len(self.players) + 1)]
        opponents = self.all_opponents(number, at_ms)
        return next((other for other in order if other in opponents), number)

    def count_waiting(self, number: int, now_us: int) -> int:
        coming = [attack for attack in self.attacks if attack["to"] == number]
        arrived = [attack["lines"] for attack in coming if (attack["at"] + FLIGHT_MS) * 1000 <= now_us]
        return sum(arrived) - self.removed[number]

    def lock_down(self, number: int, game: Game) -> None:
        lines = 0
        if not self.rules["aim"]:
            lines = SENDS[("", "mini", "full")[game.spun]][game.hit_count]
            if lines and game.action & events.BACK_TO_BACK:
                lines += 1
        waiting = self.count_waiting(number, game.time_ms * 1000 + game.time_us)
        cancelled = min(waiting, lines)
        self.removed[number] += cancelled
        self.rows_to_rise[number] = waiting - cancelled
        lines -= cancelled
        handicap = self.rules["handicaps"] >> 2 * number & 3
        if handicap == 1:
            lines += self.half_lines[number]
            self.half_lines[number] = lines % 2
            lines //= 2
        elif handicap == 2:
            lines *= 2
        if lines:
            self.sent[number] += lines
            self.send(number, round_up_ms(game), lines)

    def send(self, number: int, at_ms: int, lines: int) -> None:
        opponents = self.all_opponents(number, at_ms)
        if self.rules["target"] == 0:
            receivers = opponents
        else:
            if self.marks[number] not in opponents:
                self.marks[number] = self.next_opponent(number, self.marks[number], at_ms)
            if self.rules["target"] == 1 and opponents:
                order = [(self.marks[number] + step) % len(self.players) for step in range(len(self.players))]
                order = [other for other in order if other in opponents]
                self.marks[number] = order[self.randoms[number].below(len(order))]
            receivers = [self.marks[number]] if opponents else []
        for other in receivers:
            self.attacks.append({"from": number, "to": other, "at": at_ms, "lines": lines})

    def complete(self, number: int, game: Game) -> None:
        if self.rules["aim"] and game.cleared:
            self.clears.append({"team": self.team(number), "at": round_up_ms(game), "lines": game.cleared})
        for _ in range(self.rows_to_rise[number]):
            self.removed[number] += 1
            gaps = self.gaps[number]
            if self.rules["solid"]:
                gaps.append(10)
            elif len(gaps) % 8:
                gaps.append(gaps[-1])
            elif gaps:
                gaps.append((gaps[-1] + 1 + game.garbage.below(9)) % 10)
            else:
                gaps.append(game.garbage.below(10))
            if not game.receive(1, gaps[-1]):
                break
        else:
            if self.rules["quicken_s"]:
                quicker = game.options.level + game.time_ms // (1000 * self.rules["quicken_s"])
                game.level = max(game.level, min(15, quicker))
        self.rows_to_rise[number] = 0

    # One list of endings, in the order of the specification.
    def result(self) -> tuple[int, int] | None:
        """Return when the round ends and which team wins, -1 for none; None while undecided."""
        teams = sorted({self.team(number) for number in self.players})
        reached = self.find_reached(teams) if self.rules["aim"] else {}
        if reached:
            first_ms = min(reached.values())
            winners = [team for team in teams if reached.get(team) == first_ms]
            return first_ms + FLIGHT_MS, winners[0] if len(winners) == 1 else -1
        falls: dict[int, int] = {}
        for team in teams:
            members = [number for number in self.players if self.team(number) == team]
            if all(number in self.outs for number in members):
                falls[team] = max(self.outs[number] for number in members)
        standing = [team for team in teams if team not in falls]
        moments = sorted(falls.values())
        if self.rules["aim"]:
            return None if standing else (moments[-1] + FLIGHT_MS, -1)
        if len(standing) > 1:
            return None
        if standing:
            return moments[-1] + FLIGHT_MS, standing[0]
        last = [team for team in teams if falls[team] == moments[-1]]
        return moments[-2] + FLIGHT_MS, last[0] if len(last) == 1 else -1

    def find_reached(self, teams: list[int]) -> dict[int, int]:
        """Return when each team that reached the aim did so."""
        reached = {}
        for team in teams:
            cleared = sorted((clear["at"], clear["lines"]) for clear in self.clears if clear["team"] == team)
            total = 0
            for at_ms, lines in cleared:
                total += lines
                if total >= self.rules["aim"] and team not in reached:
                    reached[team] = at_ms
        return reached

    def over(self) -> bool:
        result = self.result()
        return result is not None and result[0] <= self.time_ms

    def advance(self, t_ms: int) -> None:
        while self.time_ms < t_ms and not self.over():
            step_ms = min(t_ms, self.time_ms + STEP_MS)
            result = self.result()
            if result:
                step_ms = min(step_ms, result[0])
            for game in self.games:
                game.advance(step_ms)
            self.time_ms = step_ms

    def input(self, number: int, button: int, pressed: int, t_ms: int) -> None:
        self.advance(t_ms)
        if self.over():
            return
        if button == 7:
            if pressed:
                self.marks[number] = self.next_opponent(number, self.marks[number], t_ms)
        elif number not in self.outs:
            self.games[number].input(button, pressed, t_ms)

    def state(self) -> dict[str, Any]:
        """Return everything that the engine and this reference must agree on."""
        result = self.result()
        return {
            "time_ms": self.time_ms,
            "rows": [[bytes(row) for row in game.matrix.rows] for game in self.games],
            "scores": [(game.score, game.level, game.lines, game.lock_downs) for game in self.games],
            "waiting": [
                self.count_waiting(i, min(self.time_ms, self.outs.get(i, self.time_ms)) * 1000) for i in self.players
            ],
            "sent": self.sent,
            "rose": [len(gaps) for gaps in self.gaps],
            "outs": [self.outs.get(number, -1) for number in self.players],
            "ends and winner": result or (-1, -1),
            "marks": self.marks,
        }
