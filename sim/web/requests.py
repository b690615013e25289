"""Answer what the page asks of a whole firmware: about recordings, daily games and lines of rules."""

from firmware.compat import TYPE_CHECKING
from sim.web import handheld

if TYPE_CHECKING:
    from typing import Any

# What `#open=NAME` shows: a scene and its subject.
SCREENS: "dict[str, tuple[str, int | None]]" = {
    "title": ("menus.title", None),
    "menu": ("menus.main", None),
    "t-spin-double": ("help.demo", 8),
    "scores": ("menus.scores", None),
    "tetress": ("tetress.menu", None),
}


def check(length: int) -> int:
    """Return 0 if the first bytes of `blob` are a recording; else write the reason there and return its length."""
    # Late imports, here and below: most games do not need them.
    from firmware.modes.catalogue import make_mode
    from firmware.save.recordings.link_recording import LinkPlayer, LinkRecording, is_linked
    from firmware.save.recordings.match_recording import MatchRecording, is_match
    from firmware.save.recordings.recording import Recording

    try:
        content = bytes(memoryview(handheld.blob)[:length])
        if is_linked(content):
            LinkPlayer(LinkRecording(content)).play()
            return 0
        recording: Any = MatchRecording(content) if is_match(content) else Recording(content)
        while recording.read():
            pass
        if not is_match(content):
            make_mode(recording.variant)
    except ValueError as problem:
        return handheld.tell(str(problem))
    return 0


def watch(length: int) -> None:
    """Go to the scene that shows the recording in `blob`."""
    from firmware.save.recordings.link_recording import is_linked
    from firmware.save.recordings.match_recording import is_match

    content = bytes(memoryview(handheld.blob)[:length])
    room = "match" if is_match(content) else "link" if is_linked(content) else "replay"
    handheld.app.context.go(room + ".watch", content)


def open_screen(length: int) -> int:
    """Go to the screen whose name in SCREENS `blob` holds; return 0 if there is none."""
    name = bytes(memoryview(handheld.blob)[:length]).decode()
    if name not in SCREENS:
        return 0
    handheld.app.context.go(*SCREENS[name])
    return 1


def try_again(length: int, player: int) -> int:
    """Let a player, from 1, play on from the end of the recording in `blob`, and return 0.

    If that cannot be, show the recording, write the reason into `blob` and return its length.
    """
    from firmware.save.recordings.link_recording import is_linked
    from firmware.save.recordings.match_recording import MatchRecording, is_match
    from firmware.save.recordings.recording import Recording
    from sim.moment import END_MS, play_on, practise

    content = bytes(memoryview(handheld.blob)[:length])
    reason = ""
    if player < 0:
        reason = "&try= takes a player's number, 1 to 4"
    elif is_linked(content):
        reason = "a match between devices cannot be played on"
    elif not is_match(content):
        if not practise(handheld.app.context, Recording(content), END_MS):
            reason = "the game is over"
    else:
        recording = MatchRecording(content)
        if player > recording.options.players:
            reason = "the match has " + str(recording.options.players) + " players"
        elif not play_on(handheld.app.context, recording, END_MS, player - 1):
            reason = "the match is over for player " + str(player)
    if reason:
        watch(length)
    return handheld.tell(reason)


def write_daily_line(length: int) -> int:
    """Replace a daily game's recording in `blob` by its result line, or by why it has none; return the length."""
    from sim.daily import describe

    try:
        return handheld.tell(describe(bytes(memoryview(handheld.blob)[:length])))
    except ValueError as problem:
        return handheld.tell(str(problem))


def write_rules() -> int:
    """Put the line of the current rules into `blob`, "" if the scene is no menu; return the length."""
    from sim.rules import copy_rules

    return handheld.tell(copy_rules(handheld.app))


def load_rules(length: int) -> int:
    """Open the page of the line of rules in `blob`; if it is wrong, write the reason there and return its length."""
    from sim.rules import paste_rules

    return handheld.tell(paste_rules(handheld.app, bytes(memoryview(handheld.blob)[:length]).decode()))
