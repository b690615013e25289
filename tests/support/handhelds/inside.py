"""Give tests short names for the parts of an App."""

from typing import Any

from firmware.app import App
from firmware.context import Context
from firmware.router import Router
from sim.scenes import name_scene


class Inside:
    """Properties for the parts of `app`."""

    app: App

    @property
    def context(self) -> Context:
        return self.app.context

    @property
    def router(self) -> Router:
        return self.app.router

    @property
    def session(self) -> Any:
        return self.app.session

    @property
    def scene(self) -> Any:
        return self.app.router.scene

    @property
    def game(self) -> Any:
        return self.scene.game

    @property
    def name(self) -> str:
        """Return the name of the scene."""
        return name_scene(type(self.scene).__module__)

    @property
    def settings(self) -> Any:
        return self.app.context.settings

    @property
    def journal(self) -> Any:
        return self.app.context.journal

    @property
    def voice(self) -> Any:
        return self.app.context.voice

    @property
    def canvas(self) -> Any:
        return self.app.context.canvas

    def go(self, name: str, subject: object = None) -> None:
        """Request a scene, which opens at the end of the next frame."""
        self.app.context.go(name, subject)
