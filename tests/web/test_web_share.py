"""Recordings, links and pictures that the page exports and imports."""

import base64
import io
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image, ImageSequence
from PIL.GifImagePlugin import GifImageFile

from firmware.save.recordings.match_recording import MatchRecording
from firmware.save.recordings.recording import Recording
from sim import oled
from tests.support.handhelds.link_notes import RecordingRing
from tests.support.recorded import RECORDINGS, read
from tests.web.page_saves import drop, open_section, save
from tests.web.visit import Visit, visiting
from tools.review.positions import read_match
from tools.review.retry import cut_game, cut_match
from tools.web.browse import link

TWO_MINUTES = (RECORDINGS / "standard.sky").read_bytes()  # 124 s
LOST = (RECORDINGS / "lost.sky").read_bytes()
MOST_LETTERS = 4000


@pytest.fixture(scope="module")
def desk(browser: Any, site: str) -> Iterator[Visit]:
    """A desk at the title, for tests that end there; they leave its console empty."""
    with visiting(browser, site) as visit:
        visit.press("a", "a")
        yield visit


@pytest.fixture(scope="module")
def player(browser: Any, site: str) -> Iterator[Visit]:
    """A desk at which two Tetriminos were dropped and the game was paused."""
    with visiting(browser, site) as visit:
        visit.begin_game().press("Space", "ArrowLeft", "Space", "Escape")
        yield visit


def record_link() -> bytes:
    """Return a match between devices as one of them recorded it."""
    circle = RecordingRing(2, 5)
    circle.run()
    return circle.blob(circle.sides[0])


def share(visit: Visit) -> str:
    """Press Share while a game is watched; return the link that is shown."""
    visit.advance(1000)
    visit.page.click("#more-shown")
    visit.page.click("#share")
    visit.page.wait_for_selector("#link-shown:not([hidden])")
    written: str = visit.page.input_value("#link")
    return written


class TestRecordings:
    """A .sky file can be dropped or opened, watched, and saved unchanged."""

    def test_dropped_recording_is_watched_and_played_on(self, desk: Visit) -> None:
        drop(desk, "lost.sky", LOST)
        desk.page.wait_for_selector("#notice button:text-is('Play on')")
        desk.advance(3000)
        assert desk.scene == "replay.watch"
        desk.page.click("#notice button:text-is('Play on')")
        desk.advance(200)
        assert desk.scene == "replay.practise"
        assert desk.ask("handheld.app.router.scene.game.seed") == Recording(LOST).seed

    def test_match_is_watched_and_played_on(self, desk: Visit) -> None:
        drop(desk, "two.sky", (RECORDINGS.parent / "matches" / "two.sky").read_bytes())
        desk.page.wait_for_selector("#notice:has-text('two.sky') button")
        desk.advance(2500)
        assert desk.scene == "match.watch"
        desk.ask("handheld.app.session.hold_game(None)")  # or the page offers the game of another test
        desk.page.click("#notice button:text-is('Play on')")
        desk.advance(500)
        assert desk.scene == "match.play"

    @pytest.mark.parametrize(
        ("content", "says"),
        [
            (b"hello, I am a text", "it should begin with SKY"),
            (LOST[:-9], "its check sum does not match"),
            (b"SKYLINE SAVES 1\n" + bytes(8196), "the saves are damaged"),
            (bytes(1 << 17), "too long"),
        ],
    )
    def test_an_unusable_file_is_reported_in_one_line(self, desk: Visit, content: bytes, says: str) -> None:
        drop(desk, "what.bin", content)
        desk.page.wait_for_selector(f"#notice:has-text('{says}')")
        assert desk.notice.startswith("what.bin: ") and desk.notice.count("\n") == 0

    def test_a_game_in_play_is_saved_as_its_seed_and_edges(self, player: Visit) -> None:
        recording = Recording(save(player, "#save-sky"))
        assert recording.seed == player.ask("handheld.app.router.scene.game.seed")
        assert sum(1 for _ in iter(recording.read, False)) == 6


class TestLinks:
    """A link holds the whole game in its fragment."""

    def test_a_watched_game_is_shared_as_a_link_that_holds_it(self, visits: Any, site: str) -> None:
        written = share(visits().open(link(TWO_MINUTES)))
        assert written.startswith(f"{site}#game=")
        packed = base64.urlsafe_b64decode(written.partition("=")[2] + "==")
        assert zlib.decompress(packed, -15) == TWO_MINUTES

    def test_a_link_of_two_minutes_has_few_letters(self, visits: Any) -> None:
        assert len(share(visits().open(link(TWO_MINUTES)))) <= MOST_LETTERS

    def test_a_game_from_a_link_is_watched_and_played_on(self, visits: Any) -> None:
        visit = visits().open(link(TWO_MINUTES))
        visit.advance(1000)
        assert visit.scene == "replay.watch"
        visit.page.click("#notice button:text-is('Play on')")
        visit.advance(200)
        assert visit.scene == "replay.practise"

    def test_a_link_to_try_again_opens_practice_at_the_end(self, visits: Any) -> None:
        recording = read("marathon")
        visit = visits().open(link(cut_game(recording, 23_528), player=1))
        visit.advance(200)
        game = "handheld.app.router.scene.game"
        assert visit.scene == "replay.practise" and visit.notice == ""
        assert (visit.ask(f"{game}.lock_downs"), visit.ask(f"{game}.time_ms")) == (26, 23_528)

    def test_a_link_to_try_again_continues_a_match_as_its_player(self, visits: Any) -> None:
        recording = MatchRecording((RECORDINGS.parent / "matches" / "two.sky").read_bytes())
        position = read_match(recording, 1)[20]
        visit = visits().open(link(cut_match(recording, position), player=2))
        visit.advance(200)
        scene = "handheld.app.router.scene"
        assert (visit.scene, visit.ask(f"{scene}.me")) == ("match.play", 1)
        assert visit.ask(f"{scene}.match.seats[1].game.lock_downs") == 20

    @pytest.mark.parametrize(
        ("name", "player", "reason"),
        [
            ("recordings/lost.sky", "1", "the game is over"),
            ("matches/two.sky", "1", "the match is over for player 1"),
            ("matches/two.sky", "4", "the match has 2 players"),
            ("matches/two.sky", "9", "&try= takes a player's number, 1 to 4"),
            ("link", "1", "a match between devices cannot be played on"),
        ],
    )
    def test_a_link_that_cannot_be_tried_again_says_why(self, name: str, player: str, reason: str, visits: Any) -> None:
        recording = record_link() if name == "link" else (RECORDINGS.parent / name).read_bytes()
        visit = visits().open(f"{link(recording)}&try={player}")
        assert visit.notice == f"You cannot play on from this link, so you watch it: {reason}."
        visit.advance(200)
        assert visit.scene.endswith(".watch")

    def test_without_a_clipboard_the_text_is_selected(self, visits: Any) -> None:
        visit = visits()
        visit.page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        visit.open(link(TWO_MINUTES))
        for section, button, field in (("share", "share", "link"), ("together", "invite", "told")):
            open_section(visit, section)
            visit.page.click(f"#{button}")
            visit.page.wait_for_selector(f"label:has(#{field}) + #by-hand:has-text('The page may not copy here.')")
            active, marked, text = visit.page.evaluate(
                "() => [document.activeElement.id, `${getSelection()}`, document.activeElement.value]"
            )
            assert (active, marked) == (field, text) and text.startswith("http")
        visit.page.keyboard.press("Escape")
        open_section(visit, "share")
        assert visit.page.text_content("#by-hand") == ""

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (LOST, "the link is damaged or cut off"),
            (bytes(1 << 26), "the recording is too long for a handheld"),  # not unpacked far enough to see the cut
        ],
        ids=["cut", "cut, and too long"],
    )
    def test_a_cut_link_is_reported_in_one_line_and_the_page_starts(
        self, content: bytes, said: str, visits: Any
    ) -> None:
        visit = visits().open(link(content)[:-40])
        assert visit.notice == f"This link holds no game: {said}."
        visit.advance(200)
        assert visit.scene == "menus.title"


class TestPictures:
    def test_a_film_shows_the_handhelds_pictures(self, player: Visit) -> None:
        film = GifImageFile(io.BytesIO(save(player, "#save-gif")))
        assert film.size == (210, 402) and film.info["loop"] == 0
        assert 500 <= sum(frame.info["duration"] for frame in ImageSequence.Iterator(film)) <= 5000
        shown = film.convert("RGB")
        lit, dark = (oled.palette("white")[kind] for kind in (oled.LIT, oled.UNLIT))
        centres = [shown.getpixel((10 + 3 * x, 10 + 3 * y)) for y in range(128) for x in range(64)]
        assert set(centres) == {lit, dark} and 300 < centres.count(lit) < 3000

    def test_a_picture_has_the_shape_of_the_whole_glass(self, desk: Visit) -> None:
        picture = Image.open(io.BytesIO(save(desk, "#save-png")))
        desk.page.keyboard.press("Escape")
        assert picture.width % 70 == 0 and picture.height * 70 == picture.width * 134
