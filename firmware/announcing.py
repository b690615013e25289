"""Say on the screen what takes long before a game; nothing of this is in memory in play."""

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.contracts import Context


def tell(context: "Context", word: bytes = b"LOADING") -> None:
    """Show what is being done on an empty screen."""
    from firmware.view.art import FONT_5X7
    from firmware.view.lines import centre

    context.canvas.clear()
    centre(context.canvas, 60, word, FONT_5X7)
    context.device.display.show()


def make_room(context: "Context") -> None:
    """Compact a journal that is short of room before a game, if that frees a quarter of its bank."""
    journal = context.journal
    # Imported late: seldom needed.
    from firmware.save.journal_compaction import compact, weigh

    if journal.end - weigh(journal) >= journal.stores[journal.bank].size >> 2:
        tell(context, b"SAVING")
        compact(journal)
