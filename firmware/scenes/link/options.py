"""Set handling and sound in the pause of a linked match; its scene must go on, so a Pico has no room for OPTIONS."""

from firmware.compat import TYPE_CHECKING
from firmware.option_table import list_lines
from firmware.scenes.choices import Choices
from firmware.scenes.menu import ROWS

if TYPE_CHECKING:
    from firmware.contracts import Callable, LinkPlay


class Page(Choices):
    """Change some settings; B adopts them for this match and shows the pause again."""

    heading = b"OPTIONS"
    records = list_lines("das_ms arr_ms cut_repeat soft_factor initial_rotation initial_hold music_on effects_on")
    rows = ROWS

    def __init__(self, scene: "LinkPlay", resume: "Callable[[LinkPlay, int], None]") -> None:
        self.stop = scene.stop
        Choices.__init__(self, scene.context)

    def set(self, name: str, value: int) -> None:
        """Set a field; `adopt_settings` applies it."""
        setattr(self.context.settings, name, value)

    def save(self) -> None:
        """Leave it to `adopt_settings`: beside this page a Pico has no room to save."""

    def back(self) -> None:
        """Adopt the settings, and go back to the pause."""
        self.stop.ask_for("link.pause", True)
