"""What a screen reader says: from load to result, and to a player who hears nothing else."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from firmware.engine import events
from firmware.engine.matrix import EDGE
from firmware.modes.catalogue import SPRINT
from tests.support.golden import WRITE
from tests.web.visit import Visit

TRANSCRIPT = Path(__file__).with_name("first_game.txt")
HEAR = """() => {
    const said = document.querySelector("#said");
    window.heard = [said.textContent].filter(Boolean);
    new MutationObserver(() => heard.push(said.textContent)).observe(said, { childList: true });
}"""
WAIT_MS = 400
# Of each Tetrimino in each Facing, from north clockwise: how far the lowest and the highest Mino of each column are
# above the lowest of all.
SHAPES = {
    "I": [("0000", "1111"), ("0", "4")],
    "O": [("00", "22")],
    "T": [("000", "121"), ("01", "32"), ("101", "222"), ("10", "23")],
    "J": [("000", "211"), ("02", "33"), ("110", "222"), ("00", "13")],
    "L": [("000", "112"), ("00", "31"), ("011", "222"), ("20", "33")],
    "S": [("001", "122"), ("10", "32")],
    "Z": [("100", "221"), ("01", "23")],
}


class Listener:
    """A player at a keyboard who hears the live region."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        visit.page.evaluate(HEAR)
        visit.run("handheld.app.session.choose_seed(5)")

    def hear(self, *keys: str, ms: int = WAIT_MS) -> list[str]:
        """Press keys, and return what is said until some time after them."""
        for key in keys:
            self.visit.hold(key)
            self.visit.release(key)
        self.visit.advance(ms)
        return self.visit.page.evaluate("heard.splice(0)")

    def find(self, line: str, *keys: str) -> None:
        """Go down until this line is said; press keys there."""
        for _ in range(40):
            (said,) = self.hear("ArrowDown")
            if said.startswith(line):
                break
        else:
            raise AssertionError(line)
        self.hear(*keys)


@pytest.fixture
def listener(visit: Visit) -> Iterator[Listener]:
    yield Listener(visit)
    assert visit.problems == []


def test_transcript_of_a_first_game_from_load_to_result(listener: Listener) -> None:
    """tests/web/first_game.txt: after > what the player does, then what is said."""
    begin = "wait Tab Enter Space ArrowDown Space ArrowDown ArrowUp Space ArrowRight Space wait"
    play = "ArrowLeft ArrowUp Backspace Backspace ShiftLeft Space Escape ArrowDown Escape wait drop wait"
    end = "Space Space ArrowDown Enter KeyB"
    lines = []
    for step in f"{begin} {play} {end}".split():
        lines.append(f"> {step}")
        if step == "wait":
            lines += listener.hear(ms=6000)
        elif step == "drop":
            while not listener.visit.state("ENDED"):
                lines += listener.hear("Space")
        else:
            lines += listener.hear(step)
    text = "\n".join(lines) + "\n"
    if WRITE:
        TRANSCRIPT.write_text(text, encoding="utf-8", newline="\n")
    assert text.splitlines() == TRANSCRIPT.read_text(encoding="utf-8").splitlines()


def test_the_first_key_of_a_keyboard_leads_to_by_ear(listener: Listener) -> None:
    page = listener.visit.page
    assert listener.hear() == ["Press A. Falling minos. To play by ear, press Tab, then Enter."]
    listener.hear("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Play by ear"
    box = page.locator("#ear").bounding_box()
    assert box["width"] > 60 and box["x"] >= 0 and box["y"] >= 0
    (said,) = listener.hear("Enter")
    assert said.startswith("By ear is on") and listener.visit.ask("handheld.app.context.settings.by_ear") == 2
    focus = page.evaluate("[document.activeElement.id, document.activeElement.getAttribute('role')]")
    assert focus == ["glass", "application"]
    listener.visit.reload()
    page.evaluate(HEAR)
    assert listener.hear() == ["Press A. Falling minos."]
    assert page.get_attribute("#glass", "role") == "application"
    listener.visit.run("handheld.app.context.settings.by_ear = 0")
    listener.hear()
    assert page.get_attribute("#glass", "role") == "img"


def test_by_ear_is_not_offered_once_it_is_on(listener: Listener) -> None:
    """Even if it is turned on before the first screen is read."""
    listener.visit.page.focus("#ear")
    assert [said for said in listener.hear("Enter") if "To play by ear" in said] == []


@pytest.mark.parametrize("scene", ["play", "match.play"])
def test_the_way_to_by_ear_keeps_a_game_in_progress(listener: Listener, scene: str) -> None:
    listener.visit.begin_game()
    listener.visit.run(f"handheld.app.context.go({scene!r})")
    listener.hear(ms=1000)
    assert listener.visit.scene == scene and listener.visit.state("PLAYING")
    listener.visit.page.focus("#ear")
    assert [line.split(".")[0] for line in listener.hear("Enter")] == [
        "By ear is on: tones and this voice tell a game",
        "Skyline",
    ]
    listener.find("Continue", "Enter")
    assert listener.visit.scene == scene and listener.visit.ask("handheld.app.context.settings.by_ear") == 2


def test_the_live_region_describes_the_game(visit: Visit) -> None:
    visit.begin_game()
    assert visit.page.get_attribute("#said", "role") == "log"
    action = events.TETRIS | events.BACK_TO_BACK
    for statements, said in (
        (f"game.score, game.lines, game.action = 1200, 4, {action}", "Back-to-Back Tetris. Score 1200, level 1"),
        ("game.action = 0\ngame.level = 2", "Level up. Score 1200, level 2"),
        ("game.end(1)", "Game over. Score 1200, level 2"),
    ):
        visit.run(f"game = handheld.app.router.scene.game\n{statements}")
        visit.advance()
        assert visit.page.text_content("#said") == f"{said}, lines 4."


def test_the_live_region_says_what_by_ear_tells(visit: Visit) -> None:
    visit.run("context = handheld.app.context\ncontext.settings.by_ear = 2\ncontext.apply_settings()")
    visit.begin_game()
    piece, entered = "[IJLOSTZ]", "[IJLOSTZ], next [IJLOSTZ]"
    for keys, said in (
        ("", entered),
        ("ArrowLeft", "Column [34]"),
        ("ArrowUp", "Facing east. Column [2-6]"),
        ("Backspace", "Surface 0 0 0 0 0 0 0 0 0 0"),
        ("Backspace", f"Hold empty. Next {piece}( {piece}){{5}}"),
        ("ShiftLeft", f"Hold {piece}. {entered}"),
        ("ShiftLeft", "Hold is used"),
        ("Space", f"Locked. {entered}"),  # FAST has no delay between two Tetriminos
    ):
        visit.press(*[keys] if keys else [])
        visit.advance(0 if keys else 400)
        text = visit.page.text_content("#said")
        assert re.fullmatch(said + "[.]", text), (keys, text)
    visit.run(
        "scene = handheld.app.router.scene\n"
        f"scene.game.lines, scene.game.action, scene.voice.told = 1, {events.SINGLE}, {events.LOCKED}"
    )
    visit.advance()
    assert re.match("Locked. Single. Score", visit.page.text_content("#said"))


def test_a_line_clear_is_told_once_with_the_numbers_after_it(visit: Visit) -> None:
    visit.run(
        "app = handheld.app\n"
        "app.session.counts_down = False\n"
        f"app.session.variant = app.context.settings.variant = {SPRINT}\n"
        "app.context.go('play')"
    )
    visit.advance()
    visit.page.evaluate(HEAR)
    visit.page.evaluate("heard.splice(0)")  # what was said before
    rows = 0xFFFF & ~(0b11 << 4 + EDGE)  # full except where an O appears
    for lines in ("0", "39"):
        visit.run(
            "game = handheld.app.router.scene.game\n"
            f"game.score, game.lines, game.goal, game.hold = 0, {lines}, 40 - {lines}, 4\n"
            "game.action = 0\n"
            "game.matrix.clear()\n"
            f"for y in range(2): game.matrix.masks[y] = {rows}\n"
            "game.matrix.top = 2\n"
        )
        visit.press("ShiftLeft", "Space")
        visit.advance(1000)
    heard = visit.page.evaluate("heard")
    assert [re.sub(r"Score \d+", "Score N", line) for line in heard] == [
        "Double. Score N, level 1, lines 2.",
        "Double. Completed. Score N, level 1, lines 41.",
    ]


def choose(piece: str, heights: list[int]) -> tuple[int, int]:
    """Return turns and the leftmost column, from 1, of the flattest place that covers the fewest cells."""
    places = []
    for turns, (bottoms, tops) in enumerate(SHAPES[piece]):
        low, high = [int(digit) for digit in bottoms], [int(digit) for digit in tops]
        for column in range(11 - len(low)):
            under = heights[column : column + len(low)]
            base = max(height - bottom for height, bottom in zip(under, low, strict=True))
            after = [*heights]
            after[column : column + len(low)] = [base + top for top in high]
            covered = sum(base + bottom - height for height, bottom in zip(under, low, strict=True))
            rough = sum(abs(left - right) for left, right in pairwise(after))
            places.append((8 * covered + rough + 2 * base + max(after), turns, column + 1))
    return min(places)[1:]


def say_piece(said: list[str]) -> str:
    """Return the Tetrimino that entered, "" if none did."""
    found = re.findall(r"\b([IJLOSTZ]), next [IJLOSTZ]\b", " ".join(said))
    return found[-1] if found else ""


@pytest.mark.long
def test_a_player_who_only_hears_finishes_a_sprint(listener: Listener) -> None:
    listener.hear("Tab")
    listener.hear("Enter")
    listener.hear("Space")
    listener.hear("Space")
    listener.find("Sprint 40.")
    said = listener.hear("Space", ms=4000)
    while "Completed." not in " ".join(said):
        piece = say_piece(said)
        while not piece:
            said = listener.hear(ms=100)
            assert "Game over" not in " ".join(said)
            piece = say_piece(said)
        surface = re.search(r"Surface ([\d ]+)", " ".join(listener.hear("Backspace", ms=0)))
        assert surface
        turns, column = choose(piece, [int(height) for height in surface[1].split()])
        heard = " ".join(listener.hear(*["ArrowUp"] * turns, ms=0))
        at = int((re.findall(r"Column (\d+)", heard) or [0])[-1])
        if not at:
            heard = " ".join(listener.hear("ArrowLeft", ms=0))
            at = int(re.findall(r"Column (\d+)", heard)[-1])
        while at != column:
            heard = " ".join(listener.hear("ArrowLeft" if at > column else "ArrowRight", ms=0))
            at = int(re.findall(r"Column (\d+)", heard)[-1])
        said = listener.hear("Space", ms=0)
    assert re.search(r"Completed\. Score \d+, level \d+, lines 4[0-3]\.", " ".join(said)), said
    assert listener.visit.ask("handheld.app.session.variant") == SPRINT
    result = listener.hear(ms=6000)
    assert result[-1].startswith("Congratulations. A new best."), result
    (numbers,) = listener.hear("Space")
    assert numbers.startswith("Completed.") and "Time" in numbers
    (initials,) = listener.hear("Space")
    assert initials.startswith("Initials. A, letter 1 of 3. Place 1.")
    assert listener.hear("ArrowDown") == ["B, letter 1 of 3."]
    assert listener.hear("Enter")[-1].startswith("Sprint 40 quick. Baa 1:")
