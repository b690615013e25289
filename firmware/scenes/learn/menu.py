"""Offer puzzles, training, openers, the last game and the help."""

from firmware.engine.events import HOLD_FAILED
from firmware.modes.catalogue import FINESSE
from firmware.scenes.menu import Menu

_WATCH = "replay.watch"
_REVIEW = "review.review"
_QUESTION = b"PRESS AGAIN TO|LOSE THE GAME|IN PROGRESS"


class Scene(Menu):
    """Choose what to learn."""

    notes: "list[bytes]"
    heading = b"LEARN"
    records = (
        (b"PUZZLES", b"SPINS AND CLEARS|TO SOLVE|WITHOUT A TIMER", "learn.puzzle_menu"),
        (b"FIRST GAME", b"LEARN BY PLAYING|IN TWO MINUTES,|STEP BY STEP", "learn.first_game"),
        (b"GOALS", b"FORTY TO REACH|IN FIVE STEPS,|EASY ONES FIRST", "learn.goals_menu"),
        (b"ALL CLEAR", b"LEAVE NO BLOCK,|TASK AFTER TASK,|WITHOUT A TIMER", "learn.all_clear_menu"),
        (b"SCORING", b"EVERY ACTION|THAT SCORES:|SEE IT PLAYED", "help.scoring"),
        (b"FINESSE", b"REACH EACH PLACE|BY THE FEWEST|PRESSES", "play"),
        (b"OPENERS", b"FIRST BAGS THAT|ATTACK: LEARN|THEM BY HEART", "learn.opener_menu"),
        (b"LAST GAME", b"WATCH IT, AND|TRAIN FROM ANY|MOMENT", _WATCH),
        (b"REVIEW", b"YOUR LAST GAME'S|THREE WORST|MOMENTS", _REVIEW),
        (b"HELP", b"HOW TO PLAY|AND WHAT SCORES", "help.help"),
    )

    def value(self, at: int) -> bytes:
        """Return a dash for LAST GAME and REVIEW while there is no last game."""
        return b"-" if self.records[at][2] in (_WATCH, _REVIEW) and not self.context.session.last else b""

    def pick(self, at: int) -> None:
        """Open the chosen line."""
        context = self.context
        name = self.records[at][2]
        if name == "play":
            if context.session.has_game() and self.notes[at] != _QUESTION:
                self.notes[at] = _QUESTION
                return
            context.session.choose_variant(FINESSE)
            context.settings.garbage_rows = context.settings.aim = 0
        if name != _WATCH and name != _REVIEW:
            context.go(name)
        elif not context.session.last:
            context.voice.begin(HOLD_FAILED)
        else:
            context.router.watch(context.session.watcher if name == _WATCH else name, None, "learn.menu")
