"""The page links to another window, another phone or a handheld, and both ends see the same match."""

import base64
import io
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import zxingcpp
from PIL import Image

from firmware.engine.controls import ROTATE_CW
from sim.link import SerialPipe
from sim.ownership import write_folder
from tests.support import needs
from tests.support.handhelds.linked import FRAME_MS, Linked
from tests.web.host import Host
from tests.web.page_saves import open_section, wait_for_games
from tests.web.realm import PACKAGES
from tests.web.relay_host import RelayHost
from tests.web.visit import PATIENCE_MS, Visit, visiting
from tools.web import dist

SMALL = {"viewport": {"width": 320, "height": 480}}
TURN_MS = 200
TURNS = 600
STUN_COOKIE = bytes.fromhex("2112a442")  # RFC 8489, 5
QR = zxingcpp.barcode_formats_from_str("QRCode")
ANSWER = f"a,user,{22 * 'p'},{43 * 'A'},h192.0.2.1:50000,3j7g"
RESULT = "'%d %d %d' % (match.ends_ms, match.winner, match.hash())"


def wait(until: Callable[[], bool], *clocks: Any) -> None:
    """Let time pass on all clocks until a condition holds."""
    for _ in range(TURNS):
        if until():
            return
        for side in clocks:
            side.advance(TURN_MS)
    raise AssertionError([(side.scene, side.notice) for side in clocks])


def ask(side: Any, expression: str) -> Any:
    return side.ask(re.sub("lobby|match", r"handheld.app.router.scene.\g<0>", expression))


def open_lobby(side: Any) -> None:
    """Open LINK, and accept the initials that it asks for the first time."""
    side.ask("handheld.app.context.go('link.lobby')")
    sign(side)


def sign(side: Any) -> None:
    """Accept the initials unchanged if they are asked for."""
    side.advance(200)
    if side.scene == "menus.scores_initials":
        side.ask("handheld.app.router.scene.finish()")  # a dialog may have the keys
        side.advance(200)


def is_shown_linked(page: Any) -> bool:
    """Return whether lamp and dialog say that the other side is heard; they say the same."""
    is_lit = page.get_attribute("#lamp", "hidden") is None
    words = r"Linked with another device|Linked: \w+ and \w+" if is_lit else "Waiting for another device"
    assert re.fullmatch(words, page.text_content("#linked h2"))
    return is_lit


def await_lamps(*visits: Visit) -> None:
    for visit in visits:
        visit.page.wait_for_selector("#lamp:not([hidden])", state="attached")


def name_relay(visit: Visit, name: str) -> None:
    visit.page.evaluate("name => { document.getElementById('relay').value = name; }", name)


def meet(sides: tuple[Any, ...], clocks: tuple[Any, ...]) -> None:
    """Open LINK on each side and wait until all see each other."""
    for side in sides:
        open_lobby(side)
    await_all(sides, clocks)


def await_all(sides: tuple[Any, ...], clocks: tuple[Any, ...]) -> None:
    wait(lambda: all(side.scene in ("link.lobby", "menus.scores_initials") for side in sides), *clocks)
    for side in sides:
        sign(side)
    wait(lambda: all(side.scene == "link.lobby" for side in sides), *clocks)
    wait(lambda: all(ask(side, "lobby.is_whole() and len(lobby.members)") == len(sides) for side in sides), *clocks)


def play(sides: tuple[Any, ...], clocks: tuple[Any, ...]) -> set[str]:
    """Press A on each side, let all but the last drop everything in the middle; return the results on all sides."""
    for side in sides:
        side.press("a")
    wait(lambda: all(side.scene == "link.play" for side in sides), *clocks)
    wait(lambda: all(ask(side, "match.time_ms") > 0 for side in sides), *clocks)
    sides[0].page.evaluate("window.dispatchEvent(new Event('blur'))")  # as if the player used the next window

    def drop() -> bool:
        over = all(ask(side, "match.over") for side in sides)
        for side in sides[:-1] * (not over):
            side.page.keyboard.press("Space")
        return over

    wait(drop, *clocks)
    return {ask(side, RESULT) for side in sides}


# A serial port between the page and a simulator; exchange() is the simulator's end.
SERIAL = """
const port = {
    async open({ baudRate }) {
        const said = [];
        const readable = new ReadableStream({ start: (controller) => { this.controller = controller; } });
        const writable = new WritableStream({ write: (bytes) => { said.push(...bytes); } });
        Object.assign(this, { baudRate, readable, writable });
        window.exchange = (bytes) => {
            if (bytes.length) this.controller.enqueue(Uint8Array.from(bytes));
            return said.splice(0);
        };
        window.unplug = () => this.controller.error(new Error("The device has been lost."));
    },
    async setSignals(signals) { this.signals = signals; },
    async close() {},
};
window.port = port;
Object.defineProperty(navigator, "serial", { value: { requestPort: async () => port } });
"""

# Connections with a state that the test sets, so that no test waits for a timeout.
CONNECTION = """() => {
    const Real = RTCPeerConnection;
    window.RTCPeerConnection = class extends Real {
        constructor(...how) {
            super(...how);
            window.pretend = (state) => {
                window.pretended = state;
                this.dispatchEvent(new Event("connectionstatechange"));
            };
        }
        get connectionState() { return window.pretended ?? "connected"; }
    };
}"""

# A camera that sees the pictures of shown(), and a browser whose QR codes the test reads.
CAMERA = """
navigator.mediaDevices.getUserMedia = async () => {
    const picture = await createImageBitmap(new Blob([Uint8Array.from(await shown())]));
    const canvas = Object.assign(document.createElement("canvas"), { width: picture.width, height: picture.height });
    canvas.getContext("2d").drawImage(picture, 0, 0);
    return canvas.captureStream();
};
window.BarcodeDetector = class {
    static async getSupportedFormats() { return ["qr_code"]; }
    async detect(view) {
        const canvas = Object.assign(document.createElement("canvas"),
            { width: view.videoWidth, height: view.videoHeight });
        canvas.getContext("2d").drawImage(view, 0, 0);
        const text = await readCode(canvas.toDataURL().split(",")[1]);
        return text ? [{ rawValue: text }] : [];
    }
};
"""


def read_code(picture: bytes) -> str:
    """Return the text of the QR code in a picture, "" if there is none."""
    found = zxingcpp.read_barcodes(Image.open(io.BytesIO(picture)), formats=QR)
    return "".join(code.text for code in found)


class Port:
    """The simulator's end of the port, like pyserial's; `page` has the other end."""

    def __init__(self, page: Any) -> None:
        self.page, self.come, self.going = page, bytearray(), bytearray()

    @property
    def in_waiting(self) -> int:
        return len(self.come)

    def readinto(self, buffer: memoryview) -> int:
        buffer[:] = self.come[: len(buffer)]
        del self.come[: len(buffer)]
        return len(buffer)

    def write(self, data: memoryview) -> int:
        self.going += data
        return len(data)

    def carry(self) -> None:
        self.come += bytes(self.page.evaluate("bytes => exchange(bytes)", list(self.going)))
        self.going.clear()


class Simulator:
    notice = ""

    def __init__(self, page: Any) -> None:
        self.port = Port(page)
        self.handheld = Linked(SerialPipe(self.port), 0, "menus.title")

    def advance(self, ms: int) -> None:
        self.port.carry()
        for _ in range(ms // FRAME_MS):
            self.handheld.step(FRAME_MS)

    def press(self, _key: str) -> None:
        self.handheld.press(ROTATE_CW)
        self.handheld.step(FRAME_MS)

    def ask(self, expression: str) -> Any:
        return eval(expression, {"handheld": self.handheld})

    @property
    def scene(self) -> str:
        return self.handheld.name


@pytest.fixture
def desk(browser: Any, site: str) -> Iterator[Visit]:
    """A desk with a serial port; by default it links to other windows, but there are none."""
    with visiting(browser, site, **SMALL) as visit:
        visit.page.add_init_script(SERIAL)
        yield visit.open()


def test_play_a_friend_stands_in_menus_and_leads_to_an_invitation(visits: Any) -> None:
    visit = visits(**SMALL).open()
    visit.page.click("#friend")
    visit.page.wait_for_selector("#invite", state="visible")
    visit.page.click("#more [aria-label=Close]")
    for leave_menus in (Visit.begin_game, lambda visit: visit.press("Escape"), open_lobby):
        leave_menus(visit)
        assert not visit.page.is_visible("#friend")


@pytest.mark.parametrize("count", [3, pytest.param(4, marks=pytest.mark.long)])
def test_windows_of_one_browser_are_a_ring_and_play_to_the_same_hash(visits: Any, count: int) -> None:
    first = visits(**SMALL).open()
    others = tuple(visits(beside=first).open() for _ in range(count - 1))
    meet((first, *others), (first,))
    assert len(play((first, *others), (first,))) == 1
    wait(lambda: all(side.state("ENDED") for side in (first, *others)), first)
    wait_for_games(first, count)  # all windows add to one library
    meet((first, *others), (first,))
    *rest, last = others
    last.page.close()
    left = (first, *rest)
    wait(lambda: all(ask(side, "lobby.is_whole() and len(lobby.members)") == count - 1 for side in left), first)
    assert all(visit.problems == [] for visit in (*left, last))


def invite(visit: Visit) -> str:
    """Press Invite; return the link that the page shows, which must be that of its QR code."""
    open_section(visit, "together")
    visit.page.click("#invite")
    visit.page.wait_for_selector("#told-shown:not([hidden])")
    link = visit.page.input_value("#told")
    assert read_code(visit.page.locator("#code").screenshot()) == link
    return link


def join(visit: Visit, link: str) -> str:
    """Open an invitation on another phone; return the link of the answer."""
    visit.page.goto(link)
    visit.wait()
    visit.page.click("#notice button:text-is('Connect')")
    visit.page.wait_for_selector("#told-shown:not([hidden])")
    visit.advance(200)
    assert visit.scene == "menus.scores_initials" and "#" not in visit.page.url
    return visit.page.input_value("#told")


def test_two_phones_play_a_match_by_a_link_and_an_answer(desk: Visit, visits: Any) -> None:
    here = desk.page
    here.evaluate(CONNECTION)
    link = invite(desk)
    assert re.fullmatch(re.escape(desk.address) + r"#join=o,[^\s]{100,400}", link)
    assert not here.is_visible("#scan")  # this browser cannot read codes
    other = visits(**SMALL)
    there = other.page
    answer = join(other, link)
    assert re.fullmatch(re.escape(desk.address) + r"#answer=a,[^\s]{100,400}", answer)
    here.focus("#sent")
    here.keyboard.type(answer[:3])
    assert here.input_value("#sent") == answer[:3] and "Not linked" not in here.inner_text("#link-state")
    here.keyboard.press("Enter")
    here.wait_for_selector("#link-state:has-text('Not linked: this is not a whole invitation.')")
    here.keyboard.insert_text(answer)  # replaces these letters
    for page in (here, there):
        page.wait_for_selector("#notice:has-text('Linked')")
    await_lamps(desk, other)
    both = (desk, other)
    await_all(both, both)
    for side in both:
        open_section(side, "together")
        assert side.page.inner_text("#linked-name") == "Linked: AA1 and AA2"  # both have the initials AAA
        side.page.click("#more [aria-label=Close]")
    assert len(play(both, both)) == 1
    wait(lambda: all(side.state("ENDED") for side in both), *both)
    assert [page.text_content("#said").split(".")[0] for page in (here, there)] == ["You lost", "You won"]
    for state, line in (("disconnected", "The other side of the link does not"), ("connected", "Linked")):
        here.evaluate("state => pretend(state)", state)
        here.wait_for_selector(f"#notice:has-text('{line}')")
        assert is_shown_linked(here) is (state == "connected")
    there.close()
    here.wait_for_selector("#notice:has-text('The link is cut.')")
    here.wait_for_selector("#lamp[hidden]", state="attached")
    assert other.problems == []


def test_two_phones_play_a_match_by_a_link_alone_over_a_relay(visits: Any) -> None:
    with RelayHost() as relay:
        host, guest = visits(**SMALL).open(), visits(**SMALL)
        open_section(host, "together")
        host.page.click("#together-panel summary")
        host.page.fill("#relay", relay.address)
        host.page.press("#relay", "Tab")
        link = invite(host)
        name = relay.address + r"/[\d-]+"
        assert re.fullmatch(re.escape(host.address) + r"#join=o,[^\s&]{100,400}&relay=" + name, link)
        guest.page.goto(link)
        guest.wait()
        assert guest.notice == f"Connect through {relay.address.removeprefix('ws://')}?"
        guest.page.click("#notice button:text-is('Connect')")
        await_lamps(host, guest)
        assert not relay.rooms  # it is not needed any more
    both = (host, guest)
    await_all(both, both)
    assert len(play(both, both)) == 1 and host.problems == guest.problems == []


def test_a_page_built_with_a_relay_needs_one_link_and_one_click(browser: Any, tmp_path: Path) -> None:
    with RelayHost() as relay:
        write_folder(tmp_path / "page", dist.build(PACKAGES, relay.address), dist.MARKER)
        with closing(Host(tmp_path / "page")) as site:
            host, guest = Visit(browser, site.address, **SMALL).open(), Visit(browser, site.address, **SMALL)
            guest.page.goto(invite(host))
            guest.wait()
            await_lamps(host, guest)
            assert host.problems == guest.problems == []
            host.close()
            guest.close()


def test_the_answer_is_shown_if_the_relay_is_gone(visits: Any) -> None:
    with RelayHost() as relay:
        host, guest = visits(**SMALL).open(), visits(**SMALL)
        name_relay(host, relay.address)
        link = invite(host)
        relay.stop()
        host.page.wait_for_selector("#link-state:has-text('The relay hung up.')")
    answer = join(guest, link)
    guest.page.wait_for_selector("#link-state:has-text('Not linked: the relay does not answer.')")
    host.page.fill("#sent", answer)
    await_lamps(host, guest)


@pytest.mark.parametrize("text", ["hello", "#answer=" + ANSWER.replace("a,", "o,", 1), "x" * 2000])
def test_messages_of_strangers_at_a_relay_change_nothing(visits: Any, text: str) -> None:
    with RelayHost() as relay:
        visit = visits(**SMALL).open()
        name_relay(visit, relay.address)
        link = invite(visit)
        with relay.call(link.rpartition("/")[2] + "?answer") as stranger:
            stranger.send(text)
            stranger.send("#answer=" + ANSWER)  # an answer without a peer
            visit.page.wait_for_selector("#link-state:has-text('Connecting.')")
        assert visit.page.input_value("#told") == link


def test_the_answer_is_shown_if_nobody_waits_at_the_relay(visits: Any) -> None:
    with RelayHost() as relay:
        host, guest = visits(**SMALL).open(), visits(**SMALL)
        name_relay(host, relay.address)
        link = invite(host)
        host.reload()
        assert join(guest, link)
        guest.page.wait_for_selector("#link-state:has-text('Not linked: nobody waits for this answer any more.')")


def test_an_invalid_relay_is_reported_in_one_line(visits: Any) -> None:
    visit = visits(**SMALL).open()
    open_section(visit, "together")
    name_relay(visit, "http://relay.example.org")
    visit.page.click("#invite")
    visit.page.wait_for_selector("#link-state:has-text('Not linked: a relay has a name like relay.example.org.')")


def test_an_answer_opened_in_another_tab_reaches_the_waiting_tab(visits: Any) -> None:
    host, guest = visits(**SMALL).open(), visits(**SMALL)
    answer = join(guest, invite(host))
    tab = visits(beside=host).open(answer[answer.index("#") :])
    tab.page.wait_for_selector("#notice:has-text('The answer arrived. Go back to the tab with your invitation.')")
    await_lamps(host, guest)
    host.page.reload()
    late = visits(beside=host).open("#answer=" + ANSWER)
    late.advance(1100)
    late.page.wait_for_selector("#notice:has-text('No tab waits for this answer.')")


def test_camera_reads_an_invitation(visits: Any) -> None:
    host = visits(**SMALL).open()
    invite(host)
    blank = io.BytesIO()
    Image.new("L", (64, 64)).save(blank, "PNG")
    held = [host.page.locator("#code").screenshot(), blank.getvalue()]
    guest = visits(**SMALL)
    page = guest.page
    page.add_init_script(CAMERA)
    page.expose_function("shown", lambda: list(held.pop()))
    page.expose_function("readCode", lambda picture: read_code(base64.b64decode(picture)))
    guest.open()
    open_section(guest, "together")
    page.click("#scan")
    wait(lambda: page.is_visible("#seen"), guest)
    page.click("#more [aria-label=Close]")
    page.wait_for_selector("#seen[hidden]", state="attached")
    open_section(guest, "together")
    page.click("#scan")
    wait(lambda: page.is_visible("#told-shown"), guest)
    assert not page.is_visible("#seen") and "#answer=" in page.input_value("#told") and guest.problems == []


def test_an_address_server_is_asked_only_if_the_player_names_one(visits: Any) -> None:
    visit = visits(**SMALL).open()
    page = visit.page
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind((own_address(), 0))
        open_section(visit, "together")
        page.click("#invite")
        page.wait_for_selector("#told-shown:not([hidden])")
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.recv(1)
        page.click("#together-panel summary")
        page.fill("#server", "{}:{}".format(*server.getsockname()))
        page.press("#server", "Tab")
        page.evaluate("document.getElementById('invite').click()")
        server.settimeout(PATIENCE_MS / 1000)
        assert server.recv(20)[4:8] == STUN_COOKIE
    page.reload()
    visit.wait()
    assert page.input_value("#server")
    open_section(visit, "together")
    page.click("#together-panel summary")
    page.fill("#server", "http://stun.example.org")
    page.click("#invite")
    page.wait_for_selector("#link-state:has-text('an address server has a name like stun.example.org.')")
    assert visit.problems == []


def own_address() -> str:
    """Return the address of this computer in its network, without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            needs.skip_system("a network that could have addresses")
        return str(probe.getsockname()[0])


def test_serial_port_carries_a_match_with_the_simulator(desk: Visit) -> None:
    open_section(desk, "together")
    desk.page.click("#together-panel summary")
    desk.page.click("#cable")
    desk.page.wait_for_selector("#notice:has-text('The port is open. Waiting for the handheld.')")
    assert not is_shown_linked(desk.page)
    assert desk.page.evaluate("[port.baudRate, port.signals.dataTerminalReady]") == [115_200, True]
    both = (desk, Simulator(desk.page))
    meet(both, both)
    assert is_shown_linked(desk.page) and desk.notice.startswith("Linked.")
    assert len(play(both, both)) == 1
    desk.page.evaluate("unplug()")
    desk.page.wait_for_selector("#notice:has-text('The link is cut.')")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (ANSWER.replace("192", "193"), "this is not a whole invitation"),
        pytest.param("hello", "this is not a whole invitation", marks=pytest.mark.every),
        pytest.param(ANSWER[:-1], "this is not a whole invitation", marks=pytest.mark.every),
        ("https://example.org/#answer=" + ANSWER, "this answer belongs to an invitation that is closed"),
    ],
)
def test_an_invalid_text_is_reported_in_one_line(desk: Visit, text: str, says: str) -> None:
    open_section(desk, "together")
    desk.page.fill("#sent", text)
    desk.page.wait_for_selector(f"#link-state:has-text('Not linked: {says}.')")


def test_a_single_window_does_not_hear_itself(desk: Visit) -> None:
    open_lobby(desk)
    desk.advance(1500)
    assert ask(desk, "lobby.length") == 0


def test_a_hidden_window_stays_in_the_ring(desk: Visit) -> None:
    open_lobby(desk)
    desk.advance(100)
    hide = """hidden => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        if (hidden) window.draw = requestAnimationFrame;
        window.requestAnimationFrame = hidden ? (frame) => { window.due = frame; } : draw;
        if (!hidden) draw(due);
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    desk.page.evaluate(hide, True)
    before = ask(desk, "lobby.greeted_ms")
    desk.advance(1000)
    assert ask(desk, "lobby.greeted_ms") - before > 500
    desk.page.evaluate(hide, False)


def test_hostile_invitation_contacts_nobody_before_a_click(visits: Any) -> None:
    with RelayHost() as relay:
        host = visits(**SMALL).open()
        name_relay(host, relay.address)
        link = invite(host)
        guest = visits(**SMALL)
        calls: list[str] = []
        guest.page.on("websocket", lambda socket: calls.append(socket.url))
        guest.page.add_init_script(
            "const Real = RTCPeerConnection; window.peers = 0;"
            "window.RTCPeerConnection = class extends Real { constructor(...how) { super(...how); window.peers++; } };"
        )
        before, after = link.split("&relay=")
        for place in ("ws://192.168.0.1/" + "a" * 20, "ws://localhost.evil.test/" + "a" * 20, "wss://a@evil.test/b"):
            guest.page.goto("about:blank")
            guest.page.goto(f"{before}&relay={place}")
            guest.wait()
            guest.page.wait_for_selector('#notice:has-text("Connect to your friend\'s device?")')
        for _ in range(2):  # "no" is remembered by nobody
            guest.page.goto("about:blank")
            guest.page.goto(link)
            guest.wait()
            guest.page.wait_for_selector("#notice:has-text('Connect through 127.0.0.1')")
        guest.advance(1000)
        assert calls == [] and guest.page.evaluate("peers") == 0
        open_section(guest, "together")
        guest.page.fill("#sent", link)  # a paste asks, too: the player cannot have read the address
        guest.page.wait_for_selector("#notice:has-text('Connect through 127.0.0.1')")
        assert calls == []
        guest.page.click("#notice button:text-is('Connect')")
        await_lamps(host, guest)
        assert calls == [after + "?answer"]
        guest.page.goto("about:blank")
        guest.page.goto(link)
        guest.wait()
        guest.page.wait_for_selector("#link-state:has-text('nobody waits for this answer')")  # allowed: it does not ask
