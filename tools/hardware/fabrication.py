"""Make what a board house asks for: Gerber and drill files, and the positions of the parts."""

import csv
import io
import re
import tempfile
from pathlib import Path
from typing import Any

from tools.hardware import kicad, layout

_LAYERS = {
    "F_Cu": "F_Cu.gtl",
    "B_Cu": "B_Cu.gbl",
    "F_Mask": "F_Mask.gts",
    "B_Mask": "B_Mask.gbs",
    "F_SilkS": "F_Silkscreen.gto",
    "B_SilkS": "B_Silkscreen.gbo",
    "Edge_Cuts": "Edge_Cuts.gm1",
}
# Lines of Gerber and drill files that hold the time.
_DATED = re.compile(r"^(?:%TF\.CreationDate|G04 Created by|; DRILL file|; #@! TF\.CreationDate).*\n", re.MULTILINE)


def plot(board: Any) -> dict[str, bytes]:
    """Return the Gerber and drill files by name, without dates."""
    pcbnew = kicad.load()
    with tempfile.TemporaryDirectory() as folder:
        controller = pcbnew.PLOT_CONTROLLER(board)
        options = controller.GetPlotOptions()
        options.SetOutputDirectory(folder)
        options.SetPlotFrameRef(False)
        options.SetPlotValue(False)
        options.SetPlotReference(False)
        options.SetUseGerberProtelExtensions(False)
        options.SetUseGerberX2format(True)
        options.SetIncludeGerberNetlistInfo(False)
        options.SetCreateGerberJobFile(False)
        options.SetSubtractMaskFromSilk(True)
        files = {}
        for layer, name in _LAYERS.items():
            controller.SetLayer(getattr(pcbnew, layer))
            controller.OpenPlotfile(layer, pcbnew.PLOT_FORMAT_GERBER, "")
            controller.PlotLayer()
            path = Path(controller.GetPlotFileName())
            controller.ClosePlot()
            files[f"skyline-{name}"] = path.read_text(encoding="utf-8")
        writer = pcbnew.EXCELLON_WRITER(board)
        writer.SetOptions(False, False, pcbnew.wxPoint(0, 0), False)
        writer.SetFormat(True)
        writer.CreateDrillandMapFilesSet(folder, True, False)
        for path in sorted(Path(folder).glob("*.drl")):
            kind = "NPTH" if "NPTH" in path.name else "PTH"
            files[f"skyline-{kind}.drl"] = path.read_text(encoding="utf-8")
    return {name: _DATED.sub("", text).encode() for name, text in files.items()}


def list_positions() -> str:
    """Return the positions of the parts as CSV, in millimetres from the front's upper left corner."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["part", "what", "footprint", "x", "y", "degrees", "side"])
    for part in layout.list_parts():
        if part.footprint and not part.what.startswith("hole"):
            side = "back" if part.back else "front"
            footprint = part.footprint.split(":")[1]
            writer.writerow([part.name, part.what, footprint, f"{part.x:g}", f"{part.y:g}", f"{part.turn:g}", side])
    return stream.getvalue()
