"""Draw the board's two sides from the shapes in KiCad's file."""

import io
import math
from dataclasses import dataclass
from typing import Any

from tools.hardware import kicad, layout

Point = tuple[float, float]

_SCALE, _FINE = 10, 3  # pixels of a millimetre in the PNG, and how much finer it is drawn first
_MARGIN = 4.0  # around the board
_PAPER, _MASK, _TRACK, _METAL, _INK, _HOLE = "#ffffff", "#1f5f45", "#2f7a5b", "#d9b45a", "#f4f4ee", "#20242a"


@dataclass(frozen=True)
class Stroke:
    """A line through points with round ends, or an area without a width."""

    colour: str
    points: tuple[Point, ...]
    width: float = 0.0


def list_strokes(board: Any, back: bool) -> list[Stroke]:
    """Return what a side shows, from the bottom up."""
    pcbnew = kicad.load()
    copper, silk, mask = (
        (pcbnew.B_Cu, pcbnew.B_SilkS, pcbnew.B_Mask) if back else (pcbnew.F_Cu, pcbnew.F_SilkS, pcbnew.F_Mask)
    )
    edge = pcbnew.SHAPE_POLY_SET()
    board.GetBoardPolygonOutlines(edge)
    strokes = list_areas(edge, _MASK)
    for zone in board.Zones():
        if zone.IsOnLayer(copper):
            strokes += list_areas(zone.GetFilledPolysList(copper), _TRACK)
    for item in board.GetTracks():
        if item.GetClass() == "PCB_VIA":
            strokes.append(Stroke(_TRACK, (point(item.GetPosition()),), kicad.mm(item.GetWidth())))
        elif item.GetLayer() == copper:
            ends = (point(item.GetStart()), point(item.GetEnd()))
            strokes.append(Stroke(_TRACK, ends, kicad.mm(item.GetWidth())))
    for pad in board.GetPads():
        if pad.IsOnLayer(mask) and pad.GetAttribute() != pcbnew.PAD_ATTRIB_NPTH:
            strokes += list_areas(pad.GetEffectivePolygon(), _METAL)
    printed = [item for part in board.GetFootprints() for item in part.GraphicalItems()] + list(board.GetDrawings())
    for item in printed:
        if item.GetLayer() == silk:
            strokes += list_text(item) if item.GetClass() == "PTEXT" else list_lines(item)
    return strokes


def list_areas(polygons: Any, colour: str) -> list[Stroke]:
    """Return KiCad's polygons; the pours have their holes cut open."""
    areas = []
    for i in range(polygons.OutlineCount()):
        line = polygons.Outline(i)
        areas.append(Stroke(colour, tuple(point(line.CPoint(j)) for j in range(line.PointCount()))))
    return areas


def list_text(text: Any) -> list[Stroke]:
    ends = [point(each) for each in text.TransformToSegmentList()]
    width = kicad.mm(text.GetTextThickness())
    return [Stroke(_INK, pair, width) for pair in zip(ends[::2], ends[1::2], strict=True)]


def list_lines(item: Any) -> list[Stroke]:
    pcbnew = kicad.load()
    width, shape = kicad.mm(item.GetWidth()), item.GetShape()
    if shape == pcbnew.SHAPE_T_SEGMENT:
        return [Stroke(_INK, (point(item.GetStart()), point(item.GetEnd())), width)]
    if shape in (pcbnew.SHAPE_T_CIRCLE, pcbnew.SHAPE_T_ARC):
        (x, y), (start_x, start_y) = point(item.GetCenter()), point(item.GetStart())
        if shape == pcbnew.SHAPE_T_CIRCLE:
            start_x, start_y = x + kicad.mm(item.GetRadius()), y
        turn = 360.0 if shape == pcbnew.SHAPE_T_CIRCLE else item.GetArcAngle() / 10
        first, r = math.atan2(start_y - y, start_x - x), math.hypot(start_x - x, start_y - y)
        angles = [first + math.radians(turn) * i / 48 for i in range(49)]
        return [Stroke(_INK, tuple((x + r * math.cos(a), y + r * math.sin(a)) for a in angles), width)]
    return []


def point(spot: Any) -> Point:
    return kicad.mm(spot.x), kicad.mm(spot.y)


def list_holes(board: Any) -> list[tuple[float, float, float]]:
    spots = [(pad.GetPosition(), pad.GetDrillSize().x) for pad in board.GetPads() if pad.GetDrillSize().x]
    spots += [(item.GetPosition(), item.GetDrill()) for item in board.GetTracks() if item.GetClass() == "PCB_VIA"]
    return sorted({(kicad.mm(spot.x), kicad.mm(spot.y), kicad.mm(drill)) for spot, drill in spots})


def draw_png(board: Any, back: bool) -> bytes:
    """Return the picture of a side; the back is seen from behind."""
    scale = _SCALE * _FINE
    size = (round((layout.WIDTH + 2 * _MARGIN) * scale), round((layout.HEIGHT + 2 * _MARGIN) * scale))
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", size, _PAPER)
    pen = ImageDraw.Draw(picture)

    def place(x: float, y: float) -> Point:
        return ((layout.WIDTH - x if back else x) + _MARGIN) * scale, (y + _MARGIN) * scale

    def disc(x: float, y: float, r: float, colour: str) -> None:
        pen.ellipse((x - r, y - r, x + r, y + r), fill=colour)

    for stroke in list_strokes(board, back):
        points = [place(*each) for each in stroke.points]
        if not stroke.width:
            pen.polygon(points, fill=stroke.colour)
            continue
        pen.line(points, fill=stroke.colour, width=round(stroke.width * scale))
        for x, y in points:
            disc(x, y, stroke.width / 2 * scale, stroke.colour)
    for x, y, diameter in list_holes(board):
        disc(*place(x, y), diameter / 2 * scale, _HOLE)
    picture = picture.resize((size[0] // _FINE, size[1] // _FINE), Image.Resampling.BOX)
    stream = io.BytesIO()
    picture.quantize(32, Image.Quantize.MEDIANCUT).save(stream, "PNG", optimize=True)
    return stream.getvalue()
