"""Give tests short names for the parts of an App."""

from operator import attrgetter

from firmware.app import App
from firmware.context import Context
from firmware.router import Router
from sim.scenes import name_scene


class Inside:
    """Properties for the parts of `app`."""

    app: App
    session = property(attrgetter("app.session"))
    scene = property(attrgetter("app.router.scene"))
    game = property(attrgetter("scene.game"))
    settings = property(attrgetter("context.settings"))
    journal = property(attrgetter("context.journal"))
    voice = property(attrgetter("context.voice"))
    canvas = property(attrgetter("context.canvas"))

    @property
    def context(self) -> Context:
        return self.app.context

    @property
    def router(self) -> Router:
        return self.app.router

    @property
    def name(self) -> str:
        """Return the name of the scene."""
        return name_scene(type(self.scene).__module__)

    def go(self, name: str, subject: object = None) -> None:
        """Request a scene, which opens at the end of the next frame."""
        self.app.context.go(name, subject)
