"""Count down before a game or a match begins or continues; play does not keep this module in memory.

A linked match counts down by the clock of its session, and takes only `note` and `press_held`.
"""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.engine.controls import HARD_DROP, PAUSE, RIGHT, SOFT_DROP
from firmware.save.journal import MATCH_GAMES
from firmware.save.journal_layout import NOWHERE, PLACES
from firmware.save.recordings.match_changes import PLAYER
from firmware.scenes.play_state import PLAYING, READY, START_HELD_MS
from firmware.sound.effects import MENU_CHOOSE, MENU_MOVE

if TYPE_CHECKING:
    from firmware.contracts import Any, EdgeQueue, Game

_CLEARING_MS = const(50)  # before play the last word goes: drawing everything makes a frame late
_DAS_MS = const(6)  # its place in firmware/options.txt


class Countdown:
    """Cover a scene of play: show the game and one word after the other.

    What is down at the end is pressed then; a direction has charged Auto-Repeat since it went down. START pauses, and
    begins again if it is held.
    words: the words to come, each with its milliseconds; by default 3, 2, 1. word: the word on the screen.
    held: person, control and time of each press, in their order.
    """

    def __init__(self, scene: "Any", words: "list[tuple[str, int]] | None" = None) -> None:
        self.scene = scene
        self.words = words or [("3", 500), ("2", 500), ("1", 500)]
        self.word = ""
        self.due_ms = -1  # first show the game alone for a frame
        self.held: "list[tuple[int, int, int]]" = []

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Show the next word when it is due; after the last word start the game."""
        scene = self.scene
        mapping = scene.context.mapping
        queues = getattr(scene, "queues", None) or (mapping.queue if mapping else edges,)  # of controls
        for person in range(len(queues)):
            note(self.held, person, queues[person])
        if scene.start_ms >= 0 and ticks_diff(now_ms, scene.start_ms) >= START_HELD_MS:
            scene.press_pause(now_ms)  # its press has ended a pause; there it begins again
        elif self.due_ms < 0:
            scene.voice.silence()
            if hasattr(scene, "match"):
                make_room(scene)
            self.due_ms = scene.context.clock.ticks_ms()
        elif ticks_diff(now_ms, self.due_ms) >= 0:
            if self.words:
                self.word, ms = self.words.pop(0)
                self.due_ms = ticks_add(self.due_ms, ms)
                scene.voice.tell_menu(MENU_MOVE if self.words else MENU_CHOOSE)
                if not self.words:
                    self.due_ms = ticks_add(self.due_ms, -_CLEARING_MS)
            elif self.word:
                self.word = ""
                self.due_ms = ticks_add(self.due_ms, _CLEARING_MS)
                scene.view.reset()
            else:
                self.begin(now_ms)

    def begin(self, now_ms: int) -> None:
        """Let the game go on from the clock's time `now_ms` on: `play_on`, but the mapping forgets nothing."""
        scene = self.scene
        scene.halt(PLAYING, None)
        scene.start_ms = -1
        scene.last_ms = now_ms
        press_held(scene, self.held, now_ms)
        scene.voice.resume_tune()
        scene.context.router.tidy()

    def draw(self) -> None:
        scene = self.scene
        scene.halt(READY, None)
        scene.draw()
        scene.halt(READY, self)
        if self.word and scene.view.matrix.version >= 0:  # drawing a high stack takes some frames
            scene.view.draw_message(self.word)


def make_room(scene: "Any") -> None:
    """Compact the journal if the next pause of a match may find no room in it: there a player would wait for it.

    The save of that pause takes as much as the last one, and for higher stacks a quarter more.
    """
    context = scene.context
    journal = context.journal
    first = journal.where[MATCH_GAMES]
    if journal.failed or first == NOWHERE:
        return
    if (journal.stores[journal.bank].size - journal.end) * 4 >= (journal.end - first // PLACES) * 5:
        return
    scene.view.draw_message("SAVING")
    context.device.display.show()
    try:
        from firmware.save.journal_compaction import compact, leaves_room

        if leaves_room(journal, 5):  # else that pause rewrites it anyway
            compact(journal)
        del compact, leaves_room
    except MemoryError:
        pass
    context.tidy()
    scene.view.reset()


def note(held: "list[tuple[int, int, int]]", person: int, queue: "EdgeQueue") -> None:
    """Add the controls that a person presses to `held`; remove those that go up."""
    for i in range(queue.count):
        control = queue.button[i]
        held[:] = [each for each in held if each[:2] != (person, control)]
        if queue.pressed[i] and control < PAUSE:
            held.append((person, control, queue.t_ms[i]))


def press_held(scene: "Any", held: "list[tuple[int, int, int]]", now_ms: int) -> None:
    """Press what is held, as the game goes on at the clock's time `now_ms`."""
    for person, control, since_ms in held:
        press(scene, person, control, ticks_diff(now_ms, since_ms))


def press(scene: "Any", person: int, control: int, held_ms: int) -> None:
    """Press a control that is down. One in play only moves or falls: no recording can say that the others are down."""
    match = getattr(scene, "match", None)
    number = scene.persons[person] if match else 0
    game: "Game" = (match.seats[number].practice or match.seats[number].game) if match else scene.game
    if control == HARD_DROP or game.piece and control > SOFT_DROP:
        return
    options = game.options
    das_ms = options.das_ms
    charges = control <= RIGHT and held_ms > 0
    if charges:
        set_delay(scene, number, options, max(1, das_ms - held_ms))
    if match:
        match.input(number, control, 1, match.time_ms)
        if scene.noted and not match.over:
            scene.noted.note_edge(number, control, 1, match.time_ms)
    else:
        scene.note(control, 1)
    if charges:
        set_delay(scene, number, options, das_ms)


def set_delay(scene: "Any", number: int, options: "Any", das_ms: int) -> None:
    """Set the delay of Auto-Repeat from the last edge on, also in the recording."""
    options.das_ms = das_ms
    if hasattr(scene, "match"):
        if scene.noted:
            from firmware.save.recordings.match_changes import note_changes

            note_changes(scene.noted, [number << PLAYER | _DAS_MS << 10 | das_ms], scene.match.time_ms)
    elif scene.recorder:
        scene.recorder.note_change("das_ms", das_ms)
