"""Fixtures for the settings.toml of the faked board."""

from collections.abc import Callable
from typing import Any

import pytest

from firmware.device.wiring import PREFIX


@pytest.fixture
def toml(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Write keys of settings.toml, named without their prefix."""

    def write(**settings: str) -> None:
        for key, value in settings.items():
            monkeypatch.setenv(PREFIX + key, value)

    return write


@pytest.fixture
def build(pico: Any, toml: Callable[..., None]) -> Callable[..., Any]:
    """Build the Device with keys of settings.toml."""

    def build(**settings: str) -> Any:
        toml(**settings)
        return pico.build()

    return build
