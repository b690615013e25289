"""Provide environments of PyPI's `gymnasium` (extra `bots`): a step is a Tetrimino, or a frame of seven buttons.

    import gymnasium
    env = gymnasium.make("tools.bots.env:Skyline-v0")
    observation, info = env.reset(seed=4711)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))

In `Skyline-v0` actions are placements, in `Skyline-Edges-v0` buttons at 60 frames a second. Both play the engine's own
Game: the same seed and actions give the same episode on any computer. Both can be a match: `versus=3` is against a
computer player, `versus="COMMAND"` against a bot of the Tetris Bot Protocol, with the attacks of firmware/match/.

An observation is a dictionary:

matrix              cell codes, row 0 the lowest: 0 empty, 1 to 7 I J L O S T Z, 8 garbage (firmware/engine/__init__.py)
piece, hold         the Tetrimino in play and the held one, 0 for none
next                the visible part of the Next Queue; its first Tetrimino comes next
back_to_back        whether the next Tetris or T-Spin is Back-to-Back
combo               number of the last Lock Downs in a row that all cleared lines
level               1 to 15
garbage             rows that rise after this Tetrimino; in a match, incoming lines and those in the Receiving Queue
rival               in a match: the opponent's Matrix
left_ms             in Ultra: the time left
pixels              with `pixels`: the handheld's picture, 128 rows of 64 bits, the lowest bit of a byte leftmost
action_mask         in `Skyline-v0` with `observe_mask`: as in `info`
position            in `Skyline-Edges-v0`: facing, x and y of the box, y of the Ghost; 0 if nothing is in play
lock_ms             in `Skyline-Edges-v0`: the time left on the Lock Down Timer
held                in `Skyline-Edges-v0`: whether Hold waits for a Lock Down

Only `max_episode_steps` of gymnasium's `make` and `make_vec` truncates episodes. The end of a variant, even by its time
limit, is part of the task: the observations foresee it.
"""

import importlib.util
from collections.abc import Mapping
from numbers import Integral
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from firmware.compat import ticks_add
from firmware.engine.controls import HARD_DROP, HOLD, PAUSE
from firmware.engine.game import AIM_REACHED, SPAWN_X, SPAWN_Y, Game
from firmware.engine.manipulation import FULL_SPIN, Manipulation
from firmware.engine.matrix import EDGE, HEIGHT, SKYLINE, WIDTH, Matrix
from firmware.engine.mode import Mode
from firmware.engine.options import Options
from firmware.engine.profiles import FACINGS, PROFILES
from firmware.engine.randomizer import SEEDS
from firmware.match.match import Match
from firmware.match.options import MatchOptions
from firmware.modes.catalogue import MARATHON, make_mode
from firmware.modes.marathon import LAST_LEVEL
from firmware.option_table import GAME_FIELDS
from firmware.players.computer_team import ComputerTeam
from firmware.players.levels import BEST, LEVELS, NAMES
from firmware.players.planner import Shadow
from firmware.save.rules import MATCH, find_record, knows
from firmware.view import canvas as oled
from firmware.view.canvas import Canvas
from firmware.view.layouts.match import MatchView
from firmware.view.playfield import PlayView
from sim.bots.attacks import GUIDELINE, find_rules
from sim.bots.host import LineCounter
from sim.bots.places import MINOS, Place, Places
from sim.bots.process import Bot, start_bot
from sim.bots.protocol import find_places
from sim.bots.rival import Rival
from sim.display import ChipDisplay
from sim.library import VARIANTS
from sim.pictures import draw
from tools.bots.shaping import SCALE, rate_matrix

PLACEMENTS = "Skyline-v0"
MATCHES = "Skyline-Versus-v0"
EDGES = "Skyline-Edges-v0"

ENDLESS = "endless"
_VARIANTS = {name: VARIANTS[name] for name in ("marathon", "sprint", "ultra")}
REWARDS = ("lines", "score", "sent", "win")
# Environments play the guideline's rules at their pace.
_HANDHELD_RULES = ("modern", "slow", "invisible", "kicks", "spins")
_LONE_RULES = ("deal",)  # a rival may be a bot, which is told that pieces come from the bag of seven

_FRAMES_HZ = 60
_SCALE = 4
_DRAWS = 30  # calls after which a match's view, which spreads its work over frames, has drawn everything
_LARGEST = 2**31 - 1
_FACINGS = 4
_DROPS = _FACINGS * WIDTH
_ROW = (1 << WIDTH) - 1
_ROWS = SKYLINE + 1  # all places above the Skyline are a Lock Out and count as one
_LEFT = 3  # the facing after one turn counterclockwise
_TURNS = (0, 1, 2, 1)  # the fewest turns to each facing
_OPEN_ROWS = 17  # with no Block above this row, turns and side steps of a new Tetrimino are free

_I = 1
_ONES = bytes([1] * WIDTH)
_SHADOW = Shadow()  # for `find_drops`, which sets its Matrix

Observation = dict[str, Any]


def _make_metadata(fps: int) -> dict[str, Any]:
    """Return gymnasium's metadata for an environment with `fps` pictures a second."""
    return {"render_modes": ["human", "rgb_array"], "render_fps": fps}


class Skyline(gymnasium.Env[Observation, Any]):
    """The base class of both environments.

    variant: "endless" (the level stays, only Top Out ends the game), "marathon", "sprint" or "ultra"; not in a match.
    rules: options of the game by their names in firmware/options.txt, such as {"level": 5}; those that the variant
        knows.
    versus: None, the level (1 to 5) of a computer player, or the command of a bot.
    garbage: (4, 7) raises four rows, with one gap, after each seven Lock Downs; not in a match.
    reward: of a step: "lines" cleared, points of the "score", lines "sent" by the attack table of a match, or
        "win": 1 for a completed variant or a won match, -1 for any other end.
    shaping: 0, or the discount of the learner, above 0 and up to 1: shape the reward by a potential (shaping.py).
    attacks: the table that counts lines sent: "guideline", "tetrio", "botris" or the path of a file; in a match its
        rules: "guideline", "modern" or "custom-N" (tools/bots/README.md).
    seen: visible pieces of the Next Queue, 1 to 6.  rows: observed rows of the Matrix, from the lowest, 20 to 40.
    pixels: add the picture to the observation; `np.unpackbits(pixels, axis=-1, bitorder="little")` has its dots.
    game: the Game, for reading; without a match, also for `snapshot` and `restore`.
    """

    metadata = _make_metadata(_FRAMES_HZ)

    game: Game

    def __init__(
        self,
        variant: str = ENDLESS,
        rules: Mapping[str, int] | None = None,
        versus: int | str | None = None,
        garbage: tuple[int, int] = (0, 0),
        reward: str = "lines",
        seen: int = 5,
        rows: int = 24,
        pixels: bool = False,
        render_mode: str | None = None,
        attacks: str = GUIDELINE,
        shaping: float = 0.0,
    ) -> None:
        """Raise ValueError with one line for an invalid choice."""
        for name, value, allowed in (
            ("variant", variant, (ENDLESS, *_VARIANTS)),
            ("reward", reward, REWARDS),
            ("render_mode", render_mode, (None, *self.metadata["render_modes"])),
            ("rows", rows, range(SKYLINE, HEIGHT + 1)),
        ):
            if value not in allowed:
                raise ValueError(f"{name} is {value!r}, allowed are {', '.join(map(str, allowed))}")
        for name, given, kind, words in (
            ("rules", rules, Mapping | None, "whole numbers by the names of options"),
            ("versus", versus, int | str | None, f"levels 1 to {LEVELS}, or the command of a bot"),
            ("seen", seen, Integral, "whole numbers"),
            ("attacks", attacks, str, "names of tables"),
        ):
            if not isinstance(given, kind):
                raise ValueError(f"{name} is {given!r}, allowed are {words}")
        if isinstance(shaping, bool) or not isinstance(shaping, int | float) or not 0 <= shaping <= 1:
            raise ValueError(f"shaping is {shaping!r}, allowed are 0 for none, and a discount up to 1")
        self.garbage = _read_garbage(garbage)
        if versus is not None:
            self._check_match(variant, versus, attacks)
        self.variant = variant
        self.versus = versus
        self.reward = reward
        self.shaping = float(shaping)
        self._rated = 0
        self.seen = seen
        self.rows = rows
        self.pixels = pixels
        self.render_mode = render_mode
        self.options = self._choose_options(dict(rules or {}))
        self.match: Match | None = None
        self._team: ComputerTeam | None = None
        self._bot: Bot | None = None
        self._rival: Rival | None = None
        self.attacks = attacks
        self._line_counter = LineCounter(Mode(), attacks)
        self._display = ChipDisplay()
        self._view: Any = None
        self._window: Any = None
        self.observation_space: spaces.Space[Observation] = self._make_space()

    def _check_match(self, variant: str, versus: int | str, attacks: str) -> None:
        """Raise ValueError for choices that no match has."""
        if variant != ENDLESS:
            raise ValueError("variant and versus cannot be used together: a match has its own rules")
        find_rules(attacks)
        if isinstance(versus, int) and not 1 <= versus <= LEVELS:
            raise ValueError(f"versus is {versus}, allowed are levels 1 to {LEVELS}, or the command of a bot")
        if any(self.garbage):
            raise ValueError("garbage and versus cannot be used together: a match has its own garbage")

    def _make_space(self) -> spaces.Dict:
        codes = spaces.Box(0, 8, (self.rows, WIDTH), np.uint8)
        number = spaces.Box(0, _LARGEST, (1,), np.int32)
        parts: dict[str, spaces.Space[Any]] = {
            "matrix": codes,
            "piece": spaces.Discrete(8),
            "hold": spaces.Discrete(8),
            "next": spaces.MultiDiscrete([8] * self.seen),
            "back_to_back": spaces.Discrete(2),
            "combo": number,
            "level": spaces.Discrete(LAST_LEVEL + 1),  # stable-baselines3 knows no other first number than 0
            "garbage": number,
        }
        if self.versus is not None:
            parts["rival"] = codes
        if self.variant == "ultra":
            parts["left_ms"] = number
        if self.pixels:
            parts["pixels"] = spaces.Box(0, 255, (oled.HEIGHT, oled.WIDTH // 8), np.uint8)
        return spaces.Dict(parts)

    def _choose_options(self, rules: dict[str, int]) -> Options:
        """Return the options of the games; raise ValueError for a rule that they do not know."""
        options = Options()
        options.next_count = self.seen
        variant = "a match" if self.versus is not None else self.variant
        record = find_record(MATCH if self.versus is not None else 1 + _VARIANTS.get(self.variant, MARATHON))
        for name, value in rules.items():
            if name not in [row[0] for row in GAME_FIELDS]:
                raise ValueError(f"there is no rule {name!r}; firmware/options.txt has all")
            lone = name in _LONE_RULES and self.versus is not None
            if name in _HANDHELD_RULES or lone or not knows(record, name):
                raise ValueError(f"{variant} has no rule {name!r} in an environment")
            if not isinstance(value, Integral):
                raise ValueError(f"{name} is {value!r}, allowed are whole numbers")
            setattr(options, name, value)
        options.check()
        return options

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a copy or another process: all but display, view and window."""
        return self.__dict__ | {"_display": None, "_view": None, "_window": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._display = ChipDisplay()

    # -- gymnasium's methods -------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game; the same seed gives the same sequence of games."""
        super().reset(seed=seed)
        number = int(self.np_random.integers(SEEDS))
        if self.versus is None:
            mode = Mode() if self.variant == ENDLESS else make_mode(_VARIANTS[self.variant])
            self._line_counter = LineCounter(mode, self.attacks, *self.garbage)
            self.game = Game(number, self.options, self._line_counter)
            self.game.start(0)
            self.game.advance(0)
        else:
            self._begin_match(number)
        self._view = None
        self._reset_state()
        self._rated = self._rate()
        if self.render_mode == "human":
            self._show()
        return self._observe_and_inform()

    def _accepts(self, action: Any) -> bool:
        return not isinstance(action, str) and bool(self.action_space.contains(action))

    def _reset_state(self) -> None:
        """Reset the subclass's state for a new game."""

    def _act(self, action: Any) -> None:
        raise NotImplementedError

    def _describe_actions(self) -> str:
        raise NotImplementedError

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Do one step; an episode ends with its game or match. Raise ValueError for an invalid action."""
        if not self._accepts(action):
            raise ValueError(f"action is {action!r}, allowed are {self._describe_actions()}")
        before = self._total()
        self._act(action)
        over = self._is_over()
        gained = float(self._total() - before)
        if over and self.reward == "win":
            gained = 1.0 if self._is_won() else -1.0
        if self.shaping:
            rated = 0 if over else self._rate()
            gained += (self.shaping * rated - self._rated) / SCALE
            self._rated = rated
        if self.render_mode == "human":
            self._show()
        observation, info = self._observe_and_inform()
        return observation, gained, over, False, info

    def render(self) -> Any:
        """Return the OLED's picture as an array of height, width and RGB if the render mode is "rgb_array"."""
        return self._draw() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        if self._window:
            import pygame

            pygame.display.quit()
            self._window = None
        self._end_bot()

    # -- the game ------------------------------------------------------------------------------------------

    def _begin_match(self, seed: int) -> None:
        options = MatchOptions()
        level = self.versus if isinstance(self.versus, int) else BEST
        options.who = level << 4
        options.rules = find_rules(self.attacks)
        other = Options()
        other.level = self.options.level
        self.match = Match(seed, options, [self.options, other])
        self._team = ComputerTeam(self.match, 1)
        self.game = self.match.seats[0].game
        if isinstance(self.versus, str):
            if self._rival and self._rival.lost:
                self._end_bot()
            self._bot = self._bot or start_bot(self.versus)
            self._rival = Rival(self._bot, self.match.seats[1].game, 300)
            self._team.players[1] = self._rival

    def _end_bot(self) -> None:
        if self._bot:
            self._bot.__exit__(None)
            self._bot = None

    def _advance_to(self, t_ms: int) -> None:
        """Advance all games until the game's time is `t_ms`."""
        if self._team:
            self._team.advance(t_ms)
        else:
            self.game.advance(ticks_add(self.game.now_ms, t_ms - self.game.time_ms))

    def _total(self) -> int:
        if self.reward == "lines":
            return self.game.lines
        if self.reward == "score":
            return self.game.score
        if self.reward == "win":
            return 0
        if self.match:
            seat = self.match.seats[0]
            return seat.sent + seat.countered
        return self._line_counter.sent

    def _rate(self) -> int:
        """Return the potential of a shaped reward."""
        matrix = self.game.matrix
        return rate_matrix(mask >> EDGE & _ROW for mask in reversed(matrix.masks[: matrix.top])) if self.shaping else 0

    def _is_over(self) -> bool:
        return bool(self.game.over or self.match and self.match.over)

    def _is_won(self) -> bool:
        return self.match.over and self.match.winner == 0 if self.match else self.game.over == AIM_REACHED

    def _observe_and_inform(self) -> tuple[Observation, dict[str, Any]]:
        return self._observe(), self._inform()

    def _observe(self) -> Observation:
        game = self.game
        rows, every = self.garbage
        garbage = rows if every and (game.lock_downs + 1) % every == 0 else 0
        if self.match:
            seat = self.match.seats[0]
            garbage = seat.queued + seat.coming.total()
        observation = {
            "matrix": self._read(game.matrix),
            "piece": game.piece,
            "hold": game.hold,
            "next": np.array(list(game.next[: self.seen]), np.int64),
            "back_to_back": 1 if game.chain else 0,
            "combo": np.array((game.statistics.combo + 1,), np.int32),
            "level": game.level,
            "garbage": np.array((garbage,), np.int32),
        }
        if self.match:
            observation["rival"] = self._read(self.match.seats[1].game.matrix)
        if self.variant == "ultra":
            observation["left_ms"] = np.array((game.limit_ms - game.time_ms,), np.int32)
        if self.pixels:
            picture = np.frombuffer(bytes(self._paint().buffer[1:]), np.uint8)
            observation["pixels"] = picture.reshape(oled.HEIGHT, oled.WIDTH // 8)
        return observation

    def _read(self, matrix: Matrix) -> np.ndarray[Any, Any]:
        return np.ndarray((self.rows, WIDTH), np.uint8, bytearray().join(matrix.rows[: self.rows]))

    def _inform(self) -> dict[str, Any]:
        game = self.game
        info: dict[str, Any] = {"lines": game.lines, "score": game.score, "pieces": game.lock_downs}
        if self._rival and self._rival.lost:
            info["fault"] = f"{self._rival.bot.name} loses: it {self._rival.lost}"
        return info

    # -- the picture ---------------------------------------------------------------------------------------

    def _paint(self) -> Canvas:
        """Draw the present picture on the canvas."""
        display, view = self._display, self._view
        if not view:
            if self.match:
                view = MatchView(display.canvas, self.match, 0)
                view.names = [b"P1", NAMES[self.versus - 1] if isinstance(self.versus, int) else b"BOT"]
            else:
                view = PlayView(display.canvas)
            view.motion_on = False
            view.next_count = self.seen
            self._view = view
        for _ in range(_DRAWS if self.match else 1):
            view.draw_match(self.game) if self.match else view.draw(self.game)
        return display.canvas

    def _draw(self) -> np.ndarray[Any, Any]:
        """Return the present picture as RGB."""
        self._paint()
        self._display.show()
        return np.asarray(draw(self._display.picture, _SCALE, "white").convert("RGB"))

    def _show(self) -> None:
        """Show the picture in a window, at the pace of `render_fps`."""
        import pygame

        picture = self._draw()
        height, width, _ = picture.shape
        if not self._window:
            pygame.display.init()
            pygame.display.set_caption("Skyline")
            self._window = (pygame.display.set_mode((width, height)), pygame.time.Clock())
        surface, clock = self._window
        surface.blit(pygame.image.frombuffer(picture.tobytes(), (width, height), "RGB"), (0, 0))
        pygame.event.pump()
        pygame.display.flip()
        clock.tick(self.metadata["render_fps"])


class Placements(Skyline):
    """A step is one Tetrimino: it turns, moves to the side and drops; `pace_ms` later the next one is in play.

    An action is a number: (hold * 4 + facing) * 10 + column. The column is that of the leftmost Mino; hold 1 plays the
    Tetrimino that Hold brings. Turns come first, then side steps, then the Hard Drop; walls and Blocks can stop both
    turns and steps. info["action_mask"] is 1 for each action that reaches its facing and column, once for equal places;
    gymnasium's `action_space.sample` accepts it. After the last step of an episode the mask is all 1, so that a masked
    softmax stays finite.

    spins: allow every reachable place, by turns, steps and Soft Drop in any order. An action is then
    ((hold * 4 + facing) * 10 + column) * 21 + row, with the row of the lowest Mino (20: the lowest above the
    Skyline). The
    step makes the best spin there, and takes no time. Its rows count as a Hard Drop below open sky, else as Soft Drop.
    A masked action drops the Tetrimino where it is. Steps take several times as long.
    pace_ms: game time for each Tetrimino, 0 to 1000; it matters to opponents and time limits.
    observe_mask: add the mask to the observation.
    """

    metadata = _make_metadata(4)

    def __init__(self, spins: bool = False, pace_ms: int = 500, observe_mask: bool = False, **options: Any) -> None:
        """See `Skyline` for the other options."""
        self.spins = spins
        self.pace_ms = pace_ms
        self.observe_mask = observe_mask
        super().__init__(**options)
        self.hold_offset = _DROPS * (_ROWS if spins else 1)
        self.action_space: spaces.Space[Any] = spaces.Discrete(2 * self.hold_offset)
        if observe_mask:
            assert isinstance(self.observation_space, spaces.Dict)
            mask = spaces.MultiBinary(2 * self.hold_offset)
            self.observation_space = spaces.Dict({**self.observation_space.spaces, "action_mask": mask})
        self._masks: dict[tuple[int, int], np.ndarray[Any, Any]] = {}
        self._ways: dict[int, Place] = {}
        self._finder: Any = None
        if spins and importlib.util.find_spec("numba"):
            from tools.bots.batch.finder import Finder  # imported here: importing Numba takes a while

            self._finder = Finder()

    def _choose_options(self, rules: dict[str, int]) -> Options:
        return super()._choose_options({"generation_ms": self.pace_ms, "animate_ms": 0, **rules})

    def _act(self, action: Any) -> None:
        game = self.game
        action = int(action)
        if action >= self.hold_offset:
            game.press(HOLD)
            if game.over:
                return
        if self.spins:
            self._play_place(self._finder.get_place(action) if self._finder else self._ways.get(action))
        else:
            facing, column = divmod(action % _DROPS, WIDTH)
            self._turn_and_move(facing, column)
            game.press(HARD_DROP)
        self._advance_to(game.time_ms + self.options.generation_ms)
        while not (game.piece or game.over or self.match and self.match.over):
            self._advance_to(game.time_ms + 1)  # a Line Clear can take more time

    def _turn_and_move(self, facing: int, column: int) -> None:
        game = self.game
        if game.matrix.top <= _OPEN_ROWS:
            # Nothing is in the way, so place it directly.
            at = (game.piece * 4 + facing - 4) * 10
            column = min(column, WIDTH - PROFILES[at + 1])
            game.place(game.piece, column - (PROFILES[at] & 15), game.y, facing)
            return
        turn_and_move(game, facing, column)

    def _play_place(self, place: Place | None) -> None:
        """Put the Tetrimino at a place and Hard Drop it; without a place, drop it where it is."""
        game = self.game
        if place:
            facing, x, y, spin, _presses = place
            entry_y = game.y
            open_sky = game.place(game.piece, x, entry_y, facing) and game.ghost_y == y
            if spin or not open_sky:
                game.score += max(0, entry_y - y)
                game.place(game.piece, x, y, facing)
                game.turned_last = spin > 0
                game.point_5_used = spin == FULL_SPIN
        game.press(HARD_DROP)

    def _describe_actions(self) -> str:
        return f"whole numbers from 0 to {2 * self.hold_offset - 1}"

    def _observe_and_inform(self) -> tuple[Observation, dict[str, Any]]:
        observation, info = super()._observe_and_inform()
        if self.observe_mask:
            observation["action_mask"] = info["action_mask"].copy()
        return observation, info

    def _inform(self) -> dict[str, Any]:
        info = super()._inform()
        info["action_mask"] = self._mask()
        return info

    def action_masks(self) -> np.ndarray[Any, Any]:
        """Return the mask as sb3-contrib's MaskablePPO asks for it."""
        return self._mask() > 0

    def _mask(self) -> np.ndarray[Any, Any]:
        if self._is_over():
            return np.ones(2 * self.hold_offset, np.int8)
        return self._mask_places() if self.spins else self._mask_drops()

    def _accepts(self, action: Any) -> bool:
        # Gymnasium's own check takes a tenth of a step.
        return type(action) in (int, np.int64) and 0 <= action < 2 * self.hold_offset or super()._accepts(action)

    def _choices(self) -> tuple[int, int]:
        """Return the Tetrimino in play and the one that Hold brings, 0 if there is none."""
        game = self.game
        return game.piece, (game.hold or game.next[0]) if game.options.hold_on and not game.held else 0

    def _mask_drops(self) -> np.ndarray[Any, Any]:
        """Return the mask of the drops that reach their facing and column."""
        here, other = pieces = self._choices()
        matrix = self.game.matrix
        if matrix.top > _OPEN_ROWS:
            return np.frombuffer(find_drops(matrix, here) + find_drops(matrix, other), np.int8)
        mask = self._masks.get(pieces)
        if mask is None:
            flags = find_drops(Matrix(), here) + find_drops(Matrix(), other)
            mask = self._masks[pieces] = np.frombuffer(flags, np.int8)
        return mask.copy()

    def _mask_places(self) -> np.ndarray[Any, Any]:
        """Return the mask of the reachable places, and remember these."""
        game, spins = self.game, self.game.options.spins
        piece, other = self._choices()
        if self._finder:
            mask: np.ndarray[Any, Any] = self._finder.find(game.matrix, (piece, other), spins)
            return mask
        mask = np.zeros(2 * self.hold_offset, np.int8)
        self._ways = {}
        for number, here in ((0, piece), (self.hold_offset, other)):
            places = (find_places(game.matrix, here, spins) if number else Places(game, spins=spins)) if here else None
            for place in places or ():
                at = (here * 4 + place.facing - 4) * 10
                column, row = place.x + (PROFILES[at] & 15), place.y + (PROFILES[at] >> 4)
                facing = place.facing % FACINGS[here - 1]
                i = number + (facing * WIDTH + column) * _ROWS + min(row, SKYLINE)
                at = (here * 4 + facing - 4) * 10
                place = Place(facing, column - (PROFILES[at] & 15), row - (PROFILES[at] >> 4), place.spin, 0)
                known = self._ways.get(i)
                if not known or (-known.y, known.spin) < (-place.y, place.spin):
                    self._ways[i] = place
        mask[list(self._ways)] = 1
        return mask


class Edges(Skyline):
    """A step is one frame of 1/60 s; an action is seven numbers, 1 for a button that is down.

    The buttons are left, right, hard drop, soft drop, rotate clockwise, rotate counterclockwise, hold. A button that is
    down in two frames is held, with Auto-Repeat and all timers as on a handheld.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.action_space = spaces.MultiBinary(PAUSE)
        assert isinstance(self.observation_space, spaces.Dict)
        low, high = np.array((0, -3, -3, -3), np.int8), np.array((3, WIDTH, HEIGHT, HEIGHT), np.int8)
        self.observation_space = spaces.Dict(
            {
                **self.observation_space.spaces,
                "position": spaces.Box(low, high, dtype=np.int8),
                "lock_ms": spaces.Box(0, _LARGEST, (1,), np.int32),
                "held": spaces.Discrete(2),
            }
        )

    def _reset_state(self) -> None:
        self._frame = self._down = 0

    def _describe_actions(self) -> str:
        return f"{PAUSE} numbers, 0 or 1"

    def _act(self, action: Any) -> None:
        game, match = self.game, self.match
        down = 0
        for button in range(PAUSE):
            if action[button]:
                down |= 1 << button
        for button in range(PAUSE):
            if (down ^ self._down) >> button & 1:
                if match:
                    match.input(0, button, down >> button & 1, match.time_ms)
                else:
                    game.input(button, down >> button & 1, game.now_ms)
        self._down = down
        self._frame += 1
        self._advance_to(self._frame * 1000 // _FRAMES_HZ)

    def _observe(self) -> Observation:
        game = self.game
        observation = super()._observe()
        position = (game.facing, game.x, game.y, game.ghost_y) if game.piece else (0, 0, 0, 0)
        observation["position"] = np.array(position, np.int8)
        observation["lock_ms"] = np.array((game.lock_us // 1000,), np.int32)
        observation["held"] = int(game.held)
        return observation


def _read_garbage(garbage: Any) -> tuple[int, int]:
    """Return how many rows rise after how many Lock Downs; raise ValueError."""
    numbers = tuple(garbage) if np.iterable(garbage) else ()
    if len(numbers) == 2 and all(isinstance(number, Integral) for number in numbers):
        rows, every = numbers
        if 0 <= rows <= SKYLINE and every >= 0:
            return rows, every
    raise ValueError(f"garbage is {garbage!r}, allowed are (rows up to {SKYLINE}, Lock Downs)")


def turn_and_move(piece: Manipulation, facing: int, column: int) -> None:
    """Turn a new Tetrimino the shorter way, then step until its leftmost Mino is in a column or is stopped."""
    for _ in range(_TURNS[facing]):
        piece.turn(facing != _LEFT)
    at = (piece.piece * 4 + piece.facing - 4) * 10
    x = min(column, WIDTH - PROFILES[at + 1]) - (PROFILES[at] & 15)
    while piece.x != x and piece.shift(1 if x > piece.x else -1):
        pass


def find_drops(matrix: Matrix, piece: int) -> bytearray:
    """Return for facing * 10 + column 1 if `turn_and_move` leads there, else 0; of equal places only one has 1."""
    drops = bytearray(_DROPS)
    shadow = _SHADOW
    shadow.matrix = matrix
    masks = matrix.masks
    for facing in range(FACINGS[piece - 1] if piece else 0):
        if facing in (0, _LEFT):
            if not shadow.place(piece, SPAWN_X, SPAWN_Y - (piece == _I), 0):
                break
            if not shadow.rests():
                shadow.sink(1)
        if facing:
            shadow.turn(facing != _LEFT)  # one turn further than for the facing before, but to the left from the first
        if shadow.facing != facing:
            continue
        y = shadow.y
        rows = masks[y] & 0xFFFF | masks[y + 1] << 16 | masks[y + 2] << 32 | masks[y + 3] << 48
        a, b, c, d = MINOS[piece - 1][facing]
        blocked = rows >> a | rows >> b | rows >> c | rows >> d  # bit x + 3, as in a row's mask
        x = shadow.x + 3
        first = (blocked & (1 << x) - 1).bit_length()
        right = blocked >> x
        last = x + (right & -right).bit_length() - 2
        at = facing * WIDTH + (PROFILES[(piece * 4 + facing - 4) * 10] & 15) - 3
        drops[at + first : at + last + 1] = _ONES[: last + 1 - first]
    return drops


# Gymnasium's checker examines every step, which takes longer than the step.
gymnasium.register(
    PLACEMENTS, "tools.bots.env:Placements", vector_entry_point="tools.bots.vector_env:Batch", disable_env_checker=True
)
gymnasium.register(MATCHES, vector_entry_point="tools.bots.vector_env:Matches", disable_env_checker=True)
gymnasium.register(EDGES, "tools.bots.env:Edges", disable_env_checker=True)
