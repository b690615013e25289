"""Make the circuit board: place the parts, route the tracks, pour the ground, and write KiCad's file."""

import tempfile
from pathlib import Path
from typing import Any

from tools.hardware import HardwareError, kicad, layout, netlist, ordering, routing, silkscreen

NAME = "skyline.kicad_pcb"
_RING = 0.3  # of copper around a hole that the layout makes wider


def make() -> str:
    """Return the text of the board's file, routed and poured; the same bytes each time."""
    board = place(layout.list_parts())
    routing.route(board, netlist.GROUND)
    silkscreen.draw(board)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, NAME)
        save(board, path)
        board = kicad.read_board(path)  # in the order of the file, so that the pours come out alike
        pour(board)
        save(board, path)
        return path.read_text(encoding="utf-8")


def save(board: Any, path: Path) -> None:
    """Write a board with its parts in order and without chance."""
    kicad.load().SaveBoard(str(path), board)
    path.write_text(ordering.order(path.read_text(encoding="utf-8")), encoding="utf-8")


def place(parts: tuple[layout.Part, ...]) -> Any:
    """Return a new board with its edge, its parts and their nets, without tracks."""
    pcbnew = kicad.load()
    board = pcbnew.BOARD()
    kicad.set_rules(board)
    board.GetDesignSettings().SetBoardThickness(kicad.nm(layout.THICKNESS))
    draw_edge(board)
    nets = {}
    for name, pads in netlist.list_nets().items():
        net = pcbnew.NETINFO_ITEM(board, name)
        board.Add(net)
        nets.update(dict.fromkeys(pads, net))
    for part in parts:
        if part.footprint:
            add_part(board, part, nets)
    return board


def add_part(board: Any, part: layout.Part, nets: dict[netlist.Pad, Any]) -> None:
    """Put the footprint of a part where the layout has it, and connect its pads."""
    pcbnew = kicad.load()
    library, name = part.footprint.split(":")
    try:
        footprint = pcbnew.FootprintLoad(str(kicad.FOOTPRINTS / f"{library}.pretty"), name)
    except OSError:
        footprint = None
    if footprint is None:
        raise HardwareError(f"{part.name}: KiCad has no footprint {part.footprint}")
    footprint.SetReference(part.name)
    footprint.SetValue(part.what)
    footprint.SetFPID(pcbnew.LIB_ID(library, name))
    board.Add(footprint)
    footprint.SetPosition(kicad.spot(part.x, part.y))
    if part.back:
        footprint.Flip(footprint.GetPosition(), False)
    footprint.SetOrientationDegrees(part.turn)
    for pad in footprint.Pads():
        net = nets.get((part.name, pad.GetName()))
        if net is not None:
            pad.SetNet(net)
        if part.drill and pad.GetDrillSize().x:
            pad.SetDrillSize(pcbnew.wxSize(kicad.nm(part.drill), kicad.nm(part.drill)))
            least = kicad.nm(part.drill + 2 * _RING)
            pad.SetSize(pcbnew.wxSize(max(pad.GetSize().x, least), max(pad.GetSize().y, least)))


def draw_edge(board: Any) -> None:
    pcbnew = kicad.load()
    w, h, r = layout.WIDTH, layout.HEIGHT, layout.CORNER_RADIUS
    lines = (((r, 0), (w - r, 0)), ((w, r), (w, h - r)), ((w - r, h), (r, h)), ((0, h - r), (0, r)))
    # Of each corner: the middle of its arc, and the arc's start, from which it turns clockwise by 90 degrees.
    arcs = (((r, r), (0, r)), ((w - r, r), (w - r, 0)), ((w - r, h - r), (w, h - r)), ((r, h - r), (r, h)))
    for start, end in lines:
        shape = pcbnew.PCB_SHAPE(board)
        shape.SetShape(pcbnew.SHAPE_T_SEGMENT)
        shape.SetStart(kicad.spot(*start))
        shape.SetEnd(kicad.spot(*end))
        add_edge(board, shape)
    for middle, start in arcs:
        shape = pcbnew.PCB_SHAPE(board)
        shape.SetShape(pcbnew.SHAPE_T_ARC)
        shape.SetCenter(kicad.spot(*middle))
        shape.SetStart(kicad.spot(*start))
        shape.SetArcAngleAndEnd(900)
        add_edge(board, shape)


def add_edge(board: Any, shape: Any) -> None:
    shape.SetLayer(kicad.load().Edge_Cuts)
    shape.SetWidth(kicad.nm(0.1))
    board.Add(shape)


def pour(board: Any) -> None:
    """Fill both sides with ground."""
    pcbnew = kicad.load()
    inset = kicad.EDGE + 0.2
    corners = [(inset, inset), (layout.WIDTH - inset, inset)]
    corners += [(x, layout.HEIGHT - y) for x, y in reversed(corners)]
    for layer in (pcbnew.F_Cu, pcbnew.B_Cu):
        zone = pcbnew.ZONE(board)
        zone.SetLayer(layer)
        zone.SetNet(board.FindNet(netlist.GROUND))
        zone.SetLocalClearance(kicad.nm(0.3))
        zone.SetMinThickness(kicad.nm(0.25))
        zone.SetThermalReliefGap(kicad.nm(0.3))
        zone.SetThermalReliefSpokeWidth(kicad.nm(0.4))
        zone.SetPadConnection(pcbnew.ZONE_CONNECTION_THERMAL)
        zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)
        outline = zone.Outline()
        outline.NewOutline()
        for x, y in corners:
            outline.Append(kicad.nm(x), kicad.nm(y))
        board.Add(zone)
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
