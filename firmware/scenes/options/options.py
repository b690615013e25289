"""Open the pages of settings, the most wanted first (Guideline 2.5)."""

from firmware.scenes.menu import Menu


class Scene(Menu):
    """Offer the pages; lines that few players need are on the page DEVICE."""

    heading = b"OPTIONS"
    records = (
        (b"HANDLING", b"HOW FAST|TETRIMINOS|MOVE", "options.handling"),
        (b"SOUND", b"MUSIC AND|EFFECTS", "options.sound"),
        (b"SCREEN", b"BRIGHTNESS,|SLEEP, SIZE|AND MOTION", "options.display"),
        (b"BUTTONS", b"WHICH BUTTON|DOES WHAT", "options.controls"),
        (b"GAME RULES", b"NEXT, HOLD,|GHOST, GOALS,|DELAYS, EXTRAS", "options.game_rules"),
        (b"EASIER", b"SLOWER GAMES,|OR PLAY WITH|ONE BUTTON", "options.access"),
        (b"SHARE", b"YOUR RULES AS|LETTERS TO SEND,|KEEP OR LOAD", "rules.menu"),
        (b"DEVICE", b"TESTS, CHANGED|OPTIONS, RESET|AND CREDITS", "options.device"),
    )

    def back(self) -> None:
        """Leave; go back to the match if its pause led here."""
        context = self.context
        if context.router.home != "match.play" or not context.session.has_game():
            Menu.back(self)
            return
        context.router.go_home()  # resets the router's `home`
        from firmware.resuming import resume_game

        resume_game(context)
