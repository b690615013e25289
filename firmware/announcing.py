"""Show LOADING or SAVING before a game; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.contracts import Context


def tell(context: "Context", word: bytes = b"LOADING") -> None:
    """Show `word` alone on the screen."""
    from firmware.view.art import FONT_5X7
    from firmware.view.canvas import centre

    context.canvas.clear()
    centre(context.canvas, 60, word, FONT_5X7)
    context.device.display.show()


def make_room(context: "Context") -> None:
    """Compact the journal before a game if that frees at least a quarter of its bank."""
    journal = context.journal
    # Imported late: a game rarely needs it.
    from firmware.save.journal_compaction import compact, weigh

    if journal.end - weigh(journal) >= journal.stores[journal.bank].size >> 2:
        tell(context, b"SAVING")
        compact(journal)
