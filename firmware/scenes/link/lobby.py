"""Meet the other devices of a link, and agree on the rules of a match (press A on each)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.link.lobby import MOST, VERSION, Lobby
from firmware.link.wire import Wire
from firmware.match.options import CUSTOM
from firmware.modes import delays
from firmware.players.levels import NAMES
from firmware.save import match_choices
from firmware.save.match_choices import write_choice
from firmware.save.match_scores import read_ladder
from firmware.save.scores import write_initials
from firmware.scenes.link.play import Scene as LinkPlay
from firmware.scenes.menu import SAMPLE_ROWS, SAMPLE_Y, Menu
from firmware.view.art import FONT_3X5, FONT_5X7

if TYPE_CHECKING:
    from firmware.contracts import Agreement, Canvas, Context, EdgeQueue

# places in match_choices.py of the choices of lines 1 to 8 and 11
_PLACES = b"\x04\x05\x06\x07\x08\x09\x0a\x0c\0\0\x10"
_LEVEL = const(9)
_DELAYS = const(10)
_LEVELS = const(15)
_PITCH = const(8)
_MORE_BYTES = const(200_000)  # free bytes needed for more than two players; a Pico has less
_NAME_X = const(2)
_TEAM_X = const(24)
_READY_X = const(42)


def find_place(at: int) -> int:
    """Return the place in match_choices.py of the choice of a line."""
    return match_choices.OWN + at - 1 - len(_PLACES) if at > len(_PLACES) else _PLACES[at - 1]


class Scene(Menu):
    """Show the members and their options; a change by any player applies to all.

    subject: None, or a text that says why the last match ended.
    """

    keeps = LinkPlay.keeps
    heading = b"LINK"
    parent = "match.menu"
    lines: "tuple[bytes, ...]" = (
        b"READY",
        b"TEAMS",
        b"TARGET",
        b"WINS",
        b"ROWS",
        b"HOLES",
        b"SENT",
        b"SPEED UP",
        b"CO-OP",
        b"LEVEL",
        b"DELAYS",
        b"RULES",
    )
    notes = (b"",) * 20
    rows = SAMPLE_ROWS

    def __init__(self, context: "Context", subject: object = None) -> None:
        now_ms = context.clock.ticks_ms()
        settings = context.settings
        self.reason = subject if isinstance(subject, bytes) else b""
        level = min(_LEVELS, max(1, settings.level))
        self.lobby = Lobby(
            Wire(context.device.link),
            context.session.next_seed(),
            write_initials(settings.initials),
            match_choices.pack_link(match_choices.read(settings)),
            level,
            now_ms,
            2 if 0 <= context.device.machine.free_bytes() < _MORE_BYTES else MOST,
        )
        if self.lobby.most == MOST:  # not on a Pico: two devices need no keys
            self.lobby.draw = context.session.next_seed
        self.lobby.me.delays = max(delays.GUIDELINE, delays.find_delays(settings))
        self.lobby.me.ladder = read_ladder(context.journal)
        self.choices = match_choices.read(settings)
        self.told = b""
        Menu.__init__(self, context)

    def is_playing(self) -> bool:
        """Return True: a device that waits for others must not sleep."""
        return True

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame and the greetings of others."""
        if not self.context.settings.initials:  # ask for initials: two players AAA would look the same
            self.context.go("menus.scores_initials")
            return
        lobby = self.lobby
        lobby.step(now_ms)
        state = self.describe()
        if state != self.told:
            self.told = state
            own = self.choices[match_choices.OWN :]
            self.choices = match_choices.unpack_link(lobby.me.wish)
            if self.choices[match_choices.RULES] != CUSTOM:
                self.choices[match_choices.OWN :] = own  # kept while others are chosen
            self.list_lines()
        Menu.update(self, edges, now_ms)
        if lobby.agreed and not self.context.router.wanted:
            from firmware.announcing import tell

            tell(self.context)
            # Without the Lobby, which keeps its module in memory.
            names = [lobby.find_tag(place) for place in range(len(lobby.members))]
            options = lobby.me.proposal()
            agreed: "Agreement" = (lobby.wire, lobby.key, lobby.seed, lobby.place, lobby.seals, names) + options
            self.context.go("link.play", agreed)

    def list_lines(self) -> None:
        """Show the rules of CUSTOM if they are proposed."""
        own = self.choices[match_choices.RULES] == CUSTOM
        self.lines = Scene.lines + tuple(match_choices.OWN_LINES.split(b"|") if own else ())
        self.at = min(self.at, len(self.lines) - 1)
        self.top = min(self.top, len(self.lines) - self.rows)
        self.fresh = True

    def describe(self) -> bytes:
        """Return bytes that change whenever the picture changes."""
        lobby = self.lobby
        state = b"%d %d %d %s" % (lobby.me.proposal() + (self.explain(),))
        for member in lobby.members:
            state += bytes(member.name) + (b"1" if member.ready else b"0")
        return state

    def refusal(self) -> bytes:
        """Return what to turn off for the rules that all propose, or b""; without the room nobody here is READY."""
        return self.context.session.refusal if self.choices[match_choices.RULES] else b""

    def explain(self) -> bytes:
        """Return a text that says why the match does not begin yet."""
        lobby = self.lobby
        if lobby.refused:
            if lobby.refused[0] != VERSION:
                return b"THE OTHER ONE IS|VERSION %d OF THE|LINK, THIS IS %d" % (lobby.refused[0], VERSION)
            return b"THE OTHER ONE|HAS RULES OF|ANOTHER VERSION"
        if lobby.crowded:
            return b"AT MOST FOUR|CAN PLAY" if lobby.most == MOST else b"AT MOST TWO:|3 OR 4 NEED A|PICO 2 EACH"
        if len(lobby.members) == 1:
            if lobby.length == 1:
                return b"THIS CABLE LEADS|BACK TO ITSELF"
            if lobby.lost:
                return b"LINK LOST"
            return self.reason or b"LOOKING FOR THE|OTHERS: OPEN|LINK ON EACH"
        if not lobby.is_whole():
            return b"THE RING IS OPEN|LOOK AT THE|CABLES"
        if self.refusal():
            return self.refusal()
        if lobby.me.ready:
            return b"WAITING UNTIL|ALL ARE READY"
        return b"PRESS A ON EACH|TO BEGIN"

    def value(self, at: int) -> bytes:
        if not at:
            return b"YES" if self.lobby.me.ready else b"NO"
        if at == _LEVEL:
            return b"%d" % self.lobby.me.level
        if at == _DELAYS:
            return delays.NAMES[self.lobby.me.delays]
        return write_choice(self.choices, find_place(at))

    def turn(self, at: int, step: int) -> bool:
        """Change READY, or propose the value before or after the current one to all."""
        lobby = self.lobby
        level = lobby.me.level
        if not at:
            lobby.me.ready = not (lobby.me.ready or self.refusal())
            return True
        if at == _LEVEL:
            level = (level + step + _LEVELS - 1) % _LEVELS + 1
        elif at == _DELAYS:
            lobby.me.delays = (lobby.me.delays + step) % (delays.NONE + 1)
        else:
            match_choices.turn(self.choices, find_place(at), step)
        lobby.propose(match_choices.pack_link(self.choices), level)
        return True

    def pick(self, at: int) -> None:
        """Change READY, or propose the next value."""
        self.turn(at, 1)

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        """Draw the text that says why the match does not begin yet."""
        Menu.draw_note(self, canvas, self.explain())

    def draw_sample(self) -> None:
        """List the players in order, with team, and READY or the best rival that each has beaten on the ladder."""
        canvas = self.context.canvas
        lobby = self.lobby
        self.choices[match_choices.OPPONENTS] = min(2, max(0, len(lobby.members) - 2))
        options = match_choices.make_options(self.choices)
        y = SAMPLE_Y + 1
        for i in range(len(lobby.members)):
            member = lobby.members[i]
            canvas.text(_NAME_X, y, lobby.find_tag(i), FONT_5X7 if member is lobby.me else FONT_3X5)
            if options.teams and len(lobby.members) > 1:
                canvas.text(_TEAM_X, y + 1, b"T%d" % (1 + options.team(i)), FONT_3X5)
            x = _READY_X
            told = b"READY" if member.ready else b"-"
            if member.ladder and not member.ready:
                told = NAMES[member.ladder - 1]
                if not options.teams:
                    x = _TEAM_X
                    told = b"BEAT " + told
            canvas.text(x, y + 1, told, FONT_3X5)
            y += _PITCH
