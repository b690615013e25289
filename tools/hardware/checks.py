"""Check the circuit board: each function raises HardwareError with one line, or returns."""

import math
import re
import tempfile
from pathlib import Path
from typing import Any

from tools.assets import wiring
from tools.hardware import HardwareError, kicad, layout, netlist

FIT = (0.2, 0.6)  # how much wider a hole is than the lead in it
LEAST_RING = 0.15  # of copper around a plated hole
BUTTON_GAP = 2.0  # from a button's body to the next part, for its cap and the case's wall
SCREW_HEAD = 2.5  # radius of an M2.5 screw's head
_STANDING = ("DISPLAY", "PICO")  # modules that stand above the board: their sockets and solder joints lie below
_VIOLATION = re.compile(r"^\[(\w+)\]: (.+)\n(?:.*\n)*?\s+(@\(.+)$", re.MULTILINE)


def report_rules(board: Any) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "report.txt")
        pcbnew = kicad.load()
        if not pcbnew.WriteDRCReport(board, str(path), pcbnew.EDA_UNITS_MILLIMETRES, True):
            raise HardwareError("KiCad could not check the board's design rules")
        return path.read_text(encoding="utf-8")


def check_rules(board: Any) -> None:
    """Check that KiCad's design rule check finds nothing, and nothing unconnected.

    Copper of two nets is then apart, and copper of one net in one piece: the pads' nets are what the copper connects.
    """
    report = report_rules(board)
    counts = [int(count) for count in re.findall(r"\*\* Found (\d+) ", report)]
    if len(counts) != 3:
        raise HardwareError("KiCad's design rule check gave no result")
    if any(counts):
        found = _VIOLATION.search(report)
        words = f"{found[1]}: {found[2].strip()} {found[3]}" if found else "see its report"
        more = f", and {sum(counts) - 1} more" if sum(counts) > 1 else ""
        raise HardwareError(f"{words}{more}")


def read_pads(board: Any) -> dict[netlist.Pad, str]:
    return {
        (part.GetReference(), pad.GetName()): pad.GetNetname()
        for part in board.GetFootprints()
        for pad in part.Pads()
        if pad.GetName()
    }


def check_wiring(board: Any) -> None:
    """Check that every pin of the wiring table reaches its pad and no other."""
    found = read_pads(board)
    pins = netlist.list_pico_pads()
    wanted_nets = {pad: net for net, pads in netlist.list_nets().items() for pad in pads}
    # By part: which pads hang together is what counts, whatever the net's name in the file.
    for pad, pin in pins.items():
        if pad not in found:
            raise HardwareError(f"{pin}: the board has no pad {pad[1]} of {pad[0]}")
        net, wanted = found[pad], wanted_nets.get(pad, "")
        reached = {other for other, name in found.items() if net and name == net and other != pad}
        should = {other for other, name in wanted_nets.items() if wanted and name == wanted and other != pad}
        if reached != should:
            raise HardwareError(f"{pin} ({describe(pad)}) reaches {tell(reached)}, not {tell(should)}")
    for pad, net in wanted_nets.items():
        if found.get(pad) != net:
            raise HardwareError(f"{describe(pad)} is on the net {found.get(pad) or 'of nobody'}, not on {net}")


def describe(pad: netlist.Pad) -> str:
    if pad[0] == "J1":
        return f"pin {pad[1]} of the Pico"
    if pad[0] == "J2":
        return f"pin {41 - int(pad[1])} of the Pico"
    return f"pad {pad[1]} of {pad[0]}"


def tell(pads: set[netlist.Pad]) -> str:
    """Return pads in words, the first three of many."""
    if not pads:
        return "nothing"
    words = [describe(pad) for pad in sorted(pads)]
    return ", ".join(words[:3]) + (f" and {len(words) - 3} more" if len(words) > 3 else "")


def check_sizes(board: Any) -> None:
    """Check widths, clearances, holes and rings against what board houses make without a surcharge."""
    pcbnew = kicad.load()
    least_width, least_drill = kicad.nm(kicad.LEAST_WIDTH), kicad.nm(kicad.LEAST_DRILL)
    for item in board.GetTracks():
        x, y = kicad.mm(item.GetPosition().x), kicad.mm(item.GetPosition().y)
        is_via = item.GetClass() == "PCB_VIA"
        if not is_via and item.GetWidth() < least_width:
            width = kicad.mm(item.GetWidth())
            raise HardwareError(
                f"the track of {item.GetNetname()} at ({x:.1f}, {y:.1f}) is {width:g} mm wide,"
                f" {kicad.LEAST_WIDTH} wanted"
            )
        if is_via:
            check_ring(f"the via at ({x:.1f}, {y:.1f})", item.GetDrill(), item.GetWidth(), least_drill)
    for pad in board.GetPads():
        size = pad.GetSize()
        what = f"pad {pad.GetName()} of {pad.GetParent().GetReference()}"
        if pad.GetDrillSize().x and pad.GetAttribute() != pcbnew.PAD_ATTRIB_NPTH:
            check_ring(what, pad.GetDrillSize().x, min(size.x, size.y), least_drill)
    for zone in board.Zones():
        gap, thickness = kicad.mm(zone.GetLocalClearance()), kicad.mm(zone.GetMinThickness())
        if gap < kicad.LEAST_CLEARANCE or thickness < kicad.LEAST_WIDTH:
            raise HardwareError(f"the pour keeps {gap:g} mm away and is {thickness:g} mm thin at the least, 0.2 wanted")


def check_ring(what: str, drill: int, size: int, least_drill: int) -> None:
    if drill < least_drill:
        raise HardwareError(f"{what} has a hole of {kicad.mm(drill):g} mm, {kicad.LEAST_DRILL} wanted")
    ring = kicad.mm(size - drill) / 2
    if ring < LEAST_RING:
        raise HardwareError(f"{what} has {ring:.2f} mm of copper around its hole, {LEAST_RING} wanted")


def check_holes(board: Any) -> None:
    """Check that each lead and screw fits its hole. Tabs without a number fit as their maker's footprint says."""
    leads = {part.name: part.lead for part in layout.list_parts() if part.lead}
    for footprint in board.GetFootprints():
        name = footprint.GetReference()
        for pad in footprint.Pads():
            if not pad.GetDrillSize().x or not (pad.GetName() or layout.is_hole(name)):
                continue
            if name not in leads:
                raise HardwareError(f"{name}: the layout does not say how thick its leads are")
            play = round(kicad.mm(pad.GetDrillSize().x) - leads[name], 3)
            if not FIT[0] <= play <= FIT[1]:
                raise HardwareError(
                    f"{name}: a hole of {kicad.mm(pad.GetDrillSize().x):g} mm for a lead of {leads[name]:g} mm leaves"
                    f" {play:g} mm, {FIT[0]} to {FIT[1]} wanted"
                )


def check_edge(board: Any) -> None:
    """Check that bodies and copper lie on the board; only a part's mouth goes through the case's wall."""
    for part in layout.list_parts():
        left, top, right, bottom = part.area()
        if left < 0 or top < 0 or right > layout.WIDTH or bottom > layout.HEIGHT:
            raise HardwareError(
                f"{part.name} lies beyond the board's edge: x {left:g} to {right:g}, y {top:g} to {bottom:g}"
            )
    for item in [*board.GetPads(), *board.GetTracks()]:
        left, top, right, bottom = kicad.measure_box(item)
        if min(left, top, layout.WIDTH - right, layout.HEIGHT - bottom) < kicad.EDGE:
            raise HardwareError(f"copper at ({left:.1f}, {top:.1f}) is nearer than {kicad.EDGE} mm to the board's edge")


def measure_gap(a: layout.Part, b: layout.Part) -> float:
    """Return the distance between the bodies of two parts; negative where they overlap."""
    ax0, ay0, ax1, ay1 = a.area()
    bx0, by0, bx1, by1 = b.area()
    dx, dy = max(bx0 - ax1, ax0 - bx1), max(by0 - ay1, ay0 - by1)
    return max(dx, dy) if min(dx, dy) < 0 else math.hypot(dx, dy)


def check_bodies(board: Any) -> None:
    """Check that bodies on one side keep apart, and that none lies on other solder joints or under a screw's head."""
    bodies = [part for part in layout.list_parts() if part.box.height]
    check_gaps(bodies)
    for part in bodies:
        left, top, right, bottom = part.area()
        for x, y in layout.HOLES:
            if math.hypot(max(left - x, x - right, 0), max(top - y, y - bottom, 0)) < SCREW_HEAD:
                raise HardwareError(f"{part.name} lies under the head of the screw at ({x:g}, {y:g})")
        if part.name in _STANDING:
            continue
        for pad in board.GetPads():
            owner, spot = pad.GetParent().GetReference(), pad.GetPosition()
            x, y = kicad.mm(spot.x), kicad.mm(spot.y)
            if owner != part.name and pad.GetDrillSize().x and left < x < right and top < y < bottom:
                raise HardwareError(f"{part.name} lies on a solder joint of {owner} at ({x:.1f}, {y:.1f})")


def check_gaps(bodies: list[layout.Part]) -> None:
    for i, a in enumerate(bodies):
        for b in bodies[i + 1 :]:
            if a.back != b.back or {a.name, b.name} & {"J1", "J2"} and "PICO" in (a.name, b.name):
                continue
            is_button = a.name in layout.BUTTONS or b.name in layout.BUTTONS
            least, gap = BUTTON_GAP if is_button else 0.0, measure_gap(a, b)
            if gap < least:
                words = "overlaps" if gap < 0 else f"is {gap:.1f} mm from"
                raise HardwareError(f"{a.name} {words} {b.name}, {least:g} mm wanted between them")


def check_reach() -> None:
    near, far = layout.THUMB
    for key, (_corner, distance) in layout.measure_reach().items():
        if not near <= distance <= far:
            raise HardwareError(
                f"{key} is {distance:.0f} mm from the corner where its thumb turns, {near:g} to {far:g} wanted"
            )


def check_pins() -> None:
    """Check that the table gives each pin to one key only, and that the Pico has the pin."""
    used: dict[str, str] = {}
    for key, pin in wiring.pins().items():
        if pin not in wiring.LEFT + wiring.RIGHT:
            raise HardwareError(f"{key}: the Pico has no pin {pin}")
        if pin in used:
            raise HardwareError(f"{key} and {used[pin]} share the pin {pin}")
        used[pin] = key
