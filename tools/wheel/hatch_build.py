"""Let hatchling install a clone in place: Python finds its packages there, after all other packages."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BILL = "build/bill.cdx.json"  # made by tools.release


class CustomBuildHook(BuildHookInterface[Any]):
    """Leave the folders where they are in an editable install; a wheel moves them below skyline_game/."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Change the settings of pyproject.toml for an editable install; add the bill of packages to a wheel."""
        if version == "editable":
            self.build_config.target_config.pop("sources")
            build_data["force_include_editable"] = {"tools/wheel/launcher.py": "skyline_game/__init__.py"}
        elif Path(self.root, BILL).exists():
            build_data["sbom_files"].append(BILL)
