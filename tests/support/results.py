"""Look at results and tables of scores."""

from collections.abc import Sequence

from firmware.engine.game import BLOCK_OUT, Game
from firmware.engine.options import Options
from firmware.finishing import count
from firmware.modes.catalogue import MARATHON, make_mode
from firmware.modes.listing import list_tables
from firmware.save.goals import GOALS
from firmware.save.life import Life
from firmware.save.scores import Table, open_table
from firmware.scenes.again import pack
from tests.support.flash import BrokenStore, RamStore
from tests.support.handhelds.handheld import Handheld


def ended(
    variant: int = MARATHON, aim: int = 0, score: int = 45210, over: int = BLOCK_OUT, ms: int = 312345, faults: int = 25
) -> Game:
    """Return a finished game, with numbers for every line of the statistics."""
    options = Options()
    options.aim = aim
    game = Game(7, options, make_mode(variant))
    game.score, game.lines, game.level, game.time_ms, game.over = score, 87, 9, ms, over
    counts = game.statistics
    counts.kinds[:] = [100, 11, 12, 13, 4, 5, 6, 0, 0, 0, 7, 8, 9, 10, 0]
    counts.back_to_backs, counts.longest_combo, counts.pieces, counts.holds, counts.faults = 3, 6, 250, 40, faults
    counts.keys, counts.minis = 775, 1
    return game


def make_life(*games: Game) -> Life:
    life = Life()
    for game in games:
        life.add_game(game)
    return life


class Console(Handheld):
    """A Handheld whose game has just ended; all goals were reached before it."""

    def __init__(self, game: Game | None = None, variant: int = MARATHON, broken: bool = False) -> None:
        store: list[object] = [RamStore(), RamStore()]
        if broken:
            store = [BrokenStore()]
            store[0].broken = "read write erase"  # type: ignore[attr-defined]
        super().__init__(first="menus.title", store=store)
        record = b"\1" + b"\xff" * 5
        self.journal.payload[: len(record)] = record
        self.journal.save(GOALS, len(record))
        if game:
            self.session.variant = self.settings.variant = variant
            self.settings.aim = game.options.aim
            self.session.finish(game, pack(game.options))
            count(self.session.journal, variant, game, False)
            self.open("menus.over", game)
            self.step(1000)  # a result ignores earlier presses

    def compare(self, name: str) -> None:
        self.step()
        super().compare(name)

    def table(self, number: int) -> Table:
        return open_table(self.journal, list_tables()[number].kind)


def fill_table(console: Console, number: int, results: list[int], below: Sequence[int] = (15, 14, 13, 12, 11)) -> None:
    """Save a table: its results, the best first, and what stands below each."""
    table = Table()
    for place, result in enumerate(results):
        table.insert(place, [b"ADA", b"BOB", b"CAL", b"DEE", b"EVE"][place], result, 100 - place, below[place])
    console.journal.save(list_tables()[number].kind, table.pack(console.journal.payload))
