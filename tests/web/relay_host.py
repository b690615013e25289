"""Run a relay in a thread."""

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

from tools.web.relay import Limits, Relay, open_relay


class RelayHost:
    def __init__(self, limits: Limits | None = None, origins: Sequence[str] = (), **how: Any) -> None:
        self.origins = origins
        self.relay = Relay(limits, **how)
        self.loop = asyncio.new_event_loop()
        self.is_open = threading.Event()
        self.thread = threading.Thread(target=lambda: self.loop.run_until_complete(self.run()))

    async def run(self) -> None:
        self.stopped = asyncio.Event()
        async with await open_relay(self.relay, "127.0.0.1", 0, None, self.origins) as server:
            self.port = next(iter(server.sockets)).getsockname()[1]
            self.is_open.set()
            await self.stopped.wait()

    def __enter__(self) -> "RelayHost":
        self.thread.start()
        self.is_open.wait()
        return self

    def __exit__(self, *_problem: object) -> None:
        self.stop()
        self.loop.close()

    def stop(self) -> None:
        """Stop the relay, which informs the guests of its rooms."""
        if self.thread.is_alive():
            self.loop.call_soon_threadsafe(self.stopped.set)
            self.thread.join()

    @property
    def address(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    @property
    def rooms(self) -> list[str]:
        return list(self.relay.rooms)

    def call(self, room: str, **how: Any) -> Any:
        from websockets.sync.client import connect

        return connect(f"{self.address}/{room}", compression=None, proxy=None, **how)
