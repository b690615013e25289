"""Make what a desktop shows: the entry of its menu, its description, icons and the manual page."""

import xml.etree.ElementTree as Xml

from firmware.scenes.options.facts import VERSION
from sim.library import VARIANTS
from sim.ownership import add_mark
from sim.terminal import Refusal, name_commands, tell_install
from tools.release import changes
from tools.web import install
from tools.wheel import commands
from tools.wheel.desktop import ENTRY, NAME

_SUMMARY = "Play a falling-block game that also runs on a handheld"
_ABOUT = (
    "Skyline is a falling-block game for a handheld that you can solder in an evening, and for this computer.",
    "It follows the 2009 guideline, from SRS, Hold and T-Spins to line attacks.",
    f"Play alone in {len(VARIANTS)} modes, solve puzzles, or play matches against computers, people and bots.",
)
_SIZES_PX = (128, 512)
_GAMES = 6  # section of the manual


def make() -> dict[str, bytes]:
    """Return the files by their paths below a share/ folder."""
    icons = {f"icons/hicolor/{size}x{size}/apps/{NAME}.png": install.icon(size) for size in _SIZES_PX}
    files = {
        ENTRY: _write_entry().encode(),
        f"metainfo/{NAME}.metainfo.xml": _write_description(),
        f"man/man{_GAMES}/skyline.{_GAMES}": _write_manual().encode(),
        **icons,
    }
    return {name: add_mark(content) for name, content in files.items()}


def _write_entry() -> str:
    lines = ("Type=Application", "Name=Skyline", f"Comment={_SUMMARY}", "Exec=skyline", f"Icon={NAME}")
    more = ("Terminal=false", "Categories=Game;BlocksGame;", "Keywords=blocks;falling;puzzle;")
    return "\n".join(["[Desktop Entry]", *lines, *more]) + "\n"


def _write_description() -> bytes:
    root = Xml.Element("component", type="desktop-application")
    texts = {"id": NAME, "name": "Skyline", "summary": _SUMMARY, "metadata_license": "MIT", "project_license": "MIT"}
    for name, text in texts.items():
        Xml.SubElement(root, name).text = text
    about = Xml.SubElement(root, "description")
    for text in _ABOUT:
        Xml.SubElement(about, "p").text = text
    Xml.SubElement(Xml.SubElement(root, "developer", id=NAME), "name").text = "the Skyline developers"
    Xml.SubElement(root, "launchable", type="desktop-id").text = f"{NAME}.desktop"
    Xml.SubElement(root, "content_rating", type="oars-1.1")
    releases = Xml.SubElement(root, "releases")
    for version, date in changes.read_versions():
        Xml.SubElement(releases, "release", version=version, date=date)
    Xml.indent(root)
    content: bytes = Xml.tostring(root, "utf-8", xml_declaration=True)
    return content + b"\n"


def _write_manual() -> str:
    try:
        from argparse_manpage.manpage import Manpage
    except ImportError:
        raise Refusal(f"argparse-manpage is not installed; {tell_install('release')}") from None
    about = {"description": "play a falling-block game", "project_name": "Skyline", "version": VERSION.decode()}
    about |= {"manual_title": "Games", "manual_section": str(_GAMES), "date": changes.read_versions()[0][1]}
    page = str(Manpage(commands.make_parser(), about)).replace(r"\-", "-")
    return name_commands(page, is_clone=False)
