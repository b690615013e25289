"""Play a match on one handheld: its player, computers, and further players with their own buttons."""

import gc

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import controls, events
from firmware.engine.matrix import NEAR_ROW
from firmware.match.match import NOBODY
from firmware.match.seat import NOT_YET
from firmware.residents import MATCH
from firmware.router import load
from firmware.save.buttons import TARGET
from firmware.scenes.play_scene import PlayScene
from firmware.scenes.play_state import OVER, PLAYING, STEERED
from firmware.sound.effects import LINES_COMING, LINES_COUNTERED, LINES_SENT, TOP_OUT_NEAR
from firmware.sound.voice import UNIT_MS

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Adviser, Buttons, Computer, Context, EdgeQueue, Game, Mapping, Match, MatchRecorder
    from firmware.view.layouts.match import MatchView

_NEVER = const(-1)
_HURRY_MS = const(6)
# Time in units of thinking, the search steps of computers: a whole frame, and the work that shortens it.
_FRAME = const(172)
_SEAT = const(8)
_ROW = const(3)  # a row of pixels to be sent
_BUSY = const(35)  # a large change of the picture
_PRESS = const(16)
_RELEASE = const(5)
_MUCH = const(32)


class Scene(PlayScene):
    """Play the rounds of a match, with pauses.

    subject: a Match, which begins paused, or None for a new match by the settings.
    match: the match in play. me: the number of the player whose Matrix is large.
    players: for each seat its computer, or None for a person. persons: the seats of people.
    queues: the edges of each person in this frame; at: how many of each are handled. sources: the Device's `others`,
    which fill the queues from 1 on. shown: the game on the screen. noted: its recorder, or None.
    trainer: the Adviser that can give hints in Practice, or None. adviser: the trainer while `me` practises, or None.
    cover: a pause or a countdown. kept: whether the journal has saved the paused match.
    danger: whether a Top Out is near. coming: lines queued for `me` or on their way. pending: the next effect, or 0.
    pool: the computers' thinking in a frame; turn: counts frames, for each computer to be first. work: what else this
    frame does, in units of thinking; waited: whether the last frame left its drawing to this one.
    time_ms: the clock of the round; pauses do not count. start_ms: when START was pressed, or -1 while it is up.
    """

    kind = "play"
    keeps = MATCH
    leaves = ""
    steered = STEERED
    match: "Match"
    players: "list[Computer | None]"  # None for a person
    persons: bytearray
    sources: "list[Buttons]"
    queues: "list[EdgeQueue]"
    at: bytearray
    shown: "Game"
    trainer: "Adviser | None"
    adviser: "Adviser | None"
    mapping: "Mapping | None"
    noted: "MatchRecorder | None"
    view: "MatchView"
    me: int
    time_ms: int
    danger: bool
    pool: int
    turn: int
    work: int
    waited: bool
    coming: int
    pending: int
    kept: bool
    start_ms: int

    def __init__(self, context: "Context", subject: "Match | None" = None) -> None:
        self.context = context
        self.voice = context.voice
        self.start_ms = -1  # now: in play an attribute more would move all of them
        # Imported late here and below: play does not keep these modules in memory.
        from firmware.scenes.match import start

        start.start_match(self, subject, context.clock.ticks_ms())

    # Flat: step 4 says what a call more would cost.
    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle all players' edges of this frame at their own times, and advance the match to `now_ms`."""
        state = self.state
        self.poll(edges, now_ms)
        if state == OVER:
            # Before other code: local variables below would keep this round's games in memory.
            self.answer(edges, now_ms)
            self.voice.update(now_ms)
            return
        match = self.match
        while True:
            # 1. Find the first edge of a person, and let the clock run up to it, or up to now.
            source = self.find_edge()
            t_ms = self.queues[source].t_ms[self.at[source]] if source >= 0 else now_ms
            number = self.run_clock(t_ms) if self.state == PLAYING else NOBODY
            if number != NOBODY:
                # 2. A computer presses before that.
                player = self.players[number]
                if TYPE_CHECKING:
                    assert player
                due_ms = player.due_ms
                button = player.button
                pressed = player.pressed
                player.prepare()
            else:
                # 3. No computer does: take the person's edge.
                if self.state == PLAYING:
                    match.advance(self.time_ms)
                if source < 0:
                    break
                i = self.at[source]
                self.at[source] = i + 1
                button = self.queues[source].button[i]
                pressed = self.queues[source].pressed[i]
                if button == controls.PAUSE:
                    self.start_ms = t_ms if pressed else -1
                    if pressed:
                        self.press_pause(t_ms)  # here, for a save nests deep
                    continue
                number = self.persons[source]
                button = self.take_edge(number, button, pressed)
                if button < 0:
                    continue
                due_ms = self.time_ms
            # 4. Play it: not in a method, as these calls nest 11 deep of the 12 allowed (tests/support/call_depth.py).
            due_ms = max(due_ms, match.time_ms)
            match.advance(due_ms)
            match.input(number, button, pressed, due_ms)
            self.work += _PRESS if pressed else _RELEASE
            if self.noted and not match.over:
                self.noted.note_edge(number, button, pressed, match.time_ms)
        if state and state == self.state:
            self.answer(edges, now_ms)
        if self.state == PLAYING:
            self.announce_events()
        if self.pending and not self.voice.priority:
            self.voice.tell_menu(self.pending)
            self.pending = 0
        self.voice.update(now_ms)

    def poll(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Fill the queues with all persons' edges of this frame."""
        self.queues[0] = self.mapping.translate(edges, now_ms) if self.mapping else edges
        self.at[0] = 0
        for i in range(1, len(self.queues)):
            self.queues[i].clear()
            self.sources[i - 1].poll(self.queues[i])
            self.at[i] = 0

    def take_edge(self, number: int, button: int, pressed: int) -> int:
        """Return a person's button for the match, or -1 if the edge asks for a hint or means nothing."""
        if self.state == PLAYING:
            seat = self.match.seats[number]
            if button == TARGET and self.adviser and number == self.me:
                if pressed:
                    self.adviser.ask(seat.practice)
            # Ignore the release of a button that was pressed before the pause.
            elif pressed or button < TARGET and (seat.practice or seat.game).pressed >> button & 1:
                return controls.PAUSE if button == TARGET else button
        return -1

    def find_edge(self) -> int:
        """Return the number of the queue with the earliest unhandled edge, or -1."""
        at = self.at
        queues = self.queues
        first = -1
        for i in range(len(queues)):
            queue = queues[i]
            if at[i] < queue.count and (first < 0 or ticks_diff(queue.t_ms[at[i]], queues[first].t_ms[at[first]]) < 0):
                first = i
        return first

    def run_clock(self, t_ms: int) -> int:
        """Let the clock run up to `t_ms`; return the computer whose edge is due first, or NOBODY if none is due."""
        passed = ticks_diff(t_ms, self.last_ms)
        if passed > 0:
            self.last_ms = t_ms
            self.time_ms += passed
        if self.match.over:
            return NOBODY
        first = NOBODY
        due_ms = self.time_ms + 1
        players = self.players
        for i in range(len(players)):
            player = players[i]
            if player and _NEVER != player.due_ms < due_ms:
                due_ms = player.due_ms
                first = i
        return first

    def answer(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of buttons, not controls, in a pause or after a round."""
        if self.cover:
            self.cover.update(edges, now_ms)
        else:
            load("firmware.scenes.match.next_round").answer(self, edges, now_ms)

    def announce_events(self) -> None:
        """Turn the events of this frame into sound and picture, and check for the end of the round."""
        match = self.match
        mine = match.seats[self.me]
        happened = mine.happened
        mine.happened = 0
        game = mine.practice or mine.game
        if mine.out_ms != NOT_YET and happened & events.GAME_OVER:
            happened &= ~events.GAME_OVER  # GAME_OVER would end the tune, but the round continues
            self.pending = TOP_OUT_NEAR
        if happened:
            self.voice.tell(happened, self.last_ms)
            self.view.tell(happened, game)
            if happened & events.GARBAGE:
                self.work = _MUCH  # raising lines and drawing them takes up to 18 ms
            if happened & events.COUNTERED:
                self.pending = LINES_COUNTERED
            elif happened & events.SENT:
                self.pending = LINES_SENT
        if game is not self.shown or mine.practised != self.view.practised:
            self.shown = game
            self.view.practised = mine.practised
            self.view.reset()
            if mine.practice:
                self.find_adviser(game)
        coming = mine.queued + mine.coming.count
        if coming > self.coming:
            self.pending = LINES_COMING
        self.coming = coming
        danger = game.matrix.top >= NEAR_ROW
        if danger != self.danger:
            self.danger = danger
            if danger:
                self.pending = TOP_OUT_NEAR
        # Near the Top Out the music is as fast as at the last level.
        self.voice.unit_ms = _HURRY_MS if danger else UNIT_MS
        if match.over:
            self.load_late("match.end").end_round(self)

    def find_adviser(self, game: "Game") -> None:
        """Offer hints in a game of Practice, unless the round is already decided."""
        if self.match.ends_ms == NOT_YET and self.trainer:
            self.load_late("match.practice").start_adviser(self, game)

    def load_late(self, name: str) -> "Any":
        """Return a module of a scene; on a board first collect garbage, which keeps the largest block whole."""
        if self.context.device.machine.renews:
            gc.collect()
        return load("firmware.scenes." + name)

    def press_pause(self, t_ms: int) -> None:
        """Pause at once, or resume (Guideline 13.1.6); do nothing if the round has ended."""
        if self.state != OVER and not self.match.over:
            stop = load("firmware.scenes.match.stop")  # no collection first: frames leave no garbage
            if self.state == PLAYING:
                stop.pause(self)
            else:
                stop.resume(self, t_ms)

    def remember(self, watcher: str) -> None:
        """Let the scene `watcher` show the recording of the match up to now."""
        if self.noted:
            self.context.session.remember(self.noted.replay, watcher)
            self.noted.stop(self.match.time_ms)

    def draw(self) -> None:
        if self.cover:
            self.cover.draw()
            return
        work = self.work
        self.work = 0
        if work >= _MUCH and not self.waited:
            # This frame is full: draw two presses or rising lines in the next frame.
            self.waited = True
            return
        self.waited = False
        if self.view.draw_match(self.shown):
            work += _BUSY
        if self.pool and self.state == PLAYING:
            self.think(work + _ROW * self.context.canvas.dirty.count(b"\x01"))

    def think(self, work: int) -> None:
        """Let the computers think in turn, in the rest of this frame."""
        players = self.players
        count = len(players)
        room = min(self.pool, _FRAME - _SEAT * count - work)
        self.turn += 1
        if self.adviser:
            room = self.adviser.look(room)
        for i in range(count):
            player = players[(self.turn + i) % count]
            if player and room > 0:
                room = player.look(room)
