"""Show a match to persons 2 to 4, each on a handheld beside the first one, which runs the match."""

from collections.abc import Sequence
from typing import Any

from firmware.app import App
from firmware.scenes.match.play import Scene as MatchPlay
from firmware.scenes.match.result import tell_result
from firmware.scenes.play_state import OVER, PLAYING, READY
from firmware.view.layouts.match import MatchView
from sim.desktop.keyboard import Keys
from sim.desktop.named_keys import NamingCanvas
from sim.display import ChipDisplay


class FurtherHandheld:
    """Draw a match for one further person; without a match, mirror the first handheld."""

    def __init__(self, app: App, keys: Keys, number: int) -> None:
        self.app = app
        self.canvas = NamingCanvas(keys, number)
        self.display = ChipDisplay(canvas=self.canvas)
        self._mirrored = b""  # the picture that was copied last
        self._view: MatchView | None = None
        self._shown_seat: Any = None  # the seat on the screen, or None if all must be redrawn
        self._is_result_shown = False  # whether the result of the round is on the screen

    def watch(self, scene: MatchPlay, number: int) -> None:
        """Draw this frame of the match as player `number` sees it, and clear that player's events."""
        match = scene.match
        seat = match.seats[number]
        game = seat.practice or seat.game
        if self._view is None or self._view.match is not match or self._view.me != number:
            self._view = MatchView(self.display.canvas, match, number)
            self._view.names = scene.view.names
            self._shown_seat = None
        view = self._view
        # A new round has new seats. A new game of Practice is the same object: only `practised` changes.
        if self._shown_seat is not seat or view.practised != seat.practised:
            self._shown_seat = seat
            self._is_result_shown = False
            view.motion_on = scene.view.motion_on
            view.show_ghost = bool(game.options.ghost_on)
            view.next_count = game.options.next_count
            view.practised = seat.practised
            view.reset()
        elif seat.happened:
            view.tell(seat.happened, game)
        elif view.message and scene.state == PLAYING:
            view.reset()
        seat.happened = 0
        view.draw_match(game)
        if scene.state == READY and scene.cover and scene.cover.word:
            view.draw_message(scene.cover.word)
        if scene.state == OVER and not self._is_result_shown:
            self._is_result_shown = True
            view.draw_message(tell_result(match, number) + " A_NEXT")

    def mirror(self) -> None:
        """Show the first handheld's picture, because all persons share its menus."""
        canvas, own = self.app.context.canvas, self.canvas
        if self._shown_seat is not None or self._mirrored != canvas.buffer:
            self._mirrored = bytes(canvas.buffer)
            own.buffer[:] = canvas.buffer
            own.dirty[:] = b"\x01" * len(own.dirty)
            if isinstance(canvas, NamingCanvas):
                own.name_hints(canvas)
        self._shown_seat = None

    def show(self) -> None:
        """Send the picture, with the brightness, sleep and rotation of the first handheld."""
        own: Any = self.app.device.display  # also a ChipDisplay
        first = own.chip
        self.display.canvas.blocks = self.app.context.canvas.blocks
        self.display.turn(bool(self.app.context.settings.turned))
        self.display.show()
        if self.display.chip.contrast != first.contrast:
            self.display.contrast(first.contrast)
        if self.display.chip.on != first.on:
            self.display.sleep(not first.on)


class FurtherHandhelds:
    """Show one App on the handhelds of persons 2 to 4; its Device has their buttons."""

    def __init__(self, app: App, keys: Keys) -> None:
        self.app = app
        self.handhelds = [FurtherHandheld(app, keys, number) for number in range(1, 1 + len(app.device.others))]

    @property
    def displays(self) -> Sequence[ChipDisplay]:
        return [handheld.display for handheld in self.handhelds]

    def show(self) -> None:
        """Draw and send a frame on each handheld, after the first one has."""
        scene: Any = self.app.router.scene
        for place, handheld in enumerate(self.handhelds, 1):
            is_match = isinstance(scene, MatchPlay) and (not scene.cover or scene.state == READY)
            if is_match and place < len(scene.persons):
                handheld.watch(scene, scene.persons[place])
            else:
                handheld.mirror()
            handheld.show()
