"""Fixtures for the settings.toml of the faked board."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.device.wiring import PREFIX


@pytest.fixture
def toml(tmp_path: Path) -> Callable[..., None]:
    """Write keys of settings.toml, named without their prefix."""

    def write(**settings: str) -> None:
        with (tmp_path / "settings.toml").open("a", encoding="utf-8") as file:
            for key, value in settings.items():
                file.write(f'{PREFIX if key.isupper() else PREFIX.lower()}{key} = "{value}"\n')

    return write


@pytest.fixture
def build(pico: Any, toml: Callable[..., None]) -> Callable[..., Any]:
    def build(**settings: str) -> Any:
        toml(**settings)
        return pico.build()

    return build
