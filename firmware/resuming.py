"""Open the first scene, or resume the game in progress; play does not keep this module in memory."""

from firmware import residents
from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.mapping import EIGHT_BUTTONS
from firmware.refusing import RESUME_GAME
from firmware.save.journal import MATCH, SUSPENDED
from firmware.sound.effects import MENU_CHOOSE

if TYPE_CHECKING:
    from firmware.contracts import Context, EdgeQueue, Game, Journal, Match

_GROWTH = const(4096)
_UNREADABLE = b"THE SAVED GAME|IS DAMAGED OR OF|ANOTHER VERSION"


def open_first(context: "Context", edges: "EdgeQueue", first: str, subject: object) -> None:
    """Ask for the first scene; RESUME_GAME means the scene of the game in progress."""
    first = first or ("menus.legal" if context.device.handmade and not context.settings.ready else "menus.title")
    if context.device.wired > EIGHT_BUTTONS:
        from firmware.nine_buttons import connect

        connect(context.device.buttons, context.router)
    if context.settings.one_switch:
        from firmware import one_switch

        one_switch.connect(context)
    if first == "menus.title" and leads_past_title(context, edges):
        first = "menus.main"
        # A board's heap is nearly full by now: the menu would grow it after eight collections of 6 ms, this at once. It
        # lives until the menu is there, which does not look at it.
        subject = bytearray(_GROWTH)
    first, _, words = first.partition(" ")
    context.go(first, words.encode() if words else subject)
    linked = first == "link.lobby"
    if context.device.machine.renews and (linked or first == "match.play" or first == RESUME_GAME):
        from firmware import match_modules

        match_modules.load(residents.LINK if linked else residents.MATCH)
        from firmware.refusing import check

        if check(context, first, True):
            return
    if first == RESUME_GAME:
        context.router.drop(residents.MATCH)  # the check's modules take 3 KB, which restoring a match needs
        resume_game(context, False)
    elif first == "play" and not subject and context.session.has_game():
        go_on(context, restore(context))


def leads_past_title(context: "Context", edges: "EdgeQueue") -> bool:
    """Return whether A or Start was pressed at the first picture, and the title would only open the main menu.

    Loading the title takes a board an eighth of a second. Edges after that press wait for the first frame.
    """
    settings = context.settings
    # A switch means something when it is released, in the scene that saw its press.
    if not settings.ready or settings.one_switch or context.session.has_game() or context.device.machine.owns_drive():
        return False
    context.device.buttons.poll(edges)
    count = edges.count
    edges.count = 0
    for i in range(count):
        if edges.pressed[i] and (edges.button[i] == controls.ROTATE_CW or edges.button[i] == controls.PAUSE):
            edges.count = i + 1
            context.voice.tell_menu(MENU_CHOOSE)
            break
    context.session.stir(edges)
    edges.waiting = count - edges.count
    return edges.count > 0


def resume_game(context: "Context", renews: bool = True) -> None:
    """Ask for the paused game in progress. For a match, first restart with an empty heap if the board can."""
    session = context.session
    game = session.suspended
    if not game:
        if renews and context.device.machine.renews and is_match_kept(session.journal):
            context.go("match.entrance", RESUME_GAME.encode())
            return
        game = restore(context)
    elif not hasattr(game, "seats"):
        session.choose_variant(session.kept)
    go_on(context, game)


def go_on(context: "Context", game: "Game | Match | None") -> None:
    """Ask for a paused game's scene; without a game the main menu says why, and the save stays."""
    if game:
        context.go("match.play" if hasattr(game, "seats") else "play", game)
    else:
        context.go("menus.main", _UNREADABLE)


def restore(context: "Context") -> "Game | Match | None":
    """Return the game saved in the journal, or None if there is none or another version saved it."""
    # Imported late here and below: a press waits for each import.
    from firmware.announcing import tell

    tell(context)
    journal = context.journal
    if is_match_kept(journal):
        from firmware.save import match_revival

        match = match_revival.restore(journal)
        if match and match.choices[0].deal:
            context.router.hold("firmware.engine.dealers")  # the next rounds need it
        return match
    from firmware.modes.catalogue import make_mode
    from firmware.save import suspended_revival
    from firmware.save.suspended import VARIANT

    record = journal.read(SUSPENDED)
    if not len(record):
        return None
    game = suspended_revival.restore(record, make_mode)
    if game:
        context.session.choose_variant(record[VARIANT])
    return game


def is_match_kept(journal: "Journal") -> bool:
    """Return whether the latest save of a game in progress is a match."""
    from firmware.save.journal_reading import find_order

    try:
        newer = find_order(journal, MATCH) > find_order(journal, SUSPENDED)
    except OSError:
        newer = False  # `read` notes the failure
    return len(journal.read(MATCH)) > 0 and (newer or not len(journal.read(SUSPENDED)))
